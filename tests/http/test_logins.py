"""How often a password may be tried: so many for a name and an address, over all processes (SPEC S-02)."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from security.people import logins
from security.people.logins import give_back_turn, take_turn
from security.rest import throttles
from security.rest.rates import SharedBuckets
from tenants.scope import Viewer
from tests.factories import make_membership, make_user

pytestmark = pytest.mark.spec("S-02", "H-05")

RIGHT = "the-right-phrase-91"
TOO_OFTEN = "Too many wrong passwords."


@pytest.fixture(autouse=True)
def limits(settings: Any) -> None:
    """Few tries, and buckets that no other test has taken from."""
    settings.WRONG_PASSWORDS_PER_NAME, settings.WRONG_PASSWORDS_PER_ADDRESS = 3, 5
    settings.SECRET_KEY = (
        settings.SECRET_KEY + uuid4().hex
    )  # the names' hashes, and so their buckets, are new


@pytest.fixture
def person(ada: Viewer) -> str:
    """Return the name of somebody who may log in."""
    user = make_user("grace")
    user.set_password(RIGHT)
    user.save(using="owner")
    make_membership(tenant=ada, user=user, role="reader", ceiling=1)
    return "grace"


def log_in(name: str, password: str, *, address: str, **extra: Any) -> HttpResponse:
    client = Client()
    response: Any = client.post(
        "/admin/login/", {"username": name, "password": password}, REMOTE_ADDR=address, **extra
    )
    return response


def told(response: HttpResponse) -> str:
    """Return the page without what differs at each request, and without the name that was typed."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", response.content.decode())
    return re.sub(r'value="[^"]*" autofocus|(grace|nobody)', "", page)


def test_after_so_many_wrong_passwords_the_right_one_is_not_looked_at_either(person: str) -> None:
    wrong = [log_in(person, f"wrong-{n}", address=f"198.51.100.{n}") for n in range(4)]
    right = log_in(person, RIGHT, address="198.51.100.9")

    assert [response.status_code for response in [*wrong, right]] == [200, 200, 200, 429, 429]
    assert TOO_OFTEN in right.content.decode()
    assert 0 < int(right["Retry-After"]) <= 900
    # The control: another person, from an address that tried once, is let in.
    make_other(person)
    assert log_in("bea", RIGHT, address="198.51.100.1").status_code == 302


def make_other(_person: str) -> None:
    other = make_user("bea")
    other.set_password(RIGHT)
    other.save(using="owner")


def test_nothing_tells_whether_there_is_such_an_account(person: str) -> None:
    pages = {
        name: [log_in(name, "wrong", address=f"203.0.113.{place}{n}") for n in range(4)]
        for place, name in enumerate((person, "nobody"), start=1)
    }

    assert [r.status_code for r in pages[person]] == [r.status_code for r in pages["nobody"]]
    assert [told(r) for r in pages[person]] == [told(r) for r in pages["nobody"]]


@pytest.mark.parametrize("name", ["GRACE", "grace", "\uff47race"])
def test_another_spelling_of_a_name_has_no_turns_of_its_own(person: str, name: str) -> None:
    for number in range(3):
        log_in(person, "wrong", address=f"192.0.2.{number}")

    assert log_in(name, RIGHT, address="192.0.2.77").status_code == 429


def test_an_address_that_tries_many_names_is_refused_whatever_it_says_of_itself(person: str) -> None:
    tried = [
        log_in(f"name-{n}", "wrong", address="192.0.2.200", headers={"X-Forwarded-For": f"10.0.0.{n}"})
        for n in range(6)
    ]

    assert [response.status_code for response in tried] == [200] * 5 + [429]
    assert log_in(person, RIGHT, address="192.0.2.200").status_code == 429
    assert log_in(person, RIGHT, address="192.0.2.201").status_code == 302


def test_a_right_password_takes_no_turn(person: str) -> None:
    assert [log_in(person, RIGHT, address="192.0.2.5").status_code for _ in range(8)] == [302] * 8


def test_of_many_guesses_at_once_in_several_processes_so_many_are_looked_at(person: str) -> None:
    """Each thread counts by a store of its own, as another process would."""
    stores = [SharedBuckets(throttles.BUCKETS._url) for _ in range(8)]

    def guess(number: int) -> float:
        limits = logins._limits(person, f"192.0.2.{number}")
        return stores[number % 8].take(limits, window=logins.WINDOW_SECONDS)

    with ThreadPoolExecutor(8) as pool:
        passed = sum(wait == 0.0 for wait in pool.map(guess, range(40)))

    assert passed == 3 if throttles.BUCKETS._url else 3 <= passed <= 24


def test_a_turn_is_given_back_once_and_never_more_than_was_taken() -> None:
    for _ in range(3):
        give_back_turn("ann", "192.0.2.9")
    assert [take_turn("ann", "192.0.2.9") > 0 for _ in range(4)] == [False, False, False, True]
    give_back_turn("ann", "192.0.2.9")

    assert [take_turn("ann", "192.0.2.9") > 0 for _ in range(2)] == [False, True]


def test_who_found_an_open_session_may_not_guess_its_password_for_ever(person: str) -> None:
    client = Client()
    client.post("/admin/login/", {"username": person, "password": RIGHT}, REMOTE_ADDR="192.0.2.6")
    new = {"new_password1": "another-phrase-12", "new_password2": "another-phrase-12"}

    for number in range(3):
        client.post("/admin/password_change/", {"old_password": f"wrong-{number}", **new})
    refused = client.post("/admin/password_change/", {"old_password": RIGHT, **new})

    assert (refused.status_code, TOO_OFTEN in refused.content.decode()) == (200, True)


def test_a_name_stands_in_no_key_of_the_cache() -> None:
    keys = "".join(logins._limits("grace", "192.0.2.1"))

    assert "grace" not in keys
    assert "192.0.2.1" not in keys


def test_a_right_password_of_who_may_not_enter_is_counted_like_a_wrong_one(person: str) -> None:
    user = make_user("finn")
    user.set_password(RIGHT)
    user.is_staff = False
    user.save(using="owner")

    tried = [log_in("finn", RIGHT, address="192.0.2.44") for _ in range(4)]
    others = [log_in("nobody", RIGHT, address="192.0.2.45") for _ in range(4)]

    assert [response.status_code for response in tried] == [200, 200, 200, 429]
    assert [told(response).replace("finn", "") for response in tried] == [told(one) for one in others]
