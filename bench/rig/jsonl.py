"""
Read JSON Lines: one JSON value a line, and a line ends at a line feed and nowhere else.

`str.splitlines` ends lines at U+2028, U+0085 and others, too, which JSON allows inside a string.
"""

import json
from pathlib import Path
from typing import Any


def parse_jsonl(text: str) -> list[Any]:
    """Return the values of a text in order; blank lines are none."""
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def read_jsonl(path: Path) -> list[Any]:
    """Return the values of a file in order; blank lines are none."""
    return parse_jsonl(path.read_text(encoding="utf-8"))
