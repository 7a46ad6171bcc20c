"""
Compile regular expressions whose cost is linear in the text, whatever the text is.

# Note [Bounded repeats]
Python's engine backtracks. An unbounded repeat that something must follow is tried from every place of a text
and at every length: `^\\s*x` over a run of n line breaks costs n² steps, two such repeats n³, and the engine
holds the interpreter until it is done. Here every repeat has an end: blanks, other characters and groups may
repeat so often and no oftener, so one try costs a constant. How a pattern is written keeps it small; a test
walks all modules and measures it (`tests/unit/security/test_linear_patterns.py`). Ordinary text does not come
near the bounds. A possessive repeat stands behind one class only, never behind a group: Python before 3.11.5
takes too much there where the group has a look-ahead or an alternative (gh-106052). «(?>…)» does the same.
Pure.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

MOST_BLANKS: Final = 64
"""Blanks in a row that a pattern spans."""

MOST_CHARACTERS: Final = 300
"""Characters of one class in a row that a pattern spans."""

MOST_GROUPS: Final = 64
"""Repetitions of a group that a pattern spans."""

_BLANKS: Final = frozenset(
    {" ", r"\s", r"\n", r"\t", r"\ ", "\n", "\t", "\u3000", r"\u3000", r"\r", r"\xa0", r"\f", r"\v"}
)
_PIECE: Final = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)"  # an escape
    r"|\[\^?\]?(?>(?:\\.|[^\]\\])*)\]"  # a class
    r"|\(\?#[^)]*+\)|\((?:\?(?:P[<=]|<[=!]|[a-zA-Z-]*:|[=!>|]|\(|[a-zA-Z-]+\)))?"  # a group's opening
    r"|\)|\||[*+?]|\{\d*,?\d*\}|.",
    re.DOTALL,
)
_REPEAT: Final = re.compile(r"[*+]|\{(\d*),\}")


def bounded(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """
    Compile a pattern, with an end to every repeat that has none: see Note [Bounded repeats].

    A repeat that ends the pattern, or one of its outer branches, is left alone: nothing that follows can send
    the engine back into it.
    """
    return _compile(pattern, int(flags))


@lru_cache(maxsize=4096)
def _compile(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(bound_repeats(pattern), flags)


def bound_repeats(pattern: str) -> str:
    """Return the pattern with an end to every repeat that has none; what is in brackets [] stays."""
    return "".join(_rewritten(_PIECE.findall(pattern)))


def _rewritten(pieces: list[str]) -> Iterator[str]:
    atom, after_repeat = "", False
    depth = 0
    for place, piece in enumerate(pieces):
        repeat = _REPEAT.fullmatch(piece) if atom and not after_repeat else None
        if repeat is not None:
            rest = next((piece for piece in pieces[place + 1 :] if piece not in "?+"), "|")
            is_last = depth == 0 and rest == "|"
            yield piece if is_last else _bound(repeat, atom)
            after_repeat = True
        else:
            yield piece
            # «?» and «+» behind a repeat make it lazy or possessive; behind an atom «?» is itself a repeat.
            after_repeat = not after_repeat and (piece == "?" or (piece[0] == "{" and len(piece) > 2))
            if after_repeat or piece in "?+":
                continue
        depth += (piece[0] == "(" and not piece.startswith("(?#")) - (piece == ")")
        atom = "" if piece == "|" or piece[0] == "(" else atom if repeat else piece
    return


def _bound(repeat: re.Match[str], atom: str) -> str:
    least = {"*": 0, "+": 1}.get(repeat[0]) if repeat[1] is None else int(repeat[1] or 0)
    assert least is not None
    return f"{{{least},{max(least, _most(atom))}}}"


def _most(atom: str) -> int:
    if atom == ")":
        return MOST_GROUPS
    if atom in _BLANKS or (
        atom[0] == "[" and not atom.startswith("[^") and set(_PIECE.findall(atom[1:-1])) <= _BLANKS
    ):
        return MOST_BLANKS
    return MOST_CHARACTERS
