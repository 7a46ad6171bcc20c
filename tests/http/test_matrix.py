"""
Every operation asked by every sort of caller: what may not be seen answers as what is missing.

Everything lies in the project `moon` of the tenant ada and is restricted. An operation without a row is red.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from evolution.models import Webhook
from memories.models import Memory
from security.keys.lifecycle import SCOPES
from security.models import ApiKey
from tenants.models import Project
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    make_agent,
    make_capture,
    make_consolidation,
    make_contradiction,
    make_document,
    make_downgrade,
    make_entity,
    make_key,
    make_link,
    make_memory,
    make_mention,
    make_project,
    make_recall_event,
    make_recall_policy,
    make_recalled_memory,
    make_shadow_question,
    make_sleep_run,
    make_tenant,
    make_triple,
    make_verification,
    make_webhook,
)
from tests.http.conftest import caller, key_of
from tests.http.forms import body_of
from tests.http.people import key_of_person, make_person
from tests.http.test_doors import NEEDED, OPEN, OPERATIONS

pytestmark = pytest.mark.spec("S-04", "S-02", "T-01", "S-01")

MARK: Final = "Lunarium"
"""Stands in everything that can be told, and nowhere else."""

GATE: Final = f"{MARK} has a gate."

RESTRICTED: Final = 2
ALL: Final = ("view", "correct", "arbitrate", "release", "classify", "export", "forget")

IN: Final = 2
"""The door opens: any answer from 200 to 299."""

SEES: Final = (IN, 409)
"""Who is answered so may see the thing: let in, or told what stands against it as it is."""

NOBODY: Final = ("no key", "malformed", "revoked", "expired")
STRANGERS: Final = ("low", "foreign", "closed")
"""A key below the class, another tenant's, and a person of the tenant who holds rights elsewhere only."""

BROWSER: Final = Client(raise_request_exception=False)
"""One for all: making it costs more than most answers."""

