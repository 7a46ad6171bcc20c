"""The engine's digest: of what decides what is shown, and of nothing else."""

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from recall import configuration_digest
from recall.configuration_digest import engine, engine_sources

pytestmark = pytest.mark.spec("S-06")


def names() -> set[str]:
    return {path.relative_to(configuration_digest.ROOT).as_posix() for path in engine_sources()}


def test_what_decides_what_is_shown_is_the_engine() -> None:
    assert {
        "recall/retrieval/visibility_filter.py", "recall/ranking/formulas.py", "recall/sql/queries.sql",
        "recall/policies/policy.py", "recall/models/events.py",
        "memories/access/visibility.py", "memories/migrations/sql/0021_visible_v2.sql",
        "tenants/rls/policies.py",
        "security/migrations/sql/0005_authenticate_v2.sql", "recall/migrations/sql/0008_gate_follow.sql",
    } <= names()  # fmt: skip


def test_every_source_that_is_named_is_there() -> None:
    assert [one for one in configuration_digest.SOURCES if not any(configuration_digest.ROOT.glob(one))] == []
    assert {"security/keys/lifecycle.py", "security/rest/api_view.py", "tenants/sql/locks.sql"} <= names()


def test_pages_addresses_and_forms_are_not_the_engine() -> None:
    assert not names() & {
        "recall/admin/events.py", "recall/http/views_recall.py", "recall/http/serializers_recall.py",
        "recall/urls.py", "recall/tasks.py",
        "recall/apps.py", "security/admin.py",
    }  # fmt: skip


def test_a_line_more_in_any_source_is_another_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "recall").mkdir()
    (tmp_path / "recall" / "sight.py").write_text("wired = True\n")
    (tmp_path / "recall" / "views.py").write_text("")
    monkeypatch.setattr(configuration_digest, "ROOT", tmp_path)

    digests = [engine()]
    for file, text in (("sight.py", "wired = False\n"), ("views.py", "more\n"), ("other.py", "")):
        (tmp_path / "recall" / file).write_text(text)
        digests.append(engine())

    assert digests[0] != digests[1] == digests[2] != digests[3]
    assert all(len(digest) == 64 for digest in digests)


def test_another_engine_by_its_name_is_another_engine(settings: Settings) -> None:
    settings.RECALL_ENGINE = "together"
    before = engine()
    settings.RECALL_ENGINE = "exact"

    assert engine() != before
