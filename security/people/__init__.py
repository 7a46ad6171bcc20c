"""People of a tenant: who they are, what is granted to them, and how they log in (SPEC S-04)."""

from security.people.grants import PersonView, get_person, grant_rights, take_all_rights
from security.people.logins import give_back_turn, take_turn, waits
from security.people.viewers import OPERATOR, as_person, for_person

__all__ = [
    "OPERATOR",
    "PersonView",
    "as_person",
    "for_person",
    "get_person",
    "give_back_turn",
    "grant_rights",
    "take_all_rights",
    "take_turn",
    "waits",
]