Ids = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What each caller is answered: a status, or IN."""

    low: int = 404  #: ceiling below the class
    foreign: int = 404  #: the other tenant's
    closed: int = 404  #: a person with every right, but not in this project
    looker: int = IN  #: a person who may view here and nothing else
    holder: int = IN  #: a person with every right here
    operator: int = IN
    body: Callable[[Ids], Any] = lambda ids: {}
    query: str = ""
    tells: tuple[str, ...] = ()  #: to whom the answer tells of what is there


def of_right(**columns: Any) -> Row:
    """Return the row of a deed on one thing that needs a right in its project."""
    return Row(**{"looker": 403, "tells": ("holder", "operator")} | columns)


def listed(*, tells: tuple[str, ...] = ("looker", "holder", "operator"), **columns: Any) -> Row:
    """Return the row of a list: everybody is answered, and told of what they may view."""
    return Row(**{"low": IN, "foreign": IN, "closed": IN, "tells": tells} | columns)


def written(body: Mapping[str, Any], **columns: Any) -> Row:
    """Return the row of what writes into the project by its name."""
    return Row(
        **{"low": IN, "foreign": 400, "closed": 400, "body": lambda ids: {**body, "project": ids["project"]}}
        | columns
    )


def of_operators(**columns: Any) -> Row:
    """Return the row of what is an operator's, or of a key of the tenant's own, whatever its ceiling."""
    return Row(**{"low": IN, "foreign": IN, "closed": 403, "looker": 403, "holder": 403} | columns)


def fresh() -> dict[str, str]:
    """Return a slug that is not in use."""
    return {"slug": f"new-{uuid4().hex[:8]}", "name": "New"}


NAMED: Final = ("low", "looker", "holder", "operator")
"""Who is told a project's or an agent's name: it has no class."""

ROWS: Final[dict[str, Row]] = {
    "activate_policy": of_operators(foreign=404, low=409, operator=409),  # nobody proved it
    "add_entity_alias": Row(
        tells=("operator",), closed=403, looker=403, holder=403, body=lambda ids: {"name": "Apollo"}
    ),
    "separate_entity_name": Row(
        tells=(), closed=403, looker=403, holder=403, operator=400, body=lambda ids: {"name": "Zebulon"}
    ),  # it does not go by this name
    "answer_verification": of_right(body=lambda ids: {"verdict": "confirm"}),
    "apply_shadow_run": of_operators(foreign=404, low=409, operator=409),  # it did not pass
    "approve_downgrade": of_right(
        tells=(),
        operator=409,  # the holder has approved it by then
        body=lambda ids: {
            "memory": str(ids["memory_id"]),
            "classification": "public",
            "hash": sha256(GATE.encode()).hexdigest(),
        },
    ),
    "archive_memory": of_right(),
    "cancel_shadow_run": of_operators(foreign=404, operator=409),
    "classify_memory": of_right(
        low=400, body=lambda ids: {"classification": "restricted", "reason": "It names the base."}
    ),
    "close_gate": of_operators(body=lambda ids: {"reason": "a doubt"}),
    "compose_context": listed(
        body=lambda ids: {"query": MARK, "min_relevance": 0, "project": ids["project"]},
        foreign=400,
        closed=400,
    ),
    "correct_memory": of_right(body=lambda ids: {"content": "The greenhouse is run by Lin."}, tells=()),
    "create_agent": of_operators(body=lambda ids: fresh()),
    "create_capture": written({"role": "user", "text": "The base has a greenhouse."}),
    "create_captures": listed(  # each capture has a status of its own
        tells=(),
        body=lambda ids: {
            "captures": [{"role": "user", "text": "The base has a greenhouse.", "project": ids["project"]}]
        },
    ),
    "upload_document": written({"file": "The base has a greenhouse."}),
    "create_document": written({"title": "Notes", "text": "The base has a greenhouse."}),
    "create_key": of_operators(body=lambda ids: {"name": "x", "scopes": ["read"], "ceiling": "public"}),
    "create_memory": written(
        {
            "content": "We decided to heat the dome with waste heat, because panels are scarce.",
            "kind": "decision",
        }
    ),
    "create_memory_link": Row(body=lambda ids: {"target": str(ids["other_id"]), "type": "because"}),
    "create_project": of_operators(body=lambda ids: fresh()),
    "create_shadow_run": of_operators(
        foreign=409,  # nobody asked there yet
        body=lambda ids: {"candidate": {"kind": "in_force"}},
    ),
    "create_sleep_run": of_operators(),
    "create_webhook": of_operators(
        body=lambda ids: {"url": "https://hooks.example.invalid/", "kinds": ["stored"]}
    ),
    "change_webhook": of_operators(foreign=404, body=lambda ids: {"state": "stopped"}),
    "delete_webhook": of_operators(foreign=404, operator=404),  # it is gone by then
    "get_webhook": of_operators(foreign=404),
    "list_webhooks": of_operators(),
    "ping_webhook": of_operators(foreign=404),
    "replay_webhook": of_operators(foreign=404, body=lambda ids: {"after": "start"}),
    "rotate_webhook": of_operators(foreign=404),
    "list_events": listed(tells=()),
    "slice_memories": listed(tells=(), query="?by=kind"),
    "delete_memory_link": Row(),
    "downgrade_memory": of_right(body=lambda ids: {"classification": "internal"}),
    "draft_policy": of_operators(body=lambda ids: {"name": "acme", "changes": {"k": 7}}),
    "export_person": listed(query="?person=vera"),
    "forget_memory": of_right(),
    # Who may forget nowhere is told so; all others how many rows of hers they would forget.
    "forget_person": Row(low=IN, foreign=IN, closed=IN, looker=403, body=lambda ids: {"person": "vera"}),
    "get_agent": Row(low=IN, tells=NAMED),
    "get_capture": Row(tells=("looker", "holder", "operator")),
    "get_contradiction": Row(tells=("looker", "holder", "operator")),
    "get_document": Row(tells=("looker", "holder", "operator")),
    "get_downgrade": Row(),
    "get_entity": Row(tells=("looker", "holder", "operator")),
    "get_entity_profile": Row(tells=("looker", "holder", "operator")),
    "get_gate": of_operators(),
    "get_key": of_operators(foreign=404),
    "get_memory": Row(tells=("looker", "holder", "operator")),
    "get_memory_history": Row(tells=("looker", "holder", "operator")),
    "get_memory_lineage": Row(),
    "get_memory_graph": Row(tells=("looker", "holder", "operator")),
    "get_memory_links": Row(),
    "get_permissions": of_operators(foreign=404),
    "get_policy": of_operators(foreign=404),
    "get_project": Row(low=IN, tells=NAMED),
    "get_recall": Row(tells=("looker", "holder", "operator")),
    "list_memory_recalls": Row(tells=("looker", "holder", "operator")),
    "get_shadow_run": of_operators(foreign=404),
    "get_sleep_run": of_operators(foreign=404),
    "get_verification": Row(tells=("looker", "holder", "operator")),
    "give_feedback": Row(body=lambda ids: {"memory": str(ids["memory_id"]), "outcome": "used"}),
    "list_agents": listed(tells=NAMED),
    "list_audit": of_operators(),
    "list_captures": listed(),
    "list_contradictions": listed(),
    "list_documents": listed(),
    "list_downgrades": listed(tells=()),
    "list_communities": listed(tells=()),  # what is there is spoken of once
    "list_entities": listed(),
    "list_entity_memories": Row(tells=("looker", "holder", "operator")),
    "list_entity_triples": Row(tells=("looker", "holder", "operator")),
    "list_keys": of_operators(),
    "list_memories": listed(),
    "list_passages": Row(),
    "list_people": of_operators(),
    "list_policies": of_operators(),
    "list_projects": listed(tells=NAMED),
    "edit_memory": of_right(body=lambda ids: {"pinned": True}),
    "get_statistics": of_operators(),
    "withdraw_memories": of_operators(
        low=409,
        foreign=409,
        operator=409,  # nobody wrote in this session
        body=lambda ids: {"session": "nobody's", "since": "2026-03-02T10:00:00Z", "reason": "x"},
    ),
    "revert_withdrawal": of_operators(low=404, foreign=404, operator=404, body=lambda ids: {"reason": "x"}),
    "get_learning": of_operators(),
    "estimate_policy": of_operators(low=400, foreign=400, operator=400),  # of which policy?
    "refit_policy": of_operators(low=409, foreign=409, operator=409),  # nobody judged anything yet
    "get_watermark_calibration": listed(tells=()),
    "get_session": Row(looker=404, holder=404, operator=404),  # each has sessions of their own
    "end_session": Row(looker=404, holder=404, operator=404),
    "list_shadow_questions": of_operators(foreign=404, tells=("operator",)),
    "list_shadow_runs": of_operators(),
    "list_sleep_runs": of_operators(),
    "list_verifications": listed(),
    "list_watermarks": listed(tells=()),
    "list_lint": listed(tells=()),
    "list_interests": Row(low=400, foreign=400, closed=400, looker=400, holder=400, operator=400),  # whose?
    "narrow_key": of_operators(foreign=404, body=lambda ids: {"ceiling": "public"}),
    "observe_watermarks": written(
        {"fingerprints": [{"handle": {"kind": "file", "path": "a.txt"}, "value": "1"}]}
    ),
    "open_gate": of_operators(
        low=403, foreign=403, operator=409, body=lambda ids: {"reason": "looked through"}
    ),
    "recall": listed(
        body=lambda ids: {"query": MARK, "min_relevance": 0, "project": ids["project"]},
        foreign=400,
        closed=400,
    ),
    "reject_downgrade": of_right(tells=(), operator=409),
    "report_outcome": Row(body=lambda ids: {"recall": str(ids["recall_id"]), "outcome": "succeeded"}),
    "report_uses": listed(
        tells=(), body=lambda ids: {"recall": str(ids["recall_id"]), "used": [str(ids["memory_id"])]}
    ),
    "resolve_contradiction": of_right(body=lambda ids: {"verdict": "coexist"}),
    "retire_policy": of_operators(foreign=404, low=409, operator=409),  # it never was in force
    "roll_back_policy": of_operators(
        low=409, foreign=409, operator=409, body=lambda ids: {"policy": "acme@1"}
    ),
    "review_capture": of_right(tells=("holder",), operator=409, body=lambda ids: {"verdict": "dismiss"}),
    "revoke_key": of_operators(foreign=404),
    "revoke_permissions": of_operators(foreign=404),
    "rotate_key": of_operators(foreign=404),
    "set_permissions": of_operators(foreign=404, body=lambda ids: {"rights": ["view"]}),
    "unarchive_memory": of_right(),
    "reinstate_memory": of_right(),
    "ungroup_memory": of_right(),
    "unconsolidate_memory": of_right(tells=()),
    "validate_gate": of_operators(low=400, foreign=400, operator=400, body=lambda ids: {"run": str(uuid4())}),
    "verify_audit": of_operators(),
}
"""What each operation answers to whom. Without a key in force it is 401, without the scope 403."""


def test_every_operation_has_a_row() -> None:
    assert set(OPERATIONS) == ROWS.keys() | OPEN


def test_every_caller_is_answered_as_the_table_says() -> None:
    ada, grace = make_tenant("ada"), make_tenant("grace")
    world = fill(ada)
    people, shared = keys(ada, grace), things(ada, world)

    wrong = {}
    for name in sorted(ROWS, key=lambda name: (not reads(name), name)):
        ids = world | (shared if reads(name) else things(ada, world))
        callers = people | {"wrong scope": without_scope(ada, NEEDED[name])}
        answers = {who: ask(name, key, ids, who) for who, key in callers.items()}
        wrong[name] = [*judge(ROWS[name], answers), *compare(name, callers, answers, ids)]

    found = {name: faults for name, faults in wrong.items() if faults}
    assert found == {}, json.dumps(found, indent=1)


def judge(row: Row, answers: Mapping[str, HttpResponse]) -> list[str]:
    """Return where an operation answers otherwise than its row says."""
    expected = dict.fromkeys(NOBODY, 401) | {"wrong scope": 403}
    expected |= {who: getattr(row, who) for who in (*STRANGERS, "looker", "holder", "operator")}
    assert expected.keys() == answers.keys()
    found = [
        f"{who}: {answer.status_code} {answer.content.decode()[:200]}"
        for who, answer in answers.items()
        if coarse(answer.status_code) != expected[who]
    ]
    told = {who for who, answer in answers.items() if MARK in answer.content.decode()}
    return found + [f"tells {sorted(told)}"] * (told != set(row.tells))


def compare(
    name: str, callers: Mapping[str, str | None], answers: Mapping[str, HttpResponse], ids: Ids
) -> list[str]:
    """Return the strangers who could tell what they may not see from what is missing."""
    missing = {**ids, **{part: uuid4() for part in ids if part.endswith("_id")}}
    missing |= {"slug": "mars", "user": "nobody", "project": "mars"}
    return [
        f"{who} can tell: {there} is not {nowhere}"
        for who in STRANGERS
        if (getattr(ROWS[name], who) not in SEES or name == "report_uses")
        and (there := plain(answers[who], ids))
        != (nowhere := plain(ask(name, callers[who], missing, who), missing))
    ]


def test_a_tenant_that_is_named_in_a_request_changes_nothing() -> None:
    ada, grace = make_tenant("ada"), make_tenant("grace")
    fill(ada)
    theirs = caller(grace)

    assert (
        theirs.get("memories", **{"X-Tenant": str(ada.tenant_id), "Tenant-Id": "ada"}).json()["results"] == []
    )
    for query in ("tenant=ada", f"tenant_id={ada.tenant_id}"):
        assert theirs.get(f"memories?{query}").status_code == 400
    for field in ("tenant", "tenant_id"):
        assert theirs.post("recall", {"query": MARK, field: str(ada.tenant_id)}).status_code == 400


def reads(name: str) -> bool:
    """Tell whether an operation leaves things as they are, so that all such may share them."""
    return OPERATIONS[name][0] == "get" or name in {"recall", "compose_context"}


def keys(ada: Viewer, grace: Viewer) -> dict[str, str | None]:
    """Return a key for each sort of caller; those of people may whatever the person may."""
    revoked = key_of(ada)
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.update(revoked_at=timezone.now())
        moon, sun = (Project.objects.get(slug=slug) for slug in ("moon", "sun"))
    people = {
        "closed": make_person(ada, "closed", held={sun: ALL, None: ALL}),
        "looker": make_person(ada, "looker", held={moon: ["view"]}),
        "holder": make_person(ada, "holder", held={moon: ALL}),
        "operator": make_person(ada, "operator", role="operator"),
    }
    return {
        "no key": None,
        "malformed": "cdr_nonsense",
        "revoked": revoked,
        "expired": key_of(ada, expires_at=timezone.now()),
        "low": key_of(ada, ceiling=RESTRICTED - 1),
        "foreign": key_of(grace),
        **{who: key_of_person(ada, user) for who, user in people.items()},
    }


def without_scope(tenant: Viewer, scope: str) -> str:
    """Return a key that may everything but this."""
    return key_of(tenant, scopes=[one for one in SCOPES if one != scope])


def fill(tenant: Viewer) -> dict[str, Any]:
    """Make what there is one of, and return the names by which it is reached."""
    moon = make_project(tenant=tenant, slug="moon", name=MARK)
    make_project(tenant=tenant, slug="sun")
    make_agent(tenant=tenant, slug="moon", name=MARK, project=moon)
    make_person(tenant, "hopper")
    return {
        "tenant": tenant,
        "moon": moon,
        "project": "moon",
        "slug": "moon",
        "user": "hopper",
        "session": "moon",
    }


def _webhook(tenant: Viewer) -> Webhook:
    """Return the tenant's webhook, of which it may not have many."""
    with tenant_scope(tenant), unit_of_work():
        there = Webhook.objects.first()
    return there or make_webhook(tenant=tenant)


