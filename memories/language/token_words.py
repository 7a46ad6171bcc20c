"""The published word lists of `tokens`: what search and tags leave out, and how days are named."""

from typing import Final


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list written as text."""
    return frozenset(words.split())


STOP_WORDS: Final = word_set(
    """
    a an the this that these those i me my mine we us our ours you your yours he him his she her hers it
    its they them their theirs myself yourself himself herself itself ourselves themselves am is are was
    were be been being do does did doing done have has had having can could will would shall should might
    must e.g i.e and or but if then than so as of at by for with about into to from in on off out over
    under up down what which who whom whose when where why how there here not no nor too very just also
    i'm you're we're they're he's she's it's that's there's what's who's let's isn't aren't wasn't weren't
    don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't isn aren wasn weren
    don doesn didn haven hasn hadn couldn wouldn shouldn
    """
)
"""English function words, which nearly every text contains: left out of search terms. «May» is not among
them: it is a month. Our own list."""

CONTENT_STOP_WORDS: Final = STOP_WORDS | word_set(
    """
    after again all always another any anyone anything because before being between both cannot each
    either else even ever every everyone everything few get gets getting give gives given go goes going
    gone got hello hey hi however instead know known last least less let like likely look looking lot lots
    made make makes making many may maybe more most much need needed needs never new next none nothing now
    often okay once one ones only other others own per perhaps please put quite rather really right said
    same say says see seem seems seen several since some someone something sometimes soon still such sure
    take takes taken tell thank thanks thing things think though through thus today together told tomorrow
    toward try trying two until upon use used uses using via want wanted wants way well went were while
    whole within without yeah yes yesterday yet
    """
)
"""Words that search keeps but that make no tag or keyword. Our own list."""

CHINESE_STOP_WORDS: Final = word_set(
    """
    我们 你们 他们 她们 它们 咱们 自己 大家 别人 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 这种
    那种 什么 怎么 怎样 怎么样 为什么 哪里 哪个 哪些 多少 几个 一个 一些 一下 一点 一种 一样 一直 一起
    没有 可以 可能 能够 应该 需要 必须 因为 所以 但是 可是 不过 而且 并且 或者 还是 如果 虽然 然后 于是
    因此 就是 不是 只是 还有 已经 正在 曾经 现在 今天 昨天 明天 以后 以前 之后 之前 时候 非常 比较 特别
    真的 其实 当然 好像 觉得 知道 认为 希望 关于 对于 由于 通过 根据 按照 进行 使用 成为 作为 其他 其中
    所有 每个 任何 许多 很多 起来 出来 下来 上去 下去 这是 那是 不会 不能 不要 的话 之间 以及 等等 不用
    谢谢 你好
    """
)
"""Chinese function words of two and more characters: make no tag or keyword. Our own list."""

MONTHS: Final = (
    ("january", "一月"),
    ("february", "二月"),
    ("march", "三月"),
    ("april", "四月"),
    ("may", "五月"),
    ("june", "六月"),
    ("july", "七月"),
    ("august", "八月"),
    ("september", "九月"),
    ("october", "十月"),
    ("november", "十一月"),
    ("december", "十二月"),
)
"""English and Chinese name of each month, January first."""

WEEKDAYS: Final = (
    ("monday", "周一"),
    ("tuesday", "周二"),
    ("wednesday", "周三"),
    ("thursday", "周四"),
    ("friday", "周五"),
    ("saturday", "周六"),
    ("sunday", "周日"),
)
"""English and Chinese name of each weekday, Monday first."""
