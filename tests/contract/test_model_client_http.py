"""What goes over the wire to a model server, and what a misbehaving server can do."""

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from backstory.adapters.models.addresses import address_of
from backstory.adapters.models.library import transport
from backstory.adapters.models.library.client import LibraryClient
from backstory.adapters.models.ollama import OllamaClient
from backstory.model.job import CallPurpose, FailureCause
from backstory.model.limits import DIAGNOSIS_CHARS_MAX
from backstory.ports.model_client import Failure, ModelClient, ModelRequest, Reply
from model_servers import Answer, ModelServer, Seen, as_json, serving

KEY = "sk-test-4f9a8b7c6d5e4f3a2b1c"
SYSTEM = "You propose what is worth remembering, and you quote the words that prove it."
USER = "记住：数据库用 SQLite，不要用 Postgres。The staging host is build-7.example.com, always."
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
MODELS = {
    "openai": ("openai:gpt-4o-mini", "/v1"),
    "compatible": ("compatible:qwen3", "/v1"),
    "anthropic": ("anthropic:claude-opus-5", ""),
    "google": ("google:gemini-2.5-flash", ""),
    "ollama": ("ollama:qwen3", ""),
}


def a_request(*, timeout_ms: int = 5_000, user: str = USER) -> ModelRequest:
    return ModelRequest(
        purpose=CallPurpose.EXTRACT,
        system=SYSTEM,
        user=user,
        schema=SCHEMA,
        output_tokens_max=800,
        timeout_ms=timeout_ms,
    )


def client_of(name: str, server: ModelServer) -> ModelClient:
    model, path = MODELS[name]
    client = OllamaClient if name == "ollama" else LibraryClient
    return client(address_of(model, server.url + path), key=KEY)


@pytest.fixture(params=MODELS)
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[ModelServer, ModelClient]]:
    """A server and a client that is pointed at it."""
    with ExitStack() as stack:
        wire = {"compatible": "openai"}.get(request.param, request.param)
        server = stack.enter_context(serving(wire))
        yield server, client_of(request.param, server)


def failure_from(client: ModelClient, request: ModelRequest | None = None) -> Failure:
    outcome = client.ask(request or a_request())
    assert isinstance(outcome, Failure), outcome
    return outcome


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_a_failed_request_is_not_sent_again_by_the_client(pair, status):
    server, client = pair
    server.play(server.fails(status))

    failure_from(client)

    assert len(server.seen) == 1


@pytest.mark.parametrize("misbehaviour", ["drips", "stalls"])
def test_a_slow_server_is_given_up_at_the_deadline(pair, misbehaviour):
    server, client = pair
    server.play(Answer(server.says("x" * 4_000).body, **{misbehaviour: True}))

    failure = failure_from(client, a_request(timeout_ms=300))

    assert failure.cause is FailureCause.TRANSIENT
    assert not server.released.is_set()


def test_a_body_that_ends_early_is_a_failed_connection(pair):
    server, client = pair
    server.play(Answer(server.says("x" * 4_000).body, cut_at=900))

    assert failure_from(client).cause is FailureCause.TRANSIENT


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body>Sign in to the guest network</body></html>",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": null}], "content": 7, "message": {"content": 3}}',
        b'{"choices": [{"mess',
        b"\xff\xfe\x00nonsense",
        b"null",
    ],
)
def test_what_is_no_reply_is_an_invalid_one(pair, body):
    server, client = pair
    server.play(Answer(body, headers={"content-type": "application/json"}))

    assert failure_from(client).cause in {FailureCause.INVALID, FailureCause.TRANSIENT}


@pytest.mark.parametrize("name", ["openai", "compatible", "anthropic", "google"])
def test_a_refusal_is_told_apart_from_a_reply(name):
    with serving({"compatible": "openai"}.get(name, name)) as server:
        server.play(server.refuses())

        failure = failure_from(client_of(name, server))

    assert failure.cause is FailureCause.REFUSED


def test_nobody_listening_is_transient(pair):
    server, client = pair
    port = server.url.rpartition(":")[2]
    name = client.model.partition(":")[0]
    model, path = MODELS[name]
    address = address_of(model, f"http://127.0.0.1:1{path}")
    nobody = type(client)(address, key=KEY)  # type: ignore[call-arg]

    failure = failure_from(nobody)

    assert port != "1"
    assert failure.cause is FailureCause.TRANSIENT


def test_a_redirect_is_not_followed(pair):
    server, client = pair
    elsewhere = {"location": server.url + "/elsewhere"}
    server.play(Answer(b"", status=307, headers=elsewhere), server.says('{"answer": "x"}'))

    failure = failure_from(client)

    assert failure.cause is FailureCause.MISCONFIGURED
    assert len(server.seen) == 1


def test_an_endless_reply_is_cut_off(monkeypatch):
    monkeypatch.setattr(transport, "REPLY_BYTES_MAX", 10_000)
    with serving("openai") as server:
        server.play(server.says("x" * 20_000))

        failure = failure_from(client_of("openai", server))

    assert failure.cause is FailureCause.INVALID


