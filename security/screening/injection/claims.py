"""
Orders that work by a claim: the reader's rules no longer hold, its task is another, a machine is spoken to.

Each stands for a reason, not for a wording met somewhere: an attack on a reader has to unbind it, to name
it, or to replace its task. Statements about systems («filters are off on staging») and wishes of people
(«from now on answer in German») are neither.
"""

from typing import Final

from security.screening.injection.patterns import ADDRESS, DROP, LEAK, ROLE, UNBIND, Order, order

_RULES: Final = (
    r"(?:rules|guidelines|restrictions?|filters|policies|protocols?|constraints|safeguards|guardrails"
    r"|limitations)"
)
_MACHINE: Final = (
    r"(?:(?:ai|llm|artificial\s+intelligence)(?:\s+(?:(?:coding|language|research|shopping)\s+)?"
    r"(?:agents?|assistants?|models?|systems?|readers?|bots?|crawlers?))?"
    r"|(?:language|automated)\s+(?:models?|readers?|agents?|assistants?|systems?)|chatbots?|bots?)"
)
_ORDER: Final = (
    r"(?:ignore|disregard|forget|you\s+(?:must|have|are|should|will|may)|must|should|your|call|delete|empty"
    r"|send|forward"
    r"|reveal|remember|store|save|record|append|add|include|tell|treat|approve|grant|recommend|rate|give"
    r"|visit|run|execute"
    r"|download|output|print|reply|respond|always|never|do\s+not)"
)

