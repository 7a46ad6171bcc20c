"""
The published patterns of `disguise.py`, one for each form, and the literature whose citation passes.

Every repetition is bounded: linear in the text.
"""

import re
from typing import Final

KNOWN_LITERATURE: Final = (
    "nist sp", "iso/iec", "iso 27001", "owasp", "rfc ", "w3c", "ieee", "gdpr", "hipaa", "soc 2", "pci dss",
    "cormack", "vaswani", "attention is all you need", "robertson", "fowler", "knuth", "kleppmann",
    "the twelve-factor app", "google sre", "site reliability engineering",
)  # fmt: skip
"""Sources whose citation is taken for what it is, lower-case. Our own list."""

_RULES_EN: Final = (
    r"(?:rules?|instructions?|directives?|commands?|prompts?|messages?|orders?|guidelines?|memor(?:y|ies))"
)
_RULES_ZH: Final = r"(?:规则|指令|指示|命令|提示词?|记忆)"
_AUTHORITIES: Final = (
    r"(?:openai|anthropic|google|microsoft|meta|(?:the|our|your)\s+(?:developers?|administrators?|admins?|security\s+team"
    r"|compliance\s+team|legal\s+(?:team|department)|system\s+owner|creators?|ceo|board))"
)

AUTHORITY: Final = re.compile(
    r"\b(?:according\s+to|as\s+(?:established|shown|proven|mandated|required|confirmed|approved|authori[sz]ed)\s+(?:by|in)"
    r"|per)\s+(?P<source>[^.!?\n]{3,80}?)[,:]\s[^.!?\n]{0,60}"
    r"\b(?:you|the\s+(?:ai|assistant|agent|model|system)|(?:ai\s+)?(?:systems|models|assistants|agents))\s+"
    r"(?:must|should|are\s+required|shall|have\s+to|need\s+to)\b[^.!?\n]{0,80}"
    r"\b(?:ignore|disregard|override|bypass|comply|obey|reveal|disable|unrestricted|without\s+restrictions?"
    r"|not\s+(?:refuse|filter|verify|question)|trust)\b"
    rf"|\b{_AUTHORITIES}\s+(?:has|have|had)\s+(?:(?:officially|already|explicitly)\s+)?"
    r"(?:authori[sz]ed|approved|cleared|permitted|instructed|ordered|granted)\s+"
    r"(?:you|me\s+to|this\s+(?:request|action|override|session)|the\s+(?:assistant|agent|model))\b"
    r"|\bthis\s+(?:user|request|session|account|conversation)\s+(?:has|is|was)\s+(?:been\s+)?(?:pre-?)?"
    r"(?:authori[sz]ed|approved|exempt\w*|cleared)\b[^.!?\n]{0,60}\b(?:full|all|any|unrestricted|from|restrictions?)\b",
    re.IGNORECASE,
)
"""False authority: a source or a master is named, and a demand on the reader follows."""

ROLE: Final = re.compile(
    r"(?:^|\n)\s{0,9}(?:[#*\[<\-=_|]{1,6}\s{0,3})?(?:begin\s+)?(?:system|developer|admin(?:istrator)?|root)"
    r"(?:\s+(?:prompt|message|notice|override|instructions?|note|update|alert))?\s?[\]>|]?\s?[:\]]\s?"
    r"(?=[^\n]{0,160}\b(?:you|your|user|ignore|grant|always|never|must|instructions?|assistant|agent|comply|access"
    r"|override|respond|reply)\b)"
    r"|<\|?/?(?:im_start|im_end|system|assistant|endoftext|start_header_id|eot_id)\|?>|\[/?INST\]|<</?SYS>>"
    r"|(?:^|\n)\s{0,9}[-=#*_]{3,40}\s{0,3}end\s+of\s+"
    r"(?:user\s+input|document|prompt|context|instructions|conversation|system\s+prompt|input|file)\b"
    r"|\b(?:i\s+am|i'm|this\s+is|as)\s+(?:your|the|an?)\s+(?:\w+\s+){0,2}(?:developer|creator|administrator|admin|owner"
    r"|operator|supervisor|maintainer|boss|programmer|engineer)\b[^.!?\n]{0,80}"
    r"\b(?:you\s+must|you\s+have\s+to|i\s+(?:order|command|authori[sz]e|require|need)\s+you(?:r)?|give\s+me|grant\s+me"
    r"|tell\s+me\s+your|reveal|unlock|disable|override|bypass)\b"
    r"|\bi(?:'m|\s+am)\s+entering\s+(?:an?\s+)?[\"']?[\w\s]{3,40}\bmode\b"
    r"|(?:^|\n)\s{0,9}(?:<thinking>|reasoning\s+trace|internal\s+(?:note|monologue|reasoning))[^\n]{0,200}"
    r"\b(?:disregard|exempt|bypass|override|ignore|no\s+longer\s+apply)\b"
    r"|(?:^|\n)\s{0,9}(?:系统|管理员|开发者)(?:指令|消息|提示|通知|命令)?\s?[：:]"
    r"(?=[^\n]{0,80}(?:你|必须|忽略|指令|授权|用户|遵守|执行))"
    r"|我是(?:你的)?(?:系统)?(?:开发者|管理员|创造者|主人)[，,。]?[^。！？\n]{0,20}(?:你必须|命令你|授权|服从|听我的)",
    re.IGNORECASE,
)
"""Role self-declaration: the text poses as the system, its master, or the end of what came before."""

