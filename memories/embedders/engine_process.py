"""
The engine in a process of its own, with a lower priority than the one that started it.

# Note [Why a process]
A thread with a lower priority is not enough. Between two passes it needs the interpreter, and while it holds
that and is kept off the processor, every other thread of its process waits. And where sessions share the
processor (Note [Sessions share the processor]) whatever a web process computes counts as the web's. The model
is mapped from its file, so that all processes have its weights in common.
"""

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Final

import numpy as np

from memories.cpu_priority import lower_process
from memories.embedders.base import Vectors
from memories.embedders.engine import load_engine

_NUMBER: Final = np.dtype(np.float32)


class EngineLost(RuntimeError):
    """The process that embeds long texts ended in the middle of a pass. The next pass starts another."""


class EngineProcess:
    """
    An engine process: started by its first pass, and again when it was lost. One pass at a time.

    It ends with this process, whatever ends that: its pipe is closed then.
    """

    def __init__(self, *, dimensions: int, nice: int) -> None:
        """Prepare; nothing is started. nice: what is added to its nice value, 0 to 19."""
        self._row_bytes = dimensions * _NUMBER.itemsize
        self._nice = nice
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[Any, Any] | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process, None when there is none."""
        return self._process.pid if self._process is not None else None

    def query(self, text: str) -> Vectors:
        """Return a question's vector. Raises EngineLost, and OSError when no process can be started."""
        vectors: Vectors = self._embed([text], is_query=True)[0]
        return vectors

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, shape (len(texts), dimensions). Raises as `query` does."""
        return self._embed(texts, is_query=False)

    def disown(self) -> None:
        """In a forked child: leave the process to the parent, whose pipe must not be held open here."""
        process, self._process = self._process, None
        if process is not None and self._end is not None:
            self._end.detach()
            _close(process)
            process.returncode = 0  # no child of this process, so it is not waited for

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        process = self._running()
        request = json.dumps({"texts": texts, "is_query": is_query}).encode() + b"\n"
        try:
            made = _ask(process, request, len(texts) * self._row_bytes)
        except BaseException:  # interrupted, too: the rest of an answer would be taken for the next one
            self._stop()
            raise
        return np.frombuffer(made, dtype=_NUMBER).reshape(len(texts), -1)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._stop()
        if self._process is None:
            self._process = _start(self._nice)
            self._end = weakref.finalize(self, _stop, self._process)
        return self._process

    def _stop(self) -> None:
        self._process = None
        if self._end is not None:
            self._end()


def _start(nice: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 our own module, no shell
        [sys.executable, "-m", __name__, str(nice)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )


def _ask(process: subprocess.Popen[bytes], request: bytes, size: int) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    answer: bytes
    try:
        process.stdin.write(request)
        process.stdin.flush()
        answer = process.stdout.read(size)
    except BrokenPipeError:
        answer = b""
    if len(answer) < size:
        raise EngineLost(EngineLost.__doc__)
    return answer


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    _close(process)


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Embed what comes, a request a line, until the pipe is closed."""
    engine = load_engine()
    for line in requests:
        request = json.loads(line)
        texts = request["texts"]
        made = engine.query(texts[0]) if request["is_query"] else engine.passage(texts)
        answers.write(np.ascontiguousarray(made, dtype=_NUMBER).tobytes())
        answers.flush()


if __name__ == "__main__":
    lower_process(int(sys.argv[1]))
    serve(sys.stdin.buffer, sys.stdout.buffer)