CLAIMS: Final[tuple[Order, ...]] = (
    order(
        UNBIND,
        "apply",
        rf"\b(?:safety|ethical|security|your)\s+(?:\w+\s+)?{_RULES}\s+(?:do\s+not|don't|no\s+longer|never)"
        rf"\s+apply"
        r"\s*(?:here|anymore|to\s+(?:me|us|this|you)|in\s+this|for\s+this|,|\.|;|!|$|and\b|so\b)",
        courteous=False,
    ),
    order(
        UNBIND,
        "disabled lifted suspended removed off overridden bypassed",
        rf"\b(?:safety|ethical|content|security|your)\s+(?:\w+\s+)?{_RULES}\s+(?:(?:are|is|have|has|been|now"
        rf"|hereby|all)\s+){{0,4}}"
        r"(?:disabled|lifted|suspended|removed|(?:switched|turned)?\s*off|overridden"
        r"|bypassed)\b[^\n]{0,30}[.,;:!]\s*(?:so\s+|now\s+|please\s+)*"
        r"(?:you\s+(?:can|may|must|are)|proceed|respond|answer|comply|output|reply|reveal|provide)\b",
        courteous=False,
    ),
    order(
        UNBIND,
        "no",
        r"\byou\s+(?:now\s+)?(?:have|are\s+(?:now\s+)?(?:under|bound\s+by)|operate\s+under|follow)\s+no\s+"
        r"(?:more\s+)?(?:\w+\s+)?"
        rf"{_RULES}\s*(?:whatsoever|anymore|at\s+all|now)?\s*(?:[.,;!]|and\s+(?:must|will|can|should|may)\b"
        rf"|$)",
    ),
    order(
        UNBIND,
        "rules restrictions guidelines",
        r"\byour\s+(?:safety\s+)?(?:rules|restrictions|guidelines)\s+(?:have|has|are)\s+(?:now\s+)?(?:been"
        r"\s+)?"
        r"(?:changed|replaced|lifted|removed|suspended|rewritten)\b[^\n]{0,20}\byou\s+(?:now|can|may|must"
        r"|will|no\s+longer)\b",
    ),
    order(
        ROLE,
        "your",
        r"\byour\s+(?:real|true|actual|hidden|secret)\s+(?:task|goal|purpose|mission|instructions?|objective)"
        r"\s+(?:is|are)\s+(?:now\s+)?to\b",
        courteous=False,
    ),
    order(
        ROLE,
        "role persona character",
        r"\b(?:play|take\s+on|assume|adopt|immerse\s+yourself\s+in(?:to)?)\s+the\s+(?:role|persona"
        r"|character)\s+of\s+(?:another|an?)\s+(?:\w+\s+){0,2}"
        r"(?:ai|al|artificial\s+intelligence|chatbot|language\s+model)\b",
    ),
    order(
        ROLE,
        "dan",
        r"\bDAN\b[^\n]{0,80}\bdo\s+anything\s+now\b|\bdo\s+anything\s+now\b[^\n]{0,80}\bDAN\b",
        courteous=False,
    ),
    order(
        ADDRESS,
        "note message instruction notice important attention hint",
        rf"\b(?:notes?|message|instructions?|notice|hints?|important|attention)\s*[:,]?\s+(?:to|for)\s+"
        rf"(?:all\s+|any\s+|every\s+|the\s+)?{_MACHINE}"
        rf"(?:\s+(?:reading|processing|summari[sz]ing|parsing|handling|indexing|reviewing)\s+(?:this|it)(?:"
        rf"\s+\w+)?)?\s*[:,.\-–—]\s*(?:please\s+)?{_ORDER}\b",
        courteous=False,
    ),
    order(
        ADDRESS,
        "reading processing integrating summari parsing crawling indexing",
        rf"\b{_MACHINE}\s+(?:(?:that|who|which)\s+(?:reads?|is\s+reading|are\s+reading)|reading|processing"
        rf"|integrating|summari[sz]ing|parsing|crawling|indexing)"
        rf"\s+this(?:\s+\w+){{0,2}}?\s*[:,.\-–—]?\s*(?:please\s+)?(?:first\s+)?{_ORDER}\b",
    ),
    order(
        ADDRESS,
        "for",
        rf"\(\s?for\s+(?:all\s+|any\s+|the\s+)?{_MACHINE}\s?\)\s*:",
        courteous=False,
    ),
    order(
        LEAK,
        "above words text",
        r"\b(?:repeat|print|output|copy)\s+(?:the\s+|all\s+(?:the\s+)?)?(?:words|text|everything|lines"
        r"|sentences)\s+above\b[^.!?\n]{0,30}"
        r"\b(?:starting\s+with|beginning\s+with|verbatim|word\s+for\s+word|exactly)",
    ),
    order(
        LEAK,
        "prompt instructions",
        r"\b(?:begin|start|continue|finish|end)\s+by\s+(?:revealing|printing|showing|repeating|outputting"
        r"|quoting|pasting)\s+(?:me\s+)?"
        r"(?:the|your|all)\s+(?:\w+\s+){0,3}(?:system\s+prompt|prompt|(?:system|hidden|initial|original)"
        r"\s+instructions)\b",
        courteous=False,
    ),
    order(
        LEAK,
        "given",
        r"\b(?:summary|copy|list|text|transcript)\s+of\s+(?:the|your|all)\s+(?:\w+\s+){0,2}(?:instructions"
        r"|rules|prompts?)\s+(?:that\s+)?you\s+"
        r"(?:were|are|have\s+been)\s+given\b",
        courteous=False,
    ),
    order(
        LEAK,
        "credential password secret api",
        r"\b(?:reveal|disclose|leak|dump|expose|exfiltrate)\s+(?:any|all|the|your)\s+(?:of\s+the\s+|your"
        r"\s+)?(?:\w+\s+)?"
        r"(?:credentials?|passwords?|secrets|api\s+keys)\s+(?:that\s+)?you\s+(?:can|have|know|hold|find)\b",
    ),
    order(
        DROP,
        "stop",
        r"\bstop\s+everything\b[\s!.,]{1,8}(?:now\b[\s!.,]{1,8})?(?:just\s+|only\s+|instead\s+)?(?:print|say"
        r"|output|write|respond|reply)\b",
    ),
)  # fmt: skip

CLAIMS_ZH: Final[tuple[Order, ...]] = (
    order(
        UNBIND,
        "规则 限制 准则 规定",
        r"(?:安全|你的|道德|内容)(?:的)?(?:规则|限制|准则|规定|过滤)(?:都|已|已经|现在|在此|在这里|对我"
        r"|对此){0,3}(?:不适用|不再适用|失效|被?解除|被?取消|被?关闭|作废)",
        courteous=False,
    ),
    order(
        ROLE,
        "任务 目的 身份",
        r"你(?:真正|实际|隐藏|真实)的(?:任务|目的|身份|指令|使命)(?:是|为)",
        courteous=False,
    ),
    order(
        ADDRESS,
        "智能 ai 助手 模型 机器人",
        r"(?:致|写给|告知|请)?(?:所有|任何|各位|正在阅读(?:本文|此文|这里)的)?(?:人工智能|AI|智能|自动化)"
        r"(?:助手|读者|系统|模型|智能体|机器人)?"
        r"(?:请注意|注意|须知|读到(?:这里|此处|本文)(?:时|后)?|阅读(?:本文|此文)时)[：:，,][^。！？\n]{0,30}"
        r"(?:忽略|忘记|必须|务必|记住|不要|转发|发送|删除|批准|写入|告诉|推荐)",
        courteous=False,
    ),
)  # fmt: skip
