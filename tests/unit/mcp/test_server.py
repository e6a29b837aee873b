"""The MCP server offers few tools with short texts, and what they answer is typed."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from backstory.api import Memory
from backstory.mcp.server import make_server
from hosting import a_repository, state_of

DECIDED = "We decided to use PostgreSQL for the main database."
TOOLS = {"recall", "read", "remember", "forget", "story", "todo", "status"}
# About four characters of English to a token: the texts together stay under 1,500 tokens.
TEXT_CHARS_MAX = 6_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in which something was said."""
    folder = a_repository(tmp_path / "shop")
    with Memory.open(folder) as memory:
        turn = memory.begin_turn(DECIDED)
        memory.complete_turn(turn, "Fine.")
    return folder


def ask(project: Path, question: Callable[[Client], Awaitable[Any]]) -> Any:
    """Connect in memory, and return what a question got."""

    async def run() -> Any:
        server, shelf = make_server(project)
        async with Client(server) as client:
            answer = await question(client)
        shelf.close()
        return answer

    return asyncio.run(run())


def called(project: Path, tool: str, **given: object) -> Any:
    """Call a tool, and return its structured answer."""
    result = ask(project, lambda client: client.call_tool(tool, given))
    assert not result.is_error, result.content
    return result.structured_content


def test_tools_are_few_annotated_and_well_named(project: Path) -> None:
    tools = ask(project, lambda client: client.list_tools()).tools

    assert {tool.name for tool in tools} == TOOLS
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{1,40}", tool.name) for tool in tools)
    assert all(tool.description and tool.annotations and tool.output_schema for tool in tools)
    assert {t.name for t in tools if t.annotations.destructive_hint} == {"forget"}
    assert {t.name for t in tools if t.annotations.read_only_hint} == TOOLS - {
        "remember",
        "forget",
    }


def test_texts_of_all_tools_cost_few_tokens(project: Path) -> None:
    async def texts(client: Client) -> str:
        tools = (await client.list_tools()).tools
        shown = [[t.name, t.description, t.input_schema] for t in tools]
        return json.dumps([client.instructions, shown])

    assert len(ask(project, texts)) < TEXT_CHARS_MAX


def test_recall_and_read_find_what_was_said(project: Path) -> None:
    found = called(project, "recall", query="Which database do we use?")
    (entry,) = found["entries"]
    read = called(project, "read", id=entry["id"])

    assert "PostgreSQL" in entry["text"]
    assert read["said"] == [DECIDED.rstrip(".")] or DECIDED in read["said"]


def test_recall_of_nothing_says_so(project: Path) -> None:
    found = called(project, "recall", query="How are penguins fed?")

    assert found["entries"] == []
    assert found["nothing_because"]


def test_words_of_the_user_are_remembered_and_those_of_the_agent_are_not(project: Path) -> None:
    with Memory.open(project) as memory:
        memory.complete_turn(memory.begin_turn("The staging server is at staging.shop.test"), "ok")
    theirs = called(project, "remember", user_words="The staging server is at staging.shop.test")
    made_up = called(project, "remember", user_words="Always deploy on Fridays without tests.")

    assert theirs["refused_because"] == []
    assert made_up["remembered"] == []
    assert "no recorded message" in made_up["refused_because"][0]


def test_forgetting_hides_the_item(project: Path) -> None:
    (entry,) = called(project, "recall", query="Which database do we use?")["entries"]
    called(project, "forget", id=entry["id"])

    assert called(project, "recall", query="Which database do we use?")["entries"] == []


def test_what_does_not_exist_is_an_error_that_says_so(project: Path) -> None:
    result = ask(project, lambda client: client.call_tool("read", {"id": "m_none"}))

    assert result.is_error
    assert "m_none" in result.content[0].text


def test_status_story_and_todo_answer(project: Path) -> None:
    assert called(project, "status")["health"] == "ok"
    assert called(project, "story") == {"episodes": []}
    assert called(project, "todo") == {"open": []}


def test_index_is_a_resource_and_so_is_each_item(project: Path) -> None:
    (entry,) = called(project, "recall", query="Which database do we use?")["entries"]
    index = ask(project, lambda client: client.read_resource("backstory://index"))
    item = ask(project, lambda client: client.read_resource(f"backstory://item/{entry['id']}"))

    assert entry["id"] in index.contents[0].text
    assert "PostgreSQL" in item.contents[0].text


def test_prompts_are_offered(project: Path) -> None:
    prompts = ask(project, lambda client: client.list_prompts()).prompts

    assert {prompt.name for prompt in prompts} == {"catch_me_up", "record_this_decision"}


@pytest.mark.parametrize("how", ["off", "isolated"])
def test_where_memory_is_silent_tools_have_nothing(
    project: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "off":
        (state_of(project) / "off").touch()
    else:
        monkeypatch.setenv("BACKSTORY_PURPOSE", "code_audit")

    assert called(project, "recall", query="Which database do we use?")["entries"] == []
    assert called(project, "status")["items"] == 0
