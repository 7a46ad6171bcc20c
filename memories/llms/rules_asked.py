"""
What a question takes for granted: «now that the garden has 14 beds, how do I …?» tells of 14 beds.

Who asks says why, and since when, and with what; a note-taker writes that down and forgets the question.
Pure: a sentence goes in, the sentences it tells come out, each cut at its borders and readable by itself.
"""

import re
from collections.abc import Iterator

from memories.llms.rules_asked_forms import (
    ASKED,
    CLAUSE,
    DEPENDS,
    FIGURE,
    GIVEN,
    INDIRECT,
    JOINT,
    LONG,
    LOOSE,
    OWN_MANY,
    OWN_MUCH,
    PAST,
    RELATIVE,
    SAID,
    TOLD,
    TREND,
    VERB,
    WITH,
)
from memories.llms.rules_asked_zh import find_borders_zh
from memories.llms.rules_words import CHINESE
from memories.llms.sentences import Sentence
from security.patterns import bounded


def tells_beside(sentence: Sentence) -> tuple[Sentence, ...] | None:
    """
    Return what a sentence tells that also asks; None if it asks nothing, so that it is to be read whole.

    A part keeps its place in the text, so that times are found there; its words may be put in order.
    """
    if CHINESE.search(sentence.text):
        borders = find_borders_zh(sentence.text, asks=sentence.asks)
        return None if borders is None else tuple(_cut_zh(sentence, borders))
    borders_en = _find_borders(sentence.text, asks=sentence.asks)
    return None if borders_en is None else tuple(_tell(sentence, borders_en))


def split_long(sentence: Sentence) -> tuple[Sentence, ...]:
    """Return the statements that a long English sentence joins by «and I …», «considering …»; else itself."""
    text = sentence.text
    if len(text.split()) < LONG or CHINESE.search(text) or DEPENDS.match(text):
        return (sentence,)
    joints = [(match.start(), match.end(), str(match.lastgroup)) for match in JOINT.finditer(text)]
    borders = [
        (0, 0, "told"),
        *(one for one in joints if one[2] == "told" or _is_given(text, one[1], "sure")),
    ]
    return tuple(_tell(sentence, borders)) if len(borders) > 1 else (sentence,)


Border = tuple[int, int, str]
"""Where a part begins with its lead, where its own words begin, and what it is: «told», «asks», a lead."""


def _find_borders(text: str, *, asks: bool) -> list[Border] | None:
    """Return where parts begin, in order; None if nothing is asked at a border of clauses."""
    asked = [
        (match.start(), match.end(), "asks")
        for match in ASKED.finditer(text)
        if asks or not INDIRECT.match(text, match.end())
    ]
    if not asked:
        return None
    leads = [(match.start(), match.end(), str(match.lastgroup)) for match in GIVEN.finditer(text)]
    found: list[Border] = [] if asked[0][0] == 0 else [(0, 0, "told")]
    told = [(match.start(), match.end(), "told") for match in TOLD.finditer(text) if _goes_on(text, match)]
    for start, end, what in sorted([*asked, *leads, *told]):
        if found and start == 0:
            found.clear()
        in_given = bool(found) and found[-1][2] in ("sure", "after", "at")
        if what == "told" and (not found or found[-1][2] != "asks" or found[-1][0] == start):
            continue
        if what not in ("asks", "told") and (in_given or not _is_given(text, end, what)):
            continue
        found.append((start, end, what))
    return found


def _goes_on(text: str, border: re.Match[str]) -> bool:
    """Tell whether a clause stands by itself behind a border, and none before it supposes something."""
    supposes = bounded(r"\b(?:if|when|unless|whether|suppose|once)\b", re.IGNORECASE).search(
        text[: border.start()]
    )
    return supposes is None and CLAUSE.search(text, border.end()) is not None


