"""A tenant is deleted by the catalogue, and others are byte for byte what they were."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from tenants import offboard as deleting
from tenants.offboard import Entangled, order_tables
from tenants.rls.audit import audit
from tenants.roles import OWNER_ALIAS
from tenants.scope import Viewer
from tests.factories import FACTORIES, make_memory, make_tenant
from tests.http.erasing import rows_of, scan
from tests.integration.memories.writing import rows

pytestmark = pytest.mark.spec("T-01", "S-05")


@pytest.fixture
def two(database: None) -> tuple[Viewer, Viewer]:
    """Two tenants with a row in every table, and memories that stand for each other."""
    made = make_tenant("ada"), make_tenant("bo")
    for tenant in made:
        for make in FACTORIES.values():
            make(tenant=tenant)
        heir = make_memory(tenant=tenant)
        make_memory(tenant=tenant, superseded_by=heir, standing=2)
    return made


def offboard(*args: str) -> Any:
    out = StringIO()
    call_command("offboard", *args, stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def walls() -> list[Any]:
    with connections[OWNER_ALIAS].cursor() as cursor:
        return audit(cursor)


def test_nothing_of_the_tenant_is_left_and_others_are_as_they_were(
    two: tuple[Viewer, Viewer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo = two
    monkeypatch.setattr(deleting, "BATCH", 2)
    theirs, before = rows_of(bo), rows_of(ada)
    assert all(before.values())  # the control: there is a row in every table there is
    would = offboard("--tenant", "ada", "--dry-run")
    assert rows_of(ada) == before

    done = offboard("--tenant", "ada", "--yes")

    assert done["rows"] == would["rows"]
    assert done["left"] == 0
    assert {name for name, found in rows_of(ada).items() if found} == set()
    assert rows_of(bo) == theirs
    assert scan(str(ada.tenant_id)) == {}
    assert walls() == []
    with pytest.raises(CommandError, match="no tenant"):
        offboard("--tenant", "ada", "--yes")
    assert rows(make_tenant("ada")) == []  # who takes the slug anew sees nothing
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(done))
    assert offboard("--check", str(file))["genuine"]
    file.write_text(json.dumps(done | {"slug": "bo"}))
    with pytest.raises(CommandError, match="not what was signed"):
        offboard("--check", str(file))


def test_killed_between_batches_it_goes_on_and_leaves_no_policy(
    two: tuple[Viewer, Viewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = two

    def stop(name: str, done: int) -> None:
        if name == "memory":
            raise KeyboardInterrupt

    real = deleting._empty
    monkeypatch.setattr(deleting, "_empty", lambda name, own, tenant, _: real(name, own, tenant, stop))
    with pytest.raises(KeyboardInterrupt):
        offboard("--tenant", "ada", "--yes")
    assert walls() == []
    monkeypatch.undo()

    assert offboard("--tenant", "ada", "--yes")["left"] == 0
    assert {name for name, found in rows_of(ada).items() if found} == set()


def test_tables_in_a_circle_are_refused() -> None:
    assert order_tables(["a", "b", "c"], [("b", "a"), ("c", "b"), ("a", "a")]) == ["c", "b", "a"]
    with pytest.raises(Entangled):
        order_tables(["a", "b"], [("a", "b"), ("b", "a")])
