"""What a text is bound to, and what a move takes: pure (SPEC E-07, E-08)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.domain.review_due import full_weeks, is_due, review_score
from memories.domain.watermarks import (
    Fingerprint,
    Handle,
    choose_watermark,
    digest,
    factor_of,
    find_place,
    from_rows,
    plain_path,
    read_fingerprints,
    read_handle,
    to_rows,
)

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def file(path: str) -> Handle:
    return Handle(kind="file", name=path)


def git(ref: str, scope: str) -> Handle:
    return Handle(kind="git", name=ref, scope=scope)


def flag(name: str) -> Handle:
    return Handle(kind="flag", name=name)


@pytest.mark.spec("E-07")
@pytest.mark.parametrize(
    ("text", "handle", "named"),
    [
        ("The port stands in deploy/app.toml.", file("deploy/app.toml"), "deploy/app.toml"),
        ("The port stands in ./deploy/app.toml, line 4", file("deploy/app.toml"), "./deploy/app.toml"),
        ("端口写在 deploy/app.toml 里。", file("deploy/app.toml"), "deploy/app.toml"),
        ("The port stands in app.toml.", file("deploy/app.toml"), "app.toml"),
        ("The port stands in old-app.toml.", file("deploy/app.toml"), None),
        ("The port stands in app.toml.bak", file("deploy/app.toml"), None),
        ("Builds go by the Makefile of the project.", file("Makefile"), "Makefile"),
        ("The notes are short.", file("doc/notes"), None),
        ("The file `notes` is short.", file("doc/notes"), "notes"),
        ("On branch main the worker in jobs/mail retries twice.", git("main", "jobs/mail"), "jobs/mail"),
        ("On main, jobs/mail/run.py retries twice.", git("main", "jobs/mail"), "jobs/mail/run.py"),
        ("The main worker in jobs/mail retries twice.", git("main", "jobs/mail"), None),
        ("Branch main is protected.", git("main", "jobs/mail"), None),
        ("Branch main retries twice.", git("main", "."), None),
        ("The flag checkout is on for everybody.", flag("checkout"), "checkout"),
        ("The checkout is slow.", flag("checkout"), None),
        ("new-checkout is on for everybody.", flag("new-checkout"), "new-checkout"),
        ("开关 checkout 已打开。", flag("checkout"), "checkout"),
    ],
)
def test_a_handle_is_found_where_the_text_names_it(text: str, handle: Handle, named: str | None) -> None:
    place = find_place(text, handle)

    assert (place and text[place[0] : sum(place)]) == named


@pytest.mark.spec("E-07")
def test_a_text_is_bound_to_what_it_names_first_and_to_nothing_that_two_things_could_be() -> None:
    first, second, twin = (
        Fingerprint(handle=file(path), value="v") for path in ("a/app.toml", "lib/io.py", "b/app.toml")
    )

    assert choose_watermark("lib/io.py reads a/app.toml", [first, second]) == second
    assert choose_watermark("It reads app.toml", [first, second]) == first
    assert choose_watermark("It reads app.toml", [first, second, twin]) is None
    assert choose_watermark("It reads a/app.toml", [first, second, twin]) == first
    assert choose_watermark("It reads nothing", [first, second]) is None


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"kind": "world", "name": "x"}, "kind must be one of file, git, flag"),
        ({"kind": "file"}, "a handle of kind file has exactly path"),
        ({"kind": "git", "ref": "main"}, "a handle of kind git has exactly ref and scope"),
        ({"kind": "flag", "name": "x", "scope": "y"}, "a handle of kind flag has exactly name"),
        ({"kind": "git", "ref": "main", "scope": "./"}, "a handle must name one thing, not everything"),
        ({"kind": "file", "path": " / "}, "a handle must name one thing, not everything"),
    ],
)
def test_the_set_of_handles_is_closed(sent: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_handle(sent)


def test_one_handle_has_one_value() -> None:
    same = {"handle": {"kind": "file", "path": "./a.py"}, "value": "1"}

    found = read_fingerprints([same, {**same, "handle": {"kind": "file", "path": "a.py"}}])
    assert found == (Fingerprint(handle=file("a.py"), value=digest(file("a.py"), "1")),)
    assert from_rows(to_rows(found)) == found
    with pytest.raises(ValueError, match="one handle was sent with two values"):
        read_fingerprints([same, {**same, "value": "2"}])


def test_what_is_kept_of_a_fingerprint_tells_neither_its_value_nor_that_two_are_equal() -> None:
    assert digest(flag("a"), "on") != digest(flag("b"), "on") != digest(flag("b"), "off")
    assert "on" not in digest(flag("a"), "on")


def test_paths_have_one_spelling() -> None:
    spellings = ("a/b.py", "./a/b.py", "a//b.py", "a\\b.py", " a/./b.py ", "a/b.py/")
    assert {plain_path(path) for path in spellings} == {"a/b.py"}


@pytest.mark.spec("E-07")
def test_a_move_takes_half_of_the_trust_and_a_fifth_where_only_the_scope_moved() -> None:
    assert [factor_of(kind, bound="a", seen="b") for kind in ("file", "flag", "git")] == [0.5, 0.5, 0.8]
    assert [factor_of(kind, bound="a", seen="a") for kind in ("file", "flag", "git")] == [1.0] * 3


@pytest.mark.spec("E-08")
@pytest.mark.parametrize(
    ("start", "weeks", "score"),
    [
        (0.95, 0, 0.95),
        (0.95, 1, 0.931),
        (0.95, 10, 0.776219),
        (0.95, 60, 0.30),
        (0.25, 9, 0.25),
        (0.0, 9, 0.0),
    ],
)
def test_the_review_score_falls_by_the_full_week_to_its_floor(start: float, weeks: int, score: float) -> None:
    assert review_score(start, weeks) == pytest.approx(score, abs=1e-6)


@pytest.mark.spec("E-08")
@given(st.floats(0, 1), st.integers(0, 500), st.integers(0, 500))
def test_the_review_score_never_rises_nor_leaves_its_bounds(start: float, weeks: int, more: int) -> None:
    assert min(0.30, start) <= review_score(start, weeks + more) <= review_score(start, weeks) <= start


@pytest.mark.spec("E-08")
def test_only_states_without_a_watermark_grow_due_and_corrections_never() -> None:
    def due(weeks: float, trust: float = 0.6, provenance: str = "extracted", watched: bool = False) -> bool:
        return is_due(
            trust=trust, provenance=provenance, last_verified_at=NOW - timedelta(weeks=weeks),
            has_watermark=watched, now=NOW,
        )  # fmt: skip

    assert [due(26.9), due(27), due(27, watched=True)] == [False, True, False]
    assert [due(500, provenance="user_correction"), due(500, trust=0.3), due(-1)] == [False, False, False]
    assert full_weeks(NOW, NOW - timedelta(days=1)) == 0
