"""
No LIMIT before a wall: a statement that counts out rows says how hidden ones are kept out.

A hidden row that takes a place before it is filtered out shows by what it displaces. A statement with a
LIMIT, an OFFSET, a window or a DISTINCT ON that is not in the table below is red.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from tenants.sql import load_queries

pytestmark = pytest.mark.spec("S-01", "R-07")

ROOT: Final = Path(__file__).parents[2]

_COUNTS_OUT: Final = re.compile(r"\bLIMIT\b|\bOFFSET\s+[^0\s]|row_number\(|DISTINCT ON|\blead\(|\blag\(")

ASKER = "run at the asker's clearance: row security leaves out what lies above before anything is counted"
OWN_CLASS = "run at the class of what is written (`see_up_to`): row security leaves out what lies above"
BY_CLASS = "rows are counted by class: what lies above takes no place of what does not"
BOUNDED = "the class is a condition inside the limit"
NIGHT = "a night's portion of work: when a row is seen to, and not what becomes of it"
OPERATOR = "an operator's measurement over all classes, told at full clearance"
QUEUE = "captures that wait, whatever they hold: when they are worked on"
SHOWN = "what the agent itself was shown; texts above the class are left out, events are the agent's own"

WALLS: Final = {
    "evolution/arbitration.sql": {"find_settleable": NIGHT},
    "evolution/consolidation.sql": {"find_findings": "of one memory's own patterns, all of its class"},
    "evolution/compare.sql": dict.fromkeys(("find_judged", "find_shown", "find_nearest"), OPERATOR),
    "evolution/events.sql": dict.fromkeys(("find_events", "find_events_before", "find_oldest"), ASKER),
    "evolution/lint.sql": {"page": ASKER},
    "evolution/reasoning.sql": {"find_subjects": NIGHT},
    "evolution/retention.sql": dict.fromkeys(("find_old_recalls", "find_old_captures"), NIGHT),
    "evolution/sleep.sql": {"look_at_corpus": NIGHT},
    "evolution/statistics.sql": {
        "refused_by_reason": ASKER, "recalls_by_day": "of one question's own rows, whether there are any",
    },
    "evolution/tidy.sql": {
        "find_due": NIGHT, "prune_stale": NIGHT, "prune_keys": NIGHT, "prune_requests": NIGHT,
        "prune_crowded": BY_CLASS,
        "claim_captures": QUEUE,
    },
    "evolution/walk.sql": {"find_span": NIGHT},
    "evolution/watermarks.sql": {"queue_aged": NIGHT, "list_handles": ASKER, "list_noisy": ASKER},
    "memories/entities.sql": {"write_triples": "of one memory's own mentions", "link_discussions": BY_CLASS},
    "memories/graph.sql": {"find_around": ASKER},
    "memories/homes.sql": {"find_lacking": NIGHT, "delete_vectors": NIGHT},
    "memories/queries.sql": {
        "find_neighbours": OWN_CLASS, "find_weakest_links": BY_CLASS, "find_turns_beside": BOUNDED,
        "place_capture": BOUNDED, "find_last_place": QUEUE,
    },
    "recall/context.sql": {"find_beside": ASKER},
    "recall/conversation.sql": {
        "find_conversation": "the asker's own questions, and places as they were shown", "find_names": ASKER,
    },
    "recall/echoes.sql": {"find_shown_texts": SHOWN},
    "recall/graph.sql": {"graph": ASKER},
    "recall/large.sql": dict.fromkeys(("semantic", "hits", "lexical", "tag"), ASKER),
    "recall/leaks.sql": {"find_hidden": OPERATOR},
    "recall/negatives.sql": {"find_failed": ASKER},
    "recall/overlay.sql": {"find_pending": ASKER},
    "recall/prefetch.sql": {"find_steps": "warms the cache of vectors, and answers nobody"},
    "recall/queries.sql": dict.fromkeys(
        ("semantic", "instruction", "read_groups", "read_turns", "read_shown"), ASKER
    ),
    "recall/shadow.sql": {"next_question": OPERATOR, "sample_events": OPERATOR},
    "recall/time.sql": {"time": ASKER},
    "recall/words.sql": dict.fromkeys(("lexical", "tag", "fuzzy"), ASKER),
}  # fmt: skip
"""File and statement → how what lies above is kept from displacing what does not."""


def statements() -> dict[str, dict[str, str]]:
    """Return every statement of every package, by file."""
    return {f"{path.parts[-3]}/{path.name}": load_queries(path) for path in sorted(ROOT.glob("*/sql/*.sql"))}


def counting(text: str) -> bool:
    return _COUNTS_OUT.search(text) is not None


def test_every_statement_that_counts_out_rows_says_how_hidden_ones_are_kept_out() -> None:
    found = {
        file: {name for name, text in texts.items() if counting(text)} for file, texts in statements().items()
    }
    assert {file: names for file, names in found.items() if names} == {
        file: set(walls) for file, walls in WALLS.items()
    }


def test_what_is_bounded_by_class_says_the_class_where_it_counts() -> None:
    for file, walls in WALLS.items():
        for name, wall in walls.items():
            text = " ".join(statements()[file][name].split())
            if wall is BY_CLASS:
                parts = re.findall(r"PARTITION BY ([\w., ]+?) ORDER", text)
                assert parts, name
                assert all("classification" in part or ".rank" in part for part in parts), name
            if wall is BOUNDED:
                limits = [text.rfind("WHERE", 0, at.start()) for at in re.finditer("LIMIT", text)]
                ends = [at.start() for at in re.finditer("LIMIT", text)]
                assert all("classification <=" in text[a:b] for a, b in zip(limits, ends, strict=True)), name


def test_a_limit_without_the_class_would_be_noticed() -> None:
    """The control of the walk itself: a bare limit is found, an optimisation fence is none."""
    assert counting("SELECT id FROM memory ORDER BY vector LIMIT 20")
    assert not counting("SELECT id FROM memory OFFSET 0")
