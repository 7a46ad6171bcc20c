"""
OpenAI's decisions, `POST /v1/decisions`, which SGLang and LiteLLM speak as well.

The format is that of the public beta, as the `openai` package of October 2026 has it.
"""

from collections.abc import Sequence
from typing import Any, Final, Unpack

from memories.deciders.base import Chances, Choice
from memories.deciders.remote import RemoteDecider
from memories.llms.asking import Manners

BASE_URL: Final = "https://api.openai.com/v1"


class DecisionsModel(RemoteDecider):
    """A model that is asked by OpenAI's decisions."""

    path = "/decisions"

    def __init__(
        self, *, model: str = "gpt-6-luna", base_url: str | None = None, api_key: str = "",
        **manners: Unpack[Manners],
    ) -> None:  # fmt: skip
        """Prepare; see RemoteDecider."""
        super().__init__(model=model, base_url=base_url or BASE_URL, api_key=api_key, **manners)

    def _ask_for(self, state: str, questions: Sequence[Choice]) -> dict[str, Any]:
        asked = [
            {
                "type": "choice", "name": question.name, "instructions": question.instructions,
                "choices": [
                    {"value": value, "description": meaning} for value, meaning in question.answers.items()
                ],
            }
            for question in questions
        ]  # fmt: skip
        return {"model": self.name, "input": state, "questions": asked}

    def _answers(self, body: dict[str, Any], questions: Sequence[Choice]) -> Chances:
        # In the order of the questions; one that was declined has the type `refusal`.
        answers = body["answers"]
        if len(answers) != len(questions):
            raise ValueError("not an answer for each question")
        return {
            answer["name"]: {one["value"]: one["probability"] for one in answer["probabilities"]}
            for answer in answers
            if answer["type"] == "choice"
        }