def _is_given(text: str, start: int, lead: str) -> bool:
    """Tell whether a clause follows its lead that says how things are; «after I finish» is yet to come."""
    clause = bounded(r"[,;?]").split(text[start:], maxsplit=1)[0]
    if lead == "at":
        return WITH.match(clause) is not None
    said = SAID.match(clause)
    if said is None:
        return False
    if lead == "after":
        return PAST.match(said["rest"].strip()) is not None
    if said["who"].casefold() in ("i", "we", "he", "she", "they") or "'" in said["who"] or "’" in said["who"]:
        return bool(said["rest"].strip() or said["who"] not in "Iwe")
    return VERB.search(said["rest"]) is not None or RELATIVE.match(text, start) is not None


def _tell(sentence: Sentence, borders: list[Border]) -> Iterator[Sentence]:
    ends = [*(border[0] for border in borders[1:]), len(sentence.text)]
    asks = any(what == "asks" for *_, what in borders)
    for (_, start, what), end in zip(borders, ends, strict=True):
        piece = sentence.text[start:end]
        if what == "told" and asks and not CLAUSE.search(piece):
            continue  # «between Monday and Friday, how …» tells nothing
        if what == "asks":
            yield from _granted(sentence, piece, start)
        elif (trend := _trend(piece)) is not None:
            yield _part(sentence, trend, start, start + len(piece))
        elif what == "at":
            yield _part(sentence, _be(WITH.match(piece), piece), start, start + len(piece))
        else:
            yield _part(sentence, piece, start, start + len(piece))


def _granted(sentence: Sentence, asked: str, offset: int) -> Iterator[Sentence]:
    """Yield what asking tells of things by the way: «my 14 beds», «the export that takes 45 minutes»."""
    for many in OWN_MANY.finditer(asked):
        verb = "I have" if many["who"].casefold() == "my" else "We have"
        yield _part(sentence, f"{verb} {many['what']}", offset + many.start(), offset + many.end())
    for much in OWN_MUCH.finditer(asked):
        told = f"{much['who']} {_is_or_are(much['who'])} {much['what']}"
        yield _part(sentence, told, offset + much.start(), offset + much.end())
    for aside in RELATIVE.finditer(asked):
        if FIGURE.search(aside["rest"]):
            told = f"{aside['who']} {aside['rest']}"
            yield _part(sentence, told, offset + aside.start(), offset + aside.end())


def _trend(piece: str) -> str | None:
    """Return «the growth of X, which has reached N» as what it says of X; None if it is something else."""
    aside = RELATIVE.fullmatch(LOOSE.sub("", piece.strip()))
    if aside is None or ", which" not in piece or not FIGURE.search(aside["rest"]):
        return None
    return f"{name_amount(aside['who'])} {aside['rest']}"


def name_amount(noun: str) -> str:
    """Return what has an amount in a phrase: in «the recent growth of orders» it is the number of orders."""
    trend = TREND.fullmatch(noun)
    if trend is None:
        return noun
    what = trend["what"].strip()
    head = (
        bounded(r"\s(?:of|in|to|from|for|on|at|into|per|that|who)\b|\s(?=\w+ed\b)").split(what)[0].split()[-1]
    )
    is_many = head.endswith("s") and not head.endswith("ss")
    return (
        f"the number of {what}" if is_many else what if " " in what and what[:1].islower() else f"the {what}"
    )


def _be(match: re.Match[str] | None, piece: str) -> str:
    if match is None:
        return piece
    return f"{match['who']} {_is_or_are(match['who'])} {match['now'] or ''}{match['rest']}"


def _is_or_are(noun: str) -> str:
    head = bounded(r"\s(?:of|in|to|from|for|on|at)\b").split(noun.strip())[0]
    return "are" if bounded(r"[^su]s$").search(head) else "is"


def _part(sentence: Sentence, text: str, start: int, end: int) -> Sentence:
    """Return a part as a sentence of its own, with a capital, and nothing hanging on it."""
    plain = LOOSE.sub("", text.strip())
    return Sentence(
        text=plain[:1].upper() + plain[1:], start=sentence.start + start, end=sentence.start + end, asks=False
    )


def _cut_zh(sentence: Sentence, borders: list[tuple[int, int]]) -> Iterator[Sentence]:
    for start, end in borders:
        yield _part(sentence, sentence.text[start:end], start, end)
