"""Local HTTP servers that speak the wire formats of model providers, and misbehave on request.

The shapes are those of OpenAI chat completions, Anthropic messages, Google generateContent and
Ollama's chat API; nothing here understands anything.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_RELEASE_SECONDS = 20.0


@dataclass(frozen=True)
class Seen:
    """One request that a server got."""

    path: str
    headers: dict[str, str]
    body: dict


@dataclass(frozen=True)
class Answer:
    """What a server sends: whole, cut before its end, or byte by byte until it is released."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut_at: int | None = None
    drips: bool = False
    stalls: bool = False


@dataclass
class ModelServer:
    """A running server. Answers are played in order, the last one again."""

    wire: str
    url: str = ""
    answers: list[Answer | Callable[[Seen], Answer]] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def play(self, *answers: Answer | Callable[[Seen], Answer]) -> None:
        """Say what to answer from now on."""
        self.answers[:] = answers

    def next_answer(self, seen: Seen) -> Answer:
        """Keep a request and return what it gets."""
        self.seen.append(seen)
        answer = self.answers[min(len(self.seen), len(self.answers)) - 1]
        return answer(seen) if callable(answer) else answer

    def says(self, text: str, *, finish: str = "stop") -> Answer:
        """Return a whole reply in the provider's form; `finish` may be "length"."""
        return as_json(_REPLIES[self.wire](text, finish))

    def refuses(self) -> Answer:
        """Return what the provider sends when its model will not answer."""
        return self.says("I cannot help with that.", finish="refusal")

    def fails(self, status: int, words: str = "no", **extra: str) -> Answer:
        """Return an error in the provider's form; `code` and `retry_after` may be given."""
        headers = {"retry-after": extra["retry_after"]} if "retry_after" in extra else {}
        error = _error_body(self.wire, status, words, extra.get("code", ""))
        return as_json(error, status=status, headers=headers)

    def overflows(self) -> Answer:
        """Return the provider's words for an input beyond the context."""
        return _OVERFLOWS[self.wire](self)


def as_json(body: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    content = {"content-type": "application/json"}
    return Answer(json.dumps(body).encode(), status=status, headers=content | (headers or {}))


def _openai_reply(text: str, finish: str) -> dict:
    refused = finish == "refusal"
    message = {"role": "assistant", "content": None if refused else text, "refusal": None}
    if refused:
        message["refusal"] = text
    return {
        "provider": "a-host",  # OpenRouter's own members; others ignore them
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "stop" if refused else finish,
                "native_finish_reason": finish,
            }
        ],
        "usage": {"prompt_tokens": 31, "completion_tokens": 7, "total_tokens": 38},
    }


def _anthropic_reply(text: str, finish: str) -> dict:
    reasons = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": text}],
        "stop_reason": reasons[finish],
        "usage": {"input_tokens": 31, "output_tokens": 7},
    }


def _google_reply(text: str, finish: str) -> dict:
    reasons = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}
    parts = [] if finish == "refusal" else [{"text": text}]
    return {
        "candidates": [
            {"content": {"role": "model", "parts": parts}, "finishReason": reasons[finish]}
        ],
        "usageMetadata": {
            "promptTokenCount": 31,
            "candidatesTokenCount": 7,
            "totalTokenCount": 38,
        },
        "modelVersion": "m",
    }


def _ollama_reply(text: str, finish: str) -> dict:
    return {
        "model": "m",
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": finish,
        "prompt_eval_count": 31,
        "eval_count": 7,
    }


_REPLIES = {
    "openai": _openai_reply,
    "anthropic": _anthropic_reply,
    "google": _google_reply,
    "ollama": _ollama_reply,
}


def _error_body(wire: str, status: int, words: str, code: str) -> dict:
    match wire:
        case "anthropic":
            error = {"type": code or "invalid_request_error", "message": words}
            return {"type": "error", "error": error, "request_id": "req_1"}
        case "google":
            error = {"code": status, "message": words, "status": code or "INVALID_ARGUMENT"}
            return {"error": error}
        case "ollama":
            return {"error": words}
        case _:
            error = {"message": words, "type": "invalid_request_error", "code": code or None}
            return {"error": error}


_OVERFLOWS: dict[str, Callable[[ModelServer], Answer]] = {
    "openai": lambda server: server.fails(
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in"
        " 9000 tokens.",
        code="context_length_exceeded",
    ),
    "anthropic": lambda server: server.fails(
        400, "prompt is too long: 210000 tokens > 200000 maximum"
    ),
    "google": lambda server: server.fails(
        400,
        "The input token count (1100000) exceeds the maximum number of tokens allowed (1048575).",
    ),
    "ollama": lambda server: server.fails(400, "the input length exceeds the context length"),
}


@contextmanager
def serving(wire: str) -> Iterator[ModelServer]:
    """Run a server on a free local port until the block ends."""
    server = ModelServer(wire)
    http = _HttpServer(server)
    server.url = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(
        target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, model_server: ModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Requests)
        self.model_server = model_server


class _Requests(BaseHTTPRequestHandler):
    server: _HttpServer

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(self.rfile.read(length) or b"{}")
        answer = self.server.model_server.next_answer(Seen(self.path, headers, body))
        with suppress(OSError):  # the client gives up first, where a test wants it to
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        if answer.stalls:
            self.server.model_server.released.wait(_RELEASE_SECONDS)
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer.body)))
        self.send_header("connection", "close")
        self.end_headers()
        if answer.drips:
            self._drip(answer.body)
        else:
            self.wfile.write(answer.body[: answer.cut_at])
        self.close_connection = True

    def _drip(self, body: bytes) -> None:
        for at in range(len(body)):
            self.wfile.write(body[at : at + 1])
            self.wfile.flush()
            if self.server.model_server.released.wait(0.05):
                return

    def log_message(self, *args: object) -> None:
        pass
