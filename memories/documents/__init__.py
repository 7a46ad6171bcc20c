"""Documents: taken whole as text or file, read, cut into passages, shown, replaced by version (SPEC M-11)."""

from memories.documents.cutting import cut_document, is_uncut
from memories.documents.taking import (
    LONGEST_SOURCE,
    LONGEST_TITLE,
    DocumentRequest,
    DocumentTaken,
    take_document,
    take_upload,
)
from memories.documents.versions import find_unreplaced, replace_versions
from memories.documents.views import DocumentView, get_document, list_documents, list_passages

__all__ = [
    "LONGEST_SOURCE",
    "LONGEST_TITLE",
    "DocumentRequest",
    "DocumentTaken",
    "DocumentView",
    "cut_document",
    "find_unreplaced",
    "get_document",
    "is_uncut",
    "list_documents",
    "list_passages",
    "replace_versions",
    "take_document",
    "take_upload",
]
