"""Turns with the right answer to them, as a language model is shown them before it is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.llms.base import Turn
from memories.llms.opinions import Briefing, ShownRow

_ZURICH: Final = ZoneInfo("Europe/Zurich")
_SHANGHAI: Final = ZoneInfo("Asia/Shanghai")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A turn, and the answer to it as the schema asks."""

    turn: Turn
    answer: dict[str, Any]


def _turn(
    text: str,
    *,
    role: str,
    speaker: str | None,
    clock: datetime,
    zone: ZoneInfo,
    rows: Sequence[ShownRow] = (),
) -> Turn:
    return Turn(
        text=text, original=text, role=role, speaker=speaker, clock=clock, zone=zone, mentions=(),
        occurred_at=clock, briefing=Briefing(rows=rows),
    )  # fmt: skip


def _row(handle: str, text: str, *, entity: str, value: str) -> ShownRow:
    return ShownRow(
        handle=handle, id=UUID(int=0), version=1, text=text,
        said_at=datetime(2025, 11, 3, 15, tzinfo=_ZURICH),
        speaker="Dana", kind="working_state", entity_key=entity, concept_key="database", value=value,
    )  # fmt: skip


_KNOWN: Final = (
    _row("m1", "The billing service runs on MySQL 8.", entity="billing service", value="mysql 8"),
    _row("m2", "Reporting runs on MySQL 8, too.", entity="reporting", value="mysql 8"),
)


EXAMPLES: Final = (
    Example(
        turn=_turn(
            "Hi again! The billing service moved from MySQL to PostgreSQL on 2026-02-10, because of the "
            "row locks. I wonder whether we still need the old host. Omar, please rotate its API keys by "
            "2026-03-06.",
            role="user",
            speaker="Dana",
            clock=datetime(2026, 2, 12, 9, 30, tzinfo=_ZURICH),
            zone=_ZURICH,
            rows=_KNOWN,
        ),
        answer={
            "notes": [
                {
                    "kind": "working_state",
                    "content": "The billing service moved from MySQL to PostgreSQL on 2026-02-10, because of "
                    "the row locks.",
                    "value": "postgresql",
                    "keywords": ["billing", "database", "postgresql", "mysql", "row locks"],
                    "entities": ["billing service", "PostgreSQL", "MySQL"],
                    "concept_key": "database",
                    "entity_key": "billing service",
                    "cardinality": "single",
                    "importance": 4,
                    "occurred_at": "2026-02-10",
                    "confidence": 0.95,
                    "assigned_by": None,
                    "change": "explicit",
                    "sentences": [2],
                    "because": [],
                    "verdicts": [
                        {"row": "m1", "does": "replaces", "confidence": 0.97, "why": "said"},
                        {"row": "m2", "does": "adds", "confidence": 0.9, "why": "scope"},
                    ],
                },
                {
                    "kind": "task",
                    "content": "Omar is to rotate the API keys of the old billing host by 2026-03-06.",
                    "value": "rotate the api keys",
                    "keywords": ["api keys", "rotation", "old host"],
                    "entities": ["Omar", "billing service"],
                    "concept_key": "api_key_rotation",
                    "entity_key": "omar",
                    "cardinality": "multi",
                    "importance": 4,
                    "occurred_at": None,
                    "confidence": 0.95,
                    "assigned_by": "Dana",
                    "change": "none",
                    "sentences": [3, 4],
                    "because": [],
                    "verdicts": [],
                },
            ],
            "why_none": None,
        },
    ),
    Example(
        turn=_turn(
            "大家好！我从2026-02-01起改吃素了，聚餐请避开肉类。",
            role="user",
            speaker="林悦",
            clock=datetime(2026, 2, 3, 18, 5, tzinfo=_SHANGHAI),
            zone=_SHANGHAI,
        ),
        answer={
            "notes": [
                {
                    "kind": "preference",
                    "content": "林悦从2026-02-01起吃素，聚餐要避开肉类。",
                    "value": "素食",
                    "keywords": ["吃素", "聚餐", "肉类"],
                    "entities": ["林悦"],
                    "concept_key": "diet",
                    "entity_key": "林悦",
                    "cardinality": "single",
                    "importance": 4,
                    "occurred_at": "2026-02-01",
                    "confidence": 0.95,
                    "assigned_by": None,
                    "change": "explicit",
                    "sentences": [2],
                    "because": [],
                    "verdicts": [],
                }
            ],
            "why_none": None,
        },
    ),
    Example(
        turn=_turn(
            "Good question! I could look at the logs first, shall I?",
            role="assistant",
            speaker=None,
            clock=datetime(2026, 2, 12, 9, 31, tzinfo=_ZURICH),
            zone=_ZURICH,
        ),
        answer={"notes": [], "why_none": "an offer and a question"},
    ),
)
"""One with a change and a task, one in Chinese, one with nothing to keep. They teach the form, and make the
standing prompt long enough for providers to cache it at all (1 024 tokens)."""
