"""
What kind of thing a sentence tells that is no plain state: a task, a rule, an estimate, an insight. Pure.

A kind is a name for how a memory lives (SPEC M-02). A sentence that no cue names is kept as it was said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memories.language import Cue, cue
from memories.llms.rules.phrases import NAME
from memories.llms.rules.relation import ME
from security.patterns import bounded

KNOWLEDGE: Final[tuple[tuple[str, Cue], ...]] = (
    (
        "decision",
        cue(
            r"\b(?:we|i|they|he|she|team|board|(?-i:[A-Z]\w+))(?:['’]ve| have| has)?(?: \w+ly| all)? "
            r"(?:decided|agreed|chose|settled on|opted|went with|picked|voted|ruled out)\b|^(?:decision"
            r"|agreed)\b|\bit was (?:decided|agreed)\b|\bthe decision (?:is|was)\b|\b(?:going"
            r"|sticking) with\b",
            r"决定|商定|一致同意|拍板|敲定|选定|选择了|定下来|改用|达成一致|否决",
        ),
    ),
    (
        "negative",
        cue(
            r"\b(?:did|does)(?:n['’]t| not) (?:really |actually )?(?:work|help|fix|solve|scale|improve)\b"
            r"|\bfail(?:s|ed|ing)? (?:because|due to|when|with|after)\b|\bdead end\b|\bto no avail\b"
            r"|\btried .+ but\b|\bmade (?:it|things|everything|the \w+) (?:worse|slower)\b|\b(?:had|has"
            r"|made) no (?:effect|difference)\b|\bhad to (?:be )?(?:revert|roll(?:ed)? back|abandon|scrap)"
            r"|\bbackfired\b|\bwas a mistake\b",
            r"行不通|没有?用|没(?:有)?(?:效果|奏效|解决)|失败了?[,，]?(?:是?因为|原因)|因为.+失败|不管用|适得其反|不得不回滚|无效",
        ),
    ),
    (
        "finding",
        cue(
            r"\broot cause\b|^(?:finding|observation|lesson|insight|takeaway)\s*:|\bcomes? from the\b"
            r"|\bcaused by\b|\bturn(?:s|ed) out\b|\bfound (?:out )?(?:that|why|(?:the|an?) (?:cause|bug"
            r"|reason|leak|error|flaw))\b|\bfigured out\b|\bdiscovered\b|\b(?:reason|culprit|cause"
            r"|bottleneck) (?:is|was|for|why)\b|\b(?:is|was|were|are) due to\b|\b(?:learned|learnt|realised"
            r"|realized|noticed|confirmed) that\b|\btrac(?:es|ed) .{1,60} to\b|\bit was (?:the|a) .+ that\b"
            r"|\bthe lesson\b|\b(?:results?|tests?|logs?|profil\w+|benchmarks?|data|traces?) (?:show|prove"
            r"|suggest|reveal)\w*\b|\bbecause (?:the|an?|our|it|of)\b",
            r"根本原因|根因|原因[是在]|是因为|发现|查明|查出|原来是|证实|表明|定位到|是由.+(?:引起|导致|造成)|瓶颈(?:是|在)",
        ),
    ),
    (
        "pattern",
        cue(
            r"\b(?:whenever|every time|each time)\b|\btends? to\b.+\b(?:when|after|if|before)\b|^(?:if"
            r"|when) .+(?:,| then) .*\b(?:always|every time|tends? to|reliably|usually)\b",
            r"每当|每次|一旦.+就|只要.+就|凡是.+(?:都|就)|总是在.+(?:时|后|前)",
        ),
    ),
)
"""Words by which a sentence tells an insight; the first kind that fits is taken."""

_SPAN: Final = (
    r"(?:(?:another|a few|a couple of|several|half an?|an?|one|two|three|four|five|six|ten|\d[\d.,]*)(?:\s?"
    r"(?:-|–|to|or)\s?\w+)?\s+(?:\w+ )?(?:second|minute|hour|day|week|month|quarter|sprint|year)s?)"
)
_ABOUT: Final = r"(?:about |around |roughly |approximately |at least |up to |some |us )*"
_SOON: Final = r"(?: probably| likely| still)?"
_BY: Final = rf"(?P<by>{NAME}|(?:{ME}'s|our|the) [\w ]{{2,30}}?)"

_TASKS: Final = (
    rf"{_BY}(?: has| had)? (?:asked|told|assigned|instructed|wants|needs|expects|would like|tasked) "
    rf"(?P<who>{ME}|us|you|{NAME})(?: to| with)? (?!is\b|was\b|that\b)(?P<value>.+)",
    rf"(?P<who>{ME}|{NAME}|.{{3,80}}?) (?:is|was|has been|were|got) (?:assigned(?: to)?|asked to|told to) "
    rf"(?P<value>.+?)(?: by {_BY})?",
    rf"assigned to (?P<who>[\w. @-]{{2,30}}?)(?: by {_BY})?\s*[:-]\s*(?P<value>.+)",
    rf"(?:please )?(?P<own>to-?do|action item|remind {ME} (?:to|about)|don['’]t let {ME} forget "
    r"to)\s*[:-]?\s*(?P<value>.+)",
    rf"(?:(?P<who>{NAME}), )?(?:please|pls|kindly) (?!.* from now on|(?:note|let|see|tell|help|explain|call"
    r"|never|always|remember|ignore|treat|forget|show|give|recommend|suggest|don['’]t|do not)\b)"
    r"(?P<value>[a-z].+)",
    r"(?:could|can|would|will) you (?:please )?(?P<value>.+? (?:by|before|until) (?:\d{4}-\d\d|[A-Z]|the end"
    r"|eod|noon).*?)",
    r"(?:[^,;?]{3,80}, )?(?P<value>[A-Za-z][^,;?]{3,80}),? please(?: (?:and|but|by|before) .*)?",
    rf"(?P<who>{ME}|{NAME}|we)(?: still)? (?:needs?|ha(?:s|ve)|must|ought)(?: to)? (?P<value>[a-z]\S* .+ "
    r"(?:by|before|until) .+)",
    rf"(?:.{{0,6}}待办|TODO|任务)\s*[:：]\s*(?P<value>.+)|(?:请)?(?P<own>提醒{ME}|记得|别忘了?)(?P<value_>.+)",
    rf"(?P<by>{ME}的?\w{{1,6}}?|(?!{ME}|没有?人|谁)[\w ]{{2,12}}?)(?:刚刚?|已经|昨天)?(?:让|要求|叫|安排|派"
    rf"|请|要)(?P<who>{ME}|你|我们)(?:去|来|负责)?(?P<value>.+)",
    r"(?:请|麻烦)(?:你)?(?:帮忙)?(?!问)(?P<value>.*?(?:之?前|以前)\S.*|(?:尽快|马上|把|更新|修复|整理|提交|准备|检查|发送|完成).+)",
    rf"(?P<who>{ME}|我们)(?:还)?(?:需要|得|要|必须)(?:在.+?之?前)(?P<value>.+)",
)
_RULES: Final = (
    r"(?P<who>(?:we|the team|everyone|everybody|you|(?!it\b|this\b|that\b).{2,40}?)) (?P<value>(?:must(?! "
    r"(?:have|admit|say|confess|be \w+ing)\b)|mustn['’]t|shall|may(?: not| only)|(?:is|are) not allowed to|"
    r"(?:has|have) to be|(?:should |can |must )?(?:always|never|only)) .+)",
    r"(?:please )?(?P<value>(?:always|never|do not ever|don['’]t ever|under no circumstances|as a rule,?|"
    r"(?:new )?rule:) .+|(?:nobody|no one) (?:may|is allowed to|must|should|can) .+|[a-z]+ .+ from now on)",
    r"(?P<who>[\w .-]{1,24}?)?(?P<value>(?:必须|务必|绝不能?|绝对不能?|不得|禁止|永远不要|一律|不允许|严禁"
    r"|只能|千万(?:不要|别)).+)",
    r"(?:请)?(?P<value>(?:以后|今后).{0,12}(?:都|请|不要).+)",
)
_ESTIMATES: Final = (
    rf"(?P<who>.{{3,60}}?) (?:will|would|should|is going to|is expected to|might|may|could){_SOON} (?:take"
    rf"|need|require|last) {_ABOUT}(?P<value>{_SPAN}).*",
    r"(?:the )?(?:eta|estimate) (?:for|of|on) (?P<who>.{3,60}?) is (?P<value>.+)",
    rf"(?P<who>.{{3,60}}?) (?:will|would|should|is going to|is expected to|might|may|could){_SOON} "
    rf"(?P<money>cost) {_ABOUT}(?P<value>[$€£¥]?\d.*)",
    r"(?:预计|估计|大概|大约)?(?P<who>[\w .-]{2,24}?)(?:大概|大约|预计|估计|还)*(?:需要|要花|得花|要|耗时)"
    r"(?:大概|大约|差不多|至少|约)*(?P<value>(?:[\d.]+|半|[一二两三四五六七八九十几]+)\s?个?半?(?:分钟|小时"
    r"|天|工作日|周|星期|月|季度|年)).*",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A sentence that is taken whole as a task, a rule or an estimate; ME may stand in its parts."""

    kind: str
    concept: str
    value: str
    who: str | None = None  #: whose it is, as said
    by: str | None = None  #: who assigns a task, as said
    own: bool = False  #: the speaker keeps it for themselves


_LINES: Final = tuple(
    (kind, bounded(form + r"\s*[.!?。！？]*", re.IGNORECASE))
    for kind, forms in (("task", _TASKS), ("estimate", _ESTIMATES), ("invariant", _RULES))
    for form in forms
)
LONGEST: Final = 400
"""Characters of a sentence that forms look at; what is longer is a paste."""


def find_kept(said: str, *, tasks_only: bool = False) -> Iterator[Kept]:
    """Yield what a sentence, its speaker ME, is as a task, an estimate or a rule, the likelier first."""
    if len(said) > LONGEST:
        return
    for kind, form in _LINES:
        if tasks_only and kind != "task":
            return
        match = form.fullmatch(said)
        if match is None:
            continue
        told = match.groupdict()
        concept = {"task": "task", "invariant": "rule"}.get(
            kind
        ) or f"{'cost' if told.get('money') else 'duration'}_estimate"
        yield Kept(
            kind=kind, concept=concept, value=told.get("value") or told.get("value_") or "",
            who=told.get("who"), by=told.get("by"), own=told.get("own") is not None,
        )  # fmt: skip
