"""Admin pages of captures, memories, links and what waits for a person."""

from memories.admin import queues
from memories.admin.inlines import MOST, link_to, moment, noted, shorten
from memories.admin.pages import MemoryAdmin

__all__ = [
    "MOST",
    "MemoryAdmin",
    "link_to",
    "moment",
    "noted",
    "queues",
    "shorten",
]
