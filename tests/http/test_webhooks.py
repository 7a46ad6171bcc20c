"""Addresses that are told what happened: signed, in order, until it was taken, never inside (SPEC I-04)."""

import base64
import hmac
import re
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from evolution.events import MOST_WEBHOOKS, Courier
from evolution.models import Webhook
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.http.conftest import Caller, caller, errors, key_of, problem
from tests.http.receiving import Received, Receiver, receiver
from tests.http.saying import say

pytestmark = pytest.mark.spec("I-04")

LOOPBACK = ["127.0.0.0/8"]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "events.md"


@pytest.fixture
def hook(settings: Any) -> Iterator[Receiver]:
    """A receiver in a network of the operator's own."""
    settings.WEBHOOK_NETWORKS = LOOPBACK
    with receiver() as listening:
        yield listening


def made(one: Caller, url: str, *kinds: str) -> dict[str, Any]:
    """Make a webhook."""
    answer = one.post("webhooks", {"url": url, "kinds": list(kinds or ("stored",))})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def carry() -> None:
    """Let the courier go once round."""
    call_command("deliver_webhooks", once=True)


def hasten(tenant: Viewer) -> None:
    """Let the pause after a failure be over."""
    with tenant_scope(tenant), unit_of_work():
        Webhook.objects.update(next_at=timezone.now() - timedelta(seconds=1))


