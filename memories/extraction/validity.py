"""
Read until when something holds: «the lab is closed until 31 March», 优惠有效期到三月底 (SPEC T-08). Pure.

A time is an end where a word of ending stands right at it, and where it is yet to come. The times are those
that the reader of times found; for languages that it does not read, months and weekdays behind such a word
are read here, and nothing else of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from memories.candidates import SUPPOSED, Annotation, Draft, Places, find_places
from memories.domain import KINDS
from memories.extraction.segments import segment
from memories.temporal import Normalised, TimeMention, normalise
from security.patterns import bounded

HOLDING: Final = frozenset(
    {name for name, policy in KINDS.items() if policy.card == "state"} - {"task", "estimate"} | {"statement"}
)
"""Kinds that hold over a time: states, and what no reader knows the kind of. A task that is overdue stays."""

_REACH: Final = 60
"""Characters before a time in which its word of ending is looked for, and what goes against it."""

FURTHEST: Final = timedelta(days=270)
"""How far an end lies ahead at most whose year is not said: further, and it more likely has been."""

_UNTIL: Final = r"bis(?:\s(?:zum|einschließlich|inklusive|inkl\.))?|hasta(?:\sel)?|jusqu['’](?:au|à|en)"
_BEFORE: Final = bounded(
    rf"\b(?:until|till?|through|thru|{_UNTIL})\s(?:and\sincluding\s)?(?:the\s)?$|['’]til\s(?:the\s)?$"
    r"|(?P<chinese>一直到|(?<![推挪等拖改约約排定调調移提延送截])(?:直到|[到至]))\s?$",
    re.IGNORECASE,
)
_CHINESE_AFTER: Final = bounded(r"\s?(?:[为為]?止(?!步)|有效|[都均]|$|[，。；、！,.;!)）\n])")
_ONLY_THEN: Final = bounded(r"[^，。；,.;]{0,12}?[才再]")
_PART_OF_DAY: Final = bounded(r"this\s", re.IGNORECASE)
_NOT_YET: Final = bounded(
    r"\b(?:not|never|no|nothing|nobody|cannot|\w+n['’]t|nicht|kein\w*|nichts|pas|aucune?|rien|ni|nunca|nada"
    r"|ning[uú]n\w*)\b|[不没沒無无未非别勿]",
    re.IGNORECASE,
)
"""«Not until Friday» tells when something begins."""
_ELSEWHERE: Final = bounded(
    r"\b(?:postpon\w+|push\w*|mov(?:e|ed|ing)|delay\w*|deferr?\w*|reschedul\w+|slip(?:s|ped)?|wait\w*"
    r"|verschoben|verlegt|vertagt|warte\w*|muss|müss\w+|soll\w*|will|woll\w+|möcht\w+|brauch\w*|bitte"
    r"|report[ée]+s?|repouss\w+|attend\w+|aplaza\w+|pospuest\w+|esper\w+)\b",
    re.IGNORECASE,
)
"""What is put off to a day, waited for, or, with «bis», due by then."""
_GERMAN: Final = bounded(r"bis\b", re.IGNORECASE)
_STATIVE: Final = bounded(
    r"\b(?:gilt|gelten|gültig|bin|ist|sind|war|waren|bleibt?|bleiben|läuft|laufen|steht|stehen|freigegeben)\b",
    re.IGNORECASE,
)
"""German has one word for «until» and «by»: «bis» ends only what a verb of being or lasting says."""
_CLAUSE: Final = bounded(r"(?:(?<!\d)[.]|[;!?])(?=\s)|[。；！？\n]")
_PART: Final = bounded(r"[,:—](?=\s)|[，：、]")
_YEAR: Final = bounded(r"\d{4}")

_SIGN: Final = bounded(r"until|till?\b|through|thru|\b(?:bis|hasta)\b|jusqu|[到至]|まで", re.IGNORECASE)
"""Without any of these nothing is looked for: most texts have none."""

_MONTHS: Final = {
    name: month
    for names in (
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    )
    for month, name in enumerate(names.split(), 1)
}
_WEEKDAYS: Final = {
    name: day
    for names in (
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lunes martes miércoles jueves viernes sábado domingo",
        "月曜 火曜 水曜 木曜 金曜 土曜 日曜",
    )
    for day, name in enumerate(names.split())
}
_MONTH: Final = "|".join(_MONTHS)
_WEEKDAY: Final = "|".join(name for name in _WEEKDAYS if not name.endswith("曜"))
_OWN: Final = bounded(
    rf"\b(?:{_UNTIL})\s(?:(?P<day>\d{{1,2}})(?:\.|er|º)?\s(?:de\s)?|(?:ende|(?:la\s)?fin(?:\sde)?|finales\sde|final\sde)\s)?"
    rf"(?:(?P<month>{_MONTH})(?:\s(?:del?\s)?(?P<year>\d{{4}}))?|(?P<weekday>{_WEEKDAY}))\b"
    r"|(?:(?P<year_ja>\d{4})年)?(?P<month_ja>\d{1,2})月(?:(?P<day_ja>\d{1,2})日|末)?まで(?!に)"
    r"|(?P<weekday_ja>[月火水木金土日]曜)日?まで(?!に)",
    re.IGNORECASE,
)
_FROM: Final = bounded(
    r"\b(?:from|between|since|von|vom|ab|seit|zwischen|du|dès|depuis|entre|desde|del?)\s(?:el\s|le\s|the\s)?"
    rf"(?:\d|mon|tue|wed|thu|fri|sat|sun|{_WEEKDAY}|{_MONTH})[^;!?]{{0,40}}$|(?:[从自]|から)[^，。；]{{0,20}}$",
    re.IGNORECASE,
)
"""Words of a beginning: what runs from one time to another is a period, and may come again each week."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Until when something holds, and where that is said."""

    start: int  #: of the words, in characters of what was said
    end: int
    last: str  #: the last day or moment that counts, ISO 8601

    def annotation(self) -> Annotation:
        """Return what is told beside the words."""
        return Annotation(start=self.start, end=self.end, kind="until", value=self.last, certainty=SUPPOSED)


