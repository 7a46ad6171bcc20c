"""Coming in: by name and password, by a link that works once; in one's own language (SPEC H-05, S-02)."""

import re
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse

from console import links
from console.links import make_link
from tenants.scope import Viewer
from tests.factories import make_membership, make_user
from tests.http.console.conftest import sit

pytestmark = pytest.mark.spec("H-05")

PASSWORD = "a-long-word-that-holds-9"


@pytest.fixture(autouse=True)
def fresh(settings: Any) -> None:
    """Give each test buckets that no other has taken from: their names are hashed with the key."""
    settings.SECRET_KEY = settings.SECRET_KEY + uuid4().hex


@pytest.fixture
def person(ada: Viewer) -> Any:
    """A person with a password and a place."""
    user = make_user("marge")
    make_membership(tenant=ada, user=user, role="operator", ceiling=3)
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    return user


def log_in(client: Client, password: str, **more: str) -> Any:
    return client.post(reverse("console-login"), {"username": "marge", "password": password, **more})


def test_one_logs_in_and_lands_where_one_wanted_to(person: Any) -> None:
    client = Client()

    assert log_in(client, PASSWORD, next="/console/health").headers["Location"] == "/console/health"
    assert client.get("/console/health").status_code == 200
    client.post(reverse("console-logout"))
    assert client.get("/console/health").status_code == 302
    assert log_in(client, PASSWORD, next="https://evil.example/").headers["Location"] == "/console/"


def test_a_wrong_password_is_told_and_many_are_held(person: Any) -> None:
    with override_settings(WRONG_PASSWORDS_PER_NAME=3):
        refused = [log_in(Client(), "wrong") for _ in range(4)]

    assert [one.status_code for one in refused] == [200, 200, 200, 429]
    assert int(refused[3].headers["Retry-After"]) > 0
    assert "Content-Security-Policy" in refused[0].headers


def test_who_may_not_enter_is_answered_like_a_wrong_password(person: Any) -> None:
    person.is_staff = False
    from django.contrib.auth.models import User

    from tenants.roles import OWNER_ALIAS

    User.objects.using(OWNER_ALIAS).filter(pk=person.pk).update(is_staff=False)
    refused, wrong = log_in(Client(), PASSWORD), log_in(Client(), "wrong")
    words = [re.findall(r'<li class="error">([^<]+)', one.content.decode()) for one in (refused, wrong)]

    assert refused.status_code == 200
    assert words[0] == words[1] != []


def test_a_link_works_once_and_not_for_long(person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    call_command("console_link", "marge", service="http://localhost:8010/", stdout=out, stderr=StringIO())
    address = out.getvalue().strip()
    assert address.startswith("http://localhost:8010/console/enter?link=")
    path = address.removeprefix("http://localhost:8010")

    client = Client()
    link = path.partition("link=")[2]
    assert "marge" in client.get(path).content.decode()  # to look at it spends nothing and opens nothing
    assert client.get("/console/").status_code == 302
    assert client.post(reverse("console-enter"), {"link": link}).headers["Location"] == reverse(
        "console-tour"
    )
    assert client.get("/console/").status_code == 200
    assert Client().post(reverse("console-enter"), {"link": link}).status_code == 403
    spent = Client().get(path)
    assert spent.status_code == 403
    assert "This link was used or has expired" in spent.content.decode()

    person.refresh_from_db()
    late = make_link(person)
    monkeypatch.setattr(links._LINK, "_now", lambda: datetime.now() + links.LIFETIME + timedelta(seconds=1))
    assert Client().get(reverse("console-enter"), {"link": late}).status_code == 403


@pytest.mark.parametrize("link", ["", "1", "x.y-z", "99999999999.a-b", "1.zz", "²."])
def test_a_link_that_nobody_made_opens_nothing(person: Any, link: str) -> None:
    assert Client().get(reverse("console-enter"), {"link": link}).status_code == 403


def test_no_link_is_made_for_nobody() -> None:
    with pytest.raises(CommandError, match="create_operator"):
        call_command("console_link", "nobody")


def test_the_console_speaks_the_readers_language(ada: Viewer) -> None:
    client = sit(ada)

    assert '<html lang="en">' in client.get("/console/").content.decode()
    chinese = client.get("/console/", headers={"Accept-Language": "zh-CN,zh;q=0.9"}).content.decode()
    assert '<html lang="zh-hans">' in chinese
    assert "待您处理" in chinese
    client.post(reverse("console-language"), {"language": "zh-hans", "next": "/console/"})
    assert "待您处理" in client.get("/console/").content.decode()
    client.post(reverse("console-language"), {"language": "tlh"})
    assert "待您处理" in client.get("/console/").content.decode()
    assert "The tenant" not in client.get("/api/v1/memories").content.decode()
    assert client.get("/api/v1/memories").json()["title"] == "Unauthorized"
