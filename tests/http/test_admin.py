"""The admin, as an operator sees it in a browser: one tenant at a time, behind the same walls."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from security.models import ApiKey, AuditEvent
from tenants.models import Agent, Project
from tenants.scope import Viewer, tenant_scope, unit_of_work, viewer_or_none
from tests.factories import (
    make_agent,
    make_audit_event,
    make_capture,
    make_contradiction,
    make_downgrade,
    make_feedback,
    make_key,
    make_link,
    make_membership,
    make_memory,
    make_memory_version,
    make_project,
    make_project_grant,
    make_recall_event,
    make_recalled_memory,
    make_tenant_grant,
    make_user,
)
from tests.isolation.witness import breaking

PAGES = (
    "evolution_feedback", "memories_capture", "memories_contradiction", "memories_downgrade", "memories_link",
    "memories_memory", "recall_recallevent",
    "security_apikey", "security_auditevent", "tenants_agent", "tenants_membership", "tenants_project",
)  # fmt: skip


def browser(user: User) -> Client:
    """Return a browser in which the person is logged in."""
    client = Client()
    client.force_login(User.objects.get(pk=user.pk))
    return client


def working(
    tenant: Viewer,
    *,
    role: str = "operator",
    ceiling: int = 3,
    unfiled: tuple[str, ...] = (),
    project: Project | None = None,
    rights: tuple[str, ...] = (),
) -> Client:
    """
    Return the browser of a new person who has chosen the tenant.

    unfiled, rights: what they hold in what belongs to no project, and in the project.
    """
    user = make_user(f"{role}-of-{tenant.tenant_id}-{ceiling}")
    make_membership(tenant=tenant, user=user, role=role, ceiling=ceiling)
    for right in unfiled:
        make_tenant_grant(tenant=tenant, user=user, right=right)
    for right in rights:
        make_project_grant(tenant=tenant, user=user, right=right, content_object=project)
    client = browser(user)
    choose(client, tenant)
    return client


def choose(client: Client, tenant: Viewer) -> HttpResponse:
    return client.post("/admin/tenant/", {"tenant": str(tenant.tenant_id)})  # type: ignore[return-value]


def text(response: Any) -> str:
    assert response.status_code == 200, (response.status_code, response.headers.get("Location"))
    return str(response.content.decode())


def page(client: Client, name: str, *args: Any, query: str = "") -> str:
    return text(client.get(reverse(f"admin:{name}", args=args) + query))


WHOLE_TENANT = {"security_apikey", "tenants_membership"}
"""Pages on what lies in no project: names, ceilings and scopes."""


def fill(tenant: Viewer, mark: str, *, rank: int = 1, project: Project | None = None) -> dict[str, Any]:
    """Make one row for every page, each with the mark somewhere in what is shown."""
    here = {"tenant": tenant, "classification": rank, "project": project}
    memory, other = (make_memory(**here, content=f"{mark} {does}") for does in ("remembers", "too"))
    trace = [{"step": "screen", "verdict": "pass", "reason": f"{mark} is clean", "ms": 1.5}]
    recall = make_recall_event(**here, query=f"{mark}?")
    make_recalled_memory(tenant=tenant, recall=recall, memory=memory, classification=rank)
    return {
        "memories_memory": memory,
        "memories_capture": make_capture(
            **here, text=f"{mark} says", trace=trace, memory_ids=[str(memory.id)]
        ),
        "memories_link": make_link(tenant=tenant, source=memory, target=other, classification=rank),
        "memories_contradiction": make_contradiction(
            tenant=tenant, older=memory, newer=other, entity_key=mark, classification=rank
        ),
        "memories_downgrade": make_downgrade(
            tenant=tenant, memory=make_memory(**{**here, "classification": 3}, content=f"{mark} hides")
        ),
        "recall_recallevent": recall,
        "evolution_feedback": make_feedback(tenant=tenant, recall=recall, memory=memory, actor_id=mark),
        "security_apikey": make_key(tenant=tenant, name=mark),
        "tenants_agent": make_agent(tenant=tenant, slug=mark.lower(), name=mark, project=project),
        "tenants_project": project or make_project(tenant=tenant, slug=mark.lower(), name=mark),
        "tenants_membership": make_membership(tenant=tenant, user=make_user(mark)),
    }


@pytest.mark.spec("H-05")
def test_who_is_not_logged_in_is_asked_to() -> None:
    response = Client().get("/admin/memories/memory/")

    assert response.status_code == 302
    assert response["Location"] == "/admin/login/?next=/admin/memories/memory/"
    assert "password" in text(Client().get(response["Location"]))


@pytest.mark.spec("H-05", "T-02")
def test_who_has_chosen_no_tenant_is_shown_the_chooser_and_nothing_else(ada: Viewer) -> None:
    fill(ada, "Adamark")
    user = make_user()
    make_membership(tenant=ada, user=user)
    client = browser(user)

    for path in ("/admin/", "/admin/memories/", *(reverse(f"admin:{name}_changelist") for name in PAGES)):
        response = client.get(path)
        assert (response.status_code, response["Location"]) == (302, f"/admin/tenant/?next={path}")


@pytest.mark.spec("H-05", "T-01")
def test_the_chooser_offers_the_persons_own_tenants_only(ada: Viewer, grace: Viewer) -> None:
    user = make_user()
    make_membership(tenant=ada, user=user, role="reader")
    client = browser(user)

    offered = text(client.get("/admin/tenant/"))

    assert re.findall(r'name="tenant" value="([0-9a-f-]{36})"', offered) == [str(ada.tenant_id)]
    assert choose(client, grace).status_code == 404
    assert client.get("/admin/")["Location"] == "/admin/tenant/?next=/admin/"


def test_a_person_without_a_place_is_told_so(ada: Viewer) -> None:
    assert "You have no place in any tenant" in text(browser(make_user()).get("/admin/tenant/"))


def test_choosing_leads_to_where_one_was_going_and_nowhere_outside(ada: Viewer) -> None:
    user = make_user()
    make_membership(tenant=ada, user=user)
    client = browser(user)

    def led(wanted: str) -> str:
        answer = client.post("/admin/tenant/", {"tenant": str(ada.tenant_id), "next": wanted})
        return str(answer["Location"])

    assert led("/admin/memories/memory/") == "/admin/memories/memory/"
    assert led("https://evil.example/") == "/admin/"
    assert led("//evil.example/") == "/admin/"


@pytest.mark.spec("H-05", "T-01", "T-02")
@pytest.mark.parametrize("name", PAGES)
def test_an_operator_sees_their_tenants_rows_and_never_anothers(
    ada: Viewer, grace: Viewer, name: str
) -> None:
    own, foreign = fill(ada, "Adamark"), fill(grace, "Gracemark")
    client = working(ada)

    listed = page(client, f"{name}_changelist")
    searched = client.get(reverse(f"admin:{name}_changelist"), {"q": "mark"}).content.decode()

    assert "Gracemark" not in listed + searched
    assert str(grace.tenant_id) not in listed + searched
    if name != "security_auditevent":
        assert str(own[name].pk) in listed
        assert str(foreign[name].pk) not in listed + searched
        assert page(client, f"{name}_change", own[name].pk)
        there = client.get(reverse(f"admin:{name}_change", args=[foreign[name].pk]))
        nowhere = client.get(reverse(f"admin:{name}_change", args=["00000000-0000-4000-8000-000000000000"]))
        assert there.status_code == nowhere.status_code == 302  # «… doesn't exist», back to the start


@pytest.mark.spec("S-01", "H-05")
@pytest.mark.parametrize(
    "name", ["memories_memory", "memories_capture", "memories_link", "recall_recallevent"]
)
def test_a_persons_ceiling_holds_in_the_admin(ada: Viewer, name: str) -> None:
    low, high = fill(ada, "Lowmark", rank=1), fill(ada, "Highmark", rank=3)
    client = working(ada, ceiling=1)

    listed = page(client, f"{name}_changelist")

    assert str(low[name].pk) in listed
    assert str(high[name].pk) not in listed
    assert client.get(reverse(f"admin:{name}_change", args=[high[name].pk])).status_code == 302


@pytest.mark.spec("H-01", "H-05")
def test_a_memorys_page_shows_its_text_history_links_and_usage(ada: Viewer) -> None:
    memory = make_memory(
        tenant=ada, content="Staging runs in Lisbon.", usage={"q_value": 0.6125, "recalled": 17}
    )
    target = make_memory(tenant=ada, content="Lisbon has two load balancers.")
    make_memory_version(tenant=ada, memory=memory, content="Staging runs in Porto.")
    make_link(tenant=ada, source=memory, target=target, type="because")

    shown = page(working(ada), "memories_memory_change", memory.pk)

    for part in (
        "Staging runs in Lisbon.",
        "Staging runs in Porto.",
        "because",
        str(target.pk),
        "0.6125",
        "17",
    ):
        assert part in shown
    assert 'name="_save"' not in shown
    assert "deletelink" not in shown


@pytest.mark.spec("W-20", "H-05")
def test_a_captures_page_shows_its_trace_and_what_came_of_it_and_trusts_none_of_it(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    trace = [
        {"step": "screen", "verdict": "quarantine", "reason": "<script>alert(1)</script>", "score": 0.93}
    ]
    capture = make_capture(
        tenant=ada, trace=trace, memory_ids=[str(memory.id)], text="<script>alert(2)</script>"
    )

    shown = page(working(ada), "memories_capture_change", capture.pk)

    assert "quarantine" in shown
    assert "0.93" in shown
    assert reverse("admin:memories_memory_change", args=[memory.id]) in shown
    assert "<script>alert(" not in shown
    assert "&lt;script&gt;alert(1)" in shown


@pytest.mark.spec("T-09", "H-05")
@pytest.mark.parametrize(
    "name",
    [
        "memories_memory",
        "memories_capture",
        "memories_link",
        "memories_contradiction",
        "memories_downgrade",
        "security_auditevent",
    ],
)
def test_what_the_pipeline_decides_cannot_be_made_changed_or_deleted_here(ada: Viewer, name: str) -> None:
    rows = fill(ada, "Adamark")
    client = working(ada)
    client.post(reverse("admin:tenants_project_add"), {"slug": "moon", "name": "Moon"})
    with tenant_scope(ada), unit_of_work():
        event = AuditEvent.objects.first()
    row = rows.get(name, event)

    assert client.post(reverse(f"admin:{name}_add"), {}).status_code == 403
    assert (
        client.post(reverse(f"admin:{name}_change", args=[row.pk]), {"content": "x", "text": "x"}).status_code
        == 403
    )
    assert client.post(reverse(f"admin:{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


@pytest.mark.spec("S-02", "S-03", "H-05")
def test_a_key_is_revoked_by_an_action_and_that_is_written_down(ada: Viewer) -> None:
    key = make_key(tenant=ada)
    client = working(ada)

    client.post(
        reverse("admin:security_apikey_changelist"), {"action": "revoke", "_selected_action": [str(key.pk)]}
    )

    with tenant_scope(ada), unit_of_work():
        assert ApiKey.objects.get(id=key.id).revoked_at is not None
        [event] = AuditEvent.objects.filter(action="key.revoke")
    assert (event.object_id, event.actor_kind, event.reason) == (
        str(key.id),
        "operator",
        "revoked in the admin",
    )


@pytest.mark.spec("S-03", "H-05")
def test_what_a_person_does_here_is_written_to_the_tenants_trail_and_not_to_djangos_log(ada: Viewer) -> None:
    client = working(ada, ceiling=2)

    made = client.post(
        reverse("admin:tenants_agent_add"),
        {"slug": "atlas", "name": "Atlas", "ceiling": "2", "domains": "backend"},
    )
    assert made.status_code == 302, made.content
    with tenant_scope(ada), unit_of_work():
        agent = Agent.objects.get()
    client.post(
        reverse("admin:tenants_agent_change", args=[agent.pk]),
        {"slug": "atlas", "name": "Atlas the second", "ceiling": "1", "domains": "backend"},
    )

    with tenant_scope(ada), unit_of_work():
        assert Agent.objects.values_list("name", "ceiling", "domains").get() == (
            "Atlas the second",
            1,
            ["backend"],
        )
        trail = list(AuditEvent.objects.order_by("id").values_list("action", "object_id", "actor_kind"))
    assert trail == [("agent.create", str(agent.pk), "operator"), ("agent.change", str(agent.pk), "operator")]
    assert LogEntry.objects.using("owner").count() == 0
    history = client.get(reverse("admin:tenants_agent_history", args=[agent.pk]))
    assert "agent.change" in text(client.get(history["Location"]))


@pytest.mark.spec("S-01", "H-05")
def test_nobody_gives_an_agent_a_ceiling_above_their_own(ada: Viewer) -> None:
    client = working(ada, ceiling=1)
    wish = {"slug": "spy", "name": "Spy", "domains": "x"}

    refused = client.post(reverse("admin:tenants_agent_add"), {**wish, "ceiling": "2"})

    assert "Select a valid choice" in text(refused)
    with tenant_scope(ada), unit_of_work():
        assert Agent.objects.count() == 0
    assert client.post(reverse("admin:tenants_agent_add"), {**wish, "ceiling": "1"}).status_code == 302


@pytest.mark.spec("H-05")
@pytest.mark.parametrize(("role", "reads_trail"), [("reader", False), ("auditor", True)])
def test_readers_and_auditors_look_and_change_nothing(ada: Viewer, role: str, reads_trail: bool) -> None:
    rows = fill(ada, "Adamark")
    client = working(ada, role=role, unfiled=("view",))

    assert "Adamark" in page(client, "memories_memory_changelist")
    assert (
        client.post(reverse("admin:tenants_project_add"), {"slug": "moon", "name": "Moon"}).status_code == 403
    )
    client.post(
        reverse("admin:security_apikey_changelist"),
        {"action": "revoke", "_selected_action": [str(rows["security_apikey"].pk)]},
    )
    with tenant_scope(ada), unit_of_work():
        assert not ApiKey.objects.exclude(revoked_at=None).exists()
    trail = client.get(reverse("admin:security_auditevent_changelist"))
    assert trail.status_code == (200 if reads_trail else 403)


@pytest.mark.spec("H-05", "T-02")
def test_a_place_that_is_taken_away_is_gone_with_the_next_click(ada: Viewer) -> None:
    client = working(ada)
    page(client, "memories_memory_changelist")
    other = make_user("somebody else")
    with breaking() as superuser:  # the service's login may not
        superuser.execute("SET session_replication_role = replica")
        superuser.execute("UPDATE membership SET user_id = %s", [other.pk])

    assert client.get(reverse("admin:memories_memory_changelist")).status_code == 302


@pytest.mark.spec("H-05", "T-01")
def test_one_person_in_two_tenants_sees_each_by_itself(ada: Viewer, grace: Viewer) -> None:
    fill(ada, "Adamark")
    fill(grace, "Gracemark")
    user = make_user()
    for tenant in (ada, grace):
        make_membership(tenant=tenant, user=user)
    client = browser(user)

    for tenant, mark, other in ((ada, "Adamark", "Gracemark"), (grace, "Gracemark", "Adamark")):
        choose(client, tenant)
        listed = page(client, "memories_memory_changelist")
        assert mark in listed
        assert other not in listed
    assert viewer_or_none() is None


def test_the_start_page_shows_no_recent_actions_and_no_people_of_other_tenants(ada: Viewer) -> None:
    start = text(working(ada).get("/admin/"))

    assert "Recent actions" not in start
    assert "/admin/auth/" not in start
    assert reverse("admin:memories_memory_changelist") in start


def test_a_page_that_breaks_half_way_writes_nothing(ada: Viewer) -> None:
    client = working(ada)
    client.raise_request_exception = False

    with connections["owner"].cursor() as cursor:
        cursor.execute("ALTER TABLE audit_event ADD CONSTRAINT no_more CHECK (false) NOT VALID")
        try:
            response = client.post(reverse("admin:tenants_project_add"), {"slug": "moon", "name": "Moon"})
        finally:
            cursor.execute("ALTER TABLE audit_event DROP CONSTRAINT no_more")

    assert response.status_code == 500
    with tenant_scope(ada), unit_of_work():
        assert Project.objects.count() == 0


def test_logging_out_and_changing_ones_password_need_no_tenant(ada: Viewer) -> None:
    user = make_user("grace")
    user.set_password("the-old-phrase-55")
    user.save(using="owner")
    client = browser(user)

    changed = client.post(
        "/admin/password_change/",
        {
            "old_password": "the-old-phrase-55",
            "new_password1": "the-new-phrase-77",
            "new_password2": "the-new-phrase-77",
        },
    )

    assert (changed.status_code, changed["Location"]) == (302, "/admin/password_change/done/")
    assert Client().login(username="grace", password="the-new-phrase-77")
    assert client.post("/admin/logout/").status_code == 200
    assert client.get("/admin/")["Location"] == "/admin/login/?next=/admin/"


def test_the_pages_styles_and_scripts_are_served(ada: Viewer) -> None:
    start = text(working(ada).get("/admin/"))

    paths = {path.split("?")[0] for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', start)}
    assert len(paths) >= 5
    assert {path for path in paths if not served(path)} == set()


def served(path: str) -> bool:
    response = Client().get(path)
    found = response.status_code == 200 and any(response.streaming_content)
    response.close()
    return found


def test_the_themes_search_whose_cache_knows_no_tenant_is_closed(ada: Viewer) -> None:
    assert working(ada).get("/admin/search/?s=memory").status_code == 404


@pytest.mark.spec("S-04", "H-05")
@pytest.mark.parametrize("role", ["reader", "auditor"])
def test_a_person_sees_on_every_page_what_they_were_granted_and_nothing_else(ada: Viewer, role: str) -> None:
    moon, sun = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="sun")
    in_moon, in_sun = fill(ada, "Moonmark", project=moon), fill(ada, "Sunmark", project=sun)
    make_link(tenant=ada, source=in_moon["memories_memory"], target=in_sun["memories_memory"])
    client = working(ada, role=role, project=moon, rights=("view",))

    for name in in_moon:
        if name in WHOLE_TENANT:
            continue
        listed = page(client, f"{name}_changelist")
        assert str(in_moon[name].pk) in listed, name
        assert str(in_sun[name].pk) not in listed, name
        assert "Sunmark" not in listed, name
        assert "Sunmark" not in page(client, f"{name}_change", in_moon[name].pk), name
        assert client.get(reverse(f"admin:{name}_change", args=[in_sun[name].pk])).status_code == 302, name


@pytest.mark.spec("S-04", "H-05")
def test_a_person_who_was_granted_nothing_sees_nothing_in_the_admin(ada: Viewer) -> None:
    rows = fill(ada, "Adamark")
    client = working(ada, role="reader")

    shown = {
        name: page(client, f"{name}_changelist").count("Adamark") for name in rows if name not in WHOLE_TENANT
    }

    assert shown == dict.fromkeys(shown, 0)
    assert client.get(reverse("admin:evolution_sleeprun_changelist")).status_code == 403


@pytest.mark.spec("S-04", "H-05")
def test_the_trail_is_read_by_an_auditor_and_taken_out_by_who_may_export(ada: Viewer) -> None:
    event, taken = make_audit_event(tenant=ada), []
    for ceiling, rights in ((1, ()), (2, ("export",))):
        client = working(ada, role="auditor", ceiling=ceiling, unfiled=rights)
        assert str(event.object_id) in page(client, "security_auditevent_changelist")
        chosen = {"action": "export_csv", "_selected_action": [str(event.id)]}
        taken.append(client.post(reverse("admin:security_auditevent_changelist"), chosen)["Content-Type"])

    assert taken == ["text/html; charset=utf-8", "text/csv; charset=utf-8"]


@pytest.mark.spec("S-04", "H-05")
def test_a_members_page_says_what_they_hold(ada: Viewer) -> None:
    moon, user = make_project(tenant=ada, slug="moon"), make_user("eve")
    place = make_membership(tenant=ada, user=user, role="reader")
    make_project_grant(tenant=ada, user=user, right="view", content_object=moon)
    make_tenant_grant(tenant=ada, user=user, right="view")

    shown = page(working(ada), "tenants_membership_change", place.pk)

    assert "no project: view" in shown
    assert "moon: view" in shown
