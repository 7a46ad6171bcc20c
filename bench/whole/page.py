"""The page of a run of everything: what is missed first, then all of it, each with its command. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bench.whole.plan import PlannedFigure, PlannedPart, number_at

HEAD: Final = """# Benchmarks

Made by `make bench`: every number here is one of [benchmarks.json](benchmarks.json), as it writes it to
`bench/out/benchmarks.json`. What each part does stands in [measuring.md](measuring.md). Accuracy is the same
for a seed on any machine; times are ratios over a floor that was measured in the same run. Parts marked
«quick» are smaller than what is quoted elsewhere.
"""


TAIL: Final = "<!-- generated: python -m bench.whole -->"


def as_page(told: Mapping[str, Any], plan: Sequence[PlannedPart]) -> str:
    """Return the page of what a run told, as Markdown."""
    by_name = {one["name"]: one for one in told["parts"]}
    parts = [(part, by_name[part.name]) for part in plan if part.name in by_name]
    return "\n".join([HEAD, *_run_on(told), *_missed(parts), *_parts(parts), "", TAIL]) + "\n"


def _run_on(told: Mapping[str, Any]) -> Iterator[str]:
    machine = told["machine"]
    yield (
        f"{told['at'][:10]}, commit {told['commit']}, seed {told['seed']}, {told['minutes']} minutes on "
        f"{machine['cores']} cores ({machine['processor']}, {machine['memory']}), {machine['system']}, "
        f"Python {machine['python']}."
    )
    yield ""


def _missed(parts: Sequence[tuple[PlannedPart, Mapping[str, Any]]]) -> Iterator[str]:
    yield "## Where we miss"
    yield ""
    failed = [f"| {part.name} | failed: {one['failed']} | | | |" for part, one in parts if one["failed"]]
    rows = [
        _row(part.name, figure, one["figures"])
        for part, one in parts
        for figure in part.figures
        if figure.misses(one["figures"])
    ]
    if not rows and not failed:
        yield "Nothing: every figure reaches its bar, and none is below its floor."
    else:
        yield "| part | figure | measured | bar | floor |"
        yield "| --- | --- | --- | --- | --- |"
        yield from failed
        yield from rows
    yield ""


def _parts(parts: Sequence[tuple[PlannedPart, Mapping[str, Any]]]) -> Iterator[str]:
    yield "## All of it"
    for part, one in parts:
        size = ", quick" if one["quick"] else ""
        yield ""
        yield f"### {part.name}{size}"
        yield ""
        yield f"{part.says} `{one['command']}`, {one['seconds']} s."
        yield ""
        if one["failed"]:
            yield f"Failed: {one['failed']}"
        elif "skipped" in one["figures"]:
            yield f"Skipped: {one['figures']['skipped']}"
        else:
            yield "| part | figure | measured | bar | floor |"
            yield "| --- | --- | --- | --- | --- |"
            yield from (_row(part.name, figure, one["figures"]) for figure in part.figures)


def _row(name: str, figure: PlannedFigure, figures: Mapping[str, Any]) -> str:
    value, floor = figure.value(figures), number_at(figures, figure.floor)
    bar = f"≥ {figure.least:g}" if figure.least is not None else ""
    bar = f"≤ {figure.most:g}" if figure.most is not None else bar
    return f"| {name} | {figure.label} | {_shown(value)} | {bar} | {'' if floor is None else _shown(floor)} |"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".rstrip("0").rstrip(".") or "0"
