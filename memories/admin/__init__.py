"""Admin pages of captures, memories, links and what waits for a person."""

from memories.admin import queues
from memories.admin.inlines import MOST, link_to, moment, noted, shorten
from memories.admin.pages import MemoryPage

__all__ = [
    "MOST",
    "MemoryPage",
    "link_to",
    "moment",
    "noted",
    "queues",
    "shorten",
]
