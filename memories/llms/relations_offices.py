"""Who holds an office, takes it or leaves it: «O replaced X as the R of S», «S appointed O as R»."""

from dataclasses import replace
from typing import Final

from memories.llms.base import Change
from memories.llms.relations_form import Relation
from memories.llms.relations_make import attribute_of
from memories.llms.relations_phrases import is_name, lemma, split_attribute
from memories.llms.relations_predicate import Predicate
from memories.llms.relations_words import ADJECTIVES, NEWS, OFFICES
from security.patterns import bounded

_ROLE: Final = bounded(
    r"(?P<article>the|an?|our|its|their)?\s*(?:(?:new|current|present|latest|official) )?"
    r"(?P<role>[a-zA-Z][\w'/-]*(?: [\w'/-]+){0,4}?) (?P<link>of|for|at|in) (?P<whole>\S.*)"
)
_NESTED: Final = bounded(r"[a-z][\w-]* (?:of|for|in|at) \S.*")
_AS_ROLE: Final = bounded(r"(?:as|to|to be)?\s*(?P<rest>(?:the|an?)?\s*\S.*)")


def read_office(predicate: Predicate) -> Relation | None:
    """Read who holds, takes or leaves an office: «O replaced X as R of S», «S appointed O as R»."""
    root, text, rest = lemma(predicate.head), predicate.complement, predicate.rest
    if predicate.is_be and root in OFFICES and (match := _AS_ROLE.fullmatch(rest)):
        return _office(match["rest"], predicate.subject, change="explicit")
    if predicate.auxiliaries and predicate.auxiliaries[-1] not in ("has", "have"):
        return None
    if root == "become" or bounded(r"(?:serves|acts|functions) as\b").match(text):
        return _office(
            bounded(r"^as ").sub("", rest),
            predicate.subject,
            change="explicit" if root == "become" else "none",
        )
    if match := bounded(
        r"(?:replaced|replaces|succeeded|succeeds|followed|took over from) (?P<old>.+?) as (?P<rest>.+)"
    ).fullmatch(text):
        return _office(match["rest"], predicate.subject, change="explicit")
    if match := bounded(
        r"(?:took over|takes over|taken over|was sworn in) (?:as|for) (?P<rest>.+?)(?: from .+)?"
    ).fullmatch(text):
        return _office(match["rest"], predicate.subject, change="explicit")
    if match := bounded(r"(?:stepped down|resigned|retired|quit) (?:as|from being) (?P<rest>.+)").fullmatch(
        text
    ):
        found = _office(match["rest"], predicate.subject, change="explicit")
        return found and replace(found, value=f"no longer {found.value}")
    if root in OFFICES and (match := bounded(r"(?P<who>[A-Z].*?) (?:as |to be )?(?:(?:its|the|their|a|"
        r"our) )?"
                            r"(?:new )?(?P<role>[A-Za-z]+(?: [a-z]+){0,3})").fullmatch(rest)):  # fmt: skip
        return attribute_of(predicate.subject, match["role"], match["who"], change="explicit")
    if root in NEWS | {"replace", "swap"} and (match := bounded(
        r"(?:its|their|his|her) (?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,2}) (?:from .+? )?to (?P<value>.+)"
    ).fullmatch(rest)):  # fmt: skip
        return attribute_of(predicate.subject, match["role"], match["value"], change="explicit")
    return None


def _office(role: str, holder: str, *, change: Change = "none") -> Relation | None:
    """Read «the R of S» as what the holder is of S."""
    match = _ROLE.fullmatch(role.strip())
    if match and match["link"] == "of" and _NESTED.fullmatch(match["whole"]):
        text = f"the {match['role']} of {match['whole']}"
        cut = split_attribute(text)
        return attribute_of(*cut, holder, change=change) if cut and is_name(holder) else None
    if match is None or not is_name(holder) or match["article"] in ("a", "an"):
        return None
    if f"{match['role']}_{match['link']}" in ADJECTIVES:
        return None  # «made responsible for O» is no office
    return attribute_of(match["whole"], match["role"], holder, change=change)
