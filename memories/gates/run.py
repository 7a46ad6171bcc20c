"""The gates a text passes before it may become memory, in their fixed order (SPEC W-04)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.access import EXPIRED, FORGOTTEN, GATE, REASON
from memories.candidates import Candidate, Draft, days_of
from memories.domain import KINDS, USUAL_LAYER, Trace
from memories.extraction import (
    CORRECTION,
    NO_CONTENT,
    is_empty_talk,
    is_no_fact,
    learned_kind,
    mode_of,
    read_candidates,
    reflect,
    segment,
    with_end,
    with_kind,
    with_layer,
    with_mode,
)
from memories.extraction.reader import NAME, Reading
from memories.gates.earlier_turns import read_turns_before
from memories.gates.quality import score_quality
from memories.llms import TURN_TOKENS, ModelError, Note, Turn, get_model, within_budget
from memories.models import Capture
from memories.temporal import Normalised, normalise
from security.screening import MOST_LETTERS, ScreeningOutcome, ScreeningVerdict, screen, screen_names
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
    """Fold the text and resolve its times by the capture's clock. Raises GateRefused for one that is gone."""
    if text == FORGOTTEN:
        raise GateRefused(GATE, REASON)
    if text == EXPIRED:
        raise GateRefused("expired", "its words were let go by a rule of retention")
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
        worst = next((v for v in verdicts if v.outcome is ScreeningOutcome.QUARANTINE), verdicts[0])
        entry |= {"verdict": worst.outcome.value, "reason": worst.reason, "gate": worst.detector}
        entry |= {"findings": [_finding(verdict) for verdict in verdicts]}
        if worst.score is not None:
            entry["score"] = worst.score
        if worst.outcome is ScreeningOutcome.QUARANTINE and (trace.is_released or GUARD in without):
            entry["verdict"] = "noted"
            if not trace.is_released:
                entry["held_back_by"] = "the operator has switched the guard off"
            return
        raise GateRefused(
            worst.detector,
            worst.reason,
            quarantine=worst.outcome is ScreeningOutcome.QUARANTINE,
            score=worst.score,
        )


def _finding(verdict: ScreeningVerdict) -> dict[str, object]:
    return {
        "detector": verdict.detector,
        "reason": verdict.reason,
        "span": list(verdict.span) if verdict.span else None,
        "score": verdict.score,
    }


def is_judged(turn: Turn) -> bool:
    """Tell whether the model that reads this turn also says what it does to what stands (SPEC K-07)."""
    return not turn.verbatim and get_model().judges


def is_read_by_model() -> bool:
    """Tell whether a language model reads what is said, and not the rules alone."""
    return get_model().own_words


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


def judge_quality(content: str, kind: str, provenance: str, trace: Trace, *, sure: float = 0.0) -> None:
    """
    Raise GateRefused for knowledge below the quality gate; a user's correction passes (SPEC W-09).

    sure: how likely it is of the kind, where that was learned.
    """
    is_correction = provenance == CORRECTION or (kind == "correction" and provenance == "user_stated")
    if not KINDS[kind].gated or is_correction:
        return
    with trace.step("quality") as entry:
        quality = score_quality(content, kind, sure=sure)
        entry |= {"kind": kind, "score": quality.total, "length": quality.length}
        entry |= {"keywords": quality.keywords, "structure": quality.structure}
        if not quality.passed:
            reason = f"below the quality gate: {', '.join(quality.failed)}"
            entry |= {"verdict": "discard", "reason": reason, "failed": list(quality.failed)}
            raise GateRefused("quality", reason, score=quality.total, failed=quality.failed)


def read_rows(candidates: Sequence[Candidate], capture: Capture, trace: Trace) -> tuple[Candidate, ...]:
    """
    Return the embedded rows of a capture with what the local reader makes of them.

    A sentence of a document that it makes nothing of is left out: the passage has its words.

    Raises GateRefused when all of it is surely courtesy: the noise gate's word (SPEC W-05) in the languages
    that it has no lists for.
    """
    with trace.step("read") as entry:
        readings = read_candidates(candidates)
        entry["reader"] = NAME
        if _is_courtesy(candidates, readings, capture, trace):
            score = round(readings[0].courtesy, 5)
            entry |= {"verdict": "discard", "reason": NO_CONTENT, "gate": "noise", "score": score}
            raise GateRefused("noise", NO_CONTENT, score=score)
        drafts = [with_mode(one.draft, reading) for one, reading in zip(candidates, readings, strict=True)]
        if modes := _changed(drafts, candidates, "mode"):
            entry["modes"] = modes
    drafts = [_of_kind(draft, reading, trace) for draft, reading in zip(drafts, readings, strict=True)]
    if kinds := _changed(drafts, candidates, "kind"):
        entry["kinds"] = kinds
    drafts = [with_layer(with_end(draft)) for draft in drafts]
    if layers := _told_layers(drafts):
        entry["layers"] = layers
    if ending := sum(draft.valid_until is not None for draft in drafts):
        entry["ending"] = ending
    read = zip(candidates, drafts, strict=True)
    return tuple(replace(one, draft=draft) for one, draft in read if not is_no_fact(draft))


def _told_layers(drafts: Iterable[Draft]) -> dict[str, int]:
    """Return for the trace how many rows are of another layer than the usual one."""
    return dict(Counter(draft.layer for draft in drafts if draft.layer != USUAL_LAYER))


def _changed(drafts: Sequence[Draft], candidates: Sequence[Candidate], name: str) -> dict[str, int]:
    """Return for the trace what became of rows that were something else before, and of how many."""
    now = (getattr(draft, name) for draft in drafts)
    was = (getattr(one.draft, name) for one in candidates)
    return dict(Counter(new for new, old in zip(now, was, strict=True) if new != old))


def _is_courtesy(
    candidates: Sequence[Candidate], readings: Sequence[Reading], capture: Capture, trace: Trace
) -> bool:
    """Tell whether a capture is surely courtesy, and neither released by a person nor an answer or a date."""
    if trace.is_released or not is_empty_talk(candidates, readings, longest=MOST_LETTERS):
        return False
    return not (_names_a_day_to_come(candidates, capture) or _may_answer(capture))


def _names_a_day_to_come(candidates: Sequence[Candidate], capture: Capture) -> bool:
    """Tell whether what is said names a day to come: «alright, see you tomorrow» says when they meet."""
    today = capture.clock.astimezone(ZoneInfo(capture.timezone)).date()
    return any(day > today for one in candidates for day in days_of(one.draft.annotations))


def _may_answer(capture: Capture) -> bool:
    """
    Tell whether a capture follows a question that somebody else asked: «lovely, thanks» may be an answer.

    A question that was discarded asked nothing. Turns above the capture's class are not looked at.
    """
    for text, role, speaker, state in read_turns_before(capture, "text", "role", "speaker", "state", most=1):
        pieces = segment(text)
        if state != "discarded" and (role, speaker) != (capture.role, capture.speaker) and pieces:
            return mode_of(text[pieces[-1].start : pieces[-1].end]) == "question"
    return False


def _of_kind(draft: Draft, reading: Reading, trace: Trace) -> Draft:
    """Return the draft as of the kind that the reader is sure of, if it may stand as that (SPEC W-09)."""
    kind = learned_kind(draft, reading)
    if kind is None:
        return draft
    try:
        judge_quality(draft.content, kind, draft.provenance, trace, sure=reading.kinds[kind])
    except GateRefused:
        trace.entries[-1]["verdict"] = "statement"
        return draft
    return with_kind(draft, kind)
