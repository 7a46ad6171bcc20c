"""From a sentence to the statement in it: no question, greeting or opener, and in the third person."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from memories.llms import rules_forms as en
from memories.llms import rules_patterns as en_states
from memories.llms import rules_patterns_whole as en_wholes
from memories.llms import rules_patterns_work as en_work
from memories.llms import rules_patterns_work_zh as zh_work
from memories.llms import rules_patterns_zh as zh
from memories.llms.rules_asked import split_long, tells_beside
from memories.llms.rules_grammar import Rule
from memories.llms.rules_wording import to_third_person
from memories.llms.rules_words import CHINESE as HAN
from memories.llms.sentences import Sentence
from security.patterns import bounded
from security.screening.skeleton import squeeze


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """The tables of one language."""

    spanning: tuple[Rule, ...]  #: states told over several clauses: looked at before a sentence is cut
    work: tuple[Rule, ...]  #: states that work talk tells in forms of its own: looked at first
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
    echo: re.Pattern[str]  #: how an assistant says back what it was told
    duty: re.Pattern[str]  #: how it says that something is its task
    plan: re.Pattern[str]  #: how it offers something, or says what it is about to do
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
    spanning=en_work.SPANNING_RULES,
    work=en_work.WORK_RULES,
    states=en_states.STATE_RULES,
    tasks=en_wholes.TASK_RULES,
    wholes=(*en_wholes.ESTIMATE_RULES, *en_work.WISH_RULES, *en_wholes.INVARIANT_RULES),
    knowledge=en.KNOWLEDGE_CUES,
    clause_border=en.CLAUSE_BORDER,
    pleasantry=en.PLEASANTRY,
    opener=en.OPENER,
    question=en.QUESTION,
    past=en.PAST,
    leaning=en.LEANING,
    echo=en.ECHO,
    duty=en.DUTY,
    plan=en.PLAN,
    pronoun=bounded(r"^(?:(?P<whose>his|her|its|their)(?= \w)|he|she|it|they)\b", re.IGNORECASE),
    possessive="'s",
    labels={"user": "the user", "assistant": "the assistant", "tool": "the tool"},
)
CHINESE: Final = Forms(
    spanning=zh_work.SPANNING_RULES_ZH,
    work=zh_work.WORK_RULES_ZH,
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
    echo=zh.ECHO_ZH,
    duty=zh.DUTY_ZH,
    plan=zh.PLAN_ZH,
    pronoun=bounded(r"^(?:(?P<whose>[他她它]的)|[他她它])"),
    possessive="的",
    labels={"user": "用户", "assistant": "助手", "tool": "工具"},
)

LONGEST_NOTE: Final = 1000
"""Characters of content; a sentence longer than that is a paste, and is cut."""

LONGEST_CLAUSE: Final = 400
"""Characters that patterns look at; what is longer is a paste, and lazy patterns take the square of it."""

_CODE: Final = bounded(r"```.*?(?:```|\Z)", re.DOTALL)
_DATE_ASIDE: Final = bounded(r"\s*\(\d{4}-\d\d-\d\d[^)]*\)")


def find_statements(sentence: Sentence) -> tuple[Statement, ...]:
    """
    Return what a sentence states, in order; nothing if it only asks, greets, or leads up to something.

    Of a question that is what it tells before it asks, and what it takes for granted; a request is a task.
    """
    # A long run of blanks between two forms could be shared out in as many ways as it is long.
    sentence = replace(sentence, text=shorten(squeeze(sentence.text)))
    forms = _forms_of(sentence.text)
    if any(fits(forms.tasks, to_third_person(strip_openers(sentence.text, forms)))):
        told: tuple[Sentence, ...] = (sentence,)
    elif (parts := tells_beside(sentence)) is not None:
        told = parts
    else:
        told = tuple(_drop_question(sentence, forms))
    return tuple(statement for long in told for part in split_long(long) if (statement := _state(part)))


def _state(sentence: Sentence) -> Statement | None:
    text, forms = sentence.text, _forms_of(sentence.text)
    if not text or text.endswith((":", "：")):
        return None
    bare = strip_openers(text, forms)
    if len(text) <= LONGEST_CLAUSE and (forms.pleasantry.match(text) or forms.pleasantry.match(bare)):
        return None
    core = _DATE_ASIDE.sub("", to_third_person(bare))
    return Statement(place=sentence, forms=forms, said=text, full=to_third_person(text), core=core)


def _forms_of(text: str) -> Forms:
    return CHINESE if HAN.search(text) else ENGLISH


def fits(rules: Iterable[Rule], clause: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    """Yield the rules that a clause fits from its beginning, in order, with their matches."""
    if len(clause) > LONGEST_CLAUSE:
        return
    for rule in rules:
        if match := rule.pattern.match(clause):
            yield rule, match


def shorten(text: str) -> str:
    """Cut what is too long for a note at a word, as pasted logs are."""
    if len(text) <= LONGEST_NOTE:
        return text
    return text[: LONGEST_NOTE - 1].rsplit(None, 1)[0] + "…"


def blank_code(text: str) -> str:
    """Put spaces for fenced code, so that places in the text stay what they were."""
    return _CODE.sub(lambda block: "\n" + " " * (len(block[0]) - 1), text)


def _drop_question(sentence: Sentence, forms: Forms) -> Iterator[Sentence]:
    """Yield a sentence without what asks for a nod: «the gate code is 4711, right?»."""
    text = sentence.text
    if not sentence.asks:
        yield sentence
        return
    stated: list[str] = []
    for piece in forms.clause_border.split(text):
        if _asks(piece, forms):
            break
        stated.append(piece)
    while stated and (len(stated[-1].split()) < 2 or forms.pleasantry.match(stated[-1])):
        stated.pop()
    if stated:
        yield replace(sentence, text=text[: text.find(stated[-1]) + len(stated[-1])].rstrip(" ,，"))


def _asks(piece: str, forms: Forms) -> bool:
    return piece.rstrip().endswith(("?", "？")) or forms.question.search(piece.strip()) is not None


def strip_openers(text: str, forms: Forms) -> str:
    """Take off what only leads up to a statement: greetings, labels, dates, hedges."""
    while (opener := forms.opener.match(text)) and 0 < opener.end() < len(text):
        text = text[opener.end() :]
    return text