def things(tenant: Viewer, world: Mapping[str, Any]) -> dict[str, UUID]:
    """Make one of everything in the project, restricted, and return the ids by which it is reached."""
    rank = {"tenant": tenant, "classification": RESTRICTED}
    here = {**rank, "project": world["moon"]}
    memory, other = (make_memory(**here, content=f"{MARK} has {what}.") for what in ("a gate", "a dome"))
    recall = make_recall_event(**here)
    make_recalled_memory(**rank, recall=recall, memory=memory)
    make_consolidation(tenant=tenant, pattern=memory)
    make_memory(**here, person="vera", content=f"{MARK} is Vera's.")
    entity = make_entity(**rank, name=f"{MARK} {memory.id}")
    make_mention(**rank, entity=entity, memory=memory, names=[MARK], keys=[entity.key])
    make_triple(**rank, memory=memory, subject=entity)
    return {
        "memory_id": memory.id,
        "other_id": other.id,
        "capture_id": make_capture(**here, text=GATE, state="quarantined").id,
        "recall_id": recall.id,
        "entity_id": entity.id,
        "link_id": make_link(**rank, source=memory, target=other, origin="manual").id,
        "document_id": make_document(**here, title=f"{MARK} {memory.id}").id,
        "contradiction_id": make_contradiction(**rank, older=memory, newer=other).id,
        "withdrawal_id": uuid4(),
        "verification_id": make_verification(**rank, memory=memory).id,
        "downgrade_id": make_downgrade(tenant=tenant, memory=memory, now=timezone.now()).id,
        "run_id": make_sleep_run(tenant=tenant).id,
        "webhook_id": _webhook(tenant).id,
        "policy_id": make_recall_policy(tenant=tenant).id,
        "shadow_id": make_shadow_question(**rank, event=make_recall_event(**here, query=MARK)).run_id,
        "key_id": make_key(tenant=tenant, ceiling=1).id,
    }


