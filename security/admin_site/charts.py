"""Bars as SVG within a page: no script, no file from elsewhere, and the numbers told in words, too."""

from collections.abc import Sequence
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH: Final = 640
ROW: Final = 22
LABELS: Final = 150
"""Pixels: of the whole, of a bar's row, and of the labels left of the bars."""


def bars(title: str, counted: Sequence[tuple[str, int]]) -> SafeString:
    """Return a bar for each label, as long as its share of the greatest number."""
    most = max((count for _, count in counted), default=0) or 1
    room = WIDTH - LABELS - 60
    rows = format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="end" font-size="12" fill="currentColor">{}</text>'
        '<rect x="{}" y="{}" width="{}" height="14" rx="2" fill="#9333ea"></rect>'
        '<text x="{}" y="{}" font-size="12" fill="currentColor">{}</text>',
        (
            (LABELS - 8, ROW * n + 15, label, LABELS, ROW * n + 4, round(room * count / most),
             LABELS + round(room * count / most) + 6, ROW * n + 15, count)
            for n, (label, count) in enumerate(counted)
        ),
    )  # fmt: skip
    told = f"{title}: " + ", ".join(f"{label} {count}" for label, count in counted)
    return format_html(
        '<svg role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>',
        told, WIDTH, ROW * len(counted), WIDTH, ROW * len(counted), rows,
    )  # fmt: skip
