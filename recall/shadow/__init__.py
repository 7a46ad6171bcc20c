"""
Shadow validation (SPEC S-06): real questions answered by a candidate beside what is in force, unseen.

`runs` asks for a run and shows it, `replaying` works through its questions, `rehearse` answers one by both,
`leaks` judges what was found apart from the engine that found it, `verdict` says what follows.
"""

from recall.shadow.class_rules import (
    CLASSES,
    CONDITIONS,
    LONGEST_NAME,
    LONGEST_WORD,
    MOST_NAMED,
    MOST_RULES,
    ONLY_UP,
    BadRules,
)
from recall.shadow.enact import AT_ONCE, MOST_AT_ONCE, Enacted, RulesRefused, apply_rules
from recall.shadow.pace import Pace
from recall.shadow.replaying import MOST_ATTEMPTS, LeaseLost, RunTaken, replay
from recall.shadow.runs import (
    MOST_QUESTIONS,
    SHADOW_TASK,
    Given,
    NothingAsked,
    QuestionView,
    RunOver,
    RunView,
    Sample,
    ask_for_run,
    cancel_run,
    find_due,
    get_run,
    list_questions,
    list_runs,
)
from recall.shadow.setups import KINDS, NotFilled, UnknownCandidate
from recall.shadow.verdict import Limits

__all__ = [
    "AT_ONCE",
    "CLASSES",
    "CONDITIONS",
    "KINDS",
    "LONGEST_NAME",
    "LONGEST_WORD",
    "MOST_ATTEMPTS",
    "MOST_AT_ONCE",
    "MOST_NAMED",
    "MOST_QUESTIONS",
    "MOST_RULES",
    "ONLY_UP",
    "SHADOW_TASK",
    "BadRules",
    "Enacted",
    "Given",
    "LeaseLost",
    "Limits",
    "NotFilled",
    "NothingAsked",
    "Pace",
    "QuestionView",
    "RulesRefused",
    "RunOver",
    "RunTaken",
    "RunView",
    "Sample",
    "UnknownCandidate",
    "apply_rules",
    "ask_for_run",
    "cancel_run",
    "find_due",
    "get_run",
    "list_questions",
    "list_runs",
    "replay",
]
