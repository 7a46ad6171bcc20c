"""Resolve what a question points at without its name: «I», «my project», «the last decision» (SPEC R-18)."""

import re
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded

_NOUNS: Final = {
    "decision": (r"decisions?", r"decid(?:ed?|ing)", r"决[定策议]"),
    "task": (r"tasks?|to-?dos?", None, r"任务|待办"),
    "finding": (r"findings?", None, r"发现"),
    "correction": (r"corrections?|lessons?", None, r"教训|纠正|更正"),
    "estimate": (r"estimates?", r"estimat(?:ed?|ing)", r"估[计算]"),
}
"""Kind → the nouns, the verbs and the Chinese words by which a question asks for it."""

_UNITS: Final = r"(?:day|night|week|weekend|month|quarter|year|decade|century)"
_LAST: Final = rf"(?:last|latest|most\srecent|newest)\s(?:(?!{_UNITS})[\w-]+\s)?"
_LAST_ZH: Final = r"(?:(?:上|最近|最新|最后|最後)(?:的?一)?[个個次项項]?的?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A kind of memory that a question names."""

    kind: str
    latest: bool  #: the newest of them is asked for
    rest: str  #: the question without the words that name it


def _patterns(nouns: str, verbs: str | None, chinese: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    last = rf"\b{_LAST}(?:{nouns})\b|{_LAST_ZH}(?:{chinese})"
    if verbs:
        last += rf"|\b(?:{verbs})\s(?:last|most\srecently)\b(?!\s{_UNITS})|上次(?=\S{{0,4}}(?:{chinese}))"
    plain = rf"\b(?:{nouns}{'|' + verbs if verbs else ''})\b|(?:{chinese})"
    return bounded(last, re.IGNORECASE), bounded(plain, re.IGNORECASE)


_KINDS: Final = {kind: _patterns(*said) for kind, said in _NOUNS.items()}


def find_kind(query: str) -> Named | None:
    """
    Return the kind of memory that a question asks for by its name, and whether the newest of them.

    «Our last decision» asks for the newest decision, «what did we decide» for decisions.
    """
    for kind, (last, plain) in _KINDS.items():
        if last.search(query):
            rest = plain.sub(" ", last.sub(" ", query))
            return Named(kind=kind, latest=True, rest=rest)
    for kind, (_, plain) in _KINDS.items():
        if plain.search(query):
            return Named(kind=kind, latest=False, rest=plain.sub(" ", query))
    return None


_FIRST_PERSON: Final = bounded(
    r"\b(?P<own>my|mine)\b|(?<![\w.])(?P<i>I)(?:['’](?:m|ve|d|ll))?(?![\w.'’])|\b(?P<me>me|myself)\b|我(?![们們国國])",
    re.IGNORECASE,
)
_PROJECT: Final = bounded(
    r"\b(?:my|our|this|the\scurrent)\sproject\b|(?:我[们們]?|咱[们們]?)的?[项項]目|(?:本|[这這][个個]|当前)[项項]目",
    re.IGNORECASE,
)


def says_i(query: str) -> bool:
    """Tell whether a question speaks of its asker, other than by «my project»."""
    return _FIRST_PERSON.search(_PROJECT.sub(" ", query)) is not None


def says_my_project(query: str) -> bool:
    """Tell whether a question speaks of the project it is asked in."""
    return _PROJECT.search(query) is not None


def resolve_references(query: str, *, speaker: str = "", project: str = "") -> str:
    """
    Return the question with «I» and «my project» told by name; what is not known stays as it is.

    What is searched has names in it: of the speaker and of the project (SPEC R-16), not of who asks.
    """
    if project:
        query = _PROJECT.sub(
            lambda said: f"项目{project}" if said[0][-1] in "目" else f"the project {project}", query
        )
    if not speaker:
        return query

    def name(said: re.Match[str]) -> str:
        return f"{speaker}'s" if said["own"] else speaker

    return "".join(
        piece if _PROJECT.fullmatch(piece) else _FIRST_PERSON.sub(name, piece)
        for piece in bounded(f"({_PROJECT.pattern})", re.IGNORECASE).split(query)
    )
