"""
Tell what differs only in the manner of telling where one text says the other again (SPEC W-11). Pure.

A rule is told as a duty and as a habit; a lack is told with a «not» and with a word that denies by itself.
`differ.py` hears both, and between two unrelated texts it should; here all other words were told before.
"""

import re
from typing import Final

from memories.differ_words import NEGATORS
from memories.overlap import cover, has_chinese
from memories.restated_words import DENYING, DONE, DUTY
from memories.tokens import stem
from security.patterns import bounded

_DUTY: Final = bounded(DUTY, re.IGNORECASE)
_DONE: Final = bounded(DONE)
_DENYING: Final = bounded(DENYING, re.IGNORECASE)
_DENIAL: Final = bounded(rf"\b(?:{'|'.join(sorted(NEGATORS))})\b|\b\w+n['’]t\b", re.IGNORECASE)
_TIE: Final = bounded(r"\b(?:because|between)\b", re.IGNORECASE)
"""Ties what is told, and tells nothing: «between the 20th and the 6th» is «from the 20th to the 6th»."""
_WORD: Final = bounded(r"[a-z][a-z'’-]*")
_GERUND: Final = bounded(
    r"(?<!\bis )(?<!\bare )(?<!\bam )(?<!\bwas )(?<!\bwere )(?<!\bbeen )\b[a-z]+ing\b", re.IGNORECASE
)
"""The name of a deed, which tells no case of it: «silo cleaning», not «we are cleaning the silo»."""


def drop_duty(told: str, meant: str) -> tuple[str, str]:
    """
    Return both texts of one rule without their «must»; as they are where one tells as done what is owed.

    «The silo is cleaned» is no rule but news beside «the silo must be cleaned».
    """
    if _tells_done(told, meant) or _tells_done(meant, told):
        return told, meant
    return _DUTY.sub(_leave_deed, told).strip(), _DUTY.sub(_leave_deed, meant).strip()


def denies_alike(told: str, meant: str) -> bool:
    """
    Tell whether one text denies in a word («are frozen») what the other denies with «no», and adds nothing.

    English only. told: the note, each of whose other words the row must have.
    """
    if has_chinese(told) or has_chinese(meant):
        return False
    (mine, no_of_mine), (yours, no_of_yours) = (_read_denials(text) for text in (told, meant))
    denying, other = (mine, meant) if no_of_yours else (yours, told)
    if no_of_mine == no_of_yours or not denying or denying & set(map(stem, _WORD.findall(other.lower()))):
        return False
    bare = _TIE.sub(" ", _DENIAL.sub(" ", _DENYING.sub(" ", told)))
    return cover(bare, meant) == 1.0


def _tells_done(told: str, owed: str) -> bool:
    if has_chinese(owed):
        return bool(_DUTY.search(owed)) and bool(_DONE.search(told))
    deeds = {stem(match["deed"]) for match in _DUTY.finditer(owed.lower()) if match["deed"]}
    said = _GERUND.sub(" ", _DUTY.sub(" ", told.lower()))
    return any(stem(word) in deeds for word in _WORD.findall(said))


def _leave_deed(duty: re.Match[str]) -> str:
    return duty["deed"] or " "


def _read_denials(text: str) -> tuple[frozenset[str], bool]:
    """Return the stems of the words that deny by themselves, and whether there is a «not»."""
    found = (match["state"] or match["loss"] for match in _DENYING.finditer(text))
    return frozenset(stem(word.lower()) for word in found), _DENIAL.search(text) is not None
