"""What people do to memories by hand."""

from memories.curation.archive import (
    Archiving,
    OtherText,
    archive_memory,
    checked_reason,
    hash_text,
    restore_archived,
    rivals_of,
    unarchive_memory,
)
from memories.curation.classify import NotRaised, classify_memory
from memories.curation.corrections import (
    CORRECTION,
    CorrectedOtherwise,
    Correction,
    as_neighbour,
    audience_of,
    correct_memory,
)
from memories.curation.derived_memories import derive, give_back, refine
from memories.curation.downgrade import (
    DowngradeView,
    NotCarriedOut,
    approve_downgrade,
    ask_downgrade,
    get_downgrade,
    list_downgrades,
    reject_downgrade,
)
from memories.curation.edit import ChangedMeanwhile, edit_memory
from memories.curation.entity_merge import (
    NamesNothing,
    NotItsName,
    OwnName,
    Separated,
    add_alias,
    separate_name,
)
from memories.curation.groups import ungroup_memory
from memories.curation.person_export import export_person
from memories.curation.rederivation import find_reworded, rederive
from memories.curation.reinstate import NotSuperseded, reinstate_memory
from memories.curation.review import DISMISS, RELEASE, VERDICTS, NotHeld, review_capture

__all__ = [
    "CORRECTION",
    "DISMISS",
    "RELEASE",
    "VERDICTS",
    "Archiving",
    "ChangedMeanwhile",
    "CorrectedOtherwise",
    "Correction",
    "DowngradeView",
    "NamesNothing",
    "NotCarriedOut",
    "NotHeld",
    "NotItsName",
    "NotRaised",
    "NotSuperseded",
    "OtherText",
    "OwnName",
    "Separated",
    "add_alias",
    "approve_downgrade",
    "archive_memory",
    "as_neighbour",
    "ask_downgrade",
    "audience_of",
    "checked_reason",
    "classify_memory",
    "correct_memory",
    "derive",
    "edit_memory",
    "export_person",
    "find_reworded",
    "get_downgrade",
    "give_back",
    "hash_text",
    "list_downgrades",
    "rederive",
    "refine",
    "reinstate_memory",
    "reject_downgrade",
    "restore_archived",
    "review_capture",
    "rivals_of",
    "separate_name",
    "unarchive_memory",
    "ungroup_memory",
]
