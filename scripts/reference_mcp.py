"""The text of docs/reference/mcp.md, made from the server as a client sees it."""

import asyncio
from pathlib import Path

from mcp.types import Prompt, Resource, ResourceTemplate, Tool

from backstory.mcp.server import INSTRUCTIONS, make_server
from mcp_scenarios import IN_PART, NOT_APPLICABLE, VERSION

GENERATED = (
    "<!-- Made by scripts/reference from src/backstory/mcp and tests/mcp_scenarios.py; "
    "change those instead. -->"
)


def page() -> str:
    """List what the server offers, and what the conformance suite says of it."""
    server = make_server(Path())
    tools = asyncio.run(server.list_tools())
    lines = ["# MCP server", "", GENERATED, "", "What `backstory mcp` offers to any client."]
    lines += ["Its instructions to the model:", "", f"> {INSTRUCTIONS}", "", "## Tools"]
    for tool in tools:
        lines += _tool(tool)
    lines += ["", "## Resources", "", "| address | what it is |", "|---|---|"]
    lines += [_resource(one) for one in asyncio.run(server.list_resources())]
    lines += [_resource(one) for one in asyncio.run(server.list_resource_templates())]
    lines += ["", "## Prompts", "", "| name | what it is for |", "|---|---|"]
    lines += [_prompt(prompt) for prompt in asyncio.run(server.list_prompts())]
    return "\n".join([*lines, *_manners(), *_conformance()]) + "\n"


def _tool(tool: Tool) -> list[str]:
    hints = tool.annotations
    assert hints is not None
    kind = "only looks" if hints.read_only_hint else "changes memory"
    required = tool.input_schema.get("required", [])
    lines = ["", f"### {tool.name}", "", f"{tool.description} It {kind}."]
    lines += ["", "| argument | |", "|---|---|"]
    for name, field in tool.input_schema["properties"].items():
        told = field.get("description", "")
        if name == "project":
            told = "which one, where the client has several open"
        choices = [part["enum"] for part in field.get("anyOf", []) if "enum" in part]
        told = ", ".join(f"`{choice}`" for choice in choices[0]) if choices else told
        lines.append(f"| `{name}`{' (needed)' if name in required else ''} | {told} |")
    fields = ", ".join(f"`{name}`" for name in (tool.output_schema or {})["properties"])
    return [*lines, "", f"Answers with {fields}."]


def _resource(one: Resource | ResourceTemplate) -> str:
    address = one.uri if isinstance(one, Resource) else one.uri_template
    return f"| `{address}` | {one.description} |"


def _prompt(prompt: Prompt) -> str:
    return f"| `{prompt.name}` | {prompt.description} |"


def _manners() -> list[str]:
    return [
        "",
        "## Manners",
        "",
        "Each answer is structured, with a schema; every tool states all four hints.",
        "No call takes long, so none reports progress; one that is cancelled is dropped.",
        "A statement is remembered where it stands on words that the user said here in the last",
        "seven days and the same checks as always pass it; else it waits in `backstory review`.",
        "Where memory is off or isolated the tools say so, and nothing is read or written.",
        "Where it is off nothing is listed either: no tool, no text, no tokens.",
        "A connection is a session; nobody is asked for the name of one.",
        "A damaged store is an error that says what to do.",
        "Over HTTP a request needs the token (401) and a Host and Origin of this machine (403).",
    ]


def _conformance() -> list[str]:
    suite = f"`@modelcontextprotocol/conformance` {VERSION}"
    lines = ["", "## Conformance", ""]
    lines += [
        f"Of the official suite, {suite}, every scenario that applies passes over HTTP.",
        "It is written for a server of its own; these do not apply, or not as a whole:",
        "",
        "| scenario | why |",
        "|---|---|",
    ]
    lines += [f"| `{name}` | {why} |" for name, (_, why) in IN_PART.items()]
    lines += [f"| `{name}` | {why} |" for name, why in NOT_APPLICABLE.items()]
    return lines
