"""
What a form of sentence is, and the parts that English forms are put together from.

Patterns see a clause in the third person: ME stands for the speaker, openers and hedges are gone. The groups:
`entity` the one it is about, `attribute` what of it, `value` what it is, `by` who assigned.
"""

import re
from dataclasses import dataclass
from typing import Final

from memories.llms.base import Cardinality, Change
from memories.llms.rules_wording import ME
from security.patterns import bounded

NAME: Final = r"(?-i:[A-Z][\w&.'’-]*(?:\s+(?:(?:of|de|van|der|la|the)\s+)?(?:[A-Z]|\d(?!\d{3}-))[\w&.'’-]*)*)"
NOUN: Final = r"(?:(?:the|our|their|this|that|his|her|its|your|an?)\s+)?[\w][\w'’/. -]{1,60}?"

_WHEN: Final = (
    r"(?:[\s,]+(?:(?:in )?the (?:night|morning|evening|afternoon|week|end|beginning|middle) of )?(?:(?:on|in|"
    r"since|from|as of|until|by|before|after|due|at) )*\(?\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?\)?)"
)
"""A date at the end, which is no part of what is said."""
HUMAN: Final = (
    r"(?:sister|brother|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|girlfriend|boyfriend|"
    r"fianc[eé]e?|parents|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|friend|neighbou?r|colleague|"
    r"coworker|boss|manager|teammate|flatmate|roommate|landlord|landlady|client|customer|teacher|doctor|"
    r"assistant|intern|mentor|kid|child|team)"
)
SOMEBODY: Final = bounded(rf"\b{HUMAN}\b", re.IGNORECASE)

_MACROS: Final = {
    "ME": ME,
    "WHO": rf"(?P<entity>{ME}|{NAME}|(?:{ME}|{NAME}|our|his|her|the)(?:['’]s)?\s+[\w' -]{{2,40}}?)",
    "PERSON": rf"(?P<entity>(?:(?:{ME}|{NAME})(?:['’]s)?|our|his|her|the)\s+(?:[\w-]+ )?{HUMAN}(?: {NAME})?|"
    rf"{ME}|{NAME})",
    "ADV": r"(?:\s+(?:now|currently|still|also|always|long|really|just|only|mostly|usually|actually|already|"
    r"recently|officially|finally|absolutely|truly|particularly|especially|mainly|both|quite|very much))*",
    "NAME": NAME,
    "THING": rf"(?P<entity>{ME}|{NOUN})",
    "VALUE": r"(?P<value>.+?)",
    "SAID": r"(?P<value>(?!(?:that|to|not|how|why|what|whether|very|so|too|quite|really|just|pretty|like|"
    r"about|(?-i:[a-z]+ing))\b).+?)",
    "NAMED": rf"(?P<value>{NAME})",
    "VERSION": r"(?P<value>(?:version\s+|release\s+)?v?\d+(?:\.\d+)+[\w.-]*|v\d[\w.-]*)",
    "NUMBER": r"(?P<value>[$€£¥]?\d[\d.,]*\s?(?:%|[a-z]{1,12}\b)?(?:\s+(?:per|a)\s+\w+|/\w+)?)",
    "SPAN": r"(?P<value>(?:an? \w+ or two|(?:another|a few|a couple of|several|half an?|an?|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|\d[\d.,]*)(?:\s?(?:-|–|to|or)\s?\w+)?\s+(?:more\s+|working\s+|"
    r"business\s+|person-?)?(?:second|minute|hour|day|week|month|quarter|sprint|year)s?))",
    "END": rf"{_WHEN}?\s*[.!。]*$",
    "TRAIL": rf"(?:,? (?:since|as of|from|until|because|after|on|for) .*|,\s.*|{_WHEN})?\s*[.!。]*$",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """
    One form of sentence and what it says.

    `concept` may hold {attribute}. `cardinality` None leaves it to the kind. `firmness` in [0, 1] becomes the
    confidence.
    """

    kind: str
    pattern: re.Pattern[str]
    concept: str | None = None
    cardinality: Cardinality | None = None
    firmness: float = 0.9
    change: Change = "none"
    value: str = "{value}"  #: how the value is put: «no longer {value}» ends a state


def rule(
    kind: str,
    form: str,
    concept: str | None = None,
    cardinality: Cardinality | None = None,
    *,
    firmness: float = 0.9,
    change: Change = "none",
    value: str = "{value}",
    macros: dict[str, str] = _MACROS,
) -> Rule:
    """Make a rule of a form in which {WHO}, {VALUE} … stand for the groups above."""
    pattern = bounded(r"\{([A-Z]+)\}").sub(lambda macro: macros[macro[1]], form)
    return Rule(
        kind=kind,
        pattern=bounded(pattern, re.IGNORECASE),
        concept=concept,
        cardinality=cardinality,
        firmness=firmness,
        change=change,
        value=value,
    )
