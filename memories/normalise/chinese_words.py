"""The words of Chinese times as patterns, and what a match of them means."""

import re
from typing import Final

from memories.normalise.mention import Setting, in_full_year
from memories.normalise.numbers import read_chinese_number

NUMBER: Final = r"(?P<number>\d{1,3}|[一二两兩三四五六七八九十百]{1,5})"
COUNT: Final = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
WEEK: Final = r"(?:周|週|星期|礼拜|禮拜)"
WHICH: Final = r"(?P<which>上上|下下|上|下|这|這|本|今)"
YEAR: Final = (
    r"(?<!\d)(?P<year>[12]\d{3}|[一二][零〇一二三四五六七八九]{3}|[012789]\d(?=\s?年(?!前|后|後|来|來|内|間"
    r"|间|以|多))|[零〇九八七][零〇一二三四五六七八九])\s?年"
)
MONTH: Final = rf"(?P<month>{COUNT})\s?月份?"
DAY: Final = rf"(?P<day>{COUNT})\s?[日号號]"
RELATIVE_YEAR: Final = r"(?P<relative>大前年|前年|去年|今年|明年|后年|後年)"

STEPS: Final = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "今": 0, "下": 1, "下下": 2}
NEAR_YEARS: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "後年": 2}
WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}


def which_of(match: re.Match[str]) -> int:
    return STEPS[match["which"]]


def year_of(said: str, setting: Setting) -> int:
    """Return a year of four figures or two: 08年 and 零八年 are 2008."""
    number = read_chinese_number(said)
    return number if number > 99 else in_full_year(f"{number:02}", setting.today)
