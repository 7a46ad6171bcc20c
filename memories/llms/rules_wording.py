"""Put what somebody says of themselves into words that stand without them: «I live» → «Mara lives»."""

import re
from collections.abc import Collection
from typing import Final

from security.patterns import bounded

ME: Final = "\ue000"
"""Stands for the speaker while patterns look at a sentence: a character no screened text contains."""

_QUOTE: Final = bounded(r"(\"[^\"]*\"|“[^”]*”|「[^」]*」|《[^》]*》|`[^`]*`)")
_ADVERB: Final = (
    r"(?:\s+(?:really|also|always|usually|never|still|just|actually|now|currently|only|often|recently|"
    r"already|generally|no longer|mostly|sometimes|both|first|almost|soon|then|even|once|[a-z]+ly)\b)*"
)
_I: Final = bounded(
    rf"\b(?:I(?P<clitic>['’](?:m|ve|ll|d)\b)|[Ii](?P<adverbs>{_ADVERB})\s+(?P<verb>[a-z]+(?:-[a-z]+)"
    rf"*?(?:n['’]t)?)(?![\w'’-])|I\b)"
)
_OTHERS: Final = (
    (bounded(r"\b(?:[Mm]y|[Mm]ine)\b"), f"{ME}'s"),
    (bounded(r"\b(?:[Mm]e|[Mm]yself)\b"), ME),
)
_CLITICS: Final = {"m": " is", "ve": " has", "ll": " will", "d": " would"}
_IRREGULAR: Final = {
    "am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "are": "is",
}  # fmt: skip


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list written as text."""
    return frozenset(words.split())


PAST_FORMS: Final = word_set(
    """
    was did had went got took saw came said told made found thought knew bought brought built began
    broke chose caught drove ate fell felt flew forgot gave grew heard held kept led left lent lost
    meant met paid quit ran rose sat sold sent showed shut slept spoke spent stood stuck swam taught
    threw understood woke wore won wrote drank became rewrote rebuilt drew dug hid rode sang sank shook
    stole swore tore
    """
)
"""Irregular pasts. Those that look like the present (put, read, cut) are not told from it."""

_UNCHANGED: Final = PAST_FORMS | word_set(
    "can could will would shall should may might must cannot is has does put set let hit cost hurt cut read "
    "beat who that and or in on at to for of as not no"
)
"""Forms that are the same in the third person, and what is no verb at all."""

_PREFIX: Final = bounded(r"^(?:mis|re|over|under|out|un)")
_REGULAR_PAST: Final = bounded(r".*(?<!e)ed")  #: worked, not need

_A_DATE: Final = bounded(r"\b(an?|per|every|each) the (week|weekend|month) of \d{4}-\d\d(?:-\d\d)?")
_BARE_DATE: Final = bounded(
    r"(?<![\w-])(?P<before>[^\W_][\w'’)%-]*) (?P<date>(?:the (?:week|weekend|night|morning|evening|afternoon)"
    r" of )?"
    r"\d{4}-\d\d(?P<day>-\d\d)?)(?![-\d:/TW])(?!['’]s|\.\.)"
)
_BARE_YEAR: Final = bounded(r"(?<![\w-])(?P<before>[^\W_][\w'’)%-]*) (?P<date>\d{4})(?![-\d:/]|['’]s)")
_JOINS: Final = word_set(
    """
    in on at by of to is as or a an and the our my for due are was be not from than till this that next last
    only until since after were dated before around during became between through starting deadline date about
    over within per early late mid every each his her its their
    """
)
"""Words that a date may follow without another: what joins it, or what it only describes."""

_CHINESE_ME: Final = bounded(r"(?:我|俺|本人)(?!们|国|方|司|家\b)")


def to_third_person(text: str) -> str:
    """Put ME for the speaker wherever the text says I, my, me, 我; what is quoted stays as it is."""
    parts = _QUOTE.split(text)
    return "".join(part if i % 2 else _rewrite(part) for i, part in enumerate(parts))


def name_speaker(text: str, label: str) -> str:
    """Put the speaker's name for ME, with a capital where it begins the text."""
    first = label[:1].upper() + label[1:]
    return bounded(rf"^{ME}").sub(lambda _: first, text).replace(ME, label)


def join_dates(text: str, *, years: Collection[str] = ()) -> str:
    """
    Put the word a date needs where one took the place of «this month»: «ran 120 km 2026-03» → «in 2026-03».

    years: those that took the place of words («last year»); any other four digits may be a number of things.
    """
    text = _BARE_YEAR.sub(lambda match: _join_year(match, years), text)
    return _BARE_DATE.sub(_join_date, _A_DATE.sub(r"\1 \2", text))


def conjugate(verb: str) -> str:
    """Return the third person of an English verb: live → lives; forms that have none come back unchanged."""
    lead, dash, last = verb.rpartition("-")
    if dash:
        return f"{lead}-{conjugate(last)}"
    plain = verb.replace("’", "'")
    if plain in _IRREGULAR:
        return _IRREGULAR[plain]
    is_past = _PREFIX.sub("", plain) in PAST_FORMS or _REGULAR_PAST.fullmatch(plain)
    if plain in _UNCHANGED or is_past or plain.endswith(("n't", "ing")):
        return verb
    if plain.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if plain.endswith("y") and plain[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _rewrite(part: str) -> str:
    part = _I.sub(_third, part)
    for pattern, word in _OTHERS:
        part = pattern.sub(word, part)
    return _CHINESE_ME.sub(ME, part)


def _third(match: re.Match[str]) -> str:
    if clitic := match["clitic"]:
        return ME + _CLITICS[clitic[1:]]
    if match["verb"]:
        return f"{ME}{match['adverbs']} {conjugate(match['verb'])}"
    return ME


def _join_year(match: re.Match[str], years: Collection[str]) -> str:
    if match["date"] not in years or match["before"].casefold() in _JOINS:
        return match[0]
    return f"{match['before']} in {match['date']}"


def _join_date(match: re.Match[str]) -> str:
    before, date = match["before"], match["date"]
    if before.casefold() in _JOINS or before[:4].isdigit():
        return match[0]
    return f"{before} {'on' if match['day'] and not date.startswith('the week') else 'in'} {date}"
