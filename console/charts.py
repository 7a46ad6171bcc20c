"""
Charts as plain shapes: columns and lines over days, in units of the picture. Pure.

The browser draws them from SVG with no script, and a table beside each tells the same in figures.
"""

from collections.abc import Sequence
from typing import Any, Final

WIDTH: Final = 600
HEIGHT: Final = 150
"""Units of the picture, without the margin for labels."""

GAP: Final = 0.2
"""Share of a day's width that stays empty between columns."""

Series = Sequence[tuple[str, Sequence[float]]]


def columns(title: str, labels: Sequence[str], series: Series) -> dict[str, Any]:
    """Return a chart of columns, one a day, the series stacked; heights are shares of the tallest day."""
    tallest = max((sum(day) for day in _by_day(series)), default=0)
    wide = WIDTH / max(1, len(labels))
    shapes = []
    for place, day in enumerate(_by_day(series)):
        foot = float(HEIGHT)
        for number, value in enumerate(day):
            high = HEIGHT * value / tallest if tallest else 0.0
            foot -= high
            if high:
                shapes.append(
                    {"x": round(place * wide + wide * GAP / 2, 1), "y": round(foot, 1),
                     "width": round(wide * (1 - GAP), 1), "height": round(high, 1), "series": number,
                     "tells": f"{labels[place]}: {series[number][0]} {value:g}"}
                )  # fmt: skip
    return _chart("columns", title, labels, series, tallest) | {"shapes": shapes}


def lines(title: str, labels: Sequence[str], series: Series) -> dict[str, Any]:
    """Return a chart of lines, one a series, through the days that have a value; heights as in `columns`."""
    tallest = max((max(values, default=0) for _, values in series), default=0)
    wide = WIDTH / max(1, len(labels))
    shapes: list[dict[str, Any]] = [
        {"series": number, "points": _points(values, wide=wide, tallest=tallest)}
        for number, (_, values) in enumerate(series)
    ]
    for shape in shapes:
        shape["line"] = " ".join(f"{one['x']},{one['y']}" for one in shape["points"])
    return _chart("lines", title, labels, series, tallest) | {"shapes": shapes}


def _points(values: Sequence[float], *, wide: float, tallest: float) -> list[dict[str, float]]:
    """Return where the days stand that have a value: a dot each, for a day alone makes no line."""
    return [
        {"x": round(place * wide + wide / 2, 1), "y": round(HEIGHT - HEIGHT * value / tallest, 1)}
        for place, value in enumerate(values)
        if value and tallest
    ]


def _chart(shape: str, title: str, labels: Sequence[str], series: Series, tallest: float) -> dict[str, Any]:
    rows = [(label, *day) for label, day in zip(labels, _by_day(series), strict=True) if any(day)]
    return {
        "shape": shape, "title": title, "tallest": tallest, "names": [name for name, _ in series],
        "sums": [sum(values) for _, values in series], "rows": rows, "width": WIDTH, "height": HEIGHT,
        "first": labels[0] if labels else "", "last": labels[-1] if labels else "",
    }  # fmt: skip


def _by_day(series: Series) -> list[tuple[float, ...]]:
    return list(zip(*(values for _, values in series), strict=True))
