"""
Rules that say which memories have to be of a higher class: read, checked, named, and held to a row. Pure.

A rule has a class and conditions, which hold together; rules are alternatives, of which the highest class
counts. A class that a memory has already never falls by them (docs/decisions/0033).
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from memories.domain import KIND_NAMES, KINDS
from memories.language import canonical_tag
from security.classification import Classification
from security.patterns import bounded

MOST_RULES: Final = 50
MOST_NAMED: Final = 20
"""Kinds, tags or words of one rule."""
MOST_WORDS: Final = 200
"""Words of all rules together: each is looked for in every text of the tenant, at every question. Ours."""
LONGEST_WORD: Final = 100
LONGEST_NAME: Final = 63

CLASSES: Final = tuple(rank.label for rank in Classification if rank > Classification.PUBLIC)
"""What a rule may raise to: below the lowest class there is nothing."""

CONDITIONS: Final = ("project", "domain", "kinds", "tags", "agent", "words")

ONLY_UP: Final = "Rules only raise classes: a class comes down by two persons, memory by memory (downgrade)."

_NO_TEXT: Final = bounded("[\0\ud800-\udfff]")
"""NUL and halves of letters: PostgreSQL keeps neither."""

Lookup = Callable[[str], UUID | None]
"""From the name of a project, or of an agent, to its id; None: there is none."""


class BadRules(ValueError):
    """The rules cannot be taken; `field` says where, such as «rules.0.kinds», `message` why."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRule:
    """One rule; a condition that is None or empty asks for nothing."""

    rank: int  #: the class that it raises to at least, 1 internal – 3 confidential
    project: UUID | None = None
    domain: str | None = None
    kinds: tuple[str, ...] = ()  #: of one of these kinds
    tags: tuple[str, ...] = ()  #: carries one of these tags, in their one spelling
    agent: UUID | None = None
    words: tuple[str, ...] = ()  #: the text contains one of these, folded by `fold`

    def holds_for(self, row: Mapping[str, Any], *, text: str) -> bool:
        """
        Tell whether a memory meets every condition.

        row: its columns, tags of both sorts together. text: its content, folded.
        """
        return (
            self.project in (None, row["project_id"])
            and self.agent in (None, row["agent_id"])
            and self.domain in (None, row["domain"])
            and (not self.kinds or row["kind"] in self.kinds)
            and (not self.tags or not set(self.tags).isdisjoint(row["tags"]))
            and (not self.words or any(word in text for word in self.words))
        )

    def as_json(self) -> dict[str, Any]:
        """Return the rule as `parse_rules` reads it, without what it does not ask for."""
        told = {
            "at_least": Classification(self.rank).label,
            "project": str(self.project) if self.project else None,
            "domain": self.domain,
            "kinds": list(self.kinds),
            "tags": list(self.tags),
            "agent": str(self.agent) if self.agent else None,
            "words": list(self.words),
        }
        return {name: value for name, value in told.items() if value not in (None, [])}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRules:
    """The rules of one migration, each once, in one order."""

    rules: tuple[ClassRule, ...]

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the rules, in hexadecimal: the same for whoever means the same."""
        told = json.dumps(self.as_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def label(self) -> str:
        """Return how a run names them."""
        return f"classification:{self.digest[:12]}"

    @property
    def highest(self) -> int:
        """Return the highest class that any of them raises to."""
        return max(rule.rank for rule in self.rules)

    def rank_of(self, row: Mapping[str, Any]) -> int:
        """Return the class that a memory would have for itself; what it rests on is not looked at."""
        own: int = row["classification"]
        text = fold(row["content"])
        return max(own, *(rule.rank for rule in self.rules if rule.holds_for(row, text=text)), 0)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the rules as `parse_rules` reads them."""
        return [rule.as_json() for rule in self.rules]


def fitting(rule: ClassRule) -> dict[str, Any]:
    """Return columns of a memory that a rule holds for, as far as it asks for any."""
    kind = next(iter(rule.kinds), None)
    told = {
        "project_id": rule.project,
        "agent_id": rule.agent,
        "domain": rule.domain,
        "kind": kind,
        "card": KINDS[kind].card if kind else None,
        "tags": list(rule.tags[:1]),
        "content": next(iter(rule.words), None),
    }
    return {name: value for name, value in told.items() if value not in (None, [])}


