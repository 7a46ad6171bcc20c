"""The published word lists of `lexical_overlap.py`: what a question asks for, what says nothing. Our own."""

from typing import Final

QUESTIONS: Final[tuple[tuple[str, str], ...]] = (
    ("why", r"\bwhy\b|how come|为什么|为何|为啥|怎么会|怎么回事|原因"),
    ("when", r"\bwhen\b|how long|what time|什么时候|何时|几点|几号|哪天|哪年|几月|多久|多长时间"),
    ("where", r"\bwhere\b|哪里|哪儿|何处|在哪|什么地方"),
    ("who", r"\bwho\b|\bwhose\b|哪位|谁(?!有|能|知|可|给|会|帮)"),
    ("how many", r"how (?:many|much)|多少|几[个只次岁本块家部元天年]"),
    ("how", r"\bhow\b(?! many| much| long| come)|如何|怎么(?!样|会|回事)|怎样|咋"),
    ("how good", r"怎么样|好不好|好吗"),
    ("which", r"\bwhich\b|\bwhat\b(?! time)|哪[个些种家款部]|有哪些|什么(?!时候|地方|意思|样)"),
    ("meaning", r"\bmeans?\b|\bmeaning\b|什么意思|意思是|含义|是指"),
    ("whether", r"吗|嘛|么[？?]?$|是不是|能不能|会不会|可不可以|有没有|是否|能否"),
)
"""Kinds of question and the words that ask it: «when does it end» and «how does it end» share all but one."""

FILLERS: Final = (
    "请问|谢谢|求助|跪求|麻烦|各位|大家好|朋友们?|帮我|帮忙|一下|推荐|您好|你好|谁能|谁有|谁知道|有没有|告诉我?"
    "|我想|想问|在线等|急[!！]+|[请求]"
)
"""Chinese words of address, courtesy and request, which ask or say nothing by themselves."""

FUNCTION_CHARACTERS: Final = frozenset(
    "的了着过吗呢吧啊呀嘛么哪什怎谁几是有在个这那就都也还我你他她它们把被和很会能要可以到去来上得地之所"
)
"""Chinese characters that mostly serve the grammar; as parts of longer words they are missed by little."""
