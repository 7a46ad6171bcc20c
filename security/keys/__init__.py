"""API keys: made, checked, narrowed and revoked, and what they enrol: agents and projects (SPEC S-02)."""

from security.keys.admission import admit, bearer_key
from security.keys.enrolment import enrol_agent, enrol_project
from security.keys.lifecycle import (
    MOST_UNGRANTED,
    SCOPES,
    KeyRequest,
    ListsForNobody,
    SpeaksForTwo,
    make_key,
    revoke_key,
    viewer_of_key,
)

__all__ = [
    "MOST_UNGRANTED",
    "SCOPES",
    "KeyRequest",
    "ListsForNobody",
    "SpeaksForTwo",
    "admit",
    "bearer_key",
    "enrol_agent",
    "enrol_project",
    "make_key",
    "revoke_key",
    "viewer_of_key",
]
