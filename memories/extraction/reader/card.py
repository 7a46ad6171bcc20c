"""Write the local reader's card: what it was fitted on, its figures by language, its limits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memories.domain import MODES
from memories.extraction.modes import mode_of
from memories.extraction.reader.fitting import (
    DIRECTIONS,
    FOLDS,
    MOST_ABOVE,
    Ints,
    Labelled,
    Measured,
    Sample,
    is_row,
)
from memories.extraction.reader.local import HEADS, KIND_FROM, KINDS_READ, MODE_FROM, SPACE
from memories.extraction.segments import segment
from memories.networks import Floats
from memories.networks.training import Marks, area

_HEAD: Final = """# The local reader

Written by `make reader`; docs/reader.md tells what it is for and how its words are used.

- **What it is**: for each of three questions (is it courtesy, how is it said, of what kind is it) two small
  networks, over {signs} signs of a text and its vector along {directions} directions of `{space}`; the same
  over the signs alone for other spaces. {size} kB, numpy only.
- **Fitted on**: {count} rows in {languages} languages and {domains} domains ({courtesy} of them courtesy),
  written for it (`rows/`, CC0), and as plain content {plain} statements of the arbiter's pairs. Seed {seed}.
- **Measured on**: the same, each row by a fit that saw nothing of what is left out ({folds} folds): its
  domain in its language, its domain in every language, or its language. What ships is fitted on all.
- **Limits**: a text is read without what was said before it. Rows were chosen to be hard: short answers,
  news in an exclamation, thanks with a fact behind them; talk is easier. What a domain says in one language
  is said in others in words alike: with a domain left out in every language, figures are the worst there
  can be. Irony is read as said. It was not fitted on documents, and reads the first 1 200 characters.
"""

_COURTESY: Final = """
## Courtesy

A text is courtesy above a chance of {both:.5f} ({signs:.5f} by signs alone): of the rows with content at most
{most:g} % lie there, whichever is left out. AUC: area under the ROC curve.

"""

_LANGUAGES: Final = """
## By language

«new domain»: the row's domain was left out in its language; «new language»: its language was. Kinds and
modes: share of content whose likeliest answer is right.

"""

_MODES: Final = """
## Modes

Recall / precision, of content of one sentence. «word signs»: `memories/extraction/modes.py` alone; with the
reader: where those show nothing, its word from {mode:.2f} on.

"""

_KINDS: Final = """
## Kinds

A kind counts from {kind:.2f} on. Share of content that is given one (not `statement`), how often it is the
right one, and the share of courtesy that would be given one.

