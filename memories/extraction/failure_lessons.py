"""
Learn from what reality says: a failure becomes a `negative`, a disproved guess a `meta` memory (SPEC W-19).

Pure. A failure is read from a tool's turn with all that changes from run to run taken out, so that the same
failure again is the same memory, reinforced, and a broken build fills no store.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memories.candidates import Draft
from memories.extraction.lessons import as_lesson
from memories.reconciliation import Action, Decision, is_tools
from security.patterns import bounded

GUESSED: Final = "agent_inferred"

MOST_NAMED: Final = 3
"""Failing tests that a memory names; the rest are «others»."""

LONGEST_WHY: Final = 300
LONGEST_WHAT: Final = 160
"""Characters of a cause, and of what failed."""

_TEST: Final = bounded(
    r"^[^\S\n]*+(?:FAILED\s+(?P<pytest>\S+::\S+)|-{3}\s*FAIL:\s*(?P<go>\S+)|"
    r"(?:FAIL|✕|✗|×)\s+(?P<other>[\w./: -]{3,120}))"
    r"(?:\s+-\s+(?P<why>[^\n]+))?",
    re.MULTILINE,
)
_NAMED: Final = bounded(
    r"^[^\S\n]*+(?:\d+ )?(?P<what>(?:[\w./-]+ ){0,3}?"
    r"(?:tests?|build|deploy(?:ment)?|migration|command|job|step|"
    r"check|pipeline|benchmark|compilation|upload|import|request|query))\s+(?:has |have )?failed\s*"
    r"(?::|because|with|due to|[-–—])\s*(?P<why>[^\n]{3,})",
    re.MULTILINE | re.IGNORECASE,
)
_NAMED_ZH: Final = bounded(
    r"^[^\S\n]*+(?P<what>[^\n：:，,。]{0,20}?(?:测试|构建|部署|迁移|命令|任务|编译|检查|请求|查询))(?:执行)?失败\s*[：:，,]\s*"
    r"(?:原因是?[：:]?\s*|因为)?(?P<why>[^\n]{2,})",
    re.MULTILINE,
)
_RAISED: Final = bounded(
    r"^[^\S\n]*+(?P<what>(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Failure|Timeout|Warning))\s*:\s*(?P<why>[^\n]{3,})",
    re.MULTILINE,
)
_EXIT: Final = bounded(
    r"\b(?:exit(?:ed)?(?: with)?(?: (?:code|status))?|non-zero exit status|returned|退出码)[\s:：=]*"
    r"(?P<code>[1-9]\d{0,2})\b[\s:：,，-]*(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_SAID: Final = bounded(
    r"^[^\S\n]*+(?:npm ERR!|(?:fatal|error|错误|报错)(?:\s*\[\w+\])?\s*[:：!])\s*(?P<why>[^\n]{4,})",
    re.MULTILINE | re.IGNORECASE,
)
_COMMAND: Final = bounded(r"^[^\S\n]*+[$>%]\s+(?P<command>[^\n]{2,80})", re.MULTILINE)
_CAUSE_LINE: Final = bounded(r"^E\s+(?P<why>\S[^\n]+)", re.MULTILINE)

_VOLATILE: Final = tuple(
    (bounded(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\b\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?\b", ""),
        (r"\[?\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b\]?", ""),
        (r"\b0x[0-9a-f]{4,}\b", ""),
        (r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", ""),
        (r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}\b", ""),
        (r"/(?:tmp|var/folders)/\S+", "a temporary file"),
        (r"\bin \d+(?:\.\d+)?\s?m?s\b|\(\d+(?:\.\d+)?\s?m?s\)", ""),
        (r"(?:,? (?:at|on))? ?\bline \d+(?:, col(?:umn)? \d+)?", ""),
        (r"(?<=\w):\d+(?::\d+)?(?=[:\s)]|$)", ""),
        (r"\b(?:pid|process|thread|worker)[ =#]*\d+\b", "process"),
    )
)
"""What is another at every run: times, addresses, ids, places in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What failed, and why, without what changes from run to run."""

    what: str
    why: str

    def told(self) -> str:
        """Return the failure as a memory tells it, in the language of its cause."""
        if bounded(r"[\u4e00-\u9fff]").search(self.what + self.why):
            return f"{self.what}失败，因为{self.why}。"
        return f"{self.what[:1].upper()}{self.what[1:]} failed because of: {self.why}."


def find_failure(text: str) -> Failure | None:
    """Return the failure that a tool's output reports, or None; a bare «exit code 1» tells nothing."""
    found = _failed_tests(text) or _named(text) or _raised(text) or _exited(text) or _said(text)
    if found is None:
        return None
    what, why = _steady(found.what, LONGEST_WHAT), _steady(found.why, LONGEST_WHY)
    return Failure(what=what, why=why) if what and len(why) > 2 else None


