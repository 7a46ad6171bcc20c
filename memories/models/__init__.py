"""What is remembered, as tables; DESIGN §3 says why they are cut this way."""

from memories.models.capture import Capture
from memories.models.link import Link
from memories.models.memory import Memory, MemoryVersion, Standing, Usage
from memories.models.search import CollectionStat, Embedding, Posting

__all__ = [
    "Capture",
    "CollectionStat",
    "Embedding",
    "Link",
    "Memory",
    "MemoryVersion",
    "Posting",
    "Standing",
    "Usage",
]
