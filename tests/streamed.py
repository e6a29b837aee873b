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
    group: str = ""  # Codex lists the tools of a server under the server's name


def said(wire: str, seen: Seen, reply: str | ToolCall) -> Answer:
    """Return a reply in the form that a request asks for.

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
    item: _Fields
    if isinstance(reply, str):
        item = {
            "id": "msg_1",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": reply, "annotations": []}],
        }
    else:
        item = {
            "id": "fc_1",
            "type": "function_call",
            "status": "completed",
            "call_id": reply.key,
            "name": reply.name,
            "arguments": json.dumps(reply.given),
            **({"namespace": reply.group} if reply.group else {}),
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
    part: _Fields = {"text": reply}
    if isinstance(reply, ToolCall):
        part = {"functionCall": {"id": reply.key, "name": reply.name, "args": reply.given}}
    content = {"role": "model", "parts": [part]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": 1,
            "candidatesTokenCount": 1,
            "totalTokenCount": 2,
        },
        "modelVersion": "m",
    }


def result_of(wire: str, seen: Seen, key: str) -> str:
    """Return what a tool answered to a call, as a request tells the model, or ""."""
    match wire:
        case "anthropic":
            parts = [part for said in seen.body.get("messages", ()) for part in _parts(said)]
            found = [part["content"] for part in parts if part.get("tool_use_id") == key]
        case "openai":
            items = seen.body.get("input", ())
            is_output = "function_call_output"
            found = [
                item["output"]
                for item in items
                if (item.get("type"), item.get("call_id")) == (is_output, key)
            ]
        case _:
            parts = [part for said in seen.body.get("contents", ()) for part in said["parts"]]
            told = [part["functionResponse"] for part in parts if "functionResponse" in part]
            found = [answer["response"] for answer in told if answer.get("id") == key]
    return "".join(map(json.dumps, found)).replace("\\", "")


def tools_in(wire: str, seen: Seen) -> list[str]:
    """Return the names of the tools that a request offers."""
    tools = seen.body.get("tools") or ()
    if wire == "google":
        tools = [one for group in tools for one in group.get("functionDeclarations", ())]
    inner = [one for tool in tools for one in tool.get("tools", ())]
    return [str(tool.get("name")) for tool in (*tools, *inner)]


def _parts(said: dict) -> list[dict]:
    content = said.get("content")
    return content if isinstance(content, list) else []
