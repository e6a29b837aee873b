"""What a model says to a coding agent, and what of an agent's request a test looks at."""

import json
from dataclasses import dataclass

from backstory.adapters.rehearsal.replies import (
    Fields,
    Reply,
    Wire,
    anthropic_events,
    asked_for,
    google_reply,
    openai_events,
    reply_to,
    streamed,
    whole,
)
from model_servers import Answer, Seen


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model wants to be run."""

    key: str
    name: str
    given: Fields
    group: str = ""  # Codex lists the tools of a server under the server's name


def said(wire: str, seen: Seen, reply: str | ToolCall) -> Answer:
    """Return a reply in the form that a request asks for."""
    if isinstance(reply, ToolCall):
        made = _called(Wire(wire), seen.path, reply)
    else:
        made = reply_to(Wire(wire), seen.path, said=reply)
    return Answer(made.body, headers={"content-type": made.content_type})


def _called(wire: Wire, path: str, call: ToolCall) -> Reply:
    part = {"functionCall": {"id": call.key, "name": call.name, "args": call.given}}
    match wire, asked_for(path):
        case Wire.ANTHROPIC, "messages":
            block = {"type": "tool_use", "id": call.key, "name": call.name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call.given)}
            return streamed(anthropic_events(block, delta, ended="tool_use"))
        case Wire.OPENAI, "responses":
            item = {
                "id": "fc_1",
                "type": "function_call",
                "status": "completed",
                "call_id": call.key,
                "name": call.name,
                "arguments": json.dumps(call.given),
                **({"namespace": call.group} if call.group else {}),
            }
            return streamed(openai_events(item))
        case Wire.GOOGLE, "streamGenerateContent":
            return streamed([google_reply(part)])
        case Wire.GOOGLE, "generateContent":
            return whole(google_reply(part))
        case _:
            return reply_to(wire, path, said="")


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
