"""Heavy passes in a process of their own: the same vectors, a lower priority, and an end with its parent."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memories.embedders.background import LOWER_PRIORITY, Background
from memories.embedders.engine import Engine, load_engine
from memories.embedders.engine_process import EngineLost, EngineProcess
from memories.embedders.local import LIGHT_TOKENS, LocalEmbedder
from tests.scheduling import nice_of_session

SECONDS = 30.0
LONG = "连接池太小。" * 30
TEXTS = ["The pool was too small.", LONG, "", "😀\n{}"]

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return load_engine()


@pytest.fixture
def apart() -> Iterator[EngineProcess]:
    process = EngineProcess(dimensions=384, nice=LOWER_PRIORITY)
    yield process
    del process
    gc.collect()


def has_ended(pid: int) -> bool:
    """Wait until a process that may be no child of ours has ended."""
    for _ in range(int(SECONDS * 50)):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.spec("M-14")
def test_an_engine_process_makes_the_same_vectors_to_the_byte(apart: EngineProcess, engine: Engine) -> None:
    assert apart.passage(TEXTS).tobytes() == np.asarray(engine.passage(TEXTS)).tobytes()
    assert apart.query(LONG).tobytes() == np.asarray(engine.query(LONG)).tobytes()


@linux
@pytest.mark.spec("S-07")
def test_long_texts_are_embedded_by_a_process_that_stands_back_and_short_ones_here() -> None:
    embedder = LocalEmbedder(apart=True)
    apart = embedder._background._apart
    assert apart is not None
    assert embedder._model.token_count(LONG) > LIGHT_TOKENS

    embedder.embed_query("short")
    assert apart.pid is None

    embedder.embed_query(LONG)
    assert apart.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, apart.pid) == LOWER_PRIORITY
    assert os.getsid(apart.pid) == apart.pid
    assert nice_of_session(apart.pid) in (None, LOWER_PRIORITY)
    assert os.getpriority(os.PRIO_PROCESS, 0) == 0


@linux
def test_a_lost_process_fails_its_pass_and_the_next_pass_has_another(apart: EngineProcess) -> None:
    apart.query("one")
    first = apart.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)  # so that it is lost within a pass
    killer = subprocess.Popen(
        [sys.executable, "-c", f"import os, time; time.sleep(0.3); os.kill({first}, 9)"]
    )
    with pytest.raises(EngineLost):
        apart.query("two")
    killer.wait(SECONDS)

    assert apart.query("three").shape == (384,)
    second = apart.pid
    assert second not in (None, first)
    assert second is not None

    os.kill(second, signal.SIGKILL)  # between two passes nobody need notice
    assert has_ended(second)
    assert apart.query("four").shape == (384,)


PARENT = """
import sys, time
from memories.embedders.engine_process import EngineProcess
apart = EngineProcess(dimensions=384, nice=1)
apart.query("one")
print(apart.pid, flush=True)
time.sleep(600)
"""


@linux
def test_a_process_ends_with_the_one_that_started_it_even_when_that_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait(SECONDS)
    parent.stdout.close()

    assert has_ended(pid)


FORKING = """
import os, sys
from memories.embedders.local import LocalEmbedder
embedder = LocalEmbedder(apart=True)
apart = embedder._background._apart
long = "word " * 150
before = embedder.embed_query(long).tobytes()
first = apart.pid
child = os.fork()
if child == 0:
    same = apart.pid is None and embedder.embed_query(long).tobytes() == before
    os._exit(0 if same and apart.pid != first else 1)
ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
again = embedder.embed_query(long).tobytes() == before and apart.pid == first
print(ended, again)
"""


@linux
def test_a_forked_process_starts_its_own_and_leaves_its_parents_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING], capture_output=True, text=True, timeout=4 * SECONDS,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}, check=False,
    )  # fmt: skip

    assert done.stdout.split() == ["0", "True"], done.stderr


def test_where_no_process_can_be_started_a_thread_embeds(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    background = Background(engine, apart=EngineProcess(dimensions=384, nice=LOWER_PRIORITY))

    vectors = [background.query("one") for _ in range(2)]

    assert all(vector.tobytes() == np.asarray(engine.query("one")).tobytes() for vector in vectors)
    assert [record.message for record in caplog.records] == [
        "no process can be started; long texts are embedded in this one"
    ]


LOWERED = """
import os, sys
from memories.cpu_priority import lower_process
if sys.argv[1] == "leader":
    os.setsid()
print(os.getpid(), flush=True)
sys.stdin.readline()
lower_process(7)
print(os.getpriority(os.PRIO_PROCESS, 0), flush=True)
sys.stdin.read()
"""


@linux
@pytest.mark.spec("O-04")
@pytest.mark.parametrize("where", ["leader", "member"])
def test_a_process_lowers_itself_and_the_session_that_is_its_own(where: str) -> None:
    nice, ours = os.getpriority(os.PRIO_PROCESS, 0), nice_of_session(os.getpid())
    child = subprocess.Popen(
        [sys.executable, "-c", LOWERED, where], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    before = nice_of_session(pid)  # None where the kernel ranks by no session
    child.stdin.write("now\n")
    child.stdin.flush()
    lowered = int(child.stdout.readline())
    after = nice_of_session(pid)
    child.communicate(timeout=SECONDS)

    assert lowered == nice + 7
    assert after == (7 if where == "leader" and before is not None else before)
    assert nice_of_session(os.getpid()) == ours