def _echoes_everything(seen: Seen) -> Answer:
    echo = {"detail": [{"loc": ["body"], "input": seen.body, "ctx": json.dumps(seen.body)}]}
    return as_json(echo | {"headers": seen.headers, "error": repr(seen.headers)}, status=422)


def _echoes_as_text(seen: Seen) -> Answer:
    text = f"cannot parse {json.dumps(seen.body, ensure_ascii=False)} {seen.headers}"
    return Answer(text.encode(), status=400, headers={"content-type": "text/plain"})


@pytest.mark.promise("R155")
@pytest.mark.parametrize("echo", [_echoes_everything, _echoes_as_text])
def test_a_diagnosis_holds_neither_key_nor_prompt(pair, echo):
    server, client = pair
    server.play(echo)

    text = failure_from(client).diagnosis.text

    assert KEY not in text
    for sent in (SYSTEM, USER):
        assert not any(sent[at : at + 24] in text for at in range(len(sent) - 24))


def test_a_long_error_is_kept_in_bounds(pair):
    server, client = pair
    server.play(server.fails(500, "upstream said: " + "lorem ipsum " * 20_000))

    text = failure_from(client).diagnosis.text

    assert len(text) <= DIAGNOSIS_CHARS_MAX
    assert "500" in text


@pytest.mark.case("C25")
def test_a_request_offers_no_tools_and_asks_for_no_stream(pair):
    server, client = pair
    server.play(server.says('{"answer": "x"}'))

    client.ask(a_request())

    sent = server.seen[0]
    text = json.dumps(sent.body, ensure_ascii=False)
    assert not sent.body.get("stream", False)
    assert not {"tools", "tool_choice", "functions"} & set(sent.body)
    assert "additionalProperties" in text
    assert SYSTEM in text
    assert USER in text
    assert "800" in text


@pytest.mark.parametrize(("name", "shapes"), [("compatible", 4), ("ollama", 3)])
def test_a_server_without_schemas_is_asked_in_looser_shapes(name, shapes):
    def picky(seen: Seen) -> Answer:
        has_format = "response_format" in seen.body or "format" in seen.body
        return server.fails(400, "unsupported format") if has_format else server.says("{}")

    with serving("ollama" if name == "ollama" else "openai") as server:
        server.play(picky)
        client = client_of(name, server)

        first, second = client.ask(a_request()), client.ask(a_request())

        assert isinstance(first, Reply)
        assert isinstance(second, Reply)
        assert len(server.seen) == shapes + 1  # each shape down to the prompt; then it at once


def test_a_server_that_fails_over_a_shape_is_asked_in_its_own():
    def picky(seen: Seen) -> Answer:
        form = seen.body["response_format"]
        if form["type"] != "json_object":
            said = "1 validation error: {'loc': ('body', 'response_format', 'type')}"
            return server.fails(500, said)
        return server.says("{}")

    with serving("openai") as server:
        server.play(picky)

        outcome = client_of("compatible", server).ask(a_request())

    assert isinstance(outcome, Reply)
    assert [seen.body["response_format"]["type"] for seen in server.seen] == [
        "json_schema",
        "json_object",
    ]
    assert server.seen[-1].body["response_format"]["schema"] == a_request().schema


def test_a_model_that_takes_no_temperature_is_asked_without_one():
    def picky(seen: Seen) -> Answer:
        if "temperature" in seen.body:
            return server.fails(400, "Unsupported parameter: 'temperature'")
        return server.says("{}")

    with serving("openai") as server:
        server.play(picky)

        outcome = client_of("compatible", server).ask(a_request())

    assert isinstance(outcome, Reply)
    assert "response_format" in server.seen[-1].body


def test_a_server_that_rejects_everything_is_asked_a_few_times_at_most(pair):
    server, client = pair
    server.play(server.fails(400, "temperature and everything else is wrong"))

    assert failure_from(client).cause is FailureCause.MISCONFIGURED
    assert len(server.seen) <= 5


def test_models_that_can_reason_are_told_not_to():
    with serving("anthropic") as server:
        server.play(server.says("{}"))
        client_of("anthropic", server).ask(a_request())
        assert server.seen[0].body["thinking"] == {"type": "disabled"}

    with serving("ollama") as server:
        server.play(server.says("{}"))
        client_of("ollama", server).ask(a_request())
        assert server.seen[0].body["think"] is False


def test_ollama_is_given_room_for_the_whole_input():
    with serving("ollama") as server:
        server.play(server.says("{}"))
        client = client_of("ollama", server)
        client.ask(a_request())
        client.ask(a_request(user="数据库" * 4_000))

        sizes = [seen.body["options"]["num_ctx"] for seen in server.seen]

    assert sizes == [8_192, 16_384]


def test_the_key_goes_to_the_server_in_its_header_only(pair):
    server, client = pair
    server.play(server.says("{}"))

    client.ask(a_request())

    sent = server.seen[0]
    assert any(KEY in value for value in sent.headers.values())
    assert KEY not in json.dumps(sent.body) + sent.path
