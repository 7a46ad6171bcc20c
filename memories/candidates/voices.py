"""
Whose word something is, and how far it counts: by the key it came with, never by what it says of itself.

SPEC M-08, K-13, E-08. A key that speaks for an agent, or for somebody outside, says what it was granted to
say: what it claims a user said is `user_relayed` unless it may relay users, what a tool said is `extracted`
unless it may measure. A voice names who stands behind a word, so that one agent in many roles, sessions or
names counts once. Pure.
"""

from typing import Final

from memories.candidates.candidate import Draft, Neighbour
from memories.candidates.conflicts import Statement
from memories.domain import PROVENANCE_WEIGHT
from memories.language import fold_all
from tenants.scope import Viewer

CORRECTION: Final = "user_correction"
STATED: Final = "user_stated"
RELAYED: Final = "user_relayed"
MEASURED: Final = "measured"
EXTRACTED: Final = "extracted"
REPEATED: Final = "agent_chat"

USERS: Final = frozenset({CORRECTION, STATED, RELAYED})
"""Origins of what a user said, whoever handed it over."""

PERSONS: Final = frozenset({CORRECTION, STATED})
"""Origins that are a person's own word, or one that a key was granted to hand over as theirs."""

OUTSIDE: Final = PERSONS | {MEASURED}
"""Origins of what comes from outside the agents: it may say who assigned a task (SPEC W-17)."""

END_USER: Final = "end_user:"
"""How the voice of an end user begins, whom the caller tells from others by an id (SPEC K-09)."""

ACCOUNT: Final = "person:"
"""How the voice of somebody begins who has an account here, and a key of their own."""

_TENANT: Final = "tenant"
_OUTSIDE: Final = "outside"


def origin_granted(role: str, viewer: Viewer, *, measured: bool) -> str:
    """Return the best origin that a turn of this role may have, as the viewer's key was granted."""
    if role == "user":
        return CORRECTION if viewer.relays_users else RELAYED
    if role == "tool":
        return MEASURED if measured and viewer.measures else EXTRACTED
    return REPEATED


def origin_of_old(role: str, *, by_agent: bool) -> str:
    """Return the same for a turn from before origins were granted: an agent's was granted nothing."""
    if role == "user":
        return RELAYED if by_agent else CORRECTION
    return EXTRACTED if role == "tool" else REPEATED


def weaker(one: str, other: str) -> str:
    """Return the origin that is believed less; of equals the first."""
    return other if PROVENANCE_WEIGHT[other] < PROVENANCE_WEIGHT[one] else one


def voice_of(viewer: Viewer, *, role: str = "", speaker: str = "") -> str:
    """
    Return who stands behind a word: a person, an end user or a speaker whom the key may relay, an agent, the
    tenant itself.

    A rotated key, another session and another role are the same voice; so is every name that an agent's key
    gives its users, unless it may relay them.
    """
    if role == "user" and viewer.relays_users and viewer.user_id is None:
        if viewer.person:
            return f"{END_USER}{viewer.person}"
        name = fold_all(speaker)
        return f"speaker:{name}" if name else f"user:{_holder(viewer)}"
    return _holder(viewer)


def _holder(viewer: Viewer) -> str:
    if viewer.agent_id is not None:
        return f"agent:{viewer.agent_id}"
    if viewer.user_id is not None:
        return f"{ACCOUNT}{viewer.user_id}"
    return _TENANT if viewer.relays_users else _OUTSIDE


def may_correct_others(viewer: Viewer, project_id: object) -> bool:
    """Tell whether the viewer may correct what another person said: a person's right, and no agent's."""
    is_person = viewer.agent_id is None and viewer.actor_kind != "agent" and viewer.relays_users
    has_scope = viewer.key_id is None or "correct" in viewer.scopes
    return is_person and has_scope and viewer.may("correct", project_id)  # type: ignore[arg-type]


def voice_behind(near: Neighbour) -> str:
    """Return whose word a stored row is; of one from before voices were kept, the agent that gave it."""
    agent = near.audience.agent_id
    return near.voice or (f"agent:{agent}" if near.capture_id is not None and agent is not None else "")


def statement_of(memory: Draft | Neighbour) -> Statement:
    """Return somebody's word as conflicts are settled by."""
    return Statement(
        provenance=memory.provenance, trust=memory.trust, effective_at=memory.effective_at,
        session=memory.session, speaker=memory.speaker,
        voice=memory.voice if isinstance(memory, Draft) else voice_behind(memory),
    )  # fmt: skip


def may_correct(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the draft may correct the row: its own word, one that is no person's, or by right."""
    if draft.corrects or near.provenance not in PERSONS or draft.voice == voice_behind(near):
        return True
    is_old = not near.voice and near.capture_id is not None
    return is_old and fold_all(near.speaker) == fold_all(draft.speaker)


def is_echoed(draft: Draft, near: Neighbour | None) -> bool:
    """Tell whether an agent says in a user's name, which it may not use, what it was shown (SPEC W-17)."""
    return near is not None and draft.provenance == RELAYED and bool(near.recalled_in)


def is_one_voice(draft: Draft, near: Neighbour) -> bool:
    """Tell whether what the draft says adds nothing to the row: said by the same, or by its owner."""
    if draft.voice and draft.voice == voice_behind(near):
        return True
    is_owners = draft.voice == f"agent:{near.audience.agent_id}"
    return is_owners and draft.provenance != MEASURED
