"""`ModelClient` for Ollama's own API, by the standard library alone.

Its OpenAI-compatible endpoint cannot set the context length, and a prompt beyond the default is
cut without a word; its own API can (https://github.com/ollama/ollama/blob/main/docs/api.md).
"""

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from importlib.metadata import version
from socket import SHUT_RDWR, socket
from urllib.parse import urlsplit

from backstory.adapters.models.addresses import ModelAddress
from backstory.adapters.models.masking import masked, without_echo
from backstory.adapters.models.shapes import ATTEMPTS_MAX, Ladder, Shape
from backstory.model.job import FailureCause, Usage
from backstory.ports.model_client import (
    Failure,
    Finish,
    ModelRequest,
    Outcome,
    Reply,
    bounded_diagnosis,
)

_REPLY_BYTES_MAX = 4_000_000
# Ollama loads a model anew when its context length changes, so only a few are ever asked for.
_CONTEXT_SIZES = (8_192, 16_384, 32_768, 65_536, 131_072)
# At most: Chinese text has about one token a character (three bytes), English one in four.
_TOKENS_PER_BYTE = 0.4
_SHAPES = (Shape.SCHEMA, Shape.OBJECT, Shape.PROMPT)
_TRANSIENT = frozenset({408, 409, 425, 429})


