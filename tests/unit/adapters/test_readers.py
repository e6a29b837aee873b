"""Whatever a file holds, reading it ends, and says nothing that no human said."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.adapters.importers.assembly import Assembly
from backstory.adapters.importers.formats.detection import (
    CLAUDE_CODE,
    CODEX,
    GEMINI,
    SPECSTORY,
    Format,
)
from backstory.adapters.importers.turns import BadLineError

WORDS = [
    *("type", "message", "content", "role", "payload", "attachment", "text", "id", "uuid"),
    *("user", "assistant", "gemini", "tool_result", "tool_use", "prompt", "item", "source"),
    *("response_item", "event_msg", "session_meta", "toolCalls", "$set", "messages", "sessionId"),
    *("queued_command", "timestamp", "parentUuid", "args", "result", "origin", "kind", "command"),
]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5)
    ),
    max_leaves=12,
)
objects = st.dictionaries(st.sampled_from(WORDS), values, max_size=5)
# Deep enough that readers look into what they find.
nested = st.fixed_dictionaries(
    {"type": st.sampled_from(WORDS) | values},
    optional={
        "role": st.sampled_from(["user", "assistant"]) | values,
        "content": st.lists(objects, max_size=2) | values,
        "item": objects | values,
        "result": st.lists(objects, max_size=2) | values,
        "promptSource": values,
        "commandMode": values,
        "origin": objects | values,
    },
)
records = st.fixed_dictionaries(
    {"type": st.sampled_from(WORDS) | values},
    optional={
        "payload": nested | values,
        "message": nested | values,
        "attachment": nested | values,
        "content": st.lists(objects, max_size=2) | values,
        "toolCalls": st.lists(objects, max_size=2) | values,
        "timestamp": st.integers() | values,
        "promptSource": values,
        "origin": objects | values,
        "id": values,
        "sessionId": st.text(min_size=1, max_size=3) | values,
    },
)


@pytest.mark.parametrize("form", [CLAUDE_CODE, CODEX, GEMINI], ids=lambda form: form.host)
@settings(max_examples=100, deadline=None)
@given(lines=st.lists(records, max_size=6))
def test_records_of_any_shape_are_taken_or_named(
    form: Format, lines: list[dict[str, Any]]
) -> None:
    assembly = Assembly(form.host, {})
    reader = form.reader(assembly)
    for line in lines:
        with suppress(BadLineError):
            reader.read(json.dumps(line).encode())
    reader.finish()
    assembly.finish(is_settled=True)

    assert all(0 <= turn.said_at_ms < 2**53 for turn in assembly.closed)


@settings(max_examples=200, deadline=None)
@given(
    lines=st.lists(st.sampled_from(["_**User**_", "_**Agent (m)**_", "---", "<think>", "x", ""]))
)
def test_sections_in_any_order_are_read(lines: list[str]) -> None:
    assembly = Assembly(SPECSTORY.host, {"file": "f", "at_ms": 1})
    reader = SPECSTORY.reader(assembly)
    for line in lines:
        reader.read(line.encode() + b"\n")
    reader.finish()
    assembly.finish(is_settled=True)

    said = [turn.user_text for turn in assembly.closed]
    assert len(said) <= lines.count("_**User**_")
