"""What a model says that answers every request with the same words, in each provider's form.

The events are those that the agents were seen to accept: messages of Anthropic for Claude Code
and Copilot CLI, responses of OpenAI for Codex, generateContent of Google for Gemini CLI. Pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Fields = Mapping[str, object]
_TEXT: Fields = {"type": "text", "text": ""}


class Wire(StrEnum):
    """The form in which an agent speaks to its model."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    GOOGLE = "google"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is sent for one request."""

    body: bytes
    content_type: str = "application/json"


def reply_to(wire: Wire, path: str, *, said: str) -> Reply:
    """Return what answers a request to a path.

    What is no request for words (tokens to be counted, models to be listed) gets a little JSON.
    """
    match wire, asked_for(path):
        case Wire.ANTHROPIC, "messages":
            return streamed(anthropic_events(_TEXT, {"type": "text_delta", "text": said}))
        case Wire.OPENAI, "responses":
            return streamed(openai_events(_message(said)))
        case Wire.GOOGLE, "streamGenerateContent":
            return streamed([google_reply({"text": said})])
        case Wire.GOOGLE, "generateContent":
            return whole(google_reply({"text": said}))
        case _:
            return whole({"input_tokens": 1, "totalTokens": 1})


def asked_for(path: str) -> str:
    """Return what a request asks for: the last name of its path."""
    return path.partition("?")[0].replace(":", "/").rpartition("/")[2]


def whole(fields: Fields) -> Reply:
    """Return an answer in one piece."""
    return Reply(body=json.dumps(fields).encode())


def streamed(events: Sequence[Fields]) -> Reply:
    """Return an answer as events that a server sends."""
    lines = []
    for event in events:
        named = f"event: {event['type']}\n" if "type" in event else ""
        lines.append(f"{named}data: {json.dumps(event)}\n\n")
    return Reply(body="".join(lines).encode(), content_type="text/event-stream")


def anthropic_events(block: Fields, delta: Fields, *, ended: str = "end_turn") -> list[Fields]:
    """Return the events of a message with one block."""
    message: Fields = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    stopped = {"stop_reason": ended, "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def openai_events(item: Fields) -> list[Fields]:
    """Return the events of a response with one item."""
    usage = {
        "input_tokens": 1,
        "input_tokens_details": None,
        "output_tokens": 1,
        "output_tokens_details": None,
        "total_tokens": 2,
    }
    return [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}},
    ]


def google_reply(part: Fields) -> Fields:
    """Return a reply with one part."""
    content = {"role": "model", "parts": [part]}
    counts = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": counts,
        "modelVersion": "m",
    }


def _message(said: str) -> Fields:
    return {
        "id": "msg_1",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [{"type": "output_text", "text": said, "annotations": []}],
    }