def fold(text: str) -> str:
    """
    Return the text without regard to letter case: each letter by itself, so that none becomes two.

    «ß» and «ẞ» are one, «ss» is another: then a database of any locale can be asked for the same
    (`recall.shadow.raising`).
    """
    return "".join(map(fold_letter, text))


@lru_cache(maxsize=4096)
def fold_letter(letter: str) -> str:
    """Return the one letter that stands for all cases of this one."""
    return next((one for one in (letter.casefold(), letter.lower()) if len(one) == 1), letter)


def _no_names(_name: str) -> UUID | None:
    return None


def parse_rules(given: Any, *, projects: Lookup = _no_names, agents: Lookup = _no_names) -> ClassRules:
    """
    Return the rules that JSON describes: a list of 1–50 objects.

    projects, agents: what finds those that are named otherwise than by id. Raises BadRules for a field that
    is unknown, missing, of another type or out of its bounds.
    """
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_RULES:
        raise BadRules("rules", f"Give a list of 1 to {MOST_RULES} rules.")
    rules = {_rule(one, f"rules.{place}", projects, agents) for place, one in enumerate(given)}
    if sum(len(rule.words) for rule in rules) > MOST_WORDS:
        raise BadRules("rules", f"Give at most {MOST_WORDS} words in all.")
    return ClassRules(rules=tuple(sorted(rules, key=lambda rule: json.dumps(rule.as_json(), sort_keys=True))))


def _rule(given: Any, at: str, projects: Lookup, agents: Lookup) -> ClassRule:
    if not isinstance(given, Mapping):
        raise BadRules(at, "Give an object.")
    for name in given:
        if name not in ("at_least", *CONDITIONS):
            raise BadRules(f"{at}.{str(name)[:LONGEST_NAME]}", "There is no such field.")
    if not given.keys() & set(CONDITIONS):
        raise BadRules(at, f"Give a condition: {', '.join(CONDITIONS)}.")
    return ClassRule(
        rank=_rank(given.get("at_least"), f"{at}.at_least"),
        project=_id(given, "project", at, projects),
        domain=_text(given["domain"], f"{at}.domain", LONGEST_NAME) if "domain" in given else None,
        kinds=_several(given, "kinds", at, LONGEST_NAME, _kind),
        tags=_several(given, "tags", at, LONGEST_WORD, canonical_tag),
        agent=_id(given, "agent", at, agents),
        words=_several(given, "words", at, LONGEST_WORD, fold),
    )


def _rank(given: Any, at: str) -> int:
    if not isinstance(given, str) or given not in CLASSES:
        raise BadRules(at, f"Choose one of {', '.join(CLASSES)}. {ONLY_UP}")
    return int(Classification.named(given))


def _id(given: Mapping[str, Any], name: str, at: str, lookup: Lookup) -> UUID | None:
    """Return the id that a condition names, None where it is not asked for."""
    if name not in given:
        return None
    text = _text(given[name], f"{at}.{name}", LONGEST_NAME)
    try:
        return UUID(text)
    except ValueError:
        found = lookup(text)
    if found is None:
        raise BadRules(f"{at}.{name}", f"There is no such {name}.")
    return found


def _kind(given: str) -> str:
    if given not in KIND_NAMES:
        raise ValueError(f"Choose of {', '.join(KIND_NAMES)}.")
    return given


def _several(
    given: Mapping[str, Any], name: str, at: str, longest: int, read: Callable[[str], str]
) -> tuple[str, ...]:
    """Return the names of a condition, each once, in order; none where it is not asked for."""
    if name not in given:
        return ()
    found = given[name]
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_NAMED:
        raise BadRules(f"{at}.{name}", f"Give a list of 1 to {MOST_NAMED}.")
    return tuple(sorted(set(_each(found, f"{at}.{name}", longest, read))))


def _each(found: Sequence[Any], at: str, longest: int, read: Callable[[str], str]) -> Iterable[str]:
    for place, one in enumerate(found):
        try:
            told = read(_text(one, f"{at}.{place}", longest))
        except BadRules:
            raise
        except ValueError as wrong:
            raise BadRules(f"{at}.{place}", str(wrong)) from wrong
        yield _text(told, f"{at}.{place}", longest)


def _text(given: Any, at: str, longest: int) -> str:
    """Return a text that is not blank, nor too long, nor of what no text of ours can have."""
    if not isinstance(given, str) or not given.strip() or len(given) > longest or _NO_TEXT.search(given):
        raise BadRules(at, f"Give a text of 1 to {longest} characters.")
    return given
