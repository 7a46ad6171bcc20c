"""
The echo rule: what an agent says again of what it was shown, or said itself, proves nothing (SPEC W-17).

The incident behind it: an agent noted tasks that nobody had given it, read them back, cited them, and after
ten days held them for official. So a note that adds nothing to what was recalled is skipped and changes
nothing of what stands; one that adds something is stored, resting on its sources. Pure.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from memories.calibration import MERGE_FROM
from memories.candidates import Candidate, Draft, Neighbour
from memories.comparison import differences, is_stated
from memories.domain import KINDS, PROVENANCE_WEIGHT
from memories.language import sentences_of, strip_guess, words
from memories.recall_log import ShownText
from memories.reconciliation.decision import Action, Decision

AN_ECHO: Final = "an echo of what was recalled"

GUESSED: Final = "agent_inferred"
MEASURED: Final = "measured"
EXTRACTED: Final = "extracted"
RELAYED: Final = "user_relayed"

SAME_TASK: Final = 1.1
"""Calibrated similarity + overlap of words from which a guessed task is one that is known already. Set on 12
wordings of one invented task and 12 other tasks, ours: wordings in one language reach 1.12 to 1.59, other
tasks up to 1.18 (near ones of the same office), the rest 0.9. A near guess lost costs little, an escaped one
much."""

NEARLY_ALL: Final = 0.9
"""Share of a note's words that one source has, from which the note adds nothing."""

RESTS_FROM: Final = 0.65
"""Calibrated similarity from which a note rests on what was shown; beneath, they share a subject."""

MOST_SOURCES: Final = 5

SHORTEST_QUOTE: Final = 4
"""Words from which a memory is known again within a longer text; less is found anywhere. Ours."""

_BOILERPLATE: Final = frozenset(
    words(
        "task tasks duty duties assignment assigned assign official officially responsible responsibility "
        "assistant agent bot guess standing remains own my mine need needs must should"
    )
) | {"任务", "职责", "助手", "负责", "安排", "正式", "我的", "我要", "需要"}
"""Words by which one claims a task; they tell nothing of which. Stemmed; Chinese as pairs of characters."""


