"""
The published patterns of `injection.py`: sentences that give orders to whoever reads them.

Each is tried only on a text that has one of its needles, and every repetition is bounded: linear in the text.
"""

import re
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded

DROP: Final = "tells the reader to drop its instructions"
ROLE: Final = "gives the reader another role"
LEAK: Final = "asks the reader for its hidden instructions"
HIDE: Final = "tells the reader to keep something from people"
CHECK: Final = "tells the reader to act without the checks"
SEND: Final = "tells the reader to send data out"
DECODE: Final = "tells the reader to obey what is encoded"
PLANT: Final = "tells the reader to plant itself in memory"
UNBIND: Final = "claims that the reader's rules no longer hold"
ADDRESS: Final = "speaks to whatever machine reads it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One kind of sentence that gives orders to the reader."""

    reason: str
    needles: tuple[str, ...]  #: lower-case
    pattern: re.Pattern[str]
    courteous: bool = True  #: whether it must open a clause to count as said to the reader


def order(reason: str, needles: str, *parts: str, courteous: bool = True) -> Order:
    """Build an order that minds no letter case; needles are separated by spaces."""
    pattern = bounded("".join(parts), re.IGNORECASE)
    return Order(reason=reason, needles=tuple(needles.split()), pattern=pattern, courteous=courteous)


_DROP_NEEDLES: Final = (
    "ignore disregard forget overlook override bypass discard neglect dismiss aside drop cancel nullify"
    " not n't never stop"
)
_DROP: Final = (
    r"\b(?:ignore|disregard|forget(?:\s+about)?|overlook|override|bypass|discard|neglect|dismiss"
    r"|set\s+aside|drop"
    r"|cancel|nullify|(?:do\s+not|don't|never)\s+(?:follow|obey|listen\s+to|comply\s+with|adhere\s+to)"
    r"|stop\s+(?:following|obeying))\s+"
)
_BEFORE: Final = (
    r"(?:previous|prior|above|earlier|preceding|former|foregoing|existing|original|initial|current|last|past)"
    r"(?:ly)?"
)
_INNER: Final = r"(?:system|developer|hidden|secret|safety|security|content|ethical|moral|built-in|core)"
_THING: Final = (
    r"(?:instructions?(?:\s+sets?)?|prompts?|directions?|directives?|rules?|guidelines?|commands?"
    r"|constraints?"
    r"|restrictions?|programming|polic(?:y|ies)|safeguards?|filters?|safety|limitations?|orders?|training"
    r"|context"
    r"|conversation|inputs?|text|messages?)"
)
_LIMITS: Final = (
    r"(?:restrictions?|rules|limits?|limitations?|filters?|guidelines|guardrails|constraints|ethics|morals"
    r"|(?:\w+\s+)?polic(?:y|ies))"
)
_PERSON: Final = r"(?:anyone|any\s+user|a\s+user|the\s+user|users?|someone|you)"
_ADDRESS: Final = (
    r"(?:https?://|[\w.+-]{1,60}@[\w-]{1,60}\."
    r"|(?:[\w-]{1,40}\.){1,4}(?:com|net|org|io|xyz|ru|cn|dev|app|info|biz|top|example)\b)"
)
_TELL: Final = (
    r"(?:tell|telling|mention|mentioning|inform|informing|alert|alerting|notify|notifying|show|showing|reveal"
    r"|revealing|disclose|disclosing|warn|warning)"
)
_GIVE: Final = (
    r"\b(?:reveal|show|print|output|repeat|display|disclose|leak|expose|dump|share|recite|return|provide"
    r"|translate"
    r"|summari[sz]e|spell\s+out|write\s+(?:out|down)|give\s+(?:me|us)|tell\s+(?:me|us))\s+(?:me\s+|us\s+)?"
)

