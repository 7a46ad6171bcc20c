"""What a person wishes once and for all, by its words: patterns for PostgreSQL, whatever the case."""

from typing import Final

LASTING: Final = (
    r"\m(always|never|prefer|whenever|every time|each time|when i ask|from now on)\M"
    r"|总是|始终|以后|每次|喜欢|偏好"
)
"""A word without which no text is such a wish: one look at each row, where the next is dear."""

WISH: Final = (
    r"(^|[.!;,] ?|please |could you |can you )(always|never)\M"
    r"|\m(whenever|every time|each time|when) i ask\M"
    r"|\mi('d| would| always)? prefer\M"
    r"|\mfrom now on\M"
    r"|请(总是|始终)|以后(都|请)|每次.{0,6}都|更?喜欢|偏好"
)
"""«Always add units», «whenever I ask for code», «I prefer trains»; not «I have never been there»."""
