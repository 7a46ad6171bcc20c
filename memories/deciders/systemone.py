"""System One, `POST /v1/systemone`: the decision models that llama.cpp, Ollama, SGLang and LiteLLM serve."""

from collections.abc import Sequence
from typing import Any

from memories.deciders.base import Chances, Choice
from memories.deciders.remote import RemoteDecider


class SystemOneModel(RemoteDecider):
    """A model that is asked by System One."""

    path = "/systemone"

    def _ask_for(self, state: str, questions: Sequence[Choice]) -> dict[str, Any]:
        asked = {
            question.name: {
                "type": "choice", "instructions": question.instructions, "criteria": dict(question.answers)
            }
            for question in questions
        }  # fmt: skip
        return {"model": self.name, "state": state, "questions": asked}

    def _answers(self, body: dict[str, Any], questions: Sequence[Choice]) -> Chances:
        if set(body["answers"]) - {question.name for question in questions}:
            raise ValueError("an answer to a question that was not asked")
        return {
            name: dict(answer["probabilities"])
            for name, answer in body["answers"].items()
            if answer["type"] == "choice"
        }
