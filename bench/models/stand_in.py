"""
A server that stands for providers of models, and answers from a fleet's labels: it speaks the Messages API,
chat completions, OpenAI's decisions and System One.
"""

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self

from bench.corpora.labels import SURENESS, Labels
from bench.models.prompts import NotUnderstood, read_pair, read_prompt

Body = dict[str, Any]

MODEL: Final = "labels"
KEY: Final = "sk-labels"

PROVIDERS: Final[dict[str, Callable[[str], dict[str, str]]]] = {
    "labels": lambda address: {
        "CANDOR_LLM": "openai", "OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_KEY": KEY,
        "CANDOR_LLM_MODEL": MODEL,
    },
    "labels:anthropic": lambda address: {
        "CANDOR_LLM": "anthropic", "ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": KEY,
        "CANDOR_LLM_MODEL": MODEL,
    },
    "labels:decisions": lambda address: {
        "CANDOR_DECIDER": "decisions", "CANDOR_DECIDER_BASE_URL": f"{address}/v1",
        "CANDOR_DECIDER_API_KEY": KEY, "CANDOR_DECIDER_MODEL": MODEL,
    },
    "labels:systemone": lambda address: {
        "CANDOR_DECIDER": "systemone", "CANDOR_DECIDER_BASE_URL": f"{address}/v1",
        "CANDOR_DECIDER_API_KEY": KEY, "CANDOR_DECIDER_MODEL": MODEL,
    },
}  # fmt: skip
"""MODEL → the service's environment, given the server's address: which model it asks, and how."""


class StandIn:
    """The server, as a context: `address` to reach it, `asked` how often it answered each path."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self.asked: dict[str, int] = {}
        self.refused: list[str] = []  #: what it did not understand, in words
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def answer(self, path: str, body: Mapping[str, Any]) -> tuple[int, Body]:
        """Return status and body for a request."""
        answers = {
            "/v1/messages": self._message, "/v1/chat/completions": self._completion,
            "/v1/decisions": self._decisions, "/v1/systemone": self._system_one,
        }  # fmt: skip
        with self._lock:
            self.asked[path] = self.asked.get(path, 0) + 1
        try:
            return 200, answers[path](body)
        except (NotUnderstood, KeyError, IndexError, TypeError) as error:
            self.refused.append(f"{path}: {type(error).__name__}: {error}")
            return 400, {"error": {"message": "not understood", "type": "invalid_request_error"}}

    def _message(self, body: Mapping[str, Any]) -> Body:
        text = self._read(body["messages"][-1]["content"])
        usage = {
            "input_tokens": _tokens(body), "output_tokens": len(text) // 4,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        }  # fmt: skip
        return {
            "id": "msg_labels", "type": "message", "role": "assistant", "model": body["model"],
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": usage,
        }  # fmt: skip

    def _completion(self, body: Mapping[str, Any]) -> Body:
        text = self._read(body["messages"][-1]["content"])
        message = {"role": "assistant", "content": text, "refusal": None}
        read, written = _tokens(body), len(text) // 4
        return {
            "id": "chatcmpl-labels", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }  # fmt: skip

    def _read(self, blocks: list[dict[str, str]]) -> str:
        asked = read_prompt(blocks[0]["text"])
        notes = self._labels.notes(asked.turn, asked.sentences, asked.known)
        return json.dumps({"notes": notes, "why_none": None if notes else "nothing worth keeping"})

    def _decisions(self, body: Mapping[str, Any]) -> Body:
        answers = []
        for question in body["questions"]:
            values = [choice["value"] for choice in question["choices"]]
            chances = self._chances(body["input"], question["instructions"], values)
            answers.append({
                "type": "choice", "name": question["name"], "choice": max(chances, key=lambda v: chances[v]),
                "confidence": SURENESS,
                "probabilities": [{"value": value, "probability": chances[value]} for value in values],
            })  # fmt: skip
        read = _tokens(body)
        usage = {
            "input_tokens": read, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 0, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": read,
        }  # fmt: skip
        return {"model": body["model"], "answers": answers, "usage": usage}

    def _system_one(self, body: Mapping[str, Any]) -> Body:
        answers = {}
        for name, question in body["questions"].items():
            chances = self._chances(body["state"], question["instructions"], list(question["criteria"]))
            choice = max(chances, key=lambda value: chances[value])
            answers[name] = {
                "type": "choice", "choice": choice, "confidence": SURENESS, "probabilities": chances
            }  # fmt: skip
        usage = {"input_tokens": _tokens(body), "output_tokens": 0}
        return {"model": body["model"], "answers": answers, "usage": usage}

    def _chances(self, state: object, question: str, values: list[str]) -> dict[str, float]:
        does, _why = self._labels.relation(*read_pair(state, question))
        rest = (1.0 - SURENESS) / (len(values) - 1)
        return {value: SURENESS if value == does else rest for value in values}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _tokens(body: Mapping[str, Any]) -> int:
    return len(json.dumps(body, ensure_ascii=False)) // 4


def _handler_for(server: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            status, answer = server.answer(self.path, json.loads(raw))
            content = json.dumps(answer, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent."""

    return Handler
