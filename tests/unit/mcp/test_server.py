"""The MCP server offers few tools with short texts, and what they answer is typed."""

import json
import re
from pathlib import Path

import anyio
import apsw
import pytest
from mcp import Client

from asking_mcp import ask, called, failed
from backstory.adapters.project import find_project
from backstory.adapters.switches import ISOLATED, session_mark
from backstory.api import Memory, Opening
from backstory.model.limits import AGENT_PROPOSALS_PER_SESSION_MAX
from backstory.model.words import Purpose
from backstory.wiring.opening import keep_purpose
from hosting import a_repository, state_of
from recorded import files_in

DECIDED = "We decided to use PostgreSQL for the main database."
TOOLS = {"recall", "read", "remember", "forget", "story", "todo", "status"}
TEXT_TOKENS_MAX = 1_500


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in which something was said."""
    folder = a_repository(tmp_path / "shop")
    with Memory.open(folder) as memory:
        turn = memory.begin_turn(DECIDED)
        memory.complete_turn(turn, "Fine.")
    return folder


@pytest.mark.case("C23", "C87")
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


def tokens_in(text: str) -> int:
    """Count tokens as a model might, rather too many than too few.

    Four characters of English or JSON to one, which is what vendors give as a rule of thumb; a
    character beyond ASCII counts as one, for Chinese is about that.
    """
    ascii_chars = sum(char.isascii() for char in text)
    return -(-ascii_chars // 4) + len(text) - ascii_chars


@pytest.mark.case("C23")
def test_all_texts_together_cost_few_tokens(project: Path) -> None:
    async def texts(client: Client) -> list[object]:
        tools = (await client.list_tools()).tools
        templates = (await client.list_resource_templates()).resource_templates
        resources = (await client.list_resources()).resources
        prompts = (await client.list_prompts()).prompts
        return [
            client.instructions,
            [[t.name, t.title, t.description, t.input_schema, t.output_schema] for t in tools],
            [[r.name, r.title, r.description, r.uri_template] for r in templates],
            [[r.name, r.title, r.description, str(r.uri)] for r in resources],
            [[p.name, p.title, p.description] for p in prompts],
        ]

    written = json.dumps(ask(project, texts), ensure_ascii=False, separators=(",", ":"))
    assert tokens_in(written) < TEXT_TOKENS_MAX


def test_chinese_counts_by_the_character() -> None:
    assert tokens_in("记忆") == 2
    assert tokens_in("memo") == 1


def test_every_hint_is_stated_and_none_reaches_outside(project: Path) -> None:
    tools = ask(project, lambda client: client.list_tools()).tools

    assert not any(tool.annotations.open_world_hint for tool in tools)
    assert all(tool.annotations.idempotent_hint for tool in tools)
    assert all(tool.output_schema["type"] == "object" for tool in tools)


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


@pytest.mark.case("C87")
def test_words_of_the_user_are_remembered_and_those_of_the_agent_wait(project: Path) -> None:
    said = "From now on all handlers return JSON."
    with Memory.open(project) as memory:
        memory.begin_turn(said)
    theirs = called(project, "remember", statement="All handlers return JSON", user_words=said)
    made_up = called(project, "remember", statement="Always deploy on Fridays without tests.")

    assert len(theirs["remembered"]) == 1
    assert made_up["remembered"] == []
    assert "only the agent said it" in made_up["because"][0]
    with Memory.open(project) as memory:
        (waiting,) = memory.waiting()
    assert made_up["waiting"] == [waiting.id]
    assert waiting.proposer == "agent:mcp"
    assert called(project, "recall", query="Fridays without tests")["entries"] == []
    assert called(project, "status")["in_review"] == 1


@pytest.mark.case("C22")
def test_a_connection_is_a_session(project: Path) -> None:
    async def twice(client: Client) -> None:
        for port in (9_001, 9_002):
            await client.call_tool("remember", {"statement": f"Port {port} is for the queue."})

    ask(project, twice)
    called(project, "remember", statement="Port 9003 is for the queue.")
    with Memory.open(project) as memory:
        one, same, other = (row.thread_id for row in memory.waiting())

    assert one == same
    assert None not in {one, other}
    assert one != other


@pytest.mark.case("C46")
def test_a_session_may_not_propose_without_end(project: Path) -> None:
    async def often(client: Client) -> list[bool]:
        made = [
            await client.call_tool("remember", {"statement": f"Port {9_000 + n} is for {n}."})
            for n in range(AGENT_PROPOSALS_PER_SESSION_MAX + 1)
        ]
        return [result.is_error for result in made]

    assert ask(project, often) == [False] * AGENT_PROPOSALS_PER_SESSION_MAX + [True]


def test_forgetting_hides_the_item(project: Path) -> None:
    (entry,) = called(project, "recall", query="Which database do we use?")["entries"]
    gone = called(project, "forget", id=entry["id"])

    assert gone == {"forgotten": entry["id"]}
    assert called(project, "recall", query="Which database do we use?")["entries"] == []


def test_what_does_not_exist_is_an_error_that_says_so(project: Path) -> None:
    assert "m_none" in failed(project, "read", id="m_none")


def test_status_story_and_todo_answer(project: Path) -> None:
    assert called(project, "status")["health"] == "ok"
    assert called(project, "story") == {"episodes": [], "nothing_because": ""}
    assert called(project, "todo") == {"open": [], "nothing_because": ""}


def test_index_is_a_resource_and_so_is_each_item(project: Path) -> None:
    (entry,) = called(project, "recall", query="Which database do we use?")["entries"]
    index = ask(project, lambda client: client.read_resource("backstory://index"))
    item = ask(project, lambda client: client.read_resource(f"backstory://item/{entry['id']}"))

    assert entry["id"] in index.contents[0].text
    assert "PostgreSQL" in item.contents[0].text


def test_prompts_are_offered(project: Path) -> None:
    prompts = ask(project, lambda client: client.list_prompts()).prompts

    assert {prompt.name for prompt in prompts} == {"catch_me_up", "record_this_decision"}


@pytest.fixture(params=["off", "isolated", "isolated later", "in review"])
def silent(request: pytest.FixtureRequest, project: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make memory silent in one of the ways there are, and return what its health is called."""
    if request.param == "off":
        (state_of(project) / "off").touch()
    elif request.param == "isolated":
        monkeypatch.setenv("BACKSTORY_PURPOSE", "code_audit")
    elif request.param == "isolated later":
        keep_purpose(project, Purpose.CODE_AUDIT, opening=Opening())
    else:
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
        session_mark(find_project(project, env={}), "s1", name=ISOLATED).touch()
    return "off" if request.param == "off" else "isolated"


