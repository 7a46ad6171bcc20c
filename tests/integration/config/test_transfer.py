"""A tenant leaves as lines of JSON and comes back as it was, beside others who notice nothing."""

import gzip
import json
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from config.transfer import load as loading
from security import audit
from security.audit import verify, write_checkpoints
from tenants.roles import OWNER_ALIAS
from tenants.scope import Viewer, pipeline_viewer, tenant_scope
from tests.factories import FACTORIES, make_memory, make_tenant
from tests.http.erasing import rows_of, scan

pytestmark = [pytest.mark.spec("I-03", "O-05"), pytest.mark.usefixtures("database")]

PLACES = ("embedding", "vector_home", "tenant", "audit_event", "audit_link")
"""Tables in which a tenant may differ: where its vectors lie, its lock's number, the trail of leaving."""


@pytest.fixture(autouse=True)
def audit_folder(settings: Any, tmp_path: Path) -> None:
    """Keep the checkpoints of each test apart."""
    settings.AUDIT_DIR = tmp_path / "audit"
    settings.AUDIT_KEY = "5a" * 32
    settings.AUDIT_DIR.mkdir()


@pytest.fixture
def two() -> tuple[Viewer, Viewer]:
    """Two tenants with a row in every table, memories that stand for each other, and a signed trail."""
    made = make_tenant("ada"), make_tenant("bo")
    for tenant in made:
        for make in FACTORIES.values():
            make(tenant=tenant)
        heir = make_memory(tenant=tenant, content='Größe «8\\" \\n» 鹅\t\x1f')
        make_memory(tenant=tenant, superseded_by=heir, standing=2)
        with tenant_scope(pipeline_viewer(tenant.tenant_id)):
            write_checkpoints(now=now())
    return made


def export(path: Path, *words: str, tenant: str = "ada") -> Any:
    out = StringIO()
    call_command(
        "export_tenant",
        "--tenant",
        tenant,
        "--to",
        str(path),
        "--json",
        *words,
        stdout=out,
        stderr=StringIO(),
    )
    return json.loads(out.getvalue())


def bring(path: Path, *words: str) -> Any:
    out = StringIO()
    admin = ("--admin-url", os.environ["CANDOR_TEST_ADMIN_URL"])
    since = () if "--receipts" in words else ("--no-receipts",)
    call_command("import_tenant", str(path), "--json", *admin, *since, *words, stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def offboard(tenant: str = "ada") -> None:
    call_command("offboard", "--tenant", tenant, "--yes", stdout=StringIO(), stderr=StringIO())


def test_a_tenant_comes_back_equal_in_every_field_and_byte(
    two: tuple[Viewer, Viewer], tmp_path: Path
) -> None:
    ada, bo = two
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl.gz"
    before, theirs = rows_of(ada), rows_of(bo)
    assert all(before.values())  # the control: there is a row in every table there is
    told = export(first)
    offboard()

    done = bring(first, "--same-people")

    assert done["rows"] == told["rows"]
    assert (done["breaks"], done["accounts"]) == (0, [])
    after = rows_of(ada)
    assert {name for name in before if after[name] != before[name]} <= set(PLACES)
    assert len(after["audit_event"]) == len(before["audit_event"])
    assert rows_of(bo) == theirs
    assert export(second)["digest"] == told["digest"]
    assert gzip.decompress(second.read_bytes()) == first.read_bytes()
    assert first.stat().st_mode & 0o777 == 0o600
    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        assert not verify().broken  # with the event of the second export


def test_what_was_exported_is_on_the_trail_and_not_in_the_file(
    two: tuple[Viewer, Viewer], tmp_path: Path
) -> None:
    told = export(tmp_path / "file")

    assert b"tenant.export" not in (tmp_path / "file").read_bytes()
    [event] = [row for row in rows_of(two[0])["audit_event"] if "tenant.export" in row]
    assert told["digest"] in event


def test_people_come_by_name_and_their_accounts_are_closed(
    two: tuple[Viewer, Viewer], tmp_path: Path
) -> None:
    export(tmp_path / "file")
    offboard()
    with pytest.raises(CommandError, match=r"account of that name.*--same-people"):
        bring(tmp_path / "file")
    names = sorted(User.objects.values_list("username", flat=True))
    offboard("bo")
    for user in User.objects.using(OWNER_ALIAS):
        user.username = f"other {user.username}"
        user.save(using=OWNER_ALIAS, update_fields=["username"])

    done = bring(tmp_path / "file")

    assert set(done["accounts"]) <= set(names)
    made = User.objects.filter(username__in=done["accounts"])
    assert made
    assert not made.filter(is_active=True)
    assert not any(user.has_usable_password() or user.is_staff for user in made)
    export(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "file").read_bytes()


def test_who_asks_sees_no_further_than_their_clearance(two: tuple[Viewer, Viewer], tmp_path: Path) -> None:
    make_memory(tenant=two[0], content="the merger", classification=3)
    make_memory(tenant=two[0], content="the canteen", classification=1)

    export(tmp_path / "low", "--clearance", "internal")
    export(tmp_path / "all")

    low, whole = (tmp_path / "low").read_text(), (tmp_path / "all").read_text()
    assert ("the canteen" in low, "the merger" in low) == (True, False)
    assert "the merger" in whole
    offboard()
    with pytest.raises(CommandError, match="lower clearance"):
        bring(tmp_path / "low")


def cut(text: str) -> str:
    return text[:-200]


def without_end(text: str) -> str:
    return "\n".join(text.splitlines()[:-1]) + "\n"


def changed(text: str) -> str:
    return text.replace("Größe", "Große", 1)


def without_a_row(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if '"table": "project"' not in line)


def anothers(text: str) -> str:
    head, rest = text.split("\n", 1)
    tenant = json.loads(head)["tenant"]
    return head + "\n" + rest.replace(tenant, "00000000-0000-4000-8000-000000000000", 1)


def other_tables(text: str) -> str:
    return text.replace('"schema": "', '"schema": "0', 1)


def other_secret(text: str) -> str:
    return text.replace('"secret": "', '"secret": "0', 1)


def other_form(text: str) -> str:
    return text.replace('"version": 1', '"version": 2', 1)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (cut, "cut short"),
        (without_end, "cut short"),
        (changed, "not what was written"),
        (without_a_row, "not what was written"),
        (anothers, "Line 2 is another tenant's"),
        (other_tables, "another version of Candor"),
        (other_secret, "--other-secret"),
        (other_form, "version 2 of its form"),
        (lambda _: "{}\n", "no export of a tenant"),
        (lambda _: "", "no export of a tenant"),
    ],
)
def test_a_file_that_is_not_what_was_written_is_refused_and_leaves_nothing(
    two: tuple[Viewer, Viewer], tmp_path: Path, spoil: Callable[[str], str], says: str
) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    export(good)
    offboard()
    bad.write_bytes(spoil(good.read_text("utf-8")).encode())

    with pytest.raises(CommandError, match=says):
        bring(bad, "--same-people")

    assert not any(rows_of(two[0]).values())
    assert bring(good, "--same-people")["breaks"] == 0


