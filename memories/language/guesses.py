"""
Word a guess as one, and know a claim to a task when an agent makes it (SPEC W-17). Pure.

«My official tasks are …», «as assigned by Mara …» from an agent's own mouth is a guess, whatever kind of note
it would otherwise make.
"""

import re
from functools import lru_cache
from typing import Final

from security.patterns import bounded

GUESS: Final = "Guess, not assigned: "
"""How a task nobody assigned begins, for ever and wherever it is shown."""

_MARK: Final = bounded(re.escape(GUESS.strip()) + r"\s*(?P<said>[^\n\"”」]*)", re.IGNORECASE)

_THING: Final = (
    r"(?:tasks?|dut(?:y|ies)|assignments?|jobs?|responsibilit(?:y|ies)|mandates?|to-?dos?|obligations?)"
)

_CLAIM: Final = bounded(
    rf"\b(?:official|assigned|standing) {_THING}\b|\b(?:tasks?|dut(?:y|ies)|work) (?:\w+ ){{0,3}}assigned\b|"
    r"(?:正式|指派|分配|交办)的?(?:任务|工作|职责)|任务清单|工作职责",
    re.IGNORECASE,
)
"""Claims a task by its words alone."""

_OWN: Final = (
    rf"\b(?:my|our|{{me}}['’]s) (?:[\w-]+ ){{{{0,2}}}}{_THING}\b",
    r"\b{me}(?: am|['’]m| is| remains?| was)? (?:\w+ )?(?:responsible|in charge|accountable|assigned|tasked|"
    r"charged|supposed to|expected to|asked to|told to|instructed to)\b",
    r"\b{me} owns?\b",
    r"\b{me} (?:still )?(?:must|shall|should(?! have)|needs? to|ha(?:s|ve) to)\b",
    r"\bassign(?:ed|s)?\b[^.!?;]{{0,80}}?\b(?:me|us|{me})\b",
    r"\b(?:ask(?:ed|s)?|told|tells|instruct(?:ed|s)|want(?:ed|s)?|order(?:ed|s)|entrust(?:ed|s)|task(?:ed|s)|"
    r"charg(?:ed|es)) (?:\w+ )?(?:me|us|{me}) (?:to|with)\b",
    r"(?:我|助手|{me})(?:们)?的?[^。，；]{{0,4}}(?:任务|职责|负责|需要|应该|应当|必须|得|要)|"
    r"(?:让|要|请|叫|令|派|给|由)(?:我|助手|{me})",
)
"""Claims one of the agent, put in for {me}, as itself or as its note speaks of it."""

_ME: Final = r"(?:i|(?:the |this )?(?:assistant|agent|bot)|助手{name})"

_SENTENCE: Final = bounded(r"[^.!?。！？\n]+(?:\.(?=\S)[^.!?。！？\n]*)*[.!?。！？]*")


def word_as_guess(content: str) -> str:
    """Word a task nobody assigned as the guess it is; one so worded already comes back unchanged."""
    return content if content.startswith(GUESS) else GUESS + content


def strip_guess(content: str) -> str:
    """Return what a guess says, without the words that call it one."""
    return content.removeprefix(GUESS)


def claims_task(content: str, *, speaker: str = "") -> bool:
    """Tell whether an agent's sentence says that something is its task. speaker: the agent's name, if any."""
    if GUESS.strip().casefold() in content.casefold() or _CLAIM.search(content):
        return True
    return _own_claim(speaker.strip().casefold()).search(content) is not None


@lru_cache(maxsize=1024)
def _own_claim(speaker: str) -> re.Pattern[str]:
    me = _ME.format(name=rf"|{re.escape(speaker)}" if speaker else "")
    return bounded("|".join(pattern.format(me=me) for pattern in _OWN), re.IGNORECASE)


def quoted_guesses(text: str) -> tuple[str, ...]:
    """Return the guesses that a text quotes of memory, in the words that follow their mark."""
    return tuple(said for match in _MARK.finditer(text) if (said := match["said"].strip()))


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, with their marks."""
    return [said for match in _SENTENCE.finditer(text) if (said := match[0].strip())]
