"""A local server that speaks OpenAI's decisions and System One: it checks requests and answers by script."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tests.wire.server import Received, Reply, WireServer, as_reply

PATHS: Final = {"decisions": "/v1/decisions", "systemone": "/v1/systemone"}
FIELDS: Final = {"decisions": {"model", "input", "questions"}, "systemone": {"model", "state", "questions"}}
READ: Final = 700
"""Input tokens of each answer."""

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class DecisionServer(WireServer):
    """Decision models; `form`: which of the two formats."""

    def __init__(self, *, api_key: str, form: str) -> None:
        super().__init__(api_key=api_key)
        self.form = form

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    def message(self, answer: object, **reply: Any) -> Reply:
        """Make an answer; `answer` has for each question, by name, the chance of each choice."""
        assert isinstance(answer, dict)
        body: dict[str, Any] = {"model": "gpt-6-luna-2026-09-22"}
        if self.form == "decisions":
            body["answers"] = [self._typed(chances) | {"name": name} for name, chances in answer.items()]
            for one in body["answers"]:
                chances = one["probabilities"].items()
                one["probabilities"] = [{"value": value, "probability": chance} for value, chance in chances]
            body["usage"] = {
                "input_tokens": READ, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": 0, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": READ,
            }  # fmt: skip
        else:
            body["answers"] = {name: self._typed(chances) for name, chances in answer.items()}
            body["usage"] = {"input_tokens": READ, "output_tokens": 0}
        return as_reply(body, **reply)

    @staticmethod
    def _typed(chances: Mapping[str, float]) -> dict[str, Any]:
        choice = max(chances, key=lambda one: chances[one])
        return {
            "type": "choice", "choice": choice, "confidence": chances[choice], "probabilities": dict(chances)
        }  # fmt: skip

    def cut_off(self, answer: object) -> Reply:
        whole = self.message(answer)
        return Reply(body=whole.body[:-20])

    def refusal(self) -> Reply:
        answers: object = (
            [{"type": "refusal", "name": "m1"}] if self.form == "decisions" else {"m1": {"type": "refusal"}}
        )
        return as_reply({"model": "m", "answers": answers, "usage": {"input_tokens": READ}})

    def error(self, status: int, *, headers: Mapping[str, str] | None = None, text: str = "error") -> Reply:
        return as_reply({"error": {"message": text, "type": "e"}}, status=status, headers=headers)

    def told(self, received: Received) -> list[str]:
        state = received.body["input" if self.form == "decisions" else "state"]
        questions = received.body["questions"]
        asked = questions if self.form == "decisions" else questions.values()
        return [state, *(question["instructions"] for question in asked)]

    def standing(self, received: Received) -> object:
        return received.body["model"]

    def faults(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> list[str]:
        questions = body.get("questions")
        checks = [
            (path == PATHS[self.form], "path"),
            (headers.get("authorization") == f"Bearer {self.api_key}", "authorization"),
            (headers.get("content-type") == "application/json", "content-type"),
            (set(body) == FIELDS[self.form], f"fields {sorted(body)}"),
            (self._are_questions(questions), "questions"),
        ]
        return [name for sound, name in checks if not sound]

    def _are_questions(self, questions: object) -> bool:
        if self.form == "decisions":
            return isinstance(questions, list) and all(
                set(one) == {"type", "name", "instructions", "choices"}
                and _NAME.fullmatch(one["name"])
                and all(set(choice) == {"value", "description"} for choice in one["choices"])
                for one in questions
            )
        return isinstance(questions, dict) and all(
            _NAME.fullmatch(name) and set(one) == {"type", "instructions", "criteria"}
            for name, one in questions.items()
        )
