"""Replies of a model as the streams of events that coding agents read.

The events are those that the agents were seen to accept: Anthropic messages for Claude Code,
OpenAI responses for Codex, and generateContent for Gemini CLI.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model_servers import Answer, Seen, as_json

_Fields = Mapping[str, object]


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model wants to be run."""

    key: str
    name: str
    given: _Fields


def said(wire: str, seen: Seen, reply: str | ToolCall) -> Answer:
    """Return a reply in the form that a request asks for. Only Anthropic's may be a call.

    What is no request for a reply (tokens to be counted, models to be listed) gets a little
    JSON.
    """
    path = seen.path.split("?")[0]
    match wire:
        case "anthropic" if path.endswith("/messages"):
            return _streamed(_anthropic(reply))
        case "openai" if path.endswith("/responses"):
            return _streamed(_openai(reply))
        case "google" if path.endswith(":streamGenerateContent"):
            return _streamed([_google(reply)])
        case "google" if path.endswith(":generateContent"):
            return as_json(_google(reply))
        case _:
            return as_json({"input_tokens": 1, "totalTokens": 1})


def _streamed(events: Sequence[_Fields]) -> Answer:
    lines = []
    for event in events:
        named = f"event: {event['type']}\n" if "type" in event else ""
        lines.append(f"{named}data: {json.dumps(event)}\n\n")
    return Answer("".join(lines).encode(), headers={"content-type": "text/event-stream"})


def _anthropic(reply: str | ToolCall) -> list[_Fields]:
    block: _Fields
    if isinstance(reply, str):
        block = {"type": "text", "text": ""}
        delta, ended = {"type": "text_delta", "text": reply}, "end_turn"
    else:
        block = {"type": "tool_use", "id": reply.key, "name": reply.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.given)}
        ended = "tool_use"
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": ended, "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]


def _openai(reply: str | ToolCall) -> list[_Fields]:
    item = {
        "id": "msg_1",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [{"type": "output_text", "text": reply, "annotations": []}],
    }
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


def _google(reply: str | ToolCall) -> _Fields:
    content = {"role": "model", "parts": [{"text": reply}]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": 1,
            "candidatesTokenCount": 1,
            "totalTokenCount": 2,
        },
        "modelVersion": "m",
    }
