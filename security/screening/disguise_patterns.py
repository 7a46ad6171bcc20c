"""
The published patterns of `disguise.py`, one for each form, and the literature whose citation passes.

Every repetition is bounded: linear in the text.
"""

import re
from typing import Final

from security.patterns import bounded

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
    r"(?:openai|anthropic|google|microsoft|meta|(?:the|our|your)\s+(?:developers?|administrators?|admins?"
    r"|security\s+team"
    r"|compliance\s+team|legal\s+(?:team|department)|system\s+owner|creators?|ceo|board))"
)

AUTHORITY: Final = bounded(
    r"\b(?:according\s+to|as\s+(?:established|shown|proven|mandated|required|confirmed|approved"
    r"|authori[sz]ed)\s+(?:by|in)"
    r"|per)\s+(?P<source>[^.!?\n]{3,80}?)[,:]\s[^.!?\n]{0,60}"
    r"\b(?:you|the\s+(?:ai|assistant|agent|model|system)|(?:ai\s+)?(?:systems|models|assistants|agents))\s+"
    r"(?:must|should|are\s+required|shall|have\s+to|need\s+to)\b[^.!?\n]{0,80}"
    r"\b(?:ignore|disregard|override|bypass|comply|obey|reveal|disable|unrestricted|without\s+restrictions?"
    r"|not\s+(?:refuse|filter|verify|question)|trust)\b"
    rf"|\b{_AUTHORITIES}\s+(?:has|have|had)\s+(?:(?:officially|already|explicitly)\s+)?"
    r"(?:authori[sz]ed|approved|cleared|permitted|instructed|ordered|granted)\s+"
    r"(?:you|me\s+to|this\s+(?:request|action|override|session)|the\s+(?:assistant|agent|model))\b"
    r"|\b(?:according\s+to|under|pursuant\s+to|as\s+(?:required|mandated)\s+by|by\s+order\s+of)"
    r"\s+(?P<law>[^!?\n]{3,100}?),\s"
    r"(?:every|all|any|each)\s+(?:(?:automated|virtual|digital|ai|language)\s+"
    r"(?:assistants?|agents?|models?|systems?|chatbots?)|ai|llms?|chatbots?)\s+"
    r"(?:(?:is|are)\s+(?:(?:legally|hereby|now)\s+)*(?:bound|required|obliged|obligated|ordered)\s+to|must"
    r"|shall|have\s+to|has\s+to)\s+"
    r"(?:now\s+|immediately\s+)?(?:disclose|reveal|share|send|forward|transfer|upload|publish|hand\s+over"
    r"|delete|approve|grant|remember|store)\b"
    r"|\bthis\s+(?:user|request|session|account|conversation)\s+(?:has|is|was)\s+(?:been\s+)?(?:pre-?)?"
    r"(?:authori[sz]ed|approved|exempt\w*|cleared)\b[^.!?\n]{0,60}\b(?:full|all|any|unrestricted|from"
    r"|restrictions?)\b"
    r"|(?:根据|依据|按照|遵照)(?P<law_zh>[^。！？\n，,]{2,40})[，,：:]?[^。！？\n]{0,8}(?:所有|全部|任何"
    r"|一切|各类)?(?:的)?"
    r"(?:智能|人工智能|AI|自动|虚拟)+(?:助手|助理|智能体|模型|机器人|系统|客服)(?:都|均|一律)?(?:必须|应当"
    r"|须|有义务|务必)"
    r"[^。！？\n]{0,30}(?:上传|披露|泄露|提供|发送|删除|公开|转账|转发|透露|记住|批准)",
    re.IGNORECASE,
)
"""False authority: a source or a master is named, and a demand on the reader follows."""

