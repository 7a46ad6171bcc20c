"""What the service depends on, under the scheduler's hand: a broker, an embedder, a language model."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from memories.embedders.base import EmbedderUnavailable, Vectors
from memories.embedders.fake import FakeEmbedder
from memories.llms.base import LanguageModel, ModelUnavailable, Note, Reflection, Turn
from memories.llms.opinions import Opinion
from memories.llms.rules import RulesModel

EMBEDDERS = {"default": {"BACKEND": "tests.simulation.outside.FailingEmbedder", "OPTIONS": {}}}
"""settings.EMBEDDERS."""

LLMS = {
    "default": {"BACKEND": "tests.simulation.outside.LyingModel", "OPTIONS": {}},
    "fallback": {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}},
}
"""settings.LLMS."""


@dataclass(slots=True)
class Weather:
    """What is out, and how the language model behaves."""

    embedder_out: bool = False
    broker_out: bool = False
    model: str = "honest"  #: honest, lying or out

    def clear_up(self) -> None:
        """Let everything be there, and the model be honest."""
        self.embedder_out, self.broker_out, self.model = False, False, "honest"


WEATHER = Weather()
"""Of the simulation that runs: backends are made by the service, and find it here."""


@dataclass(frozen=True, slots=True)
class Message:
    """A hint on its way to a worker."""

    task: str
    args: tuple[str, ...]


@dataclass(slots=True)
class Broker:
    """Messages that were sent and not delivered; in what order they come is the scheduler's to say."""

    waiting: list[Message] = field(default_factory=list)

    def send_task(self, name: str, args: Sequence[str] = (), **_how: Any) -> None:
        """Take a message as Celery's own method does. Raises ConnectionError while the broker is out."""
        if WEATHER.broker_out:
            raise ConnectionError("the broker is out")
        self.waiting.append(Message(name, tuple(args)))


class TurnExecutor(Executor):
    """Lets what a process does after an answer be an actor of its own."""

    def __init__(self, enter: Callable[[str, Callable[[], None]], object]) -> None:
        self._enter = enter

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let the work take turns with all other work; nobody waits for what it returns."""
        self._enter("after", lambda: fn(*args, **kwargs))
        return Future()


class FailingEmbedder(FakeEmbedder):
    """Hashed words, at times out."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of these texts. Raises EmbedderUnavailable while it is out."""
        self._require()
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question. Raises EmbedderUnavailable while it is out."""
        self._require()
        return super().embed_query(text)

    def _require(self) -> None:
        if WEATHER.embedder_out:
            raise EmbedderUnavailable("the embedder is out")


class LyingModel(LanguageModel):
    """
    Reads as the rules do; while it lies it claims tasks and changes that nobody spoke of.

    Its lies: a task of the highest origin, words that were not said, and verdicts that retire every row it is
    shown and some that it is not.
    """

    name = "scripted"
    own_words = True
    judges = True

    def __init__(self) -> None:
        self._rules = RulesModel()

    def extract(self, turn: Turn) -> Reflection:
        """Return notes on the turn. Raises ModelUnavailable while it is out."""
        if WEATHER.model == "out":
            raise ModelUnavailable("the model is out")
        found = self._rules.extract(turn)
        if WEATHER.model != "lying":
            return replace(found, model=self.name)
        return replace(found, model=self.name, notes=(*(_twist(note, turn) for note in found.notes),))


def _twist(note: Note, turn: Turn) -> Note:
    shown = [
        Opinion(row=row.id, version=row.version, does="replaces", confidence=1.0, judge=LyingModel.name)
        for row in turn.briefing.rows
    ]
    unknown = Opinion(row=UUID(int=7), version=1, does="ends", confidence=1.0, judge=LyingModel.name)
    return replace(
        note, content=f"Invented: {note.content}", own_words=True, provenance="user_stated", importance=5,
        confidence=1.0, opinions=(*shown, unknown),
    )  # fmt: skip
