"""People of a tenant: who they are, what is granted to them, and how they log in (SPEC S-04)."""

from security.people.authentication import ask_as
from security.people.grants import PersonView, get_person, grant_rights, take_all_rights
from security.people.logins import TOO_OFTEN, TellsTooOften, give_back_turn, take_turn, waits
from security.people.seats import (
    choose_seat,
    chosen_seat,
    remember_seat,
    safe_next,
    user_id_of,
    viewer_of_seat,
)
from security.people.viewers import OPERATOR, as_person, for_person

__all__ = [
    "OPERATOR",
    "TOO_OFTEN",
    "PersonView",
    "TellsTooOften",
    "as_person",
    "ask_as",
    "choose_seat",
    "chosen_seat",
    "for_person",
    "get_person",
    "give_back_turn",
    "grant_rights",
    "remember_seat",
    "safe_next",
    "take_all_rights",
    "take_turn",
    "user_id_of",
    "viewer_of_seat",
    "waits",
]