ROLE: Final = bounded(
    r"(?:^|\n)\s{0,9}(?:[#*\[<\-=_|]{1,6}\s{0,3})?(?:begin\s+|(?:important|urgent|critical"
    r"|attention)[\s:!]{1,4})?(?:system|developer|admin(?:istrator)?|root)"
    r"(?:\s+(?:prompt|message|notice|override|instructions?|note|update|alert))?\s?[\]>|]?\s?[:\]]\s?"
    r"(?=[^\n]{0,160}\b(?:you\s+(?:must|will|are|should|shall|have\s+to|need\s+to|can\s+now|may\s+now)"
    r"|your\s+(?:new\s+)?(?:instructions?|rules|task|role|prompt|guidelines|restrictions)"
    r"|(?:the\s+)?(?:assistant|agent|user)\s+(?:must|will|is\s+now|has\s+been|should|shall)"
    r"|ignore|disregard|grant|always|never|comply|override|respond|reply|(?:new|previous)\s+instructions?)\b)"
    r"|(?-i:\b(?:SYSTEM|ADMIN|ROOT|DEVELOPER))\s?:\s?(?=[^\n]{0,160}(?:\brole\s?=|\bhereby\b|\b(?:answer"
    r"|report|listen)\s+only\s+to"
    r"|\byou\s+(?:must|will\s+now|are\s+now)\b|\bignore\b|\boverride\b))"
    r"|\\?[\"']role\\?[\"']\s?:\s?\\?[\"'](?:system"
    r"|developer)\\?[\"']\s?,\s?\\?[\"']content\\?[\"']\s?:\s?\\?[\"'][^\"\n]{0,200}?"
    r"(?:\bwill\s+now\b|\bmust\s+now\b|\bare\s+now\b|\bignore\b|\bdisregard\b|\boverride\b|\btell\s+(?:every"
    r"|all)\b|\bdo\s+not\s+tell\b"
    r"|\bas\s+verified\b|忽略|必须)"
    r"|\bi\s+hereby\s+(?:appoint|declare|make|name)\s+myself\b"
    r"|(?:^|\n)\s{0,9}(?:assistant|ai)\s?:\s?(?:sure|of\s+course|certainly|yes|okay|absolutely)\b[^\n]{0,40}"
    r"\b(?:passwords?|system\s+prompt|credentials?|secrets?|api\s+keys?|hidden\s+instructions)\b"
    r"|<\|?/?(?:im_start|im_end|system|assistant|endoftext|start_header_id|eot_id)\|?>|\[/?INST\]|<</?SYS>>"
    r"|(?:^|\n)\s{0,9}[-=#*_]{3,40}\s{0,3}end\s+of\s+"
    r"(?:user\s+input|document|prompt|context|instructions|conversation|system\s+prompt|input|file)\b"
    r"|\b(?:i\s+am|i'm|this\s+is|as)\s+(?:your|the|an?)\s+(?:\w+\s+){0,2}(?:developer|creator|administrator"
    r"|admin|owner"
    r"|operator|supervisor|maintainer|boss|programmer|engineer)\b[^.!?\n]{0,80}"
    r"\b(?:you\s+must|you\s+have\s+to|i\s+(?:order|command|authori[sz]e|require|need)\s+you(?:r)?|give\s+me"
    r"|grant\s+me"
    r"|tell\s+me\s+your|reveal|unlock|disable|override|bypass)\b"
    r"|\bi(?:'m|\s+am)\s+entering\s+(?:an?\s+)?[\"']?[\w\s]{3,40}\bmode\b"
    r"|(?:^|\n)\s{0,9}(?:<thinking>|reasoning\s+trace|internal\s+(?:note|monologue|reasoning))[^\n]{0,200}"
    r"\b(?:disregard|exempt|bypass|override|ignore|no\s+longer\s+apply)\b"
    r"|(?:^|\n)\s{0,9}(?:系统|管理员|开发者)(?:指令|消息|提示|通知|命令)?\s?[：:]"
    r"(?=[^\n]{0,80}(?:你|必须|忽略|指令|授权|用户|遵守|执行))"
    r"|我是(?:你的)?(?:系统)?(?:开发者|管理员|创造者|主人)[，,。]?[^。！？\n]{0,20}(?:你必须|命令你|授权"
    r"|服从|听我的|(?:切换到?|进入|启用|开启)"
    r"(?:系统)?(?:管理员|开发者|调试|维护|超级)模式)",
    re.IGNORECASE,
)
"""Role self-declaration: the text poses as the system, its master, or the end of what came before."""

PRIORITY: Final = bounded(
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
    r"|\b(?:effective\s+immediately|as\s+of\s+(?:now|today)|from\s+this\s+(?:moment|point)(?:"
    r"\s+on)?)[,:]?\s[^.!?\n]{0,40}"
    rf"\b(?:ignore|disregard|override|forget|supersede)\b[^.!?\n]{{0,40}}\b{_RULES_EN}\b"
    r"|\b(?:replac(?:es?|ing)|supersed(?:es?|ing)|overrid(?:es?|ing))\s+(?:all|any|every)\s+(?:the\s+)?"
    r"(?:previous|prior|earlier|older|former|other)"
    r"(?:\s+(?:ones?|rules?|instructions?|directives?|guidelines?))?\s?[:;.,]\s(?:the\s+|all\s+|every\s+)?"
    r"(?:you|(?:ai\s+|automated\s+)?(?:assistants?|agents?|models?|bots?))\s+(?:must|shall|will|should|have"
    r"\s+to|has\s+to)\b"
    r"|\byour\s+(?:new|latest)\s+(?:directives?|instructions?|orders?)\s+(?:supersedes?|overrides?"
    r"|replaces?)\s+(?:all|any|every)\b"
    r"|(?:最新|新的?|以下|当前)的?(?:规定|要求|政策|通知)[^。！？\n]{0,4}(?:优先于|覆盖|取代|替代"
    r"|高于)[^。！？\n]{0,12}"
    r"[：:，,；;。][^。！？\n]{0,12}(?:你|助手|智能体|模型|机器人)(?:们)?(?:都|均|一律)?(?:必须|应当|须|要)"
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

HIDDEN_ELEMENT: Final = bounded(
    r"<\w{1,12}\s[^<>]{0,200}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0)"
    r"[^<>]{0,200}>(?P<hidden>[^<]{1,2000})",
    re.IGNORECASE,
)

DEMAND: Final = bounded(
    r"\b(?:ai|llm|chatbot|(?:ai|language|any)\s+(?:assistants?|agents?|models?))\b[^.!?\n]{0,40}"
    r"\b(?:must|should|shall|need\s+to|have\s+to|are\s+(?:now|required))\b|\byou\s+are\s+now\b"
    r"|\b(?:ai|llm|assistants?|agents?)\b\s?[:,]\s?\w"
    r"|\b(?:ignore|disregard|override)\b[^.!?\n]{0,40}\b(?:instructions?|rules|prompt|safety|policy)\b"
    r"|(?:你|助手|模型|智能体)(?:必须|应该|需要|要)|忽略[^。\n]{0,10}(?:指令|规则|提示)",
    re.IGNORECASE,
)
"""A demand on the reader, looser than an injection: enough where a text was hidden."""
