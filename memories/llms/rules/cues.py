"""How a sentence is said: how much it matters, how surely, and whether it takes something back. Pure."""

from typing import Final

from memories.language import cue

_GRAVE: Final = cue(
    r"\b(?:critical(?:ly)?(?=[:!,.]|$| (?:that|to|for|bug|issue|incident|failure|alert|problem|error"
    r"|outage))|production (?:incident|outage|down)|data loss|breach|life[- ]threatening|sev-?[01]|p0"
    r"|emergency|anaphyla\w+)\b",
    r"生产事故|数据丢失|泄露|致命|严重|紧急|线上故障",
)
_WEIGHTY: Final = cue(
    r"\b(?:important(?:ly)?|critical(?:ly)?|always|never|must(?:n't)?|urgent(?:ly)?|deadline|outage|incident"
    r"|production|allerg\w+|security|compliance|legal(?:ly)?|under no circumstances|blocker|blocked)\b",
    r"重要|务必|必须|绝不|绝对不|千万|永远不|一律|故障|截止|过敏|安全|禁止",
)
_TRIVIAL: Final = cue(
    r"\b(?:by the way|btw|fun fact|trivia|no big deal|just (?:saying|for fun)|funny|the weather|for lunch)\b",
    r"顺便|随便说|不重要|小事|午饭|天气",
)
_HEDGE: Final = cue(
    r"\b(?:maybe|perhaps|probably|possibly|might|may be|i think|i guess|my guess|i believe|i suppose|not "
    r"(?:quite |entirely )?sure|seems?|apparently|kind of|sort of|could be|if i remember|iirc|presumably"
    r"|supposedly|rumou?r)\b",
    r"可能|也许|大概|或许|好像|似乎|我觉得|我猜|估计是|听说|应该是|不确定|说不定",
)
_CORRECTS: Final = cue(
    r"^(?:(?:no|nope|oh|wait|sorry|hmm|oops|well)[,. !]+)*(?:actually(?! (?:like|love|enjoy))|correction"
    r"|in fact|i was wrong|i misspoke|my mistake|scratch that|to correct myself|that(?:['’]s| is| was) "
    r"(?:wrong|not (?:right|correct)))\b|^(?:no|nope),? (?:it|that|the|my|i|we|he|she|they)\b|^(?:\w+, )?(?:"
    r"(?:nobody|no one|none of us) (?:ever |has |had )?|(?:i|we|you|that|this|it) (?:(?:was|did|have|has)"
    r"(?:n['’]t| not)|never) (?:ever )?)(?:assign|ask|told?\b|tell|g[ai]ve|order|approv|agree|decid"
    r"|commission|plan)\w*|^(?:\w+, )?you(?:['’]re| are) (?:mixing up|confusing|mistaken|wrong)\b|^"
    r"(?:\w+, )?no such \w+|^(?:that|this|it) (?:is|was) (?:never|not) (?:on )?your",
    r"^(?:(?:哦|噢|等等|抱歉|不好意思)[，,。 ]*)*(?:不对|更正|纠正|订正|错了|我?(?:之前|刚才)?(?:说|记|搞"
    r"|弄)错了|其实(?:应该|不)是)|不是.+而是|^(?:没有?人|谁也没有?)[^,，]{0,4}(?:让|叫|要|安排|分配|布置"
    r"|要求|答应|批准)",
)

_HEDGED: Final = 0.7
"""What a hedge leaves of the confidence. Our choice: one takes a firm reading under 0.70, two under 0.50."""


def is_hedged(text: str) -> bool:
    """Tell whether words take something back of what is said."""
    return _HEDGE.is_in(text)


def corrects(text: str) -> bool:
    """Tell whether a sentence takes back what was said or done before (SPEC W-18)."""
    return _CORRECTS.is_in(text)


def weigh_importance(text: str) -> int:
    """Return 1 to 5, 3 when no word speaks for more or less."""
    if _GRAVE.is_in(text):
        return 5
    if _WEIGHTY.is_in(text):
        return 4
    return 2 if _TRIVIAL.is_in(text) else 3


def weigh_confidence(text: str, *, firmness: float) -> float:
    """Return the firmness of the form, in [0, 1], less what up to two hedges in the text take off it."""
    hedges = min(2, _HEDGE.count_in(text))
    return round(firmness * _HEDGED**hedges, 2)