ENGLISH: Final[tuple[Order, ...]] = (
    order(
        DROP,
        _DROP_NEEDLES,
        _DROP,
        r"(?!my\b|our\b|his\b|her\b|their\b)(?:\w+\s+(?:of\s+)?){0,4}?",
        rf"(?:{_BEFORE}|{_INNER})\s+(?:and\s+\w+\s+)?(?:\w+\s+)?{_THING}\b",
    ),
    order(
        DROP,
        _DROP_NEEDLES,
        _DROP,
        r"(?:all|any|every|each|everything|whatever|what)\s+(?:of\s+)?(?:the|your|these|those|that|you"
        r"|you've)?\s*",
        rf"(?:{_THING}|(?:been\s+|(?:have|had|were|are)\s+(?:been\s+)?)(?:told|taught|instructed|given"
        rf"|learn(?:ed|t))",
        r"|learn(?:ed|t)|above|before)\b",
    ),
    order(
        DROP,
        _DROP_NEEDLES,
        _DROP,
        r"(?:the\s+above|(?:all|everything)\s+(?:previous|prior|above|before)"
        r"|that\s+you\s+are\s+an?\s+(?:ai|assistant)"
        r"|your\s+(?:[\w']+\s+){0,2}(?:instructions?|programming|rules|guidelines|training|restrictions"
        r"|constraints"
        r"|safety|filters|policy|policies))\b",
    ),
    order(
        ROLE,
        "you",
        r"\byou\s+are\s+(?:now|no\s+longer)\s+(?:going\s+to\s+(?:act|pretend|be)|dan\b|free\s+(?:from|of)"
        r"|bound"
        r"|(?:an?\s+)?(?:restricted|unrestricted|jailbroken|unfiltered)|(?:in"
        r"|entering)\s+(?:\w+\s+){0,2}mode\b"
        r"|an?\s+(?:\w+[\s-]){0,4}(?:ai|bot|model|assistant|hacker|persona|character|chatbot)\b)",
    ),
    order(
        ROLE,
        "now henceforth conversation",
        r"\b(?:from\s+now\s+on|starting\s+now|henceforth|for\s+the\s+rest\s+of\s+this\s+conversation),?\s+",
        r"(?:you\s+)?(?:(?:are|will|must|shall|should|have\s+to)\s+)?(?:(?:be|going\s+to)\s+)?",
        r"(?:act|acting|pretend|pretending|roleplay|behave|simulate|you\s+are)\s+(?:as|to|like|that|with"
        r"|dan|an?)\b",
    ),
    order(
        ROLE,
        "pretend imagine act assume simulate",
        r"\b(?:pretend|imagine|act\s+as\s+if|act\s+like|simulate|assume)\s+(?:that\s+)?(?:you\s+)?",
        r"(?:(?:are|have|had|with)\s+)?(?:to\s+be\s+)?(?:an?\s+\w+\s+)?(?:with\s+)?",
        rf"(?:no|without(?:\s+any)?|free\s+(?:of|from))\s+(?:\w+\s+){{0,2}}{_LIMITS}\b",
    ),
    order(
        ROLE,
        "respond answer reply act behave speak operate",
        r"\b(?:respond|answer|reply|act|behave|speak|operate)\s+(?:\w+\s+){0,2}?(?:as\s+(?:if|though)\s+)?",
        r"(?:you\s+(?:are|were|have|had)\s+)?(?:as\s+)?(?:an?\s+(?:\w+\s+){0,3})?(?:with\s+)?",
        rf"(?:no|without(?:\s+any)?)\s+(?:\w+\s+){{0,2}}{_LIMITS}\b",
    ),
    order(
        ROLE,
        "mode dan unrestricted unfiltered uncensored jailbroken",
        r"\b(?:enable|enter|activate|switch\s+(?:in)?to|turn\s+on|you\s+are\s+in)\s+(?:\w+\s+)?",
        r"(?:dan|developer|debug|god|jailbreak|unrestricted|maintenance|admin|sudo|root)\s+mode\b",
        r"|\b(?:act|answer|respond|reply|behave)\s+(?:as|like)\s+(?:a\s+)?(?:dan|an?\s+(?:unrestricted"
        r"|unfiltered|uncensored|jailbroken)\s+\w+)\b",
    ),
    order(
        LEAK,
        "prompt instruction message secret passphrase passcode",
        _GIVE,
        r"(?:(?:all|the|your|of|full|entire|complete|exact|verbatim|original|initial|hidden|secret|internal"
        r"|confidential"
        r"|current|above|previous|first|text|contents?|words)\s+){1,6}"
        r"(?:system\s+(?:prompt|message|instructions?)|prompt|passphrase|passcode|secret\s+(?:key|password"
        r"|code|phrase)"
        r"|(?:initial|original|hidden|secret|internal|previous|first)\s+(?:prompt|instructions?|rules)"
        r"|instructions?\s+(?:above|verbatim|you\s+were\s+given))\b",
    ),
    order(
        LEAK,
        "context prompt memory instructions configuration",
        r"\b(?:reveal|print|output|repeat|display|dump|share|list)\s+(?:everything"
        r"|all(?:\s+of)?\s+(?:the\s+)?\w{0,20}"
        r"|the\s+(?:full|entire|whole))\s*(?:in|of|from)?\s*"
        r"your\s+(?:context(?:\s+window)?|prompt|memory|instructions|configuration)\b",
    ),
    order(
        LEAK,
        "what",
        r"\bwhat\s+(?:is|are|was|were)\s+(?:in\s+)?your\s+(?:(?:full|exact|original|initial|hidden|secret"
        r"|first)\s+){0,3}"
        r"(?:system\s+(?:prompt|message|instructions?)|initial\s+(?:prompt|instructions)"
        r"|secret\s+(?:key|password|instructions?))\b",
    ),
    order(
        HIDE,
        "user human operator owner developer",
        rf"\b(?:do\s+not|don't|never|without)\s+(?:ever\s+)?{_TELL}\s+",
        r"(?:(?:this|it|that|anything|any\s+of\s+this|the)\s+)?(?:\w+\s+){0,3}?(?:to\s+)?",
        r"(?:the\s+users?|users|the\s+human|the\s+operator|the\s+owner|your\s+(?:user|operator"
        r"|developers?))\b",
    ),
    order(
        CHECK,
        "without",
        r"\b(?:always|must|should|automatically)\s+(?:comply|obey|approve|grant|allow|execute"
        r"|accept)\b[^.!?\n]{0,80}"
        r"\bwithout\s+(?:(?:any|further|additional|prior)\s+){0,3}"
        r"(?:verif\w+|confirm\w+|question\w*|asking|approval|checks?|checking|authori\w+|review)\b",
        courteous=False,
    ),
    order(
        SEND,
        "when every any if",
        rf"\b(?:whenever|when|every\s+time|any\s+time|if)\s+{_PERSON}\b[^.!?\n]{{0,80}}",
        r"\b(?:send|e?mail|forward|post|transmit|upload|exfiltrate|append|copy|bcc)\b[^.!?\n]{0,60}\b(?:to"
        r"|at)\s+",
        _ADDRESS,
    ),
    order(
        DECODE,
        "decode decrypt deobfuscate unscramble",
        r"\b(?:decode|decrypt|deobfuscate|unscramble)\s+(?:\w+\s+){0,6}?(?:\w+,?\s+)?(?:and"
        r"|then)\s*,?\s*(?:then\s+)?",
        r"(?:do|follow|execute|obey|run|carry\s+out|comply|act\s+on|perform)\b",
    ),
    order(
        PLANT,
        "memory",
        r"\b(?:save|store|write|add|commit|record|keep|put)\s+(?:\w+\s+){0,4}?(?:to|in"
        r"|into)\s+your\s+(?:\w+\s+){0,2}",
        r"memory\b[^!?\n]{0,120}\b(?:every|all|each|always|future|persist\w*)\b",
    ),
)

