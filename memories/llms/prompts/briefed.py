"""Write what a model is shown besides a turn: rows that are known, turns before, what times mean. Pure."""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr
from zoneinfo import ZoneInfo

from memories.llms.opinions import LONGEST_SHOWN, Briefing, ShownRow


def write_briefing(briefing: Briefing, zone: ZoneInfo) -> str:
    """Write a briefing as data before its turn; nothing of an empty one. Text is escaped."""
    parts = {
        "memory": (_row(row, zone) for row in briefing.rows),
        "earlier": (
            f"<said{_attributes(role=one.role, speaker=one.speaker)}>{_cut(one.text)}</said>"
            for one in briefing.earlier
        ),
        "annotations": (
            f"<mark{_attributes(words=one.words, kind=one.kind)}>{escape(one.value)}</mark>"
            for one in briefing.annotations
        ),
    }
    return "".join(_section(name, lines) for name, lines in parts.items())


def _section(name: str, lines: Iterable[str]) -> str:
    told = "\n".join(lines)
    return f"<{name}>\n{told}\n</{name}>\n" if told else ""


def _row(row: ShownRow, zone: ZoneInfo) -> str:
    known = _attributes(
        id=row.handle, said=row.said_at.astimezone(zone).isoformat(timespec="minutes"), speaker=row.speaker,
        kind=row.kind, entity=row.entity_key, concept=row.concept_key, value=row.value,
    )  # fmt: skip
    return f"<row{known}>{_cut(row.text)}</row>"


def _attributes(**known: str | None) -> str:
    return "".join(_written(known))


def _written(known: dict[str, str | None]) -> Iterator[str]:
    for name, value in known.items():
        if value:
            yield f" {name}={quoteattr(value)}"


def _cut(text: str) -> str:
    return escape(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")
