"""From a sentence to the statement in it: questions, greetings and openers taken off, put in the third "
"person."""

import re
from dataclasses import dataclass, replace
from typing import Final

from memories.llms import rules_forms as en
from memories.llms import rules_patterns as en_states
from memories.llms import rules_patterns_whole as en_wholes
from memories.llms import rules_patterns_zh as zh
from memories.llms.rules_grammar import Rule
from memories.llms.rules_wording import to_third_person
from memories.llms.rules_words import CHINESE as HAN
from memories.llms.sentences import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """The tables of one language."""

    states: tuple[Rule, ...]
    tasks: tuple[Rule, ...]
    wholes: tuple[Rule, ...]  #: estimates and rules: looked at sentence by sentence
    knowledge: tuple[tuple[str, re.Pattern[str], float], ...]
    clause_border: re.Pattern[str]
    pleasantry: re.Pattern[str]
    opener: re.Pattern[str]
    question: re.Pattern[str]
    past: re.Pattern[str]
    leaning: re.Pattern[str]
    pronoun: re.Pattern[str]
    possessive: str  #: what makes an owner of a name
    labels: dict[str, str]  #: what a speaker without a name is called, by role


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence that states something, in the forms in which it is looked at."""

    place: Sentence
    forms: Forms
    said: str  #: as said, without what it asks
    full: str  #: third person, openers kept
    core: str  #: third person, openers and dates in brackets gone: what patterns see
    firmness: float = 1.0  #: below 1 if a pronoun was guessed


ENGLISH: Final = Forms(
    states=en_states.STATE_RULES,
    tasks=en_wholes.TASK_RULES,
    wholes=(*en_wholes.ESTIMATE_RULES, *en_wholes.INVARIANT_RULES),
    knowledge=en.KNOWLEDGE_CUES,
    clause_border=en.CLAUSE_BORDER,
    pleasantry=en.PLEASANTRY,
    opener=en.OPENER,
    question=en.QUESTION,
    past=en.PAST,
    leaning=en.LEANING,
    pronoun=re.compile(r"^(?:(?P<whose>his|her|its|their)(?= \w)|he|she|it|they)\b", re.IGNORECASE),
    possessive="'s",
    labels={"user": "the user", "assistant": "the assistant", "tool": "the tool"},
)
CHINESE: Final = Forms(
    states=zh.STATE_RULES_ZH,
    tasks=zh.TASK_RULES_ZH,
    wholes=(*zh.ESTIMATE_RULES_ZH, *zh.INVARIANT_RULES_ZH),
    knowledge=zh.KNOWLEDGE_CUES_ZH,
    clause_border=zh.CLAUSE_BORDER_ZH,
    pleasantry=zh.PLEASANTRY_ZH,
    opener=zh.OPENER_ZH,
    question=zh.QUESTION_ZH,
    past=zh.PAST_ZH,
    leaning=zh.LEANING_ZH,
    pronoun=re.compile(r"^(?:(?P<whose>[他她它]的)|[他她它])"),
    possessive="的",
    labels={"user": "用户", "assistant": "助手", "tool": "工具"},
)

LONGEST_NOTE: Final = 1000
"""Characters of content; a sentence longer than that is a paste, and is cut."""

LONGEST_CLAUSE: Final = 400
"""Characters that patterns look at; what is longer is a paste, and lazy patterns take the square of it."""

_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_DATE_ASIDE: Final = re.compile(r"\s*\(\d{4}-\d\d-\d\d[^)]*\)")


def find_statement(sentence: Sentence) -> Statement | None:
    """Return what a sentence states, None if it only asks, greets, or leads up to something."""
    sentence = replace(sentence, text=shorten(sentence.text))
    forms = CHINESE if HAN.search(sentence.text) else ENGLISH
    text = _drop_question(sentence, forms)
    if text is None or text.endswith((":", "：")):
        return None
    bare = _strip_openers(text, forms)
    if len(text) <= LONGEST_CLAUSE and (forms.pleasantry.match(text) or forms.pleasantry.match(bare)):
        return None
    core = _DATE_ASIDE.sub("", to_third_person(bare))
    return Statement(place=sentence, forms=forms, said=text, full=to_third_person(text), core=core)


def fit(rule: Rule, clause: str) -> re.Match[str] | None:
    """Match a rule to a clause from its beginning."""
    return rule.pattern.match(clause) if len(clause) <= LONGEST_CLAUSE else None


def shorten(text: str) -> str:
    """Cut what is too long for a note at a word, as pasted logs are."""
    if len(text) <= LONGEST_NOTE:
        return text
    return text[: LONGEST_NOTE - 1].rsplit(None, 1)[0] + "…"


def blank_code(text: str) -> str:
    """Put spaces for fenced code, so that places in the text stay what they were."""
    return _CODE.sub(lambda block: "\n" + " " * (len(block[0]) - 1), text)


def _drop_question(sentence: Sentence, forms: Forms) -> str | None:
    """Return what a sentence states before it asks; None if it only asks. A request to do something is a "
    "task."""
    text = sentence.text
    if any(fit(rule, to_third_person(_strip_openers(text, forms))) for rule in forms.tasks):
        return text
    if not sentence.asks:
        return None if forms is CHINESE and forms.question.search(text) else text
    stated: list[str] = []
    for piece in forms.clause_border.split(text):
        if _asks(piece, forms):
            break
        stated.append(piece)
    while stated and (len(stated[-1].split()) < 2 or forms.pleasantry.match(stated[-1])):
        stated.pop()
    return text[: text.find(stated[-1]) + len(stated[-1])].rstrip(" ,，") if stated else None


def _asks(piece: str, forms: Forms) -> bool:
    return piece.rstrip().endswith(("?", "？")) or forms.question.search(piece.strip()) is not None


def _strip_openers(text: str, forms: Forms) -> str:
    while (opener := forms.opener.match(text)) and 0 < opener.end() < len(text):
        text = text[opener.end() :]
    return text
