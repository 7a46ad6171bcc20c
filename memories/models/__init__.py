"""What is remembered, as tables."""

from memories.models.capture import Capture
from memories.models.contradiction import Contradiction
from memories.models.document import Document
from memories.models.downgrade import Downgrade
from memories.models.entity import Entity, EntityAlias, Mention, Triple
from memories.models.erasure import Erasure
from memories.models.lineage import Lineage
from memories.models.link import Link
from memories.models.memory import Memory, MemoryVersion, Standing, Usage
from memories.models.search import CollectionStat, Embedding, Posting, VectorHome, Vocabulary
from memories.models.session_mark import SessionMark
from memories.models.summary import Summary
from memories.models.watermark import Corroboration, Observation, Verification, Watermark

__all__ = [
    "Capture",
    "CollectionStat",
    "Contradiction",
    "Corroboration",
    "Document",
    "Downgrade",
    "Embedding",
    "Entity",
    "EntityAlias",
    "Erasure",
    "Lineage",
    "Link",
    "Memory",
    "MemoryVersion",
    "Mention",
    "Observation",
    "Posting",
    "SessionMark",
    "Standing",
    "Summary",
    "Triple",
    "Usage",
    "VectorHome",
    "Verification",
    "Vocabulary",
    "Watermark",
]
