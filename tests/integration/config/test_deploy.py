"""The files in deploy/ start what `up` starts, name settings that there are; an image has what it needs."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.management.commands.run import PROGRAMS
from config.management.commands.up import Command as Up
from config.management.commands.up import _programs
from tests.homes import PROJECT

DEPLOY = PROJECT / "deploy"
OF_OTHERS = {
    "APP_PASSWORD", "ADMIN_PASSWORD", "OWNER_PASSWORD", "BACKUP_PASSWORD", "POSTGRES_PASSWORD", "CANDOR_HOST",
    "CANDOR_IMAGE", "DB_PASSWORD",
}  # fmt: skip
"""Variables of the servers beside, and of compose itself."""


def compose() -> dict[str, Any]:
    """Return the services."""
    services: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return services


def started() -> Iterator[tuple[str, list[str]]]:
    """Yield each command line of ours in compose, the image and the units, with where it stands."""
    [image] = re.findall(r"^CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    yield "image", json.loads(image)
    for name, service in compose().items():
        if name in ("migrate", "bootstrap", "worker", "long", "beat", "courier"):
            yield f"compose {name}", service["command"]
    for name in sorted(wanted_units()):
        template, at, instance = name.partition("@")
        unit = RawConfigParser(strict=False)
        unit.read(DEPLOY / "systemd" / (f"{template}@.service" if at else name))
        command = unit["Service"]["ExecStart"].replace("%i", instance.removesuffix(".service"))
        yield name, command.split()


def wanted_units() -> set[str]:
    """Return the units that systemd starts."""
    target = RawConfigParser(strict=False)
    target.read(DEPLOY / "systemd" / "candor.target")
    return {"candor-migrate.service", *target["Unit"]["Wants"].split()}


@pytest.mark.spec("O-01")
def test_what_is_started_elsewhere_is_what_up_starts() -> None:
    parser = Up().create_parser("manage.py", "up")
    ours = {program.name for program in _programs(Path("/tmp"), vars(parser.parse_args([])))}
    run: dict[str, set[str]] = {"image": set(), "compose": set(), "candor": set()}
    for where, words in started():
        assert words[1] == "manage.py", where
        assert Path(words[0]).name == "python", where
        if words[2] == "run":
            run[re.split(r"[ @]", where)[0]].add(words[3])
            printed = manage(*words[2:], "--print")
            assert printed.returncode == 0, (where, printed.stderr)

    assert set(PROGRAMS) == ours
    assert run == {"image": {"web"}, "compose": ours - {"web"}, "candor": ours}


def manage(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a management command."""
    return subprocess.run(
        [sys.executable, "manage.py", *words], cwd=PROJECT, env={**os.environ, **environment},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_every_setting_that_is_named_is_one() -> None:
    known = set(re.findall(r"`([A-Z][A-Z_0-9]+)`", (PROJECT / "docs" / "settings.md").read_text()))
    texts = [path.read_text() for path in DEPLOY.rglob("*") if path.is_file() and path.name != "Caddyfile"]
    ours = re.compile(
        r"\b((?:CANDOR|ANTHROPIC|OPENAI)_[A-Z_0-9]+|[A-Z]*_?DATABASE_URL|BROKER_URL|[A-Z]+_PASSWORD)\b"
    )
    named = {name for text in texts for name in ours.findall(text)}

    assert named - known - OF_OTHERS == set()
    assert {"DATABASE_URL", "BROKER_URL", "CANDOR_SECRET_KEY", "CANDOR_PRODUCTION"} <= named


def test_our_containers_may_as_little_as_the_others() -> None:
    for name, service in compose().items():
        if "candor" not in str(service.get("image", "")):
            continue
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
    image = (DEPLOY / "Dockerfile").read_text()
    assert re.search(r"^USER 10001:10001$", image, re.MULTILINE)
    assert "HEALTHCHECK" in image
    assert "SECRET_KEY" not in image
    assert "--require-hashes" in image


def test_the_units_are_such_that_systemd_takes_them(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    for path in (DEPLOY / "systemd").glob("candor*"):
        text = path.read_text().replace("/opt/candor/.venv/bin/python", sys.executable)
        (tmp_path / path.name).write_text(text)
    units = [str(tmp_path / name) for name in ("candor.target", *wanted_units())]

    looked = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    )

    faults = [line for line in looked.stderr.splitlines() if "candor" in line and "/opt/candor" not in line]
    assert faults == []


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """What the image has of the project, by .dockerignore, and nothing else."""
    folder = tmp_path / "app"
    rules = (PROJECT / ".dockerignore").read_text().splitlines()
    for rule in rules:
        if not rule.startswith("!"):
            continue
        source, target = PROJECT / rule[1:], folder / rule[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy(source, target)
    return folder


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.spec("O-01", "T-02")
def test_what_an_image_has_serves_in_production_and_writes_nothing_beside_its_volumes(
    image: Path, tmp_path: Path, database: None
) -> None:
    static, home, port = tmp_path / "static", tmp_path / "home", free_port()
    from django.db import connections

    settings = connections["default"].settings_dict
    address = (
        f"postgresql://{settings['USER']}:{settings['PASSWORD']}@/{settings['NAME']}?host={settings['HOST']}"
    )
    environment = {
        "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(tmp_path / "nobody"),
        "CANDOR_PRODUCTION": "1", "CANDOR_SECRET_KEY": "a-secret-of-fifty-characters-and-more-0123456789-xyz",
        "CANDOR_ALLOWED_HOSTS": "memory.example.org", "CANDOR_TLS_BY_PROXY": "1",
        "CANDOR_STATIC_ROOT": str(static),
        "CANDOR_HOME": str(home), "DATABASE_URL": address, "BROKER_URL": "redis://127.0.0.1:1/0",
        "CANDOR_POOL_SIZE": "0", "TMPDIR": str(tmp_path),
    }  # fmt: skip
    before = {path.relative_to(image) for path in image.rglob("*")}

    def run(*words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "manage.py", *words], cwd=image, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    collected = run("collectstatic", "--noinput", "--verbosity", "0")
    assert (collected.communicate(timeout=120)[0], collected.returncode) == (b"", 0)
    web = run("run", "web", "--port", str(port), "--processes", "1")
    try:
        assert (
            answers(f"http://127.0.0.1:{port}/api/v1/health/live") == 400
        )  # it does not answer to this name
        assert is_healthy(port, environment)
        named = {"Host": "memory.example.org"}
        plain = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/keys", headers=named)
        assert redirects(plain)
    finally:
        web.send_signal(signal.SIGTERM)
        said = web.communicate(timeout=60)[0].decode()

    assert "Traceback" not in said
    assert {path.relative_to(image) for path in image.rglob("*")} == before
    assert any(static.rglob("*.css"))


def is_healthy(port: int, environment: dict[str, str]) -> bool:
    """Return what the image's own health check says, asked at this port."""
    words = (DEPLOY / "Dockerfile").read_text().split("HEALTHCHECK")[1]
    [check] = re.findall(r"^    (\[.*\])$", words, re.MULTILINE)
    command = json.loads(check.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
    asked = subprocess.run([sys.executable, *command[1:]], env=environment, check=False, timeout=30)
    return asked.returncode == 0


def answers(address: str) -> int:
    """Return the status, as soon as somebody answers."""
    until = time.monotonic() + 90
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def redirects(request: urllib.request.Request) -> bool:
    """Return whether who comes without TLS is sent to it."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(request, timeout=10)
    except urllib.error.HTTPError as error:
        return error.code == 301 and error.headers["Location"].startswith("https://")
    return False