def _failed_tests(text: str) -> Failure | None:
    matches = list(_TEST.finditer(text))
    names = list(dict.fromkeys((m["pytest"] or m["go"] or m["other"]).strip() for m in matches))
    why = next((match["why"] for match in matches if match["why"]), None)
    if why is None:
        cause = _CAUSE_LINE.search(text) or _RAISED.search(text)
        why = cause["why"] if cause else None
    if not names or why is None:
        return None
    listed = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
    return Failure(what=f"the test{'s' if len(names) > 1 else ''} {listed}", why=why)


def _named(text: str) -> Failure | None:
    match = _NAMED.search(text) or _NAMED_ZH.search(text)
    return Failure(what=match["what"], why=match["why"]) if match else None


def _raised(text: str) -> Failure | None:
    raised = list(_RAISED.finditer(text))
    if not raised:
        return None
    last = raised[-1]  # the last of a chain is the one that ended the run
    return Failure(what=_command(text) or "a run", why=f"{last['what']}: {last['why']}")


def _exited(text: str) -> Failure | None:
    match = _EXIT.search(text)
    if match is None:
        return None
    said = _SAID.search(text)
    what, _, why = match["rest"].strip().partition(": ")
    if said is not None and not why:
        return Failure(what=_command(text) or what or "a command", why=said["why"])
    return Failure(what=what or _command(text) or "a command", why=why) if why else None


def _said(text: str) -> Failure | None:
    match = _SAID.search(text)
    return Failure(what=_command(text) or "a run", why=match["why"]) if match else None


def _command(text: str) -> str | None:
    match = _COMMAND.search(text)
    return f"«{match['command'].strip()}»" if match else None


def _steady(text: str, longest: int) -> str:
    """Return the text without what changes from run to run, in one line, cut at a word."""
    for pattern, put in _VOLATILE:
        text = pattern.sub(put, text)
    plain = " ".join(text.split()).strip(" .,;:-–—。，；：")
    return plain if len(plain) <= longest else plain[:longest].rsplit(" ", 1)[0]


def find_lessons(decided: Iterable[tuple[Draft, Decision]]) -> tuple[Draft, ...]:
    """Return what is to be learnt of the guesses that measurements disproved, one lesson for each."""
    return tuple(lesson for draft, decision in decided if (lesson := _lesson_of(draft, decision)) is not None)


def _lesson_of(draft: Draft, decision: Decision) -> Draft | None:
    """Return the lesson of a guess whose place another value took, measured; None when there is none."""
    if not is_tools(draft) or draft.card != "state" or decision.action is not Action.SUPERSEDE:
        return None
    wrong = next(
        (near for near in decision.superseded if near.provenance == GUESSED and near.value != draft.value),
        None,
    )
    if wrong is None or draft.value is None or wrong.value is None:
        return None
    return as_lesson(draft, _word_lesson(draft, believed=wrong.content))


def _word_lesson(draft: Draft, *, believed: str) -> str:
    about = f"{draft.entity_key} / {draft.concept_key}"
    if bounded(r"[\u4e00-\u9fff]").search(draft.content):
        return f"曾经推断：「{believed}」。测量证明其错误：「{draft.content}」。再推断前先核实：{about}。"
    return (
        f"Inferred and wrong: «{believed}» What proved it wrong: «{draft.content}» "
        f"Measure before inferring it again: {about}."
    )