PRIORITY: Final = re.compile(
    r"\b(?:latest|newest|most\s+recent|updated|new|current|following|these|this)\s+(?:system\s+)?"
    rf"{_RULES_EN}\s+(?:(?:now|always|will|shall|must|automatically|completely)\s+){{0,3}}"
    r"(?:overrid(?:es?|ing)|supersedes?|replaces?|cancels?|voids?|outranks?"
    r"|takes?\s+(?:absolute\s+)?(?:precedence|priority)\s+over)\s+"
    r"(?:(?:all|any|every|everything|other|the|your|of)\s+){1,3}"
    r"(?:(?:previous|prior|earlier|existing|former|other|older|past|system|safety|original)\s+)?(?:\w+\s+)?"
    rf"(?:{_RULES_EN}|constraints?|policies)\b"
    r"|\b(?:all|any)\s+(?:previous|prior|earlier|existing|former|older)\s+(?:\w+\s+)?"
    rf"{_RULES_EN}\s+(?:are|is|have\s+been)\s+(?:(?:now|hereby)\s+)?"
    r"(?:void|invalid|cancell?ed|obsolete|superseded|overridden|revoked|null|expired)"
    r"|\b(?:effective\s+immediately|as\s+of\s+(?:now|today)|from\s+this\s+(?:moment|point)(?:\s+on)?)[,:]?\s[^.!?\n]{0,40}"
    rf"\b(?:ignore|disregard|override|forget|supersede)\b[^.!?\n]{{0,40}}\b{_RULES_EN}\b"
    rf"|(?:最新|新的?|以下|当前)的?{_RULES_ZH}(?:将|会|已|立即)?(?:覆盖|优先于|取代|替代|高于)了?"
    rf"(?:所有|一切|之前|以前|先前|任何|其他|旧|原有|的){{1,4}}{_RULES_ZH}"
    rf"|(?:之前|以前|先前|所有|此前)的?(?:所有)?{_RULES_ZH}(?:全部|均|都|一律)?(?:作废|失效|无效|取消)",
    re.IGNORECASE,
)
"""False priority in time: the newest instruction is to override all others. New business rules pass."""

COMMENT_MARKS: Final = (
    ("<!--", "-->"),
    ("/*", "*/"),
    ("{#", "#}"),
    ("[//]: # (", ")"),
    ("[comment]: # (", ")"),
)
"""How comments open and close in HTML, C, templates, and Markdown."""

HIDDEN_ELEMENT: Final = re.compile(
    r"<\w{1,12}\s[^<>]{0,200}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0)"
    r"[^<>]{0,200}>(?P<hidden>[^<]{1,2000})",
    re.IGNORECASE,
)

DEMAND: Final = re.compile(
    r"\b(?:ai|llm|chatbot|(?:ai|language|any)\s+(?:assistants?|agents?|models?))\b[^.!?\n]{0,40}"
    r"\b(?:must|should|shall|need\s+to|have\s+to|are\s+(?:now|required))\b|\byou\s+are\s+now\b"
    r"|\b(?:ai|llm|assistants?|agents?)\b\s?[:,]\s?\w"
    r"|\b(?:ignore|disregard|override)\b[^.!?\n]{0,40}\b(?:instructions?|rules|prompt|safety|policy)\b"
    r"|(?:你|助手|模型|智能体)(?:必须|应该|需要|要)|忽略[^。\n]{0,10}(?:指令|规则|提示)",
    re.IGNORECASE,
)
"""A demand on the reader, looser than an injection: enough where a text was hidden."""
