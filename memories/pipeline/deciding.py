"""
Ask the decision model what the arbiters of the house are not sure of (SPEC K-05, K-06).

Outside of any transaction: what it says comes along as data, as what a language model says does. It is asked
about the nearest rows in sight, all of one new row in one request, and never about what is settled exactly.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memories.candidates import Candidate, Draft, Neighbour, in_one_breath
from memories.deciders import Choice, DecisionModel, get_decider
from memories.domain import SAID_BY_NOBODY, Trace
from memories.llms import DECISION_TOKENS, DOES, LONGEST_SHOWN, MOST_ROWS, ModelError, Opinion, within_budget
from memories.pipeline.briefing import choose_rows, read_said_at
from memories.reconciliation import SUPERSEDED, Action, decide, is_echo
from memories.reconciliation.arbiters import rule
from memories.storage import Surroundings

MOST_SECONDS: Final = 20.0
"""For all rows of one capture; what is left then is judged by the arbiters of the house alone."""

_ASKED: Final = "An earlier statement: {earlier}. What does the statement do to the earlier one?"


def asks_decider() -> bool:
    """Tell whether a decision model is set."""
    return get_decider() is not None


def ask_decider(
    candidates: Sequence[Candidate], looks: Sequence[Surroundings], trace: Trace
) -> tuple[Candidate, ...]:
    """Return the candidates with what the decision model says of the rows near them."""
    model = get_decider()
    if model is None:
        return tuple(candidates)
    ends_at = time.monotonic() + MOST_SECONDS
    return tuple(
        _ask(model, candidate, look, trace) if time.monotonic() < ends_at else candidate
        for candidate, look in zip(candidates, looks, strict=True)
    )


def _ask(model: DecisionModel, candidate: Candidate, look: Surroundings, trace: Trace) -> Candidate:
    waiting = list(_open(candidate, look))
    if not waiting:
        return candidate
    said_at = read_said_at(waiting)
    rows = _choose(candidate.draft, waiting, said_at)
    known = {f"m{place}": near for place, near in enumerate(rows, start=1)}
    questions = [
        Choice(name=name, instructions=_ASKED.format(earlier=_tell(near, said_at[near.id])), answers=DOES)
        for name, near in known.items()
    ]
    with trace.step("decide") as entry:
        entry |= {"model": model.name, "rows": len(questions)}
        try:
            with within_budget(model, tokens=DECISION_TOKENS) as meter:
                found, spent = model.decide(_tell(candidate.draft, candidate.draft.effective_at), questions)
                meter.took(spent)
        except ModelError as error:
            entry |= {"verdict": "unavailable", "reason": f"{type(error).__name__}: {error}"}
            entry |= error.spent.told()
            return candidate
        entry |= {"judged": len(found)} | spent.told()
    opinions = tuple(_opinion(known[name], chances, model.name) for name, chances in found.items())
    return replace(candidate, draft=replace(candidate.draft, opinions=(*candidate.draft.opinions, *opinions)))


def _choose(draft: Draft, waiting: Sequence[Neighbour], said_at: Mapping[UUID, datetime]) -> list[Neighbour]:
    """Return the rows that are asked about: of the draft's keys, then as a language model is shown them."""
    keyed = [near for near in waiting if _has_keys_of(draft, near)]
    others = choose_rows(
        (near for near in waiting if not _has_keys_of(draft, near)), session=draft.session, said_at=said_at
    )
    return [*keyed, *others][:MOST_ROWS]


def _open(candidate: Candidate, look: Surroundings) -> Iterator[Neighbour]:
    """Yield the rows near the candidate on which nobody has the word yet."""
    draft = candidate.draft
    if draft.mode != "assertion" or draft.kind in SAID_BY_NOBODY:
        return
    decision = decide(candidate, look.neighbours, look.past)
    if decision.action is Action.REINFORCE or is_echo(decision):
        return
    judged = {*rule(candidate, look.neighbours).sure}
    if decision.action is Action.RESTATE and decision.target is not None:
        judged.add(decision.target.id)
    yield from (near for near in look.neighbours if near.id not in judged and _is_open(draft, near))


def _is_open(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the draft may bear on the row: one that was said before, and not in one breath."""
    is_live = near.standing != SUPERSEDED and near.kind not in SAID_BY_NOBODY
    return is_live and not in_one_breath(draft, near) and near.effective_at <= draft.effective_at


def _has_keys_of(draft: Draft, near: Neighbour) -> bool:
    keys = (draft.entity_key, draft.concept_key)
    return None not in keys and keys == (near.entity_key, near.concept_key)


def _tell(row: Draft | Neighbour, said_at: datetime) -> str:
    """Write a statement as data: JSON, in which no text can end its own place."""
    told: dict[str, Any] = {
        "said": said_at.isoformat(timespec="minutes"),
        "text": row.content[:LONGEST_SHOWN],
    }
    return json.dumps(told | ({"speaker": row.speaker} if row.speaker else {}), ensure_ascii=False)


def _opinion(near: Neighbour, chances: Any, judge: str) -> Opinion:
    does = max(chances, key=lambda one: chances[one])
    return Opinion(row=near.id, version=near.version, does=does, confidence=chances[does], judge=judge)
