"""Every `ModelClient` gives the same reply or the same class of failure for the same situation."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from backstory.adapters.models.addresses import address_of
from backstory.adapters.models.library.client import LibraryClient
from backstory.adapters.models.ollama import OllamaClient
from backstory.adapters.models.scripted import ScriptedClient, scripted_failure
from backstory.model.job import CallPurpose, FailureCause
from backstory.ports.model_client import Failure, Finish, ModelClient, ModelRequest, Reply
from model_servers import ModelServer, serving

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
TEXT = '{"answer": "用 SQLite"}'


def a_request(**fields: object) -> ModelRequest:
    given = {
        "purpose": CallPurpose.EXTRACT,
        "system": "Propose what to remember.",
        "user": "We use SQLite.",
        "schema": SCHEMA,
        "timeout_ms": 5_000,
    }
    return ModelRequest(**(given | fields))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Situation:
    """One thing that can happen, for a server to act out and for a script to play."""

    name: str
    act: Callable[[ModelServer], object]
    cause: FailureCause | None = None
    retry_after_ms: int | None = None
    is_cut: bool = False


SITUATIONS = [
    Situation("reply", lambda server: server.says(TEXT)),
    Situation("cut", lambda server: server.says(TEXT[:9], finish="length"), is_cut=True),
    Situation("overflow", lambda server: server.overflows(), FailureCause.TOO_LONG),
    Situation("too large", lambda server: server.fails(413), FailureCause.TOO_LONG),
    Situation("no key", lambda server: server.fails(401), FailureCause.MISCONFIGURED),
    Situation("not allowed", lambda server: server.fails(403), FailureCause.MISCONFIGURED),
    Situation("no model", lambda server: server.fails(404), FailureCause.MISCONFIGURED),
    Situation("timeout said", lambda server: server.fails(408), FailureCause.TRANSIENT),
    Situation("conflict", lambda server: server.fails(409), FailureCause.TRANSIENT),
    Situation("bad request", lambda server: server.fails(400), FailureCause.MISCONFIGURED),
    Situation("unprocessable", lambda server: server.fails(422), FailureCause.MISCONFIGURED),
    Situation("busy", lambda server: server.fails(429), FailureCause.TRANSIENT),
    Situation(
        "busy for a while",
        lambda server: server.fails(429, retry_after="7"),
        FailureCause.TRANSIENT,
        retry_after_ms=7_000,
    ),
    Situation("no money", lambda server: server.fails(402), FailureCause.QUOTA),
    Situation("its fault", lambda server: server.fails(500), FailureCause.TRANSIENT),
    Situation("unavailable", lambda server: server.fails(503), FailureCause.TRANSIENT),
    Situation("overloaded", lambda server: server.fails(529), FailureCause.TRANSIENT),
    Situation("empty", lambda server: server.says(" "), FailureCause.INVALID),
]
CLIENTS = {
    "openai": ("openai:gpt-4o-mini", "/v1"),
    "compatible": ("compatible:qwen3", "/v1"),
    "openrouter": ("openrouter:qwen/qwen3-coder", "/v1"),
    "deepseek": ("deepseek:deepseek-chat", ""),
    "anthropic": ("anthropic:claude-opus-5", ""),
    "google": ("google:gemini-2.5-flash", ""),
    "ollama": ("ollama:qwen3", ""),
    "scripted": ("", ""),
}
WIRES = {"openrouter": "openai", "deepseek": "openai", "compatible": "openai"}


@pytest.fixture(params=CLIENTS)
def client_in(request: pytest.FixtureRequest) -> Iterator[Callable[[Situation], ModelClient]]:
    """A function that puts this client in a situation."""
    name = request.param
    with ExitStack() as stack:

        def put(situation: Situation) -> ModelClient:
            if name == "scripted":
                return _scripted_in(situation)
            server = stack.enter_context(serving(WIRES.get(name, name)))
            server.play(situation.act(server))  # type: ignore[arg-type]
            model, path = CLIENTS[name]
            address = address_of(model, server.url + path)
            return (OllamaClient if name == "ollama" else LibraryClient)(address, key="k-123")

        yield put


def _scripted_in(situation: Situation) -> ScriptedClient:
    if situation.cause is None:
        text = TEXT[:9] if situation.is_cut else TEXT
        return ScriptedClient(steps=(_reply(text, is_cut=situation.is_cut),))
    failure = scripted_failure(situation.cause, retry_after_ms=situation.retry_after_ms)
    return ScriptedClient(steps=(failure,))


def _reply(text: str, *, is_cut: bool) -> Reply:
    done = ScriptedClient(steps=(text,)).ask(a_request())
    assert isinstance(done, Reply)
    finish = Finish.LENGTH if is_cut else Finish.STOP
    return Reply(text=text, usage=done.usage, model=done.model, finish=finish)


@pytest.mark.parametrize(
    "situation", [s for s in SITUATIONS if s.cause], ids=lambda situation: situation.name
)
def test_what_goes_wrong_is_a_failure_of_the_right_class(client_in, situation):
    client = client_in(situation)

    outcome = client.ask(a_request())

    assert isinstance(outcome, Failure), outcome
    assert outcome.cause is situation.cause
    assert outcome.retry_after_ms == situation.retry_after_ms
    assert outcome.summary
    assert outcome.diagnosis.text


def test_a_reply_comes_with_its_usage_and_end(client_in):
    client = client_in(SITUATIONS[0])

    outcome = client.ask(a_request())

    assert isinstance(outcome, Reply), outcome
    assert outcome.text == TEXT
    assert outcome.usage.tokens_in > 0
    assert outcome.usage.tokens_out > 0
    assert outcome.finish is Finish.STOP
    assert outcome.model == client.model


def test_a_cut_reply_says_that_it_is_cut(client_in):
    client = client_in(SITUATIONS[1])

    outcome = client.ask(a_request())

    assert isinstance(outcome, Reply)
    assert outcome.finish is Finish.LENGTH
    assert outcome.text == TEXT[:9]
