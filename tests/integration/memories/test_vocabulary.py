"""The vocabulary follows the postings, whoever writes, moves or drops them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection, connections, transaction

import memories.migrations
from memories.models import Memory, Posting, Vocabulary
from memories.queries import run
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_memory, make_tenant

MIGRATIONS = Path(memories.migrations.__path__[0]) / "sql"


@pytest.fixture
def ada() -> Iterator[Viewer]:
    """A tenant, in force."""
    viewer = make_tenant("ada")
    with tenant_scope(viewer):
        yield viewer


def known(word: str) -> dict[int, list[str]]:
    """Return what is known of a word: class → grams, as many as each row says."""
    with unit_of_work():
        rows = list(Vocabulary.objects.filter(term=word).order_by("gram"))
    found: dict[int, list[str]] = {}
    for row in rows:
        found.setdefault(row.classification, []).append(row.gram)
    assert {row.size for row in rows} == {len(grams) for grams in found.values()}
    return found


@pytest.mark.parametrize(
    ("term", "grams"),
    [
        ("relay", ["  r", " re", "ay ", "ela", "lay", "rel"]),
        ("müller", ["  m", " mu", "er ", "ler", "lle", "mul", "ull"]),
        ("aaaaaa", ["  a", " aa", "aa ", "aaa"]),
        ("数据", ["^数", "据$"]),
        ("데이", ["^데", "이$"]),
        ("cat", []),
        ("数", []),
        ("#relay", []),
        ("2024-05-06", []),
        ("v2.3-beta", []),
        ("x" * 33, []),
    ],
)
def test_a_term_is_cut_into_its_grams(ada: Viewer, term: str, grams: list[str]) -> None:
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT candor_grams(%s)", [term])
        assert sorted(cursor.fetchone()[0]) == grams


def test_a_word_comes_with_its_first_posting_and_goes_with_its_last(ada: Viewer) -> None:
    one, other = (make_memory(tenant=ada, terms={"relay": 1, "noon": 1}) for _ in range(2))
    assert known("relay") == {1: ["  r", " re", "ay ", "ela", "lay", "rel"]}

    with unit_of_work():
        Posting.objects.filter(memory=one).delete()
    assert known("relay") != {}

    with unit_of_work():
        Posting.objects.filter(memory=other).delete()
    assert known("relay") == known("noon") == {}


def test_a_word_is_known_by_the_classes_of_its_postings_and_moves_with_them(ada: Viewer) -> None:
    low, high = (make_memory(tenant=ada, terms={"relay": 1}, classification=rank) for rank in (0, 3))
    assert known("relay").keys() == {0, 3}

    with unit_of_work():
        Posting.objects.filter(memory=low).update(classification=2)
    assert known("relay").keys() == {2, 3}

    with unit_of_work():
        Posting.objects.filter(memory=high).delete()
    assert known("relay").keys() == {2}


@pytest.mark.spec("S-01", "T-01")
def test_words_above_ones_clearance_and_of_other_tenants_are_not_there(ada: Viewer) -> None:
    make_memory(tenant=ada, terms={"relay": 1}, classification=3)
    with tenant_scope(Viewer(tenant_id=ada.tenant_id, clearance=1)):
        assert known("relay") == {}
    with tenant_scope(make_tenant("bo")):
        assert known("relay") == {}


def test_two_writers_of_the_same_new_words_leave_each_of_them_once(ada: Viewer) -> None:
    rows = [make_memory(tenant=ada, terms={"first": 1}) for _ in range(4)]

    def write(row: Memory, terms: list[str]) -> None:
        try:
            with tenant_scope(ada), unit_of_work():
                posting = {"memory": row.id, "length": 2, "classification": 1, "live": True}
                run("insert_postings", terms=terms, frequencies=[1] * len(terms), **posting)
        finally:
            connections.close_all()

    words = ["kestrel", "osprey", "merlin", "harrier"]
    with ThreadPoolExecutor(len(rows)) as pool:
        list(pool.map(write, rows, [words[turn:] + words[:turn] for turn in range(len(rows))]))

    assert [known(word).keys() for word in words] == [{1}] * len(words)


def test_the_migration_fills_it_from_the_postings_there_are_under_forced_row_security(ada: Viewer) -> None:
    make_memory(tenant=ada, terms={"relay": 1, "数据": 1, "#tag": 1}, classification=2)
    make_memory(tenant=make_tenant("bo"), terms={"kestrel": 1})
    expected = {word: known(word) for word in ("relay", "数据", "#tag", "kestrel")}

    with transaction.atomic(using="owner"), connections["owner"].cursor() as owner:
        owner.execute("TRUNCATE vocabulary")
        owner.execute(
            "ALTER TABLE vocabulary NO FORCE ROW LEVEL SECURITY"
        )  # it is not raised before the fill
        owner.execute((MIGRATIONS / "0006_fill.sql").read_text("utf-8"))
        owner.execute("ALTER TABLE vocabulary FORCE ROW LEVEL SECURITY")
        owner.execute(
            "SELECT count(*) FROM pg_policies WHERE tablename = 'posting' AND 'candor_owner' = ANY (roles)"
        )
        assert owner.fetchone() == (0,)

    assert {word: known(word) for word in expected} == expected
    assert (expected["relay"].keys(), expected["#tag"], expected["kestrel"]) == ({2}, {}, {})
