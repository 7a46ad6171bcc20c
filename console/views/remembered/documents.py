"""Documents: what came in whole, its passages and what was made of each."""

from typing import Final
from uuid import UUID

from django.http import HttpResponse

from console.frame import Desk, page

PASSAGES: Final = 20


@page
def browse(desk: Desk) -> HttpResponse:
    """List documents, newest first."""
    asked = desk.asked
    found = desk.api.get("documents", source=asked.get("source"), limit=25, cursor=asked.get("cursor"))
    return desk.show("documents/list", {"rows": found["results"], "next": found["next"], "asked": asked})


@page
def one(desk: Desk, document_id: UUID) -> HttpResponse:
    """Show a document, its summary, and its passages with what became of them."""
    first = desk.asked.get("first")
    path = f"documents/{document_id}"
    passages = desk.api.get(f"{path}/passages", first=first, limit=PASSAGES)
    return desk.show("documents/one", {"document": desk.api.get(path), "passages": passages})