class OllamaClient:
    """A model that a local Ollama serves."""

    def __init__(self, address: ModelAddress, *, key: str | None = None) -> None:
        self._address = address
        self._key = key
        self.ladder = Ladder()

    @property
    def model(self) -> str:
        """Its name, "ollama:model"."""
        return self._address.name

    def ask(self, request: ModelRequest) -> Outcome:
        """Send a request; where its format is rejected, ask again in the next looser one."""
        for _ in range(ATTEMPTS_MAX - 1):
            outcome = self._attempt(request)
            if not (isinstance(outcome, Failure) and self.ladder.loosen(outcome, _SHAPES)):
                return outcome
        return self._attempt(request)

    def _attempt(self, request: ModelRequest) -> Outcome:
        exchange = _Exchange(self._address.base_url, timeout_ms=request.timeout_ms)
        try:
            status, headers, content = exchange.post(
                "/api/chat", json.dumps(self._body(request)).encode(), headers=self._headers()
            )
        except (OSError, HTTPException) as error:
            return self._unreachable(error, request, has_timed_out=exchange.has_timed_out)
        if status != 200:
            return self._rejected(request, status=status, headers=headers, content=content)
        return self._outcome_of(content, request)

    def _headers(self) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "user-agent": f"backstory/{version('backstory')}",
        }
        return headers | ({"authorization": f"Bearer {self._key}"} if self._key else {})

    def _body(self, request: ModelRequest) -> dict[str, object]:
        options: dict[str, object] = {
            "num_predict": request.output_tokens_max,
            "num_ctx": context_size(request),
            "seed": 1,
        }
        if self.ladder.temperature is not None:
            options["temperature"] = self.ladder.temperature
        formats: dict[Shape, object] = {
            Shape.SCHEMA: dict(request.schema),
            Shape.OBJECT: "json",
        }
        shape = self.ladder.shape(_SHAPES)
        return {
            "model": self._address.model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "stream": False,
            "think": False,
            "options": options,
        } | ({"format": formats[shape]} if shape in formats else {})

    def _outcome_of(self, content: bytes, request: ModelRequest) -> Outcome:
        try:
            body = json.loads(content)
            text = body["message"]["content"]
            usage = Usage(
                tokens_in=int(body.get("prompt_eval_count") or 0),
                tokens_out=int(body.get("eval_count") or 0),
            )
        except (ValueError, LookupError, TypeError):
            return self._failure(request, _Problem(cause=FailureCause.INVALID, content=content))
        finish = Finish.LENGTH if body.get("done_reason") == "length" else Finish.STOP
        if not isinstance(text, str) or (not text.strip() and finish is Finish.STOP):
            empty = _Problem(cause=FailureCause.INVALID, words="an empty reply")
            return replace(self._failure(request, empty), usage=usage)
        return Reply(text=text, usage=usage, model=self.model, finish=finish)

    def _rejected(
        self, request: ModelRequest, *, status: int, headers: Mapping[str, str], content: bytes
    ) -> Failure:
        words = _error_words(content)
        wait = headers.get("retry-after", "")
        problem = _Problem(
            cause=_cause_of(status, words), words=words, status=status, content=content
        )
        wait_ms = int(wait) * 1_000 if wait.isdecimal() else None
        return replace(self._failure(request, problem), retry_after_ms=wait_ms)

    def _unreachable(
        self, error: Exception, request: ModelRequest, *, has_timed_out: bool
    ) -> Failure:
        took_too_long = has_timed_out or isinstance(error, TimeoutError)
        words = "the model took too long to answer" if took_too_long else str(error)
        problem = _Problem(
            cause=FailureCause.TRANSIENT, words=words, error_type=type(error).__name__
        )
        return self._failure(request, problem)

    def _failure(self, request: ModelRequest, problem: "_Problem") -> Failure:
        sent = (request.system, request.user)
        return Failure(
            cause=problem.cause,
            summary=_summary(problem, self._address),
            diagnosis=bounded_diagnosis(
                error_type=problem.error_type or problem.cause.value,
                message=masked(problem.words, sent=sent, key=self._key),
                status=problem.status,
                body=masked(_body_text(problem.content), sent=sent, key=self._key),
            ),
            model=self.model,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """What went wrong with one attempt, unmasked."""

    cause: FailureCause
    words: str = ""
    error_type: str = ""
    status: int | None = None
    content: bytes = b""


def context_size(request: ModelRequest) -> int:
    """Return the smallest context that surely holds the input and the longest reply."""
    size = len((request.system + request.user).encode())
    needed = int(size * _TOKENS_PER_BYTE) + request.output_tokens_max
    return next((one for one in _CONTEXT_SIZES if one >= needed), _CONTEXT_SIZES[-1])


class _Exchange:
    """One POST that is over at its deadline, however slowly the server sends."""

    def __init__(self, base_url: str, *, timeout_ms: int) -> None:
        parts = urlsplit(base_url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        assert parts.hostname is not None
        self._connection = kind(parts.hostname, parts.port, timeout=timeout_ms / 1_000)
        self._path = parts.path.removesuffix("/v1")
        self._timeout_ms = timeout_ms
        self._socket: socket | None = None
        self.has_timed_out = False

    def post(
        self, path: str, body: bytes, *, headers: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and body. Raises OSError or HTTPException."""
        watch = threading.Timer(self._timeout_ms / 1_000, self._give_up)
        watch.daemon = True
        watch.start()
        try:
            self._connection.request("POST", self._path + path, body, dict(headers))
            # Kept, for the connection lets go of it when the server will close.
            self._socket = self._connection.sock
            with self._connection.getresponse() as response:
                kept = {name.lower(): value for name, value in response.getheaders()}
                return response.status, kept, _read(response)
        finally:
            watch.cancel()
            self._connection.close()

    def _give_up(self) -> None:
        self.has_timed_out = True
        if self._socket is not None:
            with suppress(OSError):  # closed meanwhile
                # Ends a read that is under way in the other thread; closing alone would not.
                self._socket.shutdown(SHUT_RDWR)


def _read(response: HTTPResponse) -> bytes:
    content = response.read(_REPLY_BYTES_MAX + 1)
    if len(content) > _REPLY_BYTES_MAX:
        raise HTTPException(f"the server sent more than {_REPLY_BYTES_MAX} bytes")
    declared = response.headers.get("content-length", "")
    if declared.isdecimal() and len(content) < int(declared):
        raise HTTPException("the connection ended before the reply did")
    return content


def _cause_of(status: int, words: str) -> FailureCause:
    if status in _TRANSIENT or status >= 500:
        return FailureCause.TRANSIENT
    if status == 413 or "context length" in words.lower():
        return FailureCause.TOO_LONG
    if status == 402:
        return FailureCause.QUOTA
    return FailureCause.MISCONFIGURED


def _summary(problem: _Problem, address: ModelAddress) -> str:
    if problem.status == 404:
        return f"Ollama has no such model: run `ollama pull {address.model}`"
    if problem.status in {401, 403}:
        return "the key was not accepted"
    if problem.cause is FailureCause.TRANSIENT and problem.status is None:
        return f"no answer from Ollama at {address.base_url}: is it running?"
    said = f" (HTTP {problem.status})" if problem.status is not None else ""
    return f"Ollama gave no usable reply: {problem.cause.value}{said}"


def _error_words(content: bytes) -> str:
    try:
        error = json.loads(content).get("error", "")
    except (ValueError, AttributeError):
        return ""
    return error if isinstance(error, str) else json.dumps(error)


def _body_text(content: bytes) -> str:
    try:
        return json.dumps(without_echo(json.loads(content)), ensure_ascii=False)
    except ValueError:
        return content.decode(errors="replace")
