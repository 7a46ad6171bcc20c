"""A local server that speaks OpenAI's embeddings: bags of hashed words, of as many numbers as wanted."""

import json
import threading
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from memories.language.tokens import words


def hashed(text: str, dimensions: int) -> list[float]:
    """Return a vector in which texts that share words lie near; not of length 1, as some servers answer."""
    vector = [0.0] * dimensions
    for word in words(text) or [text]:
        digest = blake2b(word.encode(), digest_size=12).digest()
        for start in range(0, 12, 3):
            place = int.from_bytes(digest[start : start + 2]) % dimensions
            vector[place] += 3.0 if digest[start + 2] & 1 else -3.0
    return vector


class EmbeddingsServer:
    """The server, as a context: `base_url` to reach it, `received` the bodies that came."""

    def __init__(self, *, dimensions: int, api_key: str = "", port: int = 0) -> None:
        self.dimensions, self.api_key = dimensions, api_key
        self.received: list[dict[str, Any]] = []
        self.failures: list[int] = []  #: status codes that the next requests are answered with
        self.always: int | None = None  #: a status code for all requests, while it is set
        self.poison = ""  #: a word by which a request falls over, with a 500
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler_for(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def answer(self, path: str, key: str | None, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.received.append(body)
        if self.failures:
            return self.failures.pop(0), {"error": {"message": "later"}}
        if self.always is not None or (self.poison and self.poison in json.dumps(body)):
            return self.always or 500, {"error": {"message": "out"}}
        wanted = f"Bearer {self.api_key}" if self.api_key else None
        if path != "/v1/embeddings" or key != wanted or not isinstance(body.get("input"), list):
            return 400, {"error": {"message": "no"}}
        data = [
            {"object": "embedding", "index": place, "embedding": hashed(text, self.dimensions)}
            for place, text in enumerate(body["input"])
        ]
        # Servers may answer in any order: the index says which is which.
        return 200, {"object": "list", "data": data[::-1], "model": body["model"], "usage": {}}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler_for(server: EmbeddingsServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, answer = server.answer(self.path, self.headers.get("authorization"), body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_args: Any) -> None:
            pass

    return Handler
