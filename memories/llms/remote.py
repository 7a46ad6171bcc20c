"""Language models over a network: a turn, or another task, in; notes, or its answer, out."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from typing import ClassVar

from memories.language import split_sentences
from memories.llms.asking import Answer, Remote
from memories.llms.base import LanguageModel, Note, Reflection, Spent, Turn
from memories.llms.breaker import Breaker
from memories.llms.prompts import Task, parse_answer, turn_prompt


class RemoteModel(Remote, LanguageModel):
    """A language model behind an HTTP API, held to the limits of `Remote`."""

    breaker: Breaker
    judges = True
    efforts: ClassVar[tuple[str, ...]] = ()  #: what the option `effort` may be

    @abstractmethod
    def _stand(self, task: Task) -> None:
        """Prepare what every request of this task begins with."""

    def extract(self, turn: Turn) -> Reflection:
        """Ask for the notes of a turn; see `LanguageModel.extract`."""
        sentences = split_sentences(turn.text)
        if not sentences:
            return self._reflection((), Spent())
        told = [turn_prompt(turn, sentences)]
        notes, spent = self._converse(told, lambda text: parse_answer(text, turn, sentences, judge=self.name))
        return self._reflection(notes, spent)

    def answer(
        self, task: Task, blocks: Sequence[str], read: Callable[[str], Answer]
    ) -> tuple[Answer, Spent]:
        """
        Ask for something else than notes; return what `read` made of the answer, and what it took.

        read: raises WrongAnswer for what cannot be used; that is told, and asked for once more. Raises
        ModelUnavailable, ModelRefused. Never to be called in a transaction.
        """
        asked = copy(self)  # the same connections and the same breaker: it is one provider
        asked._stand(task)
        return asked._converse(blocks, read)

    def _reflection(self, notes: tuple[Note, ...], spent: Spent) -> Reflection:
        return Reflection(
            notes=notes,
            model=self.name,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            cost_usd=spent.cost_usd,
            attempts=spent.attempts,
            priced=spent.priced,
        )
