"""
What a person wishes once and for all, by its words: patterns for PostgreSQL, whatever the case.

The columns `wish` and `instruction` of a memory are generated from them, so a changed pattern is a migration.
"""

from typing import Final

ORIGINS: Final = ("user_stated", "user_correction")
"""Whose wishes they are: what a tool's page or an agent's guess says «from now on» to is nothing to obey."""

OWN_USERS: Final = "user_relayed"
"""What an agent says that its user wishes, without having been granted to: it binds that agent alone."""

INSTRUCTION: Final = (
    r"(^|[.!;] ?|please )always (?!(been|be there|here|there|happy|nice|good|great|a|an|the|[a-z]+ed"
    r"|[a-z]+ing)\M)"
    r"|(^|[.!;] ?|please )never (?!(been|seen|had|done|thought|heard|known|felt|mind|again|a|an|the"
    r"|[a-z]+ed)\M)"
    r"|\m(whenever|every time|each time|any time|when) i ask\M"
    r"|\mfrom now on\M"
    r"|请.{0,4}(总是|始终|每次)|以后(都|请)"
)
"""«Always add units when I ask for sizes», «from now on, answer in French»; not «Never been there»."""

WISH: Final = (
    r"(^|[.!;,] ?|please |could you |can you )(always|never)\M"
    r"|\m(whenever|every time|each time|when) i ask\M"
    r"|\mi('d| would| always)? prefer\M"
    r"|\mfrom now on\M"
    r"|请(总是|始终)|以后(都|请)|每次.{0,6}都|更?喜欢|偏好"
)
"""«Always add units», «whenever I ask for code», «I prefer trains»; not «I have never been there»."""
