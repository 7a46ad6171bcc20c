"""Links that a person makes between memories, and takes back (SPEC M-09), verdicts among them (K-05)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.candidates import may_correct_others
from memories.models import Link, Memory
from memories.models.link import VERDICTS
from memories.storage.read import LinkView, link_view, within_sight
from security import audit
from tenants.rights import NoRight, require_person
from tenants.scope import NotFound, Viewer, unit_of_work

MADE_BY_HAND: Final = "A link that is never pruned is a person's to make"


class LinkedToItself(ValueError):
    """A memory cannot be linked with itself."""


class MadeBySystem(RuntimeError):
    """This link was found by the system and is kept or dropped by it. Take back manual ones and verdicts."""


def add_link(memory_id: UUID, target: UUID, type_: str, *, weight: float = 1.0, now: datetime) -> LinkView:
    """
    Link a memory with another one, by hand; one that stands already, found or made, is manual from now on.

    weight: in [0, 1]. A manual link counts for no limit and is not pruned. Raises NotFound when either end
    may not be seen, NotForAgents, NoRight, LinkedToItself.
    """
    viewer = require_person(MADE_BY_HAND)
    with unit_of_work():
        ends = {row.id: row for row in within_sight(None).filter(id__in=[memory_id, target])}
        if ends.keys() != {memory_id, target}:
            raise NotFound(NotFound.__doc__)
        if memory_id == target:
            raise LinkedToItself(LinkedToItself.__doc__)
        _require_verdict(type_, viewer, ends.values())
        rank = max(row.classification for row in ends.values())
        given = {
            "weight": weight, "confidence": 1.0, "origin": "manual", "last_verified_at": now,
            "classification": rank,
        }  # fmt: skip
        link, _ = Link.objects.update_or_create(
            source_id=memory_id, target_id=target, type=type_, defaults=given,
            create_defaults=given | {"created_at": now},
        )  # fmt: skip
        _note("link.create", link, now)
        return link_view(link)


def remove_link(memory_id: UUID, link_id: UUID, *, now: datetime) -> None:
    """
    Take a link back, named by either of its ends: a manual one, or an arbiter's verdict (SPEC K-05).

    Raises NotFound, NotForAgents, NoRight, MadeBySystem.
    """
    viewer = require_person(MADE_BY_HAND)
    with unit_of_work():
        link: Link | None = Link.objects.filter(id=link_id).first()
        ends = [] if link is None else _ends_in_sight(link)
        if link is None or memory_id not in (link.source_id, link.target_id) or len(ends) < 2:
            raise NotFound(NotFound.__doc__)
        if link.origin != "manual" and link.type not in VERDICTS:
            raise MadeBySystem(MadeBySystem.__doc__)
        _require_verdict(link.type, viewer, ends)
        _note("link.delete", link, now)
        Link.objects.filter(id=link_id).delete()


def _require_verdict(type_: str, viewer: Viewer, ends: Iterable[Memory]) -> None:
    """
    Raise NoRight where the link is a verdict and the viewer may not correct what others said at both ends.

    Such a link says that a statement does not hold any more: whoever may only look may not say it.
    """
    if type_ in VERDICTS and not all(may_correct_others(viewer, row.project_id) for row in ends):
        raise NoRight(f"To say that one «{type_}» the other needs the scope and the right «correct».")


def _ends_in_sight(link: Link) -> list[Memory]:
    return list(within_sight(None).filter(id__in=[link.source_id, link.target_id]))


def _note(action: str, link: Link, now: datetime) -> None:
    ends = {"source": str(link.source_id), "target": str(link.target_id), "type": link.type}
    audit.append(
        action,
        object_type="link",
        object_id=link.id,
        now=now,
        detail=ends,
        classification=link.classification,
    )
