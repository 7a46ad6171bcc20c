"""
Decide the context layer of a row that nobody named one for (SPEC T-10). Pure.

By kind and subject alone, however they were read: what a user tells of themselves is personal, all else is
work. A layer lifts near ties of a conversation that names it, and hides nothing.
"""

from dataclasses import replace
from typing import Final

from memories.candidates import Draft
from memories.domain import OF_PERSONS, USUAL_LAYER

PERSONAL: Final = "personal"


def with_layer(draft: Draft) -> Draft:
    """Return the draft in its layer: the one that was named for it, else by what it is and of whom."""
    return draft if draft.layer else replace(draft, layer=PERSONAL if _is_personal(draft) else USUAL_LAYER)


def _is_personal(draft: Draft) -> bool:
    """
    Tell whether a user says of themselves what they are, want, can or care for.

    Without a concept the kind was learned and the entity is who speaks, not of whom it is said.
    """
    is_asserted = draft.mode == "assertion" and draft.concept_key is not None
    return is_asserted and draft.of_speaker and draft.kind in OF_PERSONS
