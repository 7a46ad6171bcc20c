"""Replace secrets in text by markers, before anything is stored, queued, logged or embedded (SPEC W-07)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded
from security.screening.secrets.announced import find_announced
from security.screening.secrets.context import CONTEXTS
from security.screening.secrets.shapes import SHAPES, Rule
from security.screening.secrets.vendors import VENDORS
from security.screening.secrets.wrappings import Joined, decode_runs, join_lines

TOKENS: Final[tuple[Rule, ...]] = SHAPES + VENDORS
RULES: Final[tuple[Rule, ...]] = TOKENS + CONTEXTS
_NEEDLES: Final = tuple(dict.fromkeys(needle for rule in RULES for needle in rule.needles))
_TOKEN_NEEDLES: Final = tuple(dict.fromkeys(needle for rule in TOKENS for needle in rule.needles))

_TRAILING: Final = ".,;:?)]}>\\。，；：？）"
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
_INVISIBLE: Final = bounded(r"[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_MOST_ROUNDS: Final = 5
_QUOTED: Final = bounded(r"\\?[\"'`“‘「](?P<inner>[^\\]+?)\\?[\"'`”’」]")
_MARKER: Final = bounded(r"\[secret:\w{1,40}\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A secret that was replaced."""

    kind: str  #: such as `aws_access_key`
    span: tuple[int, int]  #: where it stood in the text before redaction, end exclusive


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """A text without its secrets, and what was taken out."""

    text: str
    found: tuple[Found, ...]  #: in order of place, not overlapping


def redact(text: str) -> Redaction:
    """
    Replace every secret in the text by a marker such as `[secret:aws_access_key]`.

    Deterministic, and linear in the length of the text. Looks through full-width letters, invisible
    characters, breaks of lines, and one layer of Base64, hexadecimal, percent or backslash encoding.
    Redacting twice changes nothing more.
    """
    plain, places = _see_through(text)
    found = _find_all(plain)
    if places is not None:
        found = [Found(kind=f.kind, span=(places[f.span[0]], places[f.span[1] - 1] + 1)) for f in found]
    return Redaction(text=_replace(text, found, lambda item: f"[secret:{item.kind}]"), found=tuple(found))


def _find_all(text: str) -> list[Found]:
    """Find until nothing is left: what was found is blotted out, and its neighbours are looked at again."""
    found: list[Found] = []
    for _ in range(_MOST_ROUNDS):
        more = _merge([*found, *_find(text), *_find_wrapped(text)])
        if more == found:
            break
        found = more
        text = _replace(text, found, lambda item: "*" * (item.span[1] - item.span[0]))
    return found


def _find(text: str) -> Iterator[Found]:
    """Find secrets by every rule; they may overlap."""
    for rule in _rules_of(RULES, text.lower()):
        yield from _apply(rule, text)
    yield from (Found(kind=told.kind, span=told.span) for told in find_announced(text))


def _apply(rule: Rule, text: str) -> Iterator[Found]:
    group: str | int = "secret" if "secret" in rule.pattern.groupindex else 0
    for match in rule.pattern.finditer(text):
        value = match[group].rstrip(_TRAILING) if group else match[0]
        if value and (rule.believe is None or rule.believe(value)):
            # Quotes stay, so that redacted JSON and code can still be read.
            quoted = _QUOTED.fullmatch(value)
            start = match.start(group) + (quoted.start("inner") if quoted else 0)
            yield Found(kind=rule.kind, span=(start, start + len(quoted["inner"] if quoted else value)))


def _find_wrapped(text: str) -> Iterator[Found]:
    """Find what holds a secret once it is decoded, replaced whole, and tokens broken over lines."""
    for span, decoded in decode_runs(text):
        if any(True for _ in _find(decoded)):
            yield Found(kind="encoded_secret", span=span)
    for joined in join_lines(text, wanted=_begins_a_token):
        for rule in _rules_of(TOKENS, joined.text.lower()):
            found = _apply(rule, joined.text)
            yield from (_place(one, joined) for one in found if joined.goes_on(one.span))


def _begins_a_token(lowered: str) -> bool:
    return any(needle in lowered for needle in _TOKEN_NEEDLES)


def _rules_of(rules: Sequence[Rule], lowered: str) -> list[Rule]:
    """Return the rules that may find something: each needle is looked for once, and most texts have none."""
    there = frozenset(needle for needle in _NEEDLES if needle in lowered)
    return [rule for rule in rules if not rule.needles or not there.isdisjoint(rule.needles)]


def _place(found: Found, joined: Joined) -> Found:
    start, end = found.span
    return Found(kind=found.kind, span=(joined.places[start], joined.places[end - 1] + 1))


def _see_through(text: str) -> tuple[str, list[int] | None]:
    """
    Return the text as the rules should see it, and where each of its characters stood (None: where it
    stands).

    Full-width letters are narrowed, invisible ones gone, and markers of an earlier redaction blotted out.
    """
    text = _MARKER.sub(lambda marker: "*" * len(marker[0]), text)
    if text.isascii():
        return text, None
    narrow = text.translate(_FULL_WIDTH)  # one for one: places stay
    if not _INVISIBLE.search(narrow):
        return narrow, None
    places = [i for i, char in enumerate(narrow) if not _INVISIBLE.match(char)]
    return "".join(narrow[i] for i in places), places


def _merge(found: list[Found]) -> list[Found]:
    """Join overlapping finds; the one that begins first, then the longest, names the whole."""
    merged: list[Found] = []
    for item in sorted(found, key=lambda f: (f.span[0], -f.span[1])):
        if merged and item.span[0] < merged[-1].span[1]:
            last = merged[-1]
            merged[-1] = Found(kind=last.kind, span=(last.span[0], max(last.span[1], item.span[1])))
        else:
            merged.append(item)
    return merged


def _replace(text: str, found: list[Found], mark: Callable[[Found], str]) -> str:
    pieces: list[str] = []
    end = 0
    for item in found:
        pieces += (text[end : item.span[0]], mark(item))
        end = item.span[1]
    return "".join((*pieces, text[end:]))
