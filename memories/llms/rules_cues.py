"""How much a sentence matters and how surely it is said, by its words."""

from typing import Final

from memories.llms.cue import cue

_GRAVE: Final = cue(
    r"\b(?:critical(?:ly)?(?=[:!,.]|$| (?:that|to|for|bug|issue|incident|failure|alert|problem|error|outage)"
    r")|production (?:incident|outage|down)|data loss|breach|security (?:hole|incident|issue)|"
    r"life[- ]threatening|severe(?:ly)?|sev-?[01]|p0|emergency|anaphyla\w+)\b",
    r"生产事故|数据丢失|泄露|致命|"
    r"严重|紧急|线上故障",
)
_WEIGHTY: Final = cue(
    r"\b(?:important(?:ly)?|critical(?:ly)?|always|never|must(?:n't)?|urgent(?:ly)?|deadline|outage|"
    r"incident|production|allerg\w+|security|compliance|legal(?:ly)?|under no circumstances|do not ever|"
    r"blocker|blocked)\b",
    r"重要|务必|必须|绝不|绝对不|千万|永远不|一律|故障|截止|过敏|安全|禁止",
)
_TRIVIAL: Final = cue(
    r"\b(?:by the way|btw|fun fact|random(?:ly)?|trivia|no big deal|just (?:saying|for fun)|funny|the "
    r"weather|for lunch|for breakfast)\b",
    r"顺便|随便说|不重要|小事|午饭|天气",
)
_HEDGE: Final = cue(
    r"\b(?:maybe|perhaps|probably|possibly|might|may be|i think|i guess|my guess|i believe|i suppose|not "
    r"(?:quite |entirely )?sure|seems?|apparently|kind of|sort of|could be|if i remember|iirc|presumably|"
    r"supposedly|rumou?r)\b",
    r"可能|也许|大概|或许|好像|似乎|我觉得|我猜|估计是|听说|应该是|不确定|说不定",
)

_HEDGED: Final = 0.7
"""What a hedge leaves of the confidence; our choice: one takes a firm pattern under 0.70, two under 0.50."""


def is_hedged(text: str) -> bool:
    """Tell whether words take something back of what is said."""
    return _HEDGE.is_in(text)


def weigh_importance(text: str) -> int:
    """Return 1 to 5, 3 when no word speaks for more or less."""
    if _GRAVE.is_in(text):
        return 5
    if _WEIGHTY.is_in(text):
        return 4
    return 2 if _TRIVIAL.is_in(text) else 3


def weigh_confidence(text: str, *, firmness: float) -> float:
    """Return the firmness of the pattern, in [0, 1], less what up to two hedges in the text take off it."""
    hedges = min(2, _HEDGE.count_in(text))
    return round(firmness * _HEDGED**hedges, 2)
