"""Who may see a memory (SPEC T-07, S-04, K-09): one SQL function; the ORM's queries call it from here."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    BooleanField,
    DateTimeField,
    Expression,
    F,
    Func,
    QuerySet,
    TextField,
    UUIDField,
    Value,
)

from tenants.models import Project
from tenants.scope import Viewer


def visible_params(
    viewer: Viewer, now: datetime | None, *, projects: Sequence[UUID] | None = None
) -> dict[str, Any]:
    """
    Return the viewer's side of `candor_visible_v3` as named parameters for hand-written SQL.

    projects: those asked for and allowed; None: the viewer's own. `me` may be None, so write `%(me)s::uuid`.
    Who is no agent and bound to none looks from above and sees every owner: people, operators, the pipeline.
    A person whose rights are given by project sees what lies in those they may view, whatever is asked for.
    What is an end user's own is seen for that end user, or by who looks from above.
    """
    own = [viewer.project_id] if viewer.project_id else []
    return {
        "my_projects": viewer.viewable(own if projects is None else projects),
        "sees_unfiled": viewer.may("view", None),
        "me": viewer.agent_id,
        "my_domains": list(viewer.domains),
        "sees_every_owner": viewer.agent_id is None and viewer.actor_kind != "agent",
        "my_person": viewer.person,
        "sees_every_person": viewer.every_person,
        "at": now,
    }


def visible(
    rows: QuerySet[Any], viewer: Viewer, now: datetime, *, projects: Sequence[UUID] | None = None
) -> QuerySet[Any]:
    """Return those that the viewer may see and that hold at `now`; tenant and class are row security's."""
    return rows.filter(_seen(viewer, now, projects, valid_from=F("valid_from"), valid_until=F("valid_until")))


def readable(rows: QuerySet[Any], viewer: Viewer, *, projects: Sequence[UUID] | None = None) -> QuerySet[Any]:
    """
    Return those memories that the viewer may read by id or in a list, whatever time they hold for.

    Validity keeps a memory out of recall (SPEC T-08), not out of the sight of whom it belongs to (H-01).
    """
    never = Value(None, output_field=DateTimeField())
    return rows.filter(_seen(viewer, None, projects, valid_from=never, valid_until=never))


def readable_projects(viewer: Viewer, wanted: UUID | None = None) -> Sequence[UUID] | None:
    """
    Return the projects for `readable`: None for a bound viewer's own, else the named one, or all.

    Which project a question is about narrows a recall (SPEC T-04), not what its owner may look up.
    """
    if viewer.project_id is not None:
        return None
    if wanted is not None:
        return [wanted]
    if viewer.rights is not None:
        return [project_id for right, project_id in viewer.rights if right == "view" and project_id]
    if viewer.projects is not None:
        return list(viewer.projects)
    return list(Project.objects.values_list("id", flat=True))


def _seen(
    viewer: Viewer,
    now: datetime | None,
    projects: Sequence[UUID] | None,
    *,
    valid_from: Expression | F,
    valid_until: Expression | F,
) -> Func:
    params = visible_params(viewer, now, projects=projects)
    return Func(
        F("project_id"),
        F("agent_id"),
        F("shared"),
        F("domain"),
        F("person"),
        valid_from,
        valid_until,
        Value(params["my_projects"], output_field=ArrayField(UUIDField())),
        Value(params["sees_unfiled"], output_field=BooleanField()),
        Value(params["me"], output_field=UUIDField()),
        Value(params["my_domains"], output_field=ArrayField(TextField())),
        Value(params["sees_every_owner"], output_field=BooleanField()),
        Value(params["my_person"], output_field=TextField()),
        Value(params["sees_every_person"], output_field=BooleanField()),
        Value(params["at"], output_field=DateTimeField()),
        function="candor_visible_v3",
        output_field=BooleanField(),
    )
