"""A model that says the same to everything answers in the form that it is asked in."""

import json

import pytest

from backstory.adapters.rehearsal.replies import Wire, reply_to

ASKED = [
    (Wire.ANTHROPIC, "/v1/messages?beta=true"),
    (Wire.OPENAI, "/v1/responses"),
    (Wire.GOOGLE, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"),
    (Wire.GOOGLE, "/v1beta/models/gemini-2.5-flash:generateContent"),
]


@pytest.mark.parametrize(("wire", "path"), ASKED)
def test_every_form_says_what_is_to_be_said(wire: Wire, path: str) -> None:
    assert "说好了" in _unescaped(reply_to(wire, path, said="说好了").body)


@pytest.mark.parametrize(
    ("wire", "path"),
    [
        (Wire.ANTHROPIC, "/v1/messages/count_tokens"),
        (Wire.OPENAI, "/v1/models"),
        (Wire.GOOGLE, "/v1beta/models/gemini-2.5-flash:countTokens"),
    ],
)
def test_what_asks_for_no_words_gets_a_little_json(wire: Wire, path: str) -> None:
    reply = reply_to(wire, path, said="Understood.")

    assert reply.content_type == "application/json"
    assert "Understood" not in reply.body.decode()
    assert json.loads(reply.body)


def _unescaped(body: bytes) -> str:
    lines = [line.removeprefix("data: ") for line in body.decode().splitlines()]
    read = [json.loads(line) for line in lines if line.startswith("{")]
    return json.dumps(read, ensure_ascii=False)
