"""
The steps that conclude from what was stated, and take back what follows no more (SPEC E-10).

# Note [Interrupted reasoning]
Each conclusion is one transaction under the store lock, in which its premises are looked at again. What is
stored is known by its key, so a night that was killed, or comes twice, ends where an undisturbed one would.

# Note [What is concluded anew]
What fell with a premise may follow from others, and is then another memory. What a person archived, corrected
or had forgotten is not concluded again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from evolution.consolidation import may_be_asked
from evolution.reasoning.conclusion import BY_RULES, Conclusion, from_rules
from evolution.reasoning.deduction import FEWEST, common_validity, deduce, narrowest
from evolution.reasoning.model_answer import MOST_CONCLUSIONS, REASONING, read_conclusions
from evolution.reasoning.premises import SQL, Premise, read_facts, read_premises
from evolution.reasoning.write import write_conclusion
from evolution.steps import Night, StepOutcome
from memories.llms import TURN_TOKENS, ModelError, OverBudget, Spent, get_model, within_budget
from memories.llms.prompts import number_notes
from memories.llms.remote import RemoteModel
from memories.storage import archive_conclusions
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant
from tenants.switches import switched_off

MOST_ENTITIES: Final = 5
"""Entities a night that are reasoned about, by the rules as by a language model (SPEC E-10)."""

MOST_TOLD: Final = 20
"""Memories of one entity that it is told of. Ours, as for patterns."""

SURPRISING: Final = 0.70
"""Novelty above which a memory is reasoned with first (SPEC W-10)."""

FALLEN: Final = "a premise does not hold any more"
NO_MORE: Final = "it follows no more"

_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class _Tally:
    counts: Counter[str] = field(default_factory=Counter)
    tokens_in: int = 0
    tokens_out: int = 0

    def took(self, spent: Spent) -> None:
        self.tokens_in += spent.tokens_in
        self.tokens_out += spent.tokens_out

    def outcome(self) -> StepOutcome:
        names = (
            "premises", "facts", "deductions", "inductions", "retracted", "asked", "fell_back", "moved",
            "left",
        )  # fmt: skip
        return StepOutcome(
            counts={name: self.counts[name] for name in names}, tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
        )  # fmt: skip


def retract(night: Night) -> StepOutcome:
    """
    Archive the conclusions one of whose premises does not hold any more; counts: retracted.

    What is superseded, archived or disputed takes its conclusions with it at once; this finds what ran out.
    """
    with unit_of_work():
        fallen = [row["id"] for row in SQL.run("find_fallen", now=night.now)]
    return StepOutcome(counts={"retracted": _archive(fallen, FALLEN, night)})


def reason(night: Night) -> StepOutcome:
    """
    Conclude from what was stated: by the rules of `deduction`, and by a language model where there is one.

    counts: memories that may be premises, facts that the rules read in them, deductions and inductions
    stored, conclusions retracted, entities that a model was asked about, answers that could not be used,
    conclusions whose premises moved meanwhile, and those left for later nights. Nothing is done where the
    tenant builds no knowledge (SPEC W-20).
    """
    tally = _Tally()
    if "knowledge" in switched_off():
        return tally.outcome()
    tally.counts.update(retract(night).counts)
    with unit_of_work():
        premises = read_premises(night.now)
        known = SQL.run("find_conclusions")
        last = SQL.run("find_last_night")[0]["at"]
    facts = read_facts(premises)
    tally.counts.update(premises=len(premises), facts=len(facts))
    drawn = from_rules(deduce(facts))
    tally.counts["retracted"] += _retract_undrawn(drawn, known, night)
    taken = {row["key"] for row in known if row["stands"] or not row["fell"]}
    by_id = {one.id: one for one in premises}
    new = [one for one in drawn if one.key not in taken]
    chosen = choose(new, by_id)
    tally.counts["left"] = len(new) - len(chosen)
    for said in (*chosen, *_ask(by_id, night, tally, since=last or _LONG_AGO)):
        if said.key not in taken:
            taken.add(said.key)
            _store(said, by_id, night, tally)
    return tally.outcome()


def choose(drawn: Sequence[Conclusion], premises: Mapping[UUID, Premise]) -> list[Conclusion]:
    """
    Return the conclusions of the few subjects that a night sees to, `MOST_ENTITIES` (SPEC E-10).

    Those first of whom something surprising was said (SPEC W-10), then those of whom something new was.
    """
    of: dict[str, list[Conclusion]] = {}
    for one in drawn:
        of.setdefault(one.subject, []).append(one)

    def worth(conclusions: Sequence[Conclusion]) -> tuple[bool, datetime]:
        told = [premises[one] for said in conclusions for one in said.premises]
        return any(one.novelty > SURPRISING for one in told), max(one.created_at for one in told)

    best = sorted(of.values(), key=worth, reverse=True)[:MOST_ENTITIES]
    return [one for conclusions in best for one in conclusions[:MOST_CONCLUSIONS]]


def _retract_undrawn(drawn: Sequence[Conclusion], known: Sequence[Mapping[str, Any]], night: Night) -> int:
    """Retract what the rules concluded once and do not now: a premise says something else."""
    still = {one.key for one in drawn}
    gone = [
        row["id"] for row in known
        if row["stands"] and row["made_by"] == BY_RULES and row["key"] not in still
    ]  # fmt: skip
    return _archive(gone, NO_MORE, night)


def _archive(ids: Sequence[UUID], what: str, night: Night) -> int:
    if not ids or night.dry_run:
        return len(ids)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        return len(archive_conclusions(ids, now=night.now, what=what))


def _store(said: Conclusion, premises: Mapping[UUID, Premise], night: Night, tally: _Tally) -> None:
    stored = night.dry_run or write_conclusion(said, premises, now=night.now) is not None
    tally.counts[f"{said.way}s" if stored else "moved"] += 1


def _ask(
    premises: Mapping[UUID, Premise], night: Night, tally: _Tally, *, since: datetime
) -> Iterator[Conclusion]:
    """Yield what the language model concludes of the entities of which most that is new was said."""
    model = get_model()
    if not may_be_asked(model) or night.dry_run or not isinstance(model, RemoteModel):
        return
    with unit_of_work():
        subjects = SQL.run(
            "find_subjects", premises=list(premises), since=since, fewest=FEWEST, most=MOST_TOLD,
            surprising=SURPRISING, entities=MOST_ENTITIES,
        )  # fmt: skip
    for row in subjects:
        told = [premises[one] for one in row["memories"]]
        tally.counts["asked"] += 1
        yield from _conclude(told, model, tally)


def _conclude(told: Sequence[Premise], model: RemoteModel, tally: _Tally) -> Iterator[Conclusion]:
    texts = [one.content for one in told]
    try:
        with within_budget(model, tokens=TURN_TOKENS) as meter:
            found, spent = model.answer(
                REASONING, [number_notes(texts)], lambda answer: read_conclusions(answer, texts)
            )
            meter.took(spent)
    except (OverBudget, ModelError) as error:
        tally.counts["fell_back"] += 1
        tally.took(getattr(error, "spent", Spent()))
        return
    tally.took(spent)
    for one in found:
        rests_on = [told[place] for place in one.places]
        audience = narrowest([premise.audience for premise in rests_on])
        validity = common_validity([(premise.valid_from, premise.valid_until) for premise in rests_on])
        if audience is not None and validity is not None:
            yield Conclusion(
                text=one.text, way=one.way, made_by=model.name, rule="", audience=audience,
                premises=tuple(premise.id for premise in rests_on), valid_from=validity[0],
                valid_until=validity[1],
            )  # fmt: skip