def find_ends(normalised: Normalised, places: Places, *, clock: datetime) -> tuple[End, ...]:
    """Return the ends that are said in a text, in order. clock: aware, in the zone of who says it."""
    text = normalised.text
    if not _SIGN.search(text):
        return ()
    found = sorted([*_of_mentions(text, normalised.mentions), *_of_own(text, normalised.mentions, clock)])
    ends = []
    for start, end, until in found:
        is_far = until - clock > FURTHEST and not _YEAR.search(text, start, end)
        if until <= clock or is_far or _tells_otherwise(text, start) or _is_due(text, start, end):
            continue
        first, last = places.of_folded(start, end)
        ends.append(End(start=first, end=last, last=_last(until)))
    return tuple(ends)


_Found = tuple[int, int, datetime]
"""Where the words stand in the folded text, and from when on it does not hold."""


def with_end(draft: Draft) -> Draft:
    """
    Return the draft as valid until the end that its words tell, if it asserts what may hold till then.

    Of one sentence only: what ends with one says nothing of its neighbours. The time of an end is not when
    that was so which ends.
    """
    said = [one for one in draft.annotations if one["kind"] == "until"]
    holds = draft.kind in HOLDING or (draft.kind == "episode" and not _tells_another_time(draft, said))
    if not said or not holds or draft.mode != "assertion" or draft.verbatim:
        return draft
    if draft.document_id is not None or len(segment(draft.content)) != 1:
        return draft
    ended = replace(draft, valid_until=end_of(draft.annotations, draft.zone))
    if not (draft.said_at and draft.occurred_resolved and _is_of_end(draft, said)):
        return ended
    local = draft.said_at.astimezone(ZoneInfo(draft.zone))
    return replace(ended, occurred_at=local, occurred_resolved=False, effective_at=draft.said_at)


def with_end_of_words(draft: Draft) -> Draft:
    """Return the draft with the ends that its own words tell and no other, said at its own clock."""
    zone = ZoneInfo(draft.zone)
    clock = (draft.said_at or draft.effective_at).astimezone(zone)
    ends = find_ends(
        normalise(draft.content, clock=clock, zone=zone), find_places(draft.content), clock=clock
    )
    told = tuple(asdict(end.annotation()) for end in ends)
    return with_end(replace(draft, annotations=told, valid_until=None))


