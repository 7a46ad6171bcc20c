"""Engines with a hole each, as a candidate's code might have it: what a shadow run must find (SPEC S-06)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from recall.channels.registry import IN_VISIBLE, SQL
from recall.retrieval.archive_fallback import find_pool
from recall.retrieval.candidate_query import Pool, Search, statement
from recall.retrieval.engines import RecallEngine
from tenants.scope import FULL_CLEARANCE, tenant_scope, unit_of_work


def unwired(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    """The incident: what filters is there, is tested, and nobody calls it."""
    return find_pool(replace(search, conditions=("true",)), names, without=without)


def off_by_one(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    """The ceiling is compared with the wrong end of the scale's step."""
    one_more = replace(search.viewer, clearance=min(search.viewer.clearance + 1, FULL_CLEARANCE))
    with tenant_scope(one_more), unit_of_work():
        return find_pool(replace(search, viewer=one_more), names, without=without)


def other_tenants(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    """The vectors are looked up in every tenant, and so is what is known of their rows."""
    of_tenant = "{0}.tenant_id = %(tenant)s AND "
    semantic = SQL["semantic"].replace(of_tenant.format("e"), "")
    features = SQL["features"]
    for alias in "mue":
        features = features.replace(of_tenant.format(alias), "")
    with patched({"semantic": IN_VISIBLE.sub("true", semantic), "features": features}):
        return find_pool(replace(search, conditions=(SQL["seen"] + " AND true",)), names, without=without)


def timeless_graph(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    """The hop leads to whatever the asker may see, whether it holds now or not."""
    at_any_time = seen_by("e", "a.archived_at IS NULL", valid="NULL, NULL")
    with patched({"graph": IN_VISIBLE.sub(at_any_time, SQL["graph"])}):
        return find_pool(replace(search, conditions=(SQL["seen"] + " AND true",)), names, without=without)


def archived_fuzzy(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    """The channel of near words brings what a person has archived."""
    archived_too = seen_by("p", "true", valid="a.valid_from, a.valid_until")
    with patched({"fuzzy": IN_VISIBLE.sub(archived_too, SQL["fuzzy"])}):
        return find_pool(replace(search, conditions=(SQL["seen"] + " AND true",)), names, without=without)


def seen_by(alias: str, live: str, *, valid: str) -> str:
    """Return a channel's own idea of what may be seen, in place of the one that all share."""
    return (
        f"({alias}.memory_id IN (SELECT a.id FROM memory a WHERE a.tenant_id = %(tenant)s AND a.standing = 0 "
        f"AND {live} AND candor_visible_v3(a.project_id, a.agent_id, a.shared, a.domain, a.person, {valid}, "
        "%(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[], "
        "%(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, "
        "%(at)s::timestamptz))) IS TRUE"
    )


@contextmanager
def patched(texts: Mapping[str, str]) -> Iterator[None]:
    """Let other SQL stand in for these blocks; the statements are put together anew before and after."""
    former = {name: SQL[name] for name in texts}
    assert all(texts[name] != former[name] for name in texts), "nothing was broken"
    try:
        SQL.update(texts)
        statement.cache_clear()
        yield
    finally:
        SQL.update(former)
        statement.cache_clear()


BROKEN = {
    one.alias: one
    for one in (
        RecallEngine(alias="unwired", find=unwired),
        RecallEngine(alias="off-by-one", find=off_by_one),
        RecallEngine(alias="other-tenants", find=other_tenants),
        RecallEngine(alias="timeless-graph", find=timeless_graph),
        RecallEngine(alias="archived-fuzzy", find=archived_fuzzy),
    )
}
