"""The gates a text passes before it may become memory, in their fixed order (SPEC W-04)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.erased import FORGOTTEN, GATE, REASON
from memories.kinds import KINDS
from memories.llms import get_model
from memories.llms.base import ModelError, Note, Turn
from memories.llms.spending import TURN_TOKENS, within_budget
from memories.models import Capture
from memories.normalise import Normalised, normalise
from memories.quality import score_quality
from memories.reflect import CORRECTION, reflect
from memories.trace import Trace
from security.screening import screen, screen_names
from security.screening.verdict import Outcome, Verdict
from tenants.switches import GUARD


class GateRefused(Exception):
    """A gate keeps this text from becoming memory. `gate` says which, `failed` which part of it."""

    def __init__(
        self, gate: str, reason: str, *, quarantine: bool = False, score: float | None = None,
        failed: Sequence[str] = (),
    ) -> None:  # fmt: skip
        super().__init__(reason)
        self.gate = gate
        self.reason = reason
        self.state = "quarantined" if quarantine else "discarded"
        self.score = score
        self.failed = tuple(failed)


def normalise_text(text: str, capture: Capture, trace: Trace) -> Normalised:
    """Fold the text and resolve its times by the capture's clock. Raises GateRefused for an erased one."""
    if text == FORGOTTEN:
        raise GateRefused(GATE, REASON)
    with trace.step("normalise") as entry:
        normalised = normalise(text, clock=capture.clock, zone=ZoneInfo(capture.timezone))
        entry |= {
            "times": len(normalised.mentions),
            "occurred_at": normalised.occurred_at.isoformat(),
            "resolved": normalised.occurred_resolved,
        }
        return normalised


def screen_text(
    text: str, trace: Trace, *, names: Iterable[str] = (), without: frozenset[str] = frozenset()
) -> None:
    """
    Raise GateRefused for noise, injection and disguise; everything a detector said is on the trace.

    names: what is shown beside the text. without: what is switched off; the guard is by an operator only
    (SPEC W-20). Then, and when a person has released the text (H-03), what the detectors say is noted all the
    same.
    """
    with trace.step("screen") as entry:
        verdicts = screen(text) + screen_names(names)
        if not verdicts:
            return
        worst = next((v for v in verdicts if v.outcome is Outcome.QUARANTINE), verdicts[0])
        entry |= {"verdict": worst.outcome.value, "reason": worst.reason, "gate": worst.detector}
        entry |= {"findings": [_finding(verdict) for verdict in verdicts]}
        if worst.score is not None:
            entry["score"] = worst.score
        if worst.outcome is Outcome.QUARANTINE and (trace.is_released or GUARD in without):
            entry["verdict"] = "noted"
            if not trace.is_released:
                entry["held_back_by"] = "the operator has switched the guard off"
            return
        raise GateRefused(
            worst.detector, worst.reason, quarantine=worst.outcome is Outcome.QUARANTINE, score=worst.score
        )


def _finding(verdict: Verdict) -> dict[str, object]:
    return {
        "detector": verdict.detector,
        "reason": verdict.reason,
        "span": list(verdict.span) if verdict.span else None,
        "score": verdict.score,
    }


def is_judged(turn: Turn) -> bool:
    """Tell whether the model that reads this turn also says what it does to what stands (SPEC K-07)."""
    return not turn.verbatim and get_model().judges


def reflect_turn(turn: Turn, trace: Trace) -> tuple[tuple[Note, ...], frozenset[UUID]]:
    """
    Turn what was said into notes; return them, and the rows that the model which made them was asked about.

    The fallback model stands in when the first one is out.
    """
    try:
        return _ask("default", turn, trace)
    except ModelError as error:
        trace.entries[-1] |= {"verdict": "unavailable", "reason": f"{type(error).__name__}: {error}"}
        trace.entries[-1] |= error.spent.told()
    return _ask("fallback", turn, trace)


def _ask(alias: str, turn: Turn, trace: Trace) -> tuple[tuple[Note, ...], frozenset[UUID]]:
    with trace.step("reflect") as entry:
        model = get_model(alias)
        entry |= {"model": model.name} | _shown(turn)
        with within_budget(model, tokens=TURN_TOKENS) as meter:
            reflection = reflect(turn, model=model)
            meter.took(reflection.spent)
        entry |= {"model": reflection.model, "notes": len(reflection.notes)} | reflection.spent.told()
        entry |= _unread(reflection.unread) | _judged(reflection.notes)
        return reflection.notes, frozenset(row.id for row in turn.briefing.rows if model.judges)


def _unread(sentences: int) -> dict[str, int]:
    """Return for the trace how many sentences at the turn's end were not read; nothing if all were."""
    return {"unread": sentences} if sentences else {}


def _shown(turn: Turn) -> dict[str, int]:
    """Return for the trace how much a model was shown besides the turn; nothing of what."""
    told = {"rows": len(turn.briefing.rows), "earlier": len(turn.briefing.earlier)}
    return {name: number for name, number in told.items() if number}


def _judged(notes: Sequence[Note]) -> dict[str, int]:
    """Return for the trace how often rows were judged, and how often one that was not shown."""
    told = {
        "judged": sum(len(note.opinions) for note in notes),
        "foreign_rows": sum(note.refused for note in notes),
    }
    return {name: number for name, number in told.items() if number}


def pass_quality(notes: Sequence[Note], trace: Trace) -> tuple[Note, ...]:
    """
    Return the notes that may stand as what they say they are (SPEC W-09).

    What is below the gate is no decision, finding or estimate; its words stay, as a statement (SPEC K-03).
    """
    kept = []
    for note in notes:
        try:
            judge_quality(note.content, note.kind, note.provenance, trace)
        except GateRefused:
            trace.entries[-1]["verdict"] = "statement"
            if note.opinions:  # what it says of other rows is as true of a statement
                kept.append(replace(note, kind="statement"))
        else:
            kept.append(note)
    return tuple(kept)


def judge_quality(content: str, kind: str, provenance: str, trace: Trace) -> None:
    """Raise GateRefused for knowledge below the quality gate; a user's correction passes (SPEC W-09)."""
    is_correction = provenance == CORRECTION or (kind == "correction" and provenance == "user_stated")
    if not KINDS[kind].gated or is_correction:
        return
    with trace.step("quality") as entry:
        quality = score_quality(content, kind)
        entry |= {"kind": kind, "score": quality.total, "length": quality.length}
        entry |= {"keywords": quality.keywords, "structure": quality.structure}
        if not quality.passed:
            reason = f"below the quality gate: {', '.join(quality.failed)}"
            entry |= {"verdict": "discard", "reason": reason, "failed": list(quality.failed)}
            raise GateRefused("quality", reason, score=quality.total, failed=quality.failed)
