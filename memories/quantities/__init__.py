"""Numbers, lengths of time and amounts, read from a text in English or Chinese."""

from memories.quantities.amounts import Quantity, find_money, find_proportions
from memories.quantities.durations import DurationMention, find_durations
from memories.quantities.numbers import (
    BARE_FIGURES,
    ENGLISH,
    WORDS,
    read_amount,
    read_chinese_number,
    read_english_number,
    scale_of,
    write_amount,
)

__all__ = [
    "BARE_FIGURES",
    "ENGLISH",
    "WORDS",
    "DurationMention",
    "Quantity",
    "find_durations",
    "find_money",
    "find_proportions",
    "read_amount",
    "read_chinese_number",
    "read_english_number",
    "scale_of",
    "write_amount",
]