def ask(name: str, key: str | None, ids: Ids, who: str, *, session: str = "") -> HttpResponse:
    """Ask for the operation on the things of these ids, in a session or in none."""
    method, path = OPERATIONS[name]
    if name == "delete_memory_link" and who in {"holder", "operator"}:  # the first one is gone by then
        ids = {**ids, "link_id": another_link(ids, type={"holder": "because"}.get(who, "related_to")).id}
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    headers |= {"Candor-Session": session} if session else {}
    body = ROWS[name].body(ids)
    if session and name in {"recall", "compose_context"}:
        body = {**body, "session": session}
    sent = body_of(name, body)
    answer = getattr(BROWSER, method)(
        path.format(**ids) + ROWS[name].query,
        headers=headers,
        **(sent if method in {"post", "put", "patch"} else {}),
    )
    assert isinstance(answer, HttpResponse)
    return answer


def another_link(ids: Ids, *, type: str) -> Any:
    """Return a new link between the same memories, the other way round."""
    with tenant_scope(ids["tenant"]), unit_of_work():
        ends = {part: Memory.objects.get(id=ids[part]) for part in ("memory_id", "other_id")}
    return make_link(
        tenant=ids["tenant"], source=ends["other_id"], target=ends["memory_id"], origin="manual", type=type,
        classification=RESTRICTED,
    )  # fmt: skip


def coarse(status: int) -> int:
    """Return IN for whatever lets in, else the status."""
    return IN if 200 <= status < 300 else status


def plain(answer: HttpResponse, ids: Ids) -> str:
    """Return the answer without the ids that were asked for."""
    known = "|".join(re.escape(str(value)) for part, value in ids.items() if part.endswith("_id"))
    return re.sub(known, "ID", answer.content.decode())