def end_of(annotations: Iterable[Mapping[str, Any]], zone: str) -> datetime | None:
    """Return from when on it does not hold what has these annotations: the last end that they tell."""
    said = [str(one["value"]) for one in annotations if one["kind"] == "until"]
    if not said:
        return None
    if "T" in said[-1]:
        return datetime.fromisoformat(said[-1])
    return datetime.combine(date.fromisoformat(said[-1]) + timedelta(days=1), time(), ZoneInfo(zone))


def _is_of_end(draft: Draft, said: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the time of the draft is the one that its end was read from."""
    day = draft.occurred_at.astimezone(ZoneInfo(draft.zone)).date().isoformat()
    return any(one["value"][:10] == day and _is_within(one, said) for one in _times(draft))


def _tells_another_time(draft: Draft, said: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the draft tells a time besides its ends: without one it is no dated happening."""
    return not all(_is_within(one, said) for one in _times(draft))


def _times(draft: Draft) -> list[Mapping[str, Any]]:
    return [one for one in draft.annotations if one["kind"] in ("point", "period")]


def _is_within(one: Mapping[str, Any], said: Sequence[Mapping[str, Any]]) -> bool:
    return any(end["start"] <= one["start"] < end["end"] for end in said)


def _tells_otherwise(text: str, start: int) -> bool:
    """Tell whether what stands before the words makes it a period, a beginning or a deadline."""
    before = text[max(0, start - _REACH) : start]
    sentence = before[_last_cut(_CLAUSE, before) :]
    part = sentence[_last_cut(_PART, sentence) :]
    return any(
        bool(sign.search(said)) for sign, said in ((_FROM, sentence), (_NOT_YET, part), (_ELSEWHERE, part))
    )


def _is_due(text: str, start: int, end: int) -> bool:
    """Tell whether a German sentence may as well say what is due by then."""
    if not _GERMAN.match(text, start):
        return False
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    cut = _CLAUSE.search(after)
    sentence = before[_last_cut(_CLAUSE, before) :] + " " + after[: cut.start() if cut else len(after)]
    return not _STATIVE.search(sentence)


def _last_cut(sign: re.Pattern[str], text: str) -> int:
    return max((cut.end() for cut in sign.finditer(text)), default=0)


def _of_mentions(text: str, mentions: Iterable[TimeMention]) -> Iterator[_Found]:
    for mention in mentions:
        start, end = mention.span
        begin = max(0, start - _REACH)
        word = _BEFORE.search(text[begin:start])
        if word is None or mention.kind != "date" or not mention.dated or _PART_OF_DAY.match(mention.text):
            continue
        if word["chinese"] and (not _CHINESE_AFTER.match(text, end) or _ONLY_THEN.match(text, end)):
            continue
        yield begin + word.start(), start + len(mention.text.rstrip(" .,")), mention.end


def _of_own(text: str, mentions: Iterable[TimeMention], clock: datetime) -> Iterator[_Found]:
    """Yield what the reader of times does not read: months and weekdays of its other languages."""
    known = [one.span for one in mentions if one.kind == "date" and one.dated]
    for match in _OWN.finditer(text):
        if any(a < match.end() and match.start() < b for a, b in known):
            continue
        day = _day(match, clock.date())
        if day is not None:
            yield match.start(), match.end(), datetime.combine(day + timedelta(days=1), time(), clock.tzinfo)


def _day(match: re.Match[str], today: date) -> date | None:
    """Return the last day that is meant; None: there is no such day."""
    weekday = match["weekday"] or match["weekday_ja"]
    if weekday:
        return today + timedelta(days=(_WEEKDAYS[weekday.casefold()] - today.weekday()) % 7)
    month = int(match["month_ja"]) if match["month_ja"] else _MONTHS[match["month"].casefold()]
    said, year = match["day"] or match["day_ja"], match["year"] or match["year_ja"]
    for one in (int(year),) if year else (today.year, today.year + 1):
        try:
            day = date(one, month, int(said)) if said else _last_of(one, month)
        except ValueError:
            return None
        if year or day >= today:
            return day
    return None


def _last_of(year: int, month: int) -> date:
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)


def _last(until: datetime) -> str:
    """Return the last day that counts, or the moment."""
    if until.time() == time():
        return (until - timedelta(days=1)).date().isoformat()
    return until.isoformat(timespec="minutes")