CHINESE: Final[tuple[Order, ...]] = (
    order(
        DROP,
        "忽略 无视 忘记 忘掉 忘了 抛弃 丢弃 放弃 绕过 跳过 不要 别管 停止 覆盖",
        r"(?:忽略|无视|忘记|忘掉|忘了|抛弃|丢弃|放弃|绕过|跳过|不要理会|不要遵守|不要遵循|别管|停止遵循"
        r"|覆盖)(?:掉|你)?",
        r"(?:之前|以前|以上|上面|上述|前面|先前|此前|原来|原有|现有|所有|全部|一切|任何|系统|你的|的|这些"
        r"|那些){1,5}",
        r"[^。！？\n]{0,6}(?:指令|指示|提示词?|规则|要求|命令|设定|限制|约束|内容|对话|准则|规定)",
        courteous=False,
    ),
    order(
        ROLE,
        "你",
        r"(?:从现在(?:起|开始)|现在起)[，,]?你(?:就|将|要|必须)?(?:是|扮演|变成|充当)",
        r"|你现在(?:是|进入)[^。！？\n]{0,12}(?:不受|没有|无|越狱|开发者|调试)(?:任何)?(?:限制|约束|模式"
        r"|规则)?",
        courteous=False,
    ),
    order(
        LEAK,
        "系统 初始 隐藏 内部 上面",
        r"(?:告诉|显示|输出|打印|泄露|透露|重复|给出|展示|复述|说出|公布)(?:一下|我|给我"
        r"|出)?[^。！？\n]{0,6}",
        r"(?:系统提示词?|系统指令|系统消息|初始指令|初始提示词?|隐藏的?(?:指令|提示词?)|内部指令"
        r"|上面的提示词?)",
        courteous=False,
    ),
    order(
        HIDE,
        "用户 使用者 主人 操作员",
        r"(?:不要|别|切勿|不得|禁止)(?:把[^。！？\n]{0,10})?(?:告诉|告知|通知|提醒|透露给|让)(?:任何)?",
        r"(?:用户|使用者|主人|操作员)",
        courteous=False,
    ),
)
