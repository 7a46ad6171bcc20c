"""Ranking: policies by version, and the shadow runs that prove a change before it goes live."""

from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console.frame import Desk, page

MOVES: Final = ("activate", "retire")

REFITTED: Final = "refitted"
"""The name of drafts that the page makes from the log."""


@page
def browse(desk: Desk) -> HttpResponse:
    """List policies and shadow runs; a POST starts a shadow run, or looks in the log for better weights."""
    if desk.request.method == "POST":
        sent = desk.sent
        if sent.get("refit"):
            return desk.carry_out(
                lambda: desk.api.post("learning/refit", {"name": REFITTED}),
                said=_("The log was looked through. What is surely better is a draft among the policies."),
                back=reverse("console-ranking"),
            )  # fmt: skip
        candidate = {"kind": "policy", "policy": sent.get("policy", "")}
        return desk.carry_out(
            lambda: desk.api.post("shadow-runs", {"candidate": candidate}),
            said=_("The shadow run is queued."), back=reverse("console-ranking"),
        )  # fmt: skip
    shown = {
        "policies": desk.api.get("policies", limit=50),
        "learning": desk.api.get("learning"),
        "runs": desk.api.get("shadow-runs", limit=25, cursor=desk.asked.get("cursor")),
    }
    return desk.show("ranking/page", shown)


@page
def policy(desk: Desk, policy_id: UUID) -> HttpResponse:
    """Show a policy beside the one that it was made from; put it in force, or retire it."""
    path = f"policies/{policy_id}"
    if desk.request.method == "POST":
        sent = desk.sent
        move = sent.pop("move", "")
        back = reverse("console-policy", args=[policy_id])
        if move not in MOVES:
            move = MOVES[0]
        return desk.carry_out(lambda: desk.api.post(f"{path}/{move}", sent), said=_("Done."), back=back)
    found = desk.api.get(path)
    others = desk.api.get("policies", limit=100)
    bodies = {one["policy"]: one["body"] for one in others["results"]} | {others["in_force"]: others["body"]}
    base = bodies.get(found["based_on"])
    told = desk.maybe("learning/estimate", policy=found["policy"]) if found["state"] == "draft" else None
    shown = {"policy": found, "base": base, "rows": _compared(found["body"], base), "told": told}
    return desk.show("ranking/policy", shown)


@page
def shadow_run(desk: Desk, shadow_id: UUID) -> HttpResponse:
    """Show a run: its verdict and why, and each question whose answer would change."""
    path = f"shadow-runs/{shadow_id}"
    if desk.request.method == "POST":
        return desk.carry_out(
            lambda: desk.api.post(f"{path}/cancel"), said=_("Cancelled."),
            back=reverse("console-shadow", args=[shadow_id]),
        )  # fmt: skip
    changed = None if desk.asked.get("all") else "true"
    questions = desk.api.get(f"{path}/questions", changed=changed, after=desk.asked.get("after"), limit=20)
    return desk.show("ranking/shadow", {"run": desk.api.get(path), "questions": questions})


def _compared(body: dict[str, Any], base: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return the settings by name: what each is, was, and whether that differs."""
    own, former = _flat(body), _flat(base) if base else {}
    return [
        {"name": name, "own": own.get(name), "former": former.get(name),
         "differs": base is not None and own.get(name) != former.get(name)}
        for name in sorted(own | former)
    ]  # fmt: skip


def _flat(body: Any, name: str = "") -> dict[str, Any]:
    if isinstance(body, dict):
        inner = [_flat(value, f"{name}.{key}" if name else str(key)) for key, value in body.items()]
        return {key: value for part in inner for key, value in part.items()}
    if isinstance(body, list) and body and isinstance(body[0], dict) and "name" in body[0]:
        inner = [
            _flat({k: v for k, v in one.items() if k != "name"}, f"{name}.{one['name']}") for one in body
        ]
        return {key: value for part in inner for key, value in part.items()}
    return {name: body}