"""

SHOWN: Final = (0.6, 0.7, 0.8, 0.9, 0.95)
"""Confidences of which the card tells."""

NEW_DOMAIN: Final = "language and domain"
"""What is left out where the card speaks of a new domain."""

Cells = list[object]


def write_card(
    rows: Sequence[Labelled], sample: Sample, measured: Mapping[str, Measured],
    thresholds: tuple[float, float], *, seed: int, size: int,
) -> str:  # fmt: skip
    """Return the card as Markdown. measured: what is left out → chances. size: in bytes."""
    of_rows = {
        left_out: {head: one.both[head][: len(rows)] for head in HEADS} for left_out, one in measured.items()
    }
    return "".join(
        (
            _HEAD.format(
                signs=sample.signs.shape[1], directions=DIRECTIONS, space=SPACE, size=size // 1024,
                count=len(rows), languages=len({row.lang for row in rows}),
                domains=len({row.domain for row in rows}), courtesy=sum(row.is_courtesy for row in rows),
                plain=int(sample.plain.sum()), seed=seed, folds=FOLDS,
            ),
            _COURTESY.format(
                both=thresholds[0], signs=thresholds[1], most=100 * MOST_ABOVE
            ),
            _table(_COURTESY_TITLES, _courtesy(sample, measured, thresholds)),
            _LANGUAGES,
            _table(_LANGUAGE_TITLES, _languages(rows, of_rows, thresholds[0])),
            _MODES.format(mode=MODE_FROM),
            _modes(rows, {left_out: one["mode"] for left_out, one in of_rows.items()}),
            _KINDS.format(kind=KIND_FROM),
            _table(
                ("left out, from a confidence of", *(f"{at:.2f}" for at in SHOWN)), _kinds(rows, of_rows)
            ),
            "\n",
            _table(_KIND_TITLES, _each_kind(rows, of_rows[NEW_DOMAIN]["kind"])),
        )
    )  # fmt: skip


def _table(titles: Sequence[str], lines: Iterator[Cells]) -> str:
    written = (" | ".join(map(str, line)) for line in (titles, ["---"] * len(titles), *lines))
    return "".join(f"| {line} |\n" for line in written)


def _share(marks: NDArray[Any]) -> str:
    return f"{100 * float(marks.mean()):.1f}" if len(marks) else "–"


_COURTESY_TITLES: Final = (
    "left out", "reads", "AUC", "courtesy caught (%)", "content with it (%)", "rows", "plain statements",
)  # fmt: skip


def _courtesy(
    sample: Sample, measured: Mapping[str, Measured], thresholds: tuple[float, float]
) -> Iterator[Cells]:
    """Yield how much courtesy is caught, and how much content with it."""
    courtesy, rows = sample.wanted["class"][:, 1] > 0, is_row(sample)
    for left_out, one in measured.items():
        for reads, chances, floor in (
            ("vector and signs", one.both["class"][:, 1], thresholds[0]),
            ("signs alone", one.signs["class"][:, 1], thresholds[1]),
        ):
            above = chances > floor
            yield [
                left_out, reads, f"{area(chances[rows], courtesy[rows]):.3f}",
                _share(above[rows & courtesy]), f"{100 * float(above[rows & ~courtesy].mean()):.2f}",
                int(above[rows & ~courtesy].sum()), int(above[sample.plain].sum()),
            ]  # fmt: skip


_LANGUAGE_TITLES: Final = (
    "language", "rows", "AUC, new domain", "new language", "caught (%), new domain", "new language",
    "kinds, new domain", "new language", "modes, new domain", "new language",
)  # fmt: skip


def _languages(
    rows: Sequence[Labelled], measured: Mapping[str, Mapping[str, Floats]], floor: float
) -> Iterator[Cells]:
    langs, content = np.array([row.lang for row in rows]), _content(rows)
    folds = [measured[NEW_DOMAIN], measured["language"]]
    for lang in ["all", *sorted(set(langs.tolist()))]:
        mine = (langs == lang) | (lang == "all")
        chances = [one["class"][:, 1] for one in folds]
        yield [
            lang, int(mine.sum()), *(f"{area(one[mine], ~content[mine]):.3f}" for one in chances),
            *(_share(one[mine & ~content] > floor) for one in chances),
            *(
                f"{float((one[head].argmax(axis=1) == _right(rows, head))[mine & content].mean()):.2f}"
                for head in ("kind", "mode")
                for one in folds
            ),
        ]  # fmt: skip


def _content(rows: Sequence[Labelled]) -> Marks:
    return np.array([not row.is_courtesy for row in rows])


def _right(rows: Sequence[Labelled], head: str) -> Ints:
    return np.array([HEADS[head].index(row.answers[head]) for row in rows])


def _modes(rows: Sequence[Labelled], measured: Mapping[str, Floats]) -> str:
    """Return the table of modes: by word signs, and with the reader's word."""
    asked = _content(rows) & np.array([len(segment(row.text)) == 1 for row in rows])
    by_words = np.array([MODES.index(mode_of(row.text)) for row in rows])
    columns = {"word signs": by_words} | {
        f"with the reader, {left_out} left out": _join(by_words, chances)
        for left_out, chances in measured.items()
    }
    return _table(("mode", "rows", *columns), _each_mode(_right(rows, "mode"), asked, list(columns.values())))


def _join(by_words: Ints, chances: Floats) -> Ints:
    """Return the modes by word signs, and where these show nothing by chances that are sure enough."""
    said = chances.argmax(axis=1)
    return np.where((by_words == 0) & (said != 0) & (chances.max(axis=1) >= MODE_FROM), said, by_words)


def _each_mode(right: Ints, asked: Marks, columns: Sequence[Ints]) -> Iterator[Cells]:
    for place, mode in enumerate(MODES):
        mine = asked & (right == place)
        yield [
            mode, int(mine.sum()),
            *(
                f"{_share(said[mine] == place)} / {_share(right[asked & (said == place)] == place)}"
                for said in columns
            ),
        ]  # fmt: skip
    yield ["all, right", int(asked.sum()), *(_share((said == right)[asked]) for said in columns)]


def _kinds(rows: Sequence[Labelled], measured: Mapping[str, Mapping[str, Floats]]) -> Iterator[Cells]:
    """Yield how many rows are given a kind from which confidence on, and how many rightly."""
    content, right = _content(rows), _right(rows, "kind")
    for left_out, one in measured.items():
        said, sure = one["kind"].argmax(axis=1), one["kind"].max(axis=1)
        given = [(said != 0) & (sure >= at) for at in SHOWN]
        yield [f"{left_out}: given (%)", *(_share(each[content]) for each in given)]
        yield [f"{left_out}: right (%)", *(_share((said == right)[each & content]) for each in given)]
        yield [f"{left_out}: of courtesy (%)", *(_share(each[~content]) for each in given)]


_KIND_TITLES: Final = (
    "kind",
    "rows",
    "likeliest (%)",
    f"given from {KIND_FROM:.2f} (%)",
    "right where given (%)",
)


def _each_kind(rows: Sequence[Labelled], chances: Floats) -> Iterator[Cells]:
    """Yield of each kind how often it is the likeliest, how often it is given, and how often rightly."""
    content, right = _content(rows), _right(rows, "kind")
    said, sure = chances.argmax(axis=1), chances.max(axis=1) >= KIND_FROM
    for place, kind in enumerate(KINDS_READ):
        mine, given = content & (right == place), content & (said == place) & sure
        yield [
            kind, int(mine.sum()), _share(said[mine] == place), _share(given[mine]),
            _share(right[given] == place),
        ]  # fmt: skip
