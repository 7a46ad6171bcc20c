"""Keep what verdicts say of a memory by kind of question (SPEC E-13)."""

from uuid import UUID

from evolution.feedback.verdicts import Verdict
from recall.models import LearntOfMemory, RecallEvent
from recall.ranking import add_verdict


def learn(memory_id: UUID, asked: RecallEvent, verdict: Verdict | None, *, former: Verdict | None) -> None:
    """
    Count the verdict on a memory in the question's cluster, and take the former one back.

    The caller's transaction holds the memory's usage row, under which all verdicts on it stand in line. The
    row is of the question's class: what was learnt from a question is read by those cleared for it.
    """
    sketch = bytes(asked.cluster or b"")
    moves = [
        (sign * (one.weight if one.outcome == "helpful" else 0.0), sign * one.weight)
        for sign, one in ((-1.0, former), (1.0, verdict))
        if one is not None and one.outcome != "used"
    ]
    if not sketch or not moves:
        return
    rows = LearntOfMemory.objects.filter(memory_id=memory_id, classification=asked.classification)
    row = rows.first()
    packed = bytes(row.clusters) if row else b""
    for helped, said in moves:
        packed = add_verdict(packed, sketch, helped=helped, said=said)
    if row is not None:
        rows.update(clusters=packed)
    elif packed:
        LearntOfMemory.objects.create(
            memory_id=memory_id, clusters=packed, classification=asked.classification
        )