def find_echo(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
    """Return the decision on a note that only says again what is its agent's own or was shown to it."""
    draft = candidate.draft
    if draft.verbatim or not (draft.provenance == GUESSED or is_tools(draft)):
        return None
    rank = draft.audience.classification
    for near in neighbours:
        told = near.audience.classification <= rank and near.audience.covers(draft.audience)
        if (
            told
            and not _is_of_another(draft, near)
            and _may_be_source(draft, near)
            and _says_again(candidate, near)
        ):
            return Decision(action=Action.RESTATE, reason=AN_ECHO, target=near, similarity=near.similarity)
    return None


def is_echo(decision: Decision) -> bool:
    """Tell whether the decision was that of an echo: it touches nothing of what stands."""
    return decision.reason == AN_ECHO


def may_echo(provenance: str) -> bool:
    """
    Tell whether a note of this origin may say again what its agent was shown; a person's word never does.

    Of what an agent says that a user said, that is asked for its voice: it is kept, and corroborates nothing.
    """
    return provenance in (GUESSED, MEASURED, EXTRACTED, RELAYED)


def is_tools(draft: Draft) -> bool:
    """Tell whether a tool said it, measured or not; no document's passage."""
    return draft.provenance == MEASURED or (draft.role == "tool" and draft.document_id is None)


def find_sources(candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Neighbour, ...]:
    """
    Return what a new note of an agent rests on, nearest first: at most MOST_SOURCES rows.

    A tool's text rests on what it quotes of recall: an answer that is captured as a tool's output is believed
    no more than what it holds.
    """
    draft = candidate.draft
    if draft.verbatim:
        return ()
    if is_tools(draft):
        quoted = (near for near in neighbours if near.recalled_in and _quotes(draft.content, near.content))
        return tuple(quoted)[:MOST_SOURCES]
    if draft.provenance != GUESSED:
        return ()
    found = [
        near
        for near in neighbours
        if near.id in draft.references
        or (_may_be_source(draft, near) and (near.similarity or 0.0) >= RESTS_FROM)
    ]
    known = [near for near in found if near.recalled_in or _is_own(draft, near)]
    return tuple(known[:MOST_SOURCES])


def leave_out_quotes(turns: Iterable[tuple[str, str]], shown: Sequence[ShownText]) -> list[str]:
    """
    Return what a session states, (role, text) each: without questions and what is quoted of memory.

    «Did Mara assign you the audit?» is not Mara's assigning it. An answer of recall that is captured as a
    tool's output states nothing: an agent's word would come back as a measurement. What people say is theirs,
    even in the same words; but a guess of the agent's that stands in a prompt was put there to be read.
    """
    by_tools, by_others = _quotable(shown), _quotable(one for one in shown if one.guessed)
    kept = []
    for role, text in turns:
        told = [sentence for sentence in sentences_of(text) if sentence[-1] not in "?？"]
        quoted, runs = by_tools if role == "tool" else by_others
        if quoted:
            told = [
                sentence
                for sentence in told
                if not is_stated(strip_guess(sentence), quoted) and not _has_run(sentence, runs)
            ]
        kept.append("\n".join(told))
    return kept


def _quotable(shown: Iterable[ShownText]) -> tuple[list[str], list[str]]:
    """
    Return the texts as they are compared, and their runs of words.

    By its run a text is found whole among other words: in JSON it has the names of fields around it.
    """
    texts = [strip_guess(one.text) for one in shown]  # «not assigned» would make it another sense
    return texts, [run for text in texts if (run := _run_of(text))]


def _may_be_source(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the agent has this row from recall or from itself; of a tool, whether recall said it."""
    if is_tools(draft):
        is_weaker = PROVENANCE_WEIGHT[near.provenance] < PROVENANCE_WEIGHT[MEASURED]
        return bool(near.recalled_in) and (is_weaker or draft.session in near.recalled_in)
    is_known_task = KINDS[draft.kind].needs_assigner and KINDS[near.kind].needs_assigner
    return bool(near.recalled_in) or near.id in draft.references or _is_own(draft, near) or is_known_task


def _is_own(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the row is the agent's own word, of any session; a turn kept word for word is a record."""
    same_agent = near.audience.agent_id == draft.audience.agent_id
    is_record = near.kind == "episode" and near.turn is not None and near.value is None
    return near.provenance == GUESSED and same_agent and not (is_record and draft.kind != "episode")


def _is_of_another(draft: Draft, near: Neighbour) -> bool:
    """
    Tell whether a state was written as another one: under other keys than the row, or with another value.

    Keys that were read from talk do not count: another wording has others, and would pass for another state.
    """
    written = not draft.role and draft.document_id is None and not KINDS[draft.kind].needs_assigner
    mine = (draft.entity_key, draft.concept_key, draft.value)
    theirs = (near.entity_key, near.concept_key, near.value)
    return written and draft.card == near.card == "state" and None not in (*mine, *theirs) and mine != theirs


def _says_again(candidate: Candidate, near: Neighbour) -> bool:
    """Tell whether the note adds nothing to the row."""
    draft = candidate.draft
    if near.content_hash == candidate.content_hash:
        return True
    mine, theirs = _gist(draft.content), _gist(near.content)
    if is_tools(draft):  # a tool repeats word for word, or it measured something
        return mine == theirs and not differences(near.content, draft.content)
    if KINDS[draft.kind].needs_assigner:
        return (near.similarity or 0.0) + _overlap(mine, theirs) >= SAME_TASK
    if _same_value(draft, near):
        return True
    if differences(near.content, draft.content):
        return False
    contained = bool(mine) and len(mine & theirs) >= NEARLY_ALL * len(mine)
    return contained or (near.similarity or 0.0) >= MERGE_FROM


def _quotes(text: str, known: str) -> bool:
    """Tell whether a text has the words of what is known in a row."""
    run = _run_of(strip_guess(known))
    return bool(run) and _has_run(text, [run])


def _run_of(text: str) -> str:
    """Return the words of a text in a row, by which it is known again; none of one that is found anywhere."""
    known = words(text)
    return f" {' '.join(known)} " if len(known) >= SHORTEST_QUOTE else ""


def _has_run(text: str, runs: Iterable[str]) -> bool:
    """Tell whether a text has one of these runs of words."""
    said = f" {' '.join(words(text))} "
    return any(run in said for run in runs)


def _same_value(draft: Draft, near: Neighbour) -> bool:
    keys = (draft.entity_key, draft.concept_key, draft.value)
    return None not in keys and keys == (near.entity_key, near.concept_key, near.value)


def _gist(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about, without those that only claim it."""
    return frozenset(words(strip_guess(text))) - _BOILERPLATE


def _overlap(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """Return the share of the shorter text's words that both have, in [0, 1]."""
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0