def test_where_memory_is_silent_tools_say_so(project: Path, silent: str) -> None:
    before = files_in(state_of(project))
    looked = [called(project, "recall", query="database"), called(project, "story")]
    looked.append(called(project, "todo"))

    assert all(silent in answer["nothing_because"] for answer in looked)
    assert looked[0]["entries"] == []
    assert silent in called(project, "remember", statement="Use MySQL.")["because"][0]
    assert silent in failed(project, "read", id="m_1")
    assert silent in failed(project, "forget", id="m_1")
    assert called(project, "status")["health"] == silent
    assert called(project, "status")["items"] == 0
    index = ask(project, lambda client: client.read_resource("backstory://index"))
    assert "PostgreSQL" not in index.contents[0].text
    assert files_in(state_of(project)) == before


@pytest.mark.case("C23", "C86")
def test_what_is_off_costs_no_text_at_all(project: Path) -> None:
    async def listed(client: Client) -> list[object]:
        return [
            client.instructions,
            (await client.list_tools()).tools,
            (await client.list_resources()).resources,
            (await client.list_resource_templates()).resource_templates,
            (await client.list_prompts()).prompts,
        ]

    assert all(ask(project, listed))
    (state_of(project) / "off").touch()
    assert ask(project, listed) == [None, [], [], [], []]


def test_silence_that_begins_while_it_serves_counts_at_once(project: Path) -> None:
    async def twice(client: Client) -> list[int]:
        first = await client.call_tool("recall", {"query": "Which database?"})
        keep_purpose(project, Purpose.CODE_AUDIT, opening=Opening())
        second = await client.call_tool("recall", {"query": "Which database?"})
        return [len(one.structured_content["entries"]) for one in (first, second)]

    assert ask(project, twice) == [1, 0]


def test_a_damaged_store_is_an_error_that_says_so_and_stops_nothing(project: Path) -> None:
    (state_of(project) / "memory.db").write_bytes(b"not a database" * 100)

    assert called(project, "status")["health"] == "degraded"
    assert called(project, "status")["problem"]
    for tool, given in (
        ("recall", {"query": "x"}),
        ("todo", {}),
        ("remember", {"statement": "x"}),
    ):
        assert "memory.db" in failed(project, tool, **given)


@pytest.mark.case("C04")
def test_between_calls_no_transaction_is_open(project: Path) -> None:
    async def then_write(client: Client) -> int:
        await client.call_tool("recall", {"query": "Which database?"})
        await client.read_resource("backstory://index")
        # A reader that kept its view would keep the log from being emptied.
        connection = apsw.Connection(str(state_of(project) / "memory.db"))
        connection.execute("UPDATE meta SET index_version = index_version")
        ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return int(busy)

    assert ask(project, then_write) == 0


def test_many_calls_at_once_are_all_answered(project: Path) -> None:
    async def together(client: Client) -> list[int]:
        found: list[int] = []

        async def one() -> None:
            answer = await client.call_tool("recall", {"query": "Which database?"})
            found.append(len(answer.structured_content["entries"]))

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(one)
        return found

    assert ask(project, together) == [1] * 20
