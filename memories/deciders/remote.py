"""
What decision models over a network share: one request for all questions, and an answer held to them.

They are asked as language models are, see `memories.llms.asking`: the same retries, limits and breaker.
"""

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Final, Unpack

from memories.deciders.base import Chances, Choice, DecisionModel
from memories.llms import Breaker, Spent
from memories.llms.asking import Manners, NoReply, Remote, count
from memories.llms.prices import price_request
from memories.llms.prompts import WrongAnswer

TOLERANCE: Final = 0.05
"""By how much the chances of one question may miss 1: providers round them."""


class RemoteDecider(Remote, DecisionModel):
    """A decision model behind an HTTP API; an adapter says how questions are written and answers read."""

    breaker: Breaker
    keyless_elsewhere = True
    path: ClassVar[str]  #: below the address

    def __init__(self, *, model: str, base_url: str, api_key: str = "", **manners: Unpack[Manners]) -> None:
        """
        Prepare; nothing is sent yet. See `Remote` for `manners`.

        `base_url` ends before the path. Without an `api_key` none is sent: servers of one's own ask for none.
        """
        super().__init__(model, **manners)
        self._url = f"{base_url.rstrip('/')}{self.path}"
        self._headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._questions: Sequence[Choice] = ()

    @abstractmethod
    def _ask_for(self, state: str, questions: Sequence[Choice]) -> dict[str, Any]:
        """Return the body of a request."""

    @abstractmethod
    def _answers(self, body: dict[str, Any], questions: Sequence[Choice]) -> Chances:
        """Return the answers of a body as they stand there. Raises NoReply."""

    def decide(self, state: str, questions: Sequence[Choice]) -> tuple[Chances, Spent]:
        """Ask all questions at once; see `DecisionModel.decide`."""
        if not questions:
            return {}, Spent()
        asked = copy(self)  # the same connections and the same breaker: it is one provider
        asked._questions = questions
        return asked._converse([state], lambda text: hold_to(json.loads(text), questions))

    def _send(self, blocks: Sequence[str], *, seconds: float) -> bytes:
        # What was wrong with a first answer is told to nobody: a decision model reads no reproach.
        body = self._ask_for(blocks[0], self._questions)
        return self._wire.post(self._url, body, headers=self._headers, seconds=seconds)

    def _read(self, body: dict[str, Any]) -> str:
        try:
            return json.dumps(self._answers(body, self._questions))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise NoReply(NoReply.__doc__) from None

    def _price(self, body: dict[str, Any]) -> Spent:
        usage = body.get("usage")
        details = usage.get("input_tokens_details") if isinstance(usage, dict) else None
        cached, written = count(details, "cached_tokens"), count(details, "cache_write_tokens")
        return price_request(
            self.name, fresh=max(0, count(usage, "input_tokens") - cached - written), cache_written=written,
            cache_read=cached, out=count(usage, "output_tokens"),
        )  # fmt: skip


def hold_to(found: Mapping[str, Mapping[str, float]], questions: Sequence[Choice]) -> Chances:
    """Return the answers if they answer the questions that were asked, and in full. Raises WrongAnswer."""
    asked = {question.name: question for question in questions}
    for name, chances in found.items():
        if name not in asked:
            raise WrongAnswer("an answer to a question that was not asked")
        if set(chances) != set(asked[name].answers):
            raise WrongAnswer("an answer has other choices than its question")
        if not all(type(one) in (int, float) and 0.0 <= one <= 1.0 for one in chances.values()):
            raise WrongAnswer("a probability is not within 0 to 1")
        if abs(sum(chances.values()) - 1.0) > TOLERANCE:
            raise WrongAnswer("the probabilities of an answer do not sum to 1")
    return found