def test_a_row_that_refers_to_none_is_found_though_the_sums_are_right(
    two: tuple[Viewer, Viewer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(tmp_path / "good")
    offboard()
    (tmp_path / "bad").write_text(without_a_row((tmp_path / "good").read_text("utf-8")))
    monkeypatch.setattr(loading, "_require_whole", lambda _told, read, _rest: read)

    with pytest.raises(CommandError, match="refers to one of project"):
        bring(tmp_path / "bad", "--same-people")


def test_killed_on_its_way_in_nothing_is_there_and_it_can_be_done_again(
    two: tuple[Viewer, Viewer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(tmp_path / "file")
    offboard()
    monkeypatch.setattr(loading, "_put_checkpoints", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        bring(tmp_path / "file", "--same-people")
    monkeypatch.undo()
    assert not any(rows_of(two[0]).values())

    dry = bring(tmp_path / "file", "--same-people", "--dry-run")
    assert not dry["kept"]
    assert not any(rows_of(two[0]).values())
    assert bring(tmp_path / "file", "--same-people")["breaks"] == 0
    with pytest.raises(CommandError, match="here already"):
        bring(tmp_path / "file", "--same-people")


def test_a_trail_signed_by_a_key_nobody_trusts_here_is_told(
    two: tuple[Viewer, Viewer], tmp_path: Path, settings: Any
) -> None:
    export(tmp_path / "file")
    offboard()
    signed_by = audit.public_key_in_force().hex()
    settings.AUDIT_KEY, settings.AUDIT_DIR = "6b" * 32, tmp_path / "elsewhere"

    done = bring(tmp_path / "file", "--same-people")

    assert (done["signed_by"], done["events"]) == (signed_by, None)
    settings.AUDIT_FORMER_KEYS = [signed_by]
    with tenant_scope(pipeline_viewer(two[0].tenant_id)):
        assert not verify().broken


@pytest.mark.spec("S-05")
def test_what_was_forgotten_since_is_erased_again(two: tuple[Viewer, Viewer], tmp_path: Path) -> None:
    goes = make_memory(tenant=two[0], content="the name of the witness")
    export(tmp_path / "file")
    call_command("forget", "--tenant", "ada", "--memory", str(goes.id), stdout=StringIO(), stderr=StringIO())
    receipts = ("--receipts", str(tmp_path / "receipts"))
    call_command("replay_erasures", "--tenant", "ada", "--export", receipts[1], stdout=StringIO())
    offboard()

    done = bring(tmp_path / "file", "--same-people", *receipts)

    assert (done["erased_again"], done["breaks"]) == (1, 0)
    assert b"the witness" in (tmp_path / "file").read_bytes()  # the control
    assert scan("the witness") == {}


def test_nothing_is_overwritten_and_no_half_file_is_left(two: tuple[Viewer, Viewer], tmp_path: Path) -> None:
    export(tmp_path / "file")
    with pytest.raises(CommandError, match="is there already"):
        export(tmp_path / "file")
    with pytest.raises(CommandError, match="cannot be written"):
        export(tmp_path / "nowhere" / "file")
    with pytest.raises(CommandError, match="no tenant"):
        export(tmp_path / "other", tenant="nobody")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["audit", "file"]