def is_signed(one: Received, secret: str) -> bool:
    """Return whether a receiver takes the message, as the standard has it (Standard Webhooks 1.0)."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{one.headers['webhook-id']}.{one.headers['webhook-timestamp']}.".encode() + one.body
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, "sha256").digest()).decode()
    return wanted in one.headers["webhook-signature"].split(" ")


def test_what_happens_is_sent_once_in_order_and_signed(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    say(ada, "This was said before there was a webhook.")
    webhook = made(one, hook.url)
    first = say(ada, "The east depot has no ramp.", session="tuesday")
    second = say(ada, "The west depot has two ramps.", session="wednesday")

    carry()
    carry()

    assert hook.objects() == [*first["memories"], *second["memories"]]
    assert all(is_signed(got, webhook["secret"]) for got in hook.got)
    feed = one.get("events?kind=stored").json()["results"][-len(hook.got) :]
    assert [got.headers["webhook-id"] for got in hook.got] == [event["id"] for event in feed]
    assert b"depot" not in b"".join(got.body for got in hook.got)
    shown = one.get(f"webhooks/{webhook['id']}").json()
    assert (shown["sent"], shown["failures"], shown["last_status"], shown["secret"]) == (
        len(hook.got), 0, 204, None,
    )  # fmt: skip


def test_a_receiver_checks_it_as_the_page_says(ada: Viewer, hook: Receiver) -> None:
    [code] = re.findall(r"```python\n(import base64.*?)```", PAGE.read_text(), re.DOTALL)
    page: dict[str, Any] = {}
    exec(code, page)
    webhook = made(caller(ada), hook.url)
    say(ada, "The east depot has no ramp.")
    carry()
    [got] = hook.got

    genuine = page["is_genuine"]
    assert genuine(got.headers, got.body, webhook["secret"])
    assert not genuine(got.headers, got.body + b" ", webhook["secret"])
    assert not genuine(got.headers, got.body, webhook["secret"], now=time.time() + 600)
    assert not genuine(got.headers, got.body, "whsec_" + base64.b64encode(b"x" * 32).decode())


def test_what_is_not_taken_is_sent_again_later_and_nothing_overtakes_it(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    say(ada, "The east depot has no ramp.")
    say(ada, "The west depot has two ramps.", session="tuesday")
    hook.answers = [(500, {}), (503, {"Retry-After": "1800"})]

    carry()
    carry()  # it rests

    assert len(hook.got) == 1
    shown = one.get(f"webhooks/{webhook['id']}").json()
    assert (shown["failures"], shown["last_status"], shown["last_error"]) == (1, 500, "answered with 500")
    hasten(ada)
    carry()
    rests_until = one.get(f"webhooks/{webhook['id']}").json()["next_at"]
    assert rests_until > (timezone.now() + timedelta(minutes=25)).isoformat()  # as the receiver asked
    hasten(ada)
    carry()

    ids = [got.headers["webhook-id"] for got in hook.got]
    assert len(ids) == 4
    assert ids[0] == ids[1] == ids[2] != ids[3]
    assert one.get(f"webhooks/{webhook['id']}").json()["failures"] == 0


@pytest.mark.parametrize(
    ("answer", "state", "why"),
    [
        ((410, {}), "stopped", "gone"),
        ((302, {"Location": "http://169.254.169.254/latest/meta-data"}), "active", ""),
        ((404, {}), "active", ""),
    ],
)
def test_an_answer_that_is_no_yes_takes_nothing(
    ada: Viewer, hook: Receiver, answer: Any, state: str, why: str
) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    say(ada, "The east depot has no ramp.")
    hook.answers = [answer]

    carry()

    shown = one.get(f"webhooks/{webhook['id']}").json()
    assert (shown["state"], shown["stopped_because"], shown["sent"]) == (state, why, 0)
    assert len(hook.got) == 1
    one.patch(f"webhooks/{webhook['id']}", {"state": "active"})
    carry()
    assert one.get(f"webhooks/{webhook['id']}").json()["sent"] == 1  # nothing was lost


def test_who_never_takes_anything_is_stopped_and_told_why(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    say(ada, "The east depot has no ramp.")
    hook.answers = [(500, {})] * 20
    for _ in range(20):
        hasten(ada)
        carry()

    shown = one.get(f"webhooks/{webhook['id']}").json()

    assert (shown["state"], shown["stopped_because"], shown["failures"]) == ("stopped", "failing", 12)
    assert len(hook.got) == 12
    [noted] = one.get("audit?action=webhook.stop").json()["results"]
    assert (noted["object_id"], noted["reason"]) == (webhook["id"], "failing")


@pytest.mark.spec("S-01", "S-02")
def test_a_webhook_sees_by_its_keys_eyes_and_ends_with_it(ada: Viewer, grace: Viewer, hook: Receiver) -> None:
    low = (
        caller(ada).post("keys", {"name": "hook", "scopes": ["read", "admin"], "ceiling": "internal"}).json()
    )
    webhook = made(Caller(low["key"]), hook.url)
    say(ada, "The salaries are paid on the first.", classification="confidential")
    say(grace, "Another tenant says something.")
    say(ada, "I moved to Porto in May.", person="rui")
    seen = say(ada, "The east depot has no ramp.", session="tuesday")
    carry()
    assert hook.objects() == [
        *(event["object_id"] for event in Caller(low["key"]).get("events?kind=stored").json()["results"])
    ]
    assert set(seen["memories"]) <= set(hook.objects())
    before = len(hook.got)

    assert caller(ada).delete(f"keys/{low['id']}").status_code == 204
    say(ada, "The west depot has two ramps.", session="wednesday")
    carry()

    assert len(hook.got) == before
    one = caller(ada)
    shown = one.get(f"webhooks/{webhook['id']}").json()
    assert (shown["state"], shown["stopped_because"]) == ("stopped", "key-ended")
    one.patch(f"webhooks/{webhook['id']}", {"state": "active"})  # by its own eyes from now on
    carry()
    assert len(hook.got) > before


def test_only_an_administrators_key_of_the_tenants_own_makes_one(ada: Viewer, grace: Viewer) -> None:
    url = "https://hooks.example.org/candor"
    body = {"url": url, "kinds": ["stored"]}
    webhook = made(caller(ada), url)

    assert caller(ada, scopes=["read"]).post("webhooks", body).status_code == 403
    assert caller(ada, scopes=["admin"]).post("webhooks", body).status_code == 403
    assert Caller(key_of(ada, external=True)).post("webhooks", body).status_code == 403
    for verb, sent in (("replay", {"after": "start"}), ("rotate", {}), ("ping", {})):
        assert caller(grace).post(f"webhooks/{webhook['id']}/{verb}", sent).status_code == 404
    assert caller(grace).get(f"webhooks/{webhook['id']}").status_code == 404
    assert caller(grace).delete(f"webhooks/{webhook['id']}").status_code == 404
    assert caller(grace).get("webhooks").json()["results"] == []


def test_webhooks_are_listed_changed_and_deleted(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    ids = [made(one, hook.url)["id"] for _ in range(3)]
    first = one.get("webhooks?limit=2").json()
    rest = one.get(f"webhooks?limit=2&cursor={first['next']}").json()
    assert [row["id"] for row in first["results"] + rest["results"]] == ids[::-1]

    changed = one.patch(f"webhooks/{ids[0]}", {"kinds": ["contradiction"], "state": "stopped"}).json()
    assert (changed["kinds"], changed["state"]) == (["contradiction"], "stopped")
    for one_id in ids[1:]:
        assert one.delete(f"webhooks/{one_id}").status_code == 204
    say(ada, "The east depot has no ramp.")
    carry()

    assert hook.got == []
    assert errors(one.patch(f"webhooks/{ids[0]}", {})) != {}
    assert errors(one.post("webhooks", {"url": hook.url, "kinds": ["everything"]})) != {}


def test_a_tenant_has_at_most_so_many(ada: Viewer) -> None:
    one = caller(ada)
    for number in range(MOST_WEBHOOKS):
        made(one, f"https://hooks.example.org/{number}")

    refused = one.post("webhooks", {"url": "https://hooks.example.org/more", "kinds": ["stored"]})

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:too-many-webhooks")


def test_what_was_sent_is_sent_again_under_its_id(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    began = timezone.now()
    say(ada, "The east depot has no ramp.")
    say(ada, "The west depot has two ramps.", session="tuesday")
    carry()
    ids = [got.headers["webhook-id"] for got in hook.got]
    hook.got.clear()

    for wish in ({"after": ids[0]}, {"since": began.isoformat()}, {"after": "start"}):
        answer = one.post(f"webhooks/{webhook['id']}/replay", wish)
        assert answer.status_code == 202, answer.content
        carry()

    assert [got.headers["webhook-id"] for got in hook.got] == [*ids[1:], *ids, *ids]
    assert one.post(f"webhooks/{webhook['id']}/replay", {}).status_code == 400
    gone = one.post(f"webhooks/{webhook['id']}/replay", {"after": str(UUID(int=7))})
    assert gone.status_code == 410


def test_what_is_asked_for_while_events_are_under_way_is_not_lost(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    say(ada, "The east depot has no ramp.")
    say(ada, "The west depot has two ramps.", session="tuesday")

    def replay() -> None:
        try:
            assert one.post(f"webhooks/{webhook['id']}/replay", {"after": "start"}).status_code == 202
        finally:
            connection.close()

    hook.meanwhile = replay
    carry()
    carry()

    first, second = dict.fromkeys(hook.objects())
    assert hook.objects() == [first, first, second]


def test_a_courier_that_goes_on_delivers_what_happens_meanwhile(ada: Viewer, hook: Receiver) -> None:
    webhooks = [made(caller(ada), hook.url) for _ in range(6)]
    courier = Courier()
    running = threading.Thread(target=courier.run)
    running.start()
    try:
        said = say(ada, "The east depot has no ramp.")
        until = time.monotonic() + 30
        while len(hook.got) < len(webhooks) and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        courier.stop()
        running.join()

    assert hook.objects() == said["memories"] * len(webhooks)


def test_a_new_secret_and_the_former_one_both_sign_for_a_day(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    fresh = one.post(f"webhooks/{webhook['id']}/rotate").json()
    assert fresh["secret"] != webhook["secret"]
    say(ada, "The east depot has no ramp.")
    carry()
    assert all(is_signed(got, secret) for got in hook.got for secret in (webhook["secret"], fresh["secret"]))
    with tenant_scope(ada), unit_of_work():
        Webhook.objects.update(secret_rotated_at=timezone.now() - timedelta(hours=25))
    hook.got.clear()
    say(ada, "The west depot has two ramps.", session="tuesday")
    carry()

    assert [is_signed(got, fresh["secret"]) for got in hook.got] == [True]
    assert not is_signed(hook.got[0], webhook["secret"])


@pytest.mark.spec("O-05")
def test_the_services_former_secret_signs_beside_a_new_one(
    ada: Viewer, hook: Receiver, settings: Any
) -> None:
    webhook = made(caller(ada), hook.url)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another one, of forty characters and more"
    say(ada, "The east depot has no ramp.")

    carry()

    assert [is_signed(got, webhook["secret"]) for got in hook.got] == [True]


def test_a_ping_says_nothing_and_tells_whether_it_arrives(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)

    assert one.post(f"webhooks/{webhook['id']}/ping").status_code == 202
    carry()
    carry()

    assert hook.kinds() == ["ping"]
    assert is_signed(hook.got[0], webhook["secret"])
    shown = one.get(f"webhooks/{webhook['id']}").json()
    assert (shown["last_status"], shown["sent"]) == (204, 0)


def test_after_a_ping_that_was_not_taken_nothing_else_is_tried(ada: Viewer, hook: Receiver) -> None:
    one = caller(ada)
    webhook = made(one, hook.url)
    say(ada, "The east depot has no ramp.")
    one.post(f"webhooks/{webhook['id']}/ping")
    hook.answers = [(500, {})]

    carry()

    assert hook.kinds() == ["ping"]
    assert one.get(f"webhooks/{webhook['id']}").json()["failures"] == 1
    hasten(ada)
    carry()
    assert hook.kinds() == ["ping", "ping", "stored"]


def test_couriers_beside_each_other_send_each_event_once(ada: Viewer, hook: Receiver) -> None:
    made(caller(ada), hook.url)
    for number in range(6):
        say(ada, f"Depot {number} has {number + 2} ramps.", session=f"s{number}")

    def run() -> None:
        try:
            carry()
        finally:
            connection.close()

    couriers = [threading.Thread(target=run) for _ in range(3)]
    for courier in couriers:
        courier.start()
    for courier in couriers:
        courier.join()
    carry()

    ids = [got.headers["webhook-id"] for got in hook.got]
    assert len(ids) == len(set(ids)) >= 6


INSIDE = [
    "127.0.0.1", "127.1", "127.0.0.2", "0.0.0.0", "0", "2130706433", "0x7f000001", "0x7f.1", "017700000001",
    "localhost", "localhost.", "LOCALHOST", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]",
    "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]",
    "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "[2001::1]", "[2001:db8::1]", "[5f00::1]",
    "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.0.1", "169.254.169.254",
    "169.254.170.2", "100.64.0.1", "100.100.100.200", "192.0.0.1", "192.0.2.1", "198.18.0.1",
    "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255",
]  # fmt: skip

REFUSED = [
    "http://hooks.example.org/", "gopher://hooks.example.org/", "file:///etc/passwd", "ftp://example.org/",
    "https://user@hooks.example.org/", "https://user:secret@hooks.example.org/", "https://@example.org/",
    "https://hooks.example.org/#x", "https://hooks.example.org\\@127.0.0.1/", "https:///path", "https://",
    "//hooks.example.org/", "hooks.example.org", "https://hooks.example.org:5432/",
    "https://hooks.example.org:6379/", "https://hooks.example.org:22/", "https://hooks.example.org:99999/",
    "https://hööks.example.org/", "https://hooks.example.org/ x", "https://hooks.example.org/\n",
    "https://[::1/", "https://hooks.example.org/" + "x" * 2_000,
]  # fmt: skip


@pytest.mark.parametrize("url", REFUSED)
def test_an_address_that_could_only_mean_harm_is_refused(ada: Viewer, url: str) -> None:
    answer = caller(ada).post("webhooks", {"url": url, "kinds": ["stored"]})

    assert set(errors(answer)) == {"url"}


def test_no_connection_leads_inside_however_the_host_is_written(ada: Viewer, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = ["198.51.100.64/32"]  # the operator has some network, where nobody is
    with tenant_scope(ada), unit_of_work():
        assert not Webhook.objects.exists()
    one = caller(ada)
    doors = [socket.create_server((host, 0), family=family) for host, family in LISTENERS]
    try:
        webhook = made(one, "https://hooks.example.org/")
        say(ada, "The east depot has no ramp.")
        told = {}
        for host in INSIDE:
            for door in doors:
                for scheme in ("http", "https"):
                    url = f"{scheme}://{host}:{door.getsockname()[1]}/"
                    answer = one.patch(f"webhooks/{webhook['id']}", {"url": url, "state": "active"})
                    if answer.status_code == 200:
                        carry()
                        told[url] = one.get(f"webhooks/{webhook['id']}").json()["last_error"]
        assert all(said in WORDS for said in told.values()), told
        assert len(told) >= 2 * len(doors) * len(INSIDE) * 0.9
        for door in doors:
            door.settimeout(0.05)
            with pytest.raises(TimeoutError):
                door.accept()
    finally:
        for door in doors:
            door.close()


LISTENERS = [("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6)]
WORDS = {"the address is not one that may be sent to", "the host is not known"}


def test_a_name_that_leads_elsewhere_at_the_second_look_leads_nowhere(
    ada: Viewer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_NETWORKS = ["127.0.0.2/32"]
    with receiver("127.0.0.2") as own:
        port = int(own.url.split(":")[2].split("/")[0])
        looks: list[str] = []
        truly = socket.getaddrinfo

        def resolve(host: str, port: Any, *more: Any, **named: Any) -> Any:
            if host.startswith("127."):
                return truly(host, port, *more, **named)  # an address, which is itself whoever is asked
            looks.append(host)
            address = "127.0.0.2" if len(looks) == 1 else "127.0.0.1"
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

        made(caller(ada), f"http://rebinding.example.org:{port}/hook")
        say(ada, "The east depot has no ramp.")
        with monkeypatch.context() as patched:
            patched.setattr(socket, "getaddrinfo", resolve)
            carry()
        assert len(own.got) == 1
        assert len(looks) == 1
        assert own.got[0].headers["host"] == f"rebinding.example.org:{port}"

        def both(host: str, port: Any, *_: Any, **__: Any) -> Any:
            return [
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
                for address in ("127.0.0.2", "127.0.0.1")
            ]

        say(ada, "The west depot has two ramps.", session="tuesday")
        with monkeypatch.context() as patched:
            patched.setattr(socket, "getaddrinfo", both)
            carry()
        assert len(own.got) == 1


def test_a_receiver_that_drips_is_left_in_time(ada: Viewer, settings: Any, monkeypatch: Any) -> None:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    monkeypatch.setattr("evolution.events.delivery.post", _hurried)
    with socket.create_server(("127.0.0.1", 0)) as door:
        drip = threading.Thread(target=_drip, args=(door,), daemon=True)
        drip.start()
        one = caller(ada)
        webhook = made(one, f"http://127.0.0.1:{door.getsockname()[1]}/")
        say(ada, "The east depot has no ramp.")

        carry()  # would go on for as long as the other side drips

        assert one.get(f"webhooks/{webhook['id']}").json()["last_error"] == "no answer in time"
        drip.join(timeout=10)


def _hurried(*words: Any, **options: Any) -> Any:
    from security.outbound import post

    return post(*words, **options, seconds=0.6)


def _drip(door: socket.socket) -> None:
    one, _ = door.accept()
    with one:
        one.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
        try:
            while True:
                one.sendall(b"x")
                threading.Event().wait(0.1)
        except OSError:
            pass
