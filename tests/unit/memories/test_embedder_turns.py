"""Who is embedded next, and in what pieces: the real scheduler over an engine that only notes."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest

from memories.embedders import turns
from memories.embedders.local import (
    LIGHT_TOKENS,
    MOST_QUERY_WINDOWS,
    MOST_WINDOWS,
    WINDOW_TOKENS,
    LocalEmbedder,
)
from memories.embedders.turns import MOST_WAITING, PATIENCE, Lane, ReaderBusy
from memories.embedders.windows import cut_windows, spread
from tenants.scope import pipeline_viewer, tenant_scope

SECONDS = 20.0


class NotingEngine:
    """An engine of which a test says when a pass may end. A token is a character; nothing is learned."""

    def __init__(self) -> None:
        self.passes: list[tuple[str, ...]] = []
        self.may_end = threading.Semaphore(0)
        self.began = threading.Semaphore(0)
        self.held = False

    def query(self, text: str) -> Any:
        return self._run([text])[0]

    def passage(self, texts: list[str]) -> Any:
        return self._run(texts)

    def token_count(self, text: str, is_query: bool = False) -> int:
        return len(text)

    def _run(self, texts: list[str]) -> Any:
        self.passes.append(tuple(texts))
        self.began.release()
        if self.held:
            assert self.may_end.acquire(timeout=SECONDS)
        made = np.zeros((len(texts), 384), dtype=np.float32)
        for row, text in enumerate(texts):
            made[row, ord(text[0]) % 384] = 1.0
        return made


@pytest.fixture
def engine() -> NotingEngine:
    return NotingEngine()


@pytest.fixture
def embedder(engine: NotingEngine) -> LocalEmbedder:
    return LocalEmbedder(engine=engine)


ADA, BEN, CLEO = uuid4(), uuid4(), uuid4()


class Askers:
    """Threads that embed for tenants, one after the other in the line of a lane."""

    def __init__(self, engine: NotingEngine, embedder: LocalEmbedder, lane: Lane) -> None:
        self._engine, self._embedder, self._lane = engine, embedder, lane
        self._pool = ThreadPoolExecutor(32)
        self.futures: list[Future[Any]] = []

    def ask(self, tenant: UUID, text: str, *, passage: bool = False) -> Future[Any]:
        """Start to embed, and return once it runs or waits."""
        before = self._lane.waiting()
        passes = len(self._engine.passes)
        future = self._pool.submit(self._embed, tenant, text, passage)
        self.futures.append(future)
        for _ in range(int(SECONDS * 200)):
            if future.done() or self._lane.waiting() > before or len(self._engine.passes) > passes:
                break
            threading.Event().wait(0.005)
        return future

    def _embed(self, tenant: UUID, text: str, passage: bool) -> Any:
        with tenant_scope(pipeline_viewer(tenant)):
            return self._embedder.embed_passages([text]) if passage else self._embedder.embed_query(text)

    def close(self) -> None:
        self._pool.shutdown()


@contextmanager
def held(engine: NotingEngine, embedder: LocalEmbedder) -> Iterator[Askers]:
    """Hold the first heavy pass until all stand in line, then let one after the other end."""
    engine.held = True
    askers = Askers(engine, embedder, embedder._heavy)
    askers._pool.submit(askers._embed, CLEO, "0" * WINDOW_TOKENS, True)
    assert engine.began.acquire(timeout=SECONDS)
    yield askers
    engine.held = False
    engine.may_end.release(64)
    for future in askers.futures:
        future.exception(timeout=SECONDS)
    askers.close()


def served(engine: NotingEngine) -> str:
    """Return the first letters of the passes, the one that was held left out."""
    return "".join(texts[0][0] for texts in engine.passes[1:])


def test_turns_go_between_tenants_by_cost_and_not_by_request(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    with held(engine, embedder) as askers:
        for letter in "abcd":
            askers.ask(ADA, letter * WINDOW_TOKENS)
        for letter in "vwxyz":
            askers.ask(BEN, letter * (WINDOW_TOKENS // 3))

    # For each of her windows he has four questions of a little less than a third.
    assert served(engine) == "avwxybzcd"


def test_a_question_goes_before_passages_that_waited_longer(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    with held(engine, embedder) as askers:
        askers.ask(ADA, "p" * WINDOW_TOKENS, passage=True)
        askers.ask(BEN, "q" * WINDOW_TOKENS, passage=True)
        askers.ask(ADA, "?" * WINDOW_TOKENS)

    assert served(engine) == "?pq"


def test_a_long_text_lets_others_in_between_its_windows(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    with held(engine, embedder) as askers:
        askers.ask(ADA, "p" * WINDOW_TOKENS * 3, passage=True)
        askers.ask(BEN, "q" * WINDOW_TOKENS, passage=True)

    assert sorted(served(engine)) == sorted("pqpp")
    assert served(engine).index("q") < 2


def test_whoever_asks_without_end_does_not_stop_writing(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    tenants = [uuid4() for _ in range(PATIENCE + 4)]
    with held(engine, embedder) as askers:
        askers.ask(ADA, "p" * WINDOW_TOKENS, passage=True)
        for tenant in tenants:
            askers.ask(tenant, "?" * WINDOW_TOKENS)

    assert served(engine) == "?" * PATIENCE + "p" + "?" * 4


def test_a_short_question_waits_for_no_long_text(engine: NotingEngine, embedder: LocalEmbedder) -> None:
    with held(engine, embedder) as askers:
        for _ in range(3):
            askers.ask(ADA, "a" * WINDOW_TOKENS)
        quick = askers._pool.submit(askers._embed, BEN, "b" * LIGHT_TOKENS, False)
        assert engine.began.acquire(timeout=SECONDS)
        assert engine.passes[-1] == ("b" * LIGHT_TOKENS,)
        assert not quick.done()


def test_in_one_lane_for_all_a_short_question_would_wait(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    """The control: with the light lane taken away the same question stands behind the pass that runs."""
    with held(engine, embedder) as askers:
        embedder._light = embedder._heavy
        quick = askers.ask(BEN, "b" * LIGHT_TOKENS)
        assert engine.passes == [("0" * WINDOW_TOKENS,)]
        assert not quick.done()


def test_a_tenant_takes_one_light_turn_at_a_time_so_that_another_has_the_other(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    engine.held = True
    askers = Askers(engine, embedder, embedder._light)
    for _ in range(3):
        askers.ask(ADA, "a" * 10)
    ben = askers._pool.submit(askers._embed, BEN, "b" * 10, False)
    for _ in range(2):
        assert engine.began.acquire(timeout=SECONDS)
    assert sorted(text[0][0] for text in engine.passes) == ["a", "b"]
    engine.held = False
    engine.may_end.release(8)
    for future in (*askers.futures, ben):
        future.result(timeout=SECONDS)
    askers.close()


def test_beyond_so_many_waiting_a_tenant_is_refused_and_another_is_not(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    with held(engine, embedder) as askers:
        for _ in range(MOST_WAITING):
            askers.ask(ADA, "a" * WINDOW_TOKENS)
        refused = askers.ask(ADA, "a" * WINDOW_TOKENS)
        taken = askers.ask(BEN, "b" * WINDOW_TOKENS)
        with pytest.raises(ReaderBusy):
            refused.result(timeout=SECONDS)

    assert taken.exception() is None


class Clock:
    """A time that passes by sleep and by work alone."""

    def __init__(self) -> None:
        self.now = self.worked = 0.0

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.worked

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def work(self, seconds: float) -> None:
        self.now += seconds
        self.worked += seconds


def test_a_lane_rests_in_proportion_to_the_work_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(turns, "time", clock)
    lane = Lane(at_once=1, rest=3.0)
    began = []
    for work in (2.0, 1.0, 0.0, 0.0):
        with lane.turn(ADA, cost=1, is_question=False):
            began.append(clock.now)
            clock.work(work)
            clock.sleep(0.5)  # a wait for the database is no work

    assert began == [0.0, 2.5 + 6.0, 8.5 + 1.5 + 3.0, 13.5]


def test_a_text_that_fits_is_one_pass_and_a_longer_one_has_no_longer_passes(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    embedder.embed_passages(["a" * WINDOW_TOKENS])
    assert engine.passes == [("a" * WINDOW_TOKENS,)]

    engine.passes.clear()
    embedder.embed_passages(["b" * 100_000, "short"])
    assert sum(len(texts) for texts in engine.passes) == MOST_WINDOWS + 1
    assert max(sum(map(len, texts)) for texts in engine.passes) <= WINDOW_TOKENS

    engine.passes.clear()
    embedder.embed_query("c" * 2_000)
    assert len(engine.passes) == MOST_QUERY_WINDOWS


def test_short_texts_beside_a_long_one_are_passes_of_their_own_size(
    engine: NotingEngine, embedder: LocalEmbedder
) -> None:
    vectors = embedder.embed_passages(["x" * 10, "y" * 3_000, "z" * 10])

    assert [int(np.argmax(vector)) for vector in vectors] == [ord(letter) for letter in "xyz"]


@pytest.mark.parametrize("text", ["", "a", "word " * 3_000, "年" * 5_000, "a\n" * 4_000, " " * 9_000])
def test_windows_joined_are_the_text_and_none_is_too_large(text: str) -> None:
    pieces = cut_windows(text, size=len, most=512, most_characters=400)

    assert "".join(pieces) == text
    assert all(0 < len(piece) <= 400 for piece in pieces)
    assert len(pieces) <= len(text) // 300 + 1


def test_a_window_ends_between_words() -> None:
    pieces = cut_windows("alpha beta gamma delta", size=len, most=12, most_characters=400)

    assert pieces == ["alpha beta ", "gamma delta"]


def test_a_character_that_counts_more_than_a_window_is_a_piece_of_its_own() -> None:
    assert cut_windows("ab", size=lambda piece: 100 * len(piece), most=10, most_characters=9) == ["a", "b"]


def test_what_is_chosen_of_many_lies_evenly_with_both_ends() -> None:
    assert spread(range(9), 3) == [0, 4, 8]
    assert spread(range(2), 3) == [0, 1]
    assert spread(range(9), 1) == [0]
