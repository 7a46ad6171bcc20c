"""The export, verified with the script alone, and the operator's commands."""

import io
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from security import audit
from security.audit.chain import NO_SALT
from security.audit.export import export_chain
from security.audit.query import EventFilter, list_events, verify, verify_end
from security.tasks import write_checkpoints
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_tenant
from tests.integration.security.meddling import meddling

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("S-03")]

SCRIPT = Path(__file__).parents[3] / "docs" / "verify_audit.py"
HOLDS = 0


@pytest.fixture(autouse=True)
def book(settings: Any, tmp_path: Path) -> Path:
    settings.AUDIT_DIR, settings.AUDIT_KEY, settings.AUDIT_FORMER_KEYS = tmp_path / "book", "ab" * 32, []
    return tmp_path / "book"


@pytest.fixture
def ada() -> Viewer:
    return tenant_with_events("ada")


def tenant_with_events(slug: str, count: int = 8) -> Viewer:
    tenant = make_tenant(slug)
    with tenant_scope(tenant), unit_of_work():
        made = [
            audit.Event(
                action="memory.correct", object_type="memory", object_id=f"{slug}-{number}",
                detail={"n": number, "half": 0.5, "名": "«x»\u2028"}, reason="line\nbreak",
                classification=number % 4,
            )
            for number in range(count)
        ]  # fmt: skip
        audit.append_all(made, now=NOW)
    return tenant


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("audit", *words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def checked(folder: Path, export: str, *more: str) -> tuple[int, str]:
    """Verify with nothing but the script, in a folder of its own, without our packages."""
    folder.mkdir(exist_ok=True)
    shutil.copy(SCRIPT, folder / "verify_audit.py")
    (folder / "export.jsonl").write_text(export)
    command = [sys.executable, "-I", "-S", "verify_audit.py", "export.jsonl", *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def test_the_script_is_short_and_knows_nothing_of_us() -> None:
    lines = SCRIPT.read_text().splitlines()

    assert len(lines) <= 66
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imports <= sys.stdlib_module_names


def test_an_export_with_its_checkpoints_holds_and_one_flipped_bit_does_not(
    ada: Viewer, book: Path, tmp_path: Path
) -> None:
    run("checkpoint", "--tenant", "ada")
    export = run("export", "--tenant", "ada")
    signed = book / f"{ada.tenant_id}.jsonl"
    key = json.loads(signed.read_text())["key"]
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(signed, folder / "signed.jsonl")

    assert checked(folder, export, "signed.jsonl", key) == (
        0,
        "holds up to seq 9; 0 events withheld, 0 payloads erased, 1 checkpoints counted; signed up to 8",
    )
    for place in range(40, len(export), 211):
        flipped = export[:place] + chr(ord(export[place]) ^ 1) + export[place + 1 :]
        code, told = checked(folder, flipped, "signed.jsonl", key)
        assert code, (place, export[place - 20 : place + 20], told)
    (folder / "signed.jsonl").write_text(signed.read_text().replace("2026", "2027", 1))
    assert checked(folder, export, "signed.jsonl", key)[1] == (
        "BROKEN: the last checkpoint is not signed by this key"
    )
    shutil.copy(signed, folder / "signed.jsonl")
    assert checked(folder, export, "signed.jsonl", "00" * 32)[0] == 1


def test_the_script_names_what_is_cut_off_and_what_was_rewritten(
    ada: Viewer, book: Path, tmp_path: Path
) -> None:
    run("checkpoint")
    key = json.loads((book / f"{ada.tenant_id}.jsonl").read_text())["key"]
    lines = run("export", "--tenant", "ada").split("\n")
    with meddling() as meddler:
        meddler.run("UPDATE audit_event SET object_id = 'other' WHERE object_id = 'ada-4'")
        meddler.run("DELETE FROM audit_link WHERE seq >= 5")
        for number in range(5, 9):
            meddler.run(
                "SELECT candor_link_audit(e) FROM audit_event e WHERE detail ->> 'n' = %(n)s",
                {"n": str(number - 1)},
            )
        with tenant_scope(ada):
            rewritten = "".join(f"{line}\n" for line in export_chain())
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(book / f"{ada.tenant_id}.jsonl", folder / "signed.jsonl")

    assert checked(folder, "\n".join(lines[:6]), "signed.jsonl", key) == (
        1, "BROKEN: seq 7: cut off; a checkpoint knows of 8",
    )  # fmt: skip
    assert checked(folder, rewritten)[0] == HOLDS  # the control: by itself it does
    assert checked(folder, rewritten, "signed.jsonl", key) == (1, "BROKEN: seq 5: altered or rewritten")
    assert checked(folder, "\n".join(lines[:3] + lines[4:])) == (1, "BROKEN: seq 4: missing, or out of place")
    assert checked(folder, "\n".join([*lines[:2], lines[3], lines[2], *lines[4:]]))[1].startswith(
        "BROKEN: seq 3"
    )


def test_the_script_names_a_checkpoint_that_was_counted_and_is_not_there(
    ada: Viewer, book: Path, tmp_path: Path
) -> None:
    run("checkpoint")
    with tenant_scope(ada), unit_of_work():
        audit.append("a", object_type="b", object_id="c", now=NOW)
    run("checkpoint")
    signed, folder = book / f"{ada.tenant_id}.jsonl", tmp_path / "elsewhere"
    lines = signed.read_bytes().splitlines(keepends=True)
    key = json.loads(lines[0])["key"]
    export = run("export", "--tenant", "ada")
    folder.mkdir()
    lost = {
        "emptied": b"",
        "shortened": lines[0],
        "torn": lines[0] + lines[1][:-20],
        "whole": b"".join(lines),
    }
    told = {}
    for name, content in lost.items():
        (folder / "signed.jsonl").write_bytes(content)
        told[name] = checked(folder, export, "signed.jsonl", key)

    why = "BROKEN: checkpoint {}: missing, or another than was counted"
    assert told == {
        "emptied": (1, why.format(1)),
        "shortened": (1, why.format(2)),
        "torn": (1, why.format(2)),
        "whole": (
            0,
            "holds up to seq 11; 0 events withheld, 0 payloads erased, 2 checkpoints counted; "
            "signed up to 10",
        ),
    }


def test_an_operator_gives_up_what_was_lost_and_the_trail_keeps_why(
    ada: Viewer, book: Path, tmp_path: Path
) -> None:
    run("checkpoint")
    signed = book / f"{ada.tenant_id}.jsonl"
    signed.unlink()
    with pytest.raises(CommandError, match="broken: ada"):
        run("checkpoint")
    for words in (["--restart", "lost"], ["--tenant", "ada", "--restart", " "]):
        with pytest.raises(CommandError, match="needs a reason"):
            run("checkpoint", *words)

    run("checkpoint", "--tenant", "ada", "--restart", "the disk was lost")

    assert run("verify") == "ada\tholds: 11 events, 1 checkpoints, 1 given up before\n"
    with tenant_scope(ada):
        reasons = [row.reason for row in list_events(EventFilter(object_type="checkpoints"), most=9)]
    assert reasons == ["", "the disk was lost", ""]
    key = json.loads(signed.read_text())["key"]
    export = run("export", "--tenant", "ada")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(signed, folder / "signed.jsonl")
    assert checked(folder, export, "signed.jsonl", key)[0] == HOLDS
    signed.write_bytes(b"")
    with pytest.raises(CommandError, match="broken: ada"):
        run("verify")


@pytest.mark.spec("T-01", "S-01")
def test_an_export_holds_no_other_tenants_rows_and_nothing_above_the_clearance(
    ada: Viewer, tmp_path: Path
) -> None:
    tenant_with_events("bo")
    with tenant_scope(replace(ada, clearance=1)):
        lines = list(export_chain())

    rows = [json.loads(line) for line in lines]
    assert [row["seq"] for row in rows] == list(range(1, 9))
    assert {row["tenant"] for row in rows} == {str(ada.tenant_id)}
    assert "bo-" not in "".join(lines)
    shown = [row["event"]["object_id"] if row["event"] else None for row in rows]
    assert shown == ["ada-0", "ada-1", None, None, "ada-4", "ada-5", None, None]
    assert {row["event"]["classification"] for row in rows if row["event"]} == {0, 1}
    assert checked(tmp_path / "e", "".join(f"{line}\n" for line in lines)) == (
        0,
        "holds up to seq 8; 4 events withheld, 0 payloads erased, 0 checkpoints counted; signed up to 0",
    )


def test_an_altered_event_before_a_withheld_one_is_named_still(ada: Viewer, tmp_path: Path) -> None:
    with tenant_scope(replace(ada, clearance=1)):
        rows = [json.loads(line) for line in export_chain()]
    for name in ("hash", "event_hash", "payload_hash"):
        rows[1][name] = rows[0][name]  # of an event that is shown; number 3 is withheld

    code, told = checked(tmp_path / "e", "".join(json.dumps(row) + "\n" for row in rows))

    assert (code, told) == (1, "BROKEN: seq 2: the event was altered")


def test_an_export_of_a_later_part_begins_there(ada: Viewer, tmp_path: Path) -> None:
    with tenant_scope(ada), unit_of_work():
        later = NOW.replace(year=2027)
        audit.append("memory.archive", object_type="memory", object_id="late", now=later)

    export = run("export", "--tenant", "ada", "--since", "2026-12-31")

    assert [json.loads(line)["seq"] for line in export.split("\n")[:-1]] == [9]
    assert checked(tmp_path / "e", export)[0] == HOLDS
    assert run("export", "--tenant", "ada", "--since", "2028-01-01") == ""


def test_the_command_tells_what_holds_and_fails_with_what_is_broken(ada: Viewer) -> None:
    tenant_with_events("bo", 3)
    run("checkpoint")

    assert run("verify") == "ada\tholds: 9 events, 1 checkpoints\nbo\tholds: 4 events, 1 checkpoints\n"
    with meddling() as meddler:
        meddler.run("UPDATE audit_event SET reason = 'none' WHERE object_id = 'ada-5'")
        out = io.StringIO()
        with pytest.raises(CommandError, match="broken: ada") as raised:
            call_command("audit", "verify", "--json", stdout=out, stderr=io.StringIO())
    assert raised.value.returncode == 1
    facts = json.loads(out.getvalue())["tenants"]
    assert [(one["seq"], one["kind"]) for one in facts["ada"]["breaks"]] == [(6, "altered")]
    assert facts["bo"]["ok"]


def test_a_tenant_there_is_not_is_told() -> None:
    with pytest.raises(CommandError, match="no tenant «nobody»"):
        run("verify", "--tenant", "nobody")


def test_the_beat_signs_every_tenants_chain_but_the_broken_one(ada: Viewer, book: Path) -> None:
    bo = tenant_with_events("bo", 3)
    with meddling() as meddler:
        meddler.run("UPDATE audit_event SET reason = 'none' WHERE object_id = 'ada-5'")
        assert write_checkpoints() == 3
        assert [path.stem for path in book.glob("*.jsonl")] == [str(bo.tenant_id)]

    assert write_checkpoints() == 8
    with tenant_scope(ada):
        assert verify().checkpoints == 1


ERASE = "UPDATE audit_event SET reason = '', detail = '{{}}', salt = '{salt}' WHERE object_id = 'ada-4'"


def test_an_erased_payload_is_counted_as_erased_by_every_reader_and_breaks_nothing(
    ada: Viewer, book: Path, tmp_path: Path
) -> None:
    run("checkpoint")
    key = json.loads((book / f"{ada.tenant_id}.jsonl").read_text())["key"]
    with meddling() as meddler:
        meddler.run(ERASE.format(salt=NO_SALT))
        told, facts = run("verify", "--tenant", "ada"), json.loads(run("verify", "--tenant", "ada", "--json"))
        export = run("export", "--tenant", "ada")
        with tenant_scope(ada):
            whole, (end, _, _) = verify(), verify_end()
            rows = [row.erased for row in list_events(EventFilter(), most=20)]
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(book / f"{ada.tenant_id}.jsonl", folder / "signed.jsonl")

    assert "holds: 9 events, 1 of them erased, 1 checkpoints" in told
    assert (facts["tenants"]["ada"]["ok"], facts["tenants"]["ada"]["erased"]) == (True, 1)
    assert (whole.breaks, whole.erased, end.breaks) == ([], 1, [])
    assert sum(rows) == 1
    assert checked(folder, export, "signed.jsonl", key) == (
        0,
        "holds up to seq 9; 0 events withheld, 1 payloads erased, 1 checkpoints counted; signed up to 8",
    )


@pytest.mark.parametrize(
    "change",
    [
        ERASE.format(salt="00000000-0000-0000-0000-000000000001"),
        ERASE.format(salt=NO_SALT).replace("reason = ''", "reason = 'other'"),
        ERASE.format(salt=NO_SALT).replace("{}", '{"n": 4}'),
        ERASE.format(salt=NO_SALT).replace("SET ", "SET action = 'memory.archive', "),
        ERASE.format(salt=NO_SALT).replace("SET ", "SET at = at + interval '1 microsecond', "),
    ],
    ids=["another salt", "another reason", "a detail", "another action", "another moment"],
)
def test_what_only_looks_erased_is_altered(ada: Viewer, tmp_path: Path, change: str) -> None:
    with meddling() as meddler:
        meddler.run(change)
        export = run("export", "--tenant", "ada")
        with tenant_scope(ada):
            report = verify()

    assert [(one.seq, one.kind) for one in report.breaks] == [(5, "altered")]
    assert checked(tmp_path / "elsewhere", export) == (1, "BROKEN: seq 5: the event was altered")
