"""What a decision model is: a statement and typed questions in, chances of each answer out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memories.llms import Breaker, Spent

Chances = Mapping[str, Mapping[str, float]]
"""Question → answer → how likely it is, in [0, 1]; the chances of a question sum to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question with a closed set of answers."""

    name: str  #: letters and digits; its answer comes back under it
    instructions: str
    answers: Mapping[str, str]  #: each with what it means


class DecisionModel(ABC):
    """
    Answers questions about a statement with chances, and writes no text.

    Thread-safe. Keeps nothing between questions. Calls over a network: it is never called in a transaction.
    """

    name: str
    breaker: Breaker | None = None  #: stands before the provider of a model over a network

    @abstractmethod
    def decide(self, state: str, questions: Sequence[Choice]) -> tuple[Chances, Spent]:
        """
        Return the chances of the answers to each question; one that the model declines is left out.

        Raises ModelUnavailable on an outage, ModelRefused when no valid answer can be had.
        """
