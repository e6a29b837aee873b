"""What other programs remember waits for a person, and only a person makes it memory."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.importers.discovery import slug_of
from backstory.adapters.importers.memories import exports, markdown, memory_files_in, proposals_in
from backstory.model.words import Kind
from commands import run
from projects import a_project

TOPIC = """---
name: port-of-the-dev-server
description: Which port the dev server uses
metadata:
  type: project
---

The dev server listens on port 8081
because 8080 is taken by the proxy.

**Why:** the proxy came first.
"""
INDEX = """# Memory

- [Port](port.md) — the dev server
- [Release](gone.md) — releases are cut on Tuesdays
- Tests need the database to be up
<!-- - a comment that is no memory -->
- 提交信息一律用中文写
- x
"""
SERVER: list[dict[str, object]] = [
    {"type": "entity", "name": "Order_Service", "observations": ["is in Go"]},
    {"type": "entity", "name": "default_user", "observations": ["likes tea"]},
    {"type": "relation", "from": "shop", "to": "Order_Service", "relationType": "depends_on"},
]
MEM0 = {
    "results": [
        {"id": "1", "memory": "Prefers short answers", "metadata": {"category": "preference"}},
        {"id": "2", "memory": "Deploys with Ansible", "categories": ["tool"]},
        {"id": "3", "memory": ""},
        {"no": "memory"},
    ]
}
BASIC = """---
title: Search
type: note
permalink: shop/search
tags: [a, b]
---

# Search

## Observations
- [decision] Search uses Postgres full text #search #db (decided in March)
- [gotcha] Trigram indexes must be rebuilt after a restore
- [ ] not an observation
- plain line

## Relations
- part_of [[Shop]]
"""
AGENTS = """# Rules

Some introduction.

- Use `ruff` for formatting,
  never black.
- Write tests first
1. Commit messages are in English

```text
- not a rule
```
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository."""
    return a_project(tmp_path / "shop")


def written(file: Path, content: object) -> Path:
    """Write a file: text as it is, anything else as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def told(file: Path, *, sections: bool = False) -> list[tuple[str, Kind]]:
    """Return what a file proposes."""
    return [(p.statement, p.kind) for p in proposals_in(file, has_sections=sections)]


def imported(project: Path, *words: str) -> Any:
    """Import, and return what that told."""
    return run("import", *words, "--json", at=project).told


def test_memories_of_claude_code_are_topics_and_lines_that_name_none(tmp_path: Path) -> None:
    topic = written(tmp_path / "memory" / "port.md", TOPIC)
    index = written(tmp_path / "memory" / "MEMORY.md", INDEX)

    assert memory_files_in(tmp_path / "memory") == (index, topic)
    assert told(topic) == [
        (
            "The dev server listens on port 8081 because 8080 is taken by the proxy.",
            Kind.PROJECT_FACT,
        )
    ]
    assert [statement for statement, _ in told(index)] == [
        "Release: releases are cut on Tuesdays",
        "Tests need the database to be up",
        "提交信息一律用中文写",
    ]


def test_the_memory_server_tells_observations_and_relations(tmp_path: Path) -> None:
    lines = written(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, SERVER)))
    entities = [one for one in SERVER if one["type"] == "entity"]
    relations = [one for one in SERVER if one["type"] == "relation"]
    whole = written(tmp_path / "memory.json", {"entities": entities, "relations": relations})
    expected = [
        ("Order Service: is in Go", Kind.PROJECT_FACT),
        ("likes tea", Kind.USER_PREFERENCE),
        ("shop depends on Order_Service", Kind.PROJECT_FACT),
    ]

    assert told(lines) == expected
    assert told(whole) == expected


def test_an_export_of_mem0_tells_its_memories(tmp_path: Path) -> None:
    expected = [
        ("Prefers short answers", Kind.USER_PREFERENCE),
        ("Deploys with Ansible", Kind.TOOL_LESSON),
    ]

    assert told(written(tmp_path / "a.json", MEM0)) == expected
    assert told(written(tmp_path / "b.json", MEM0["results"])) == expected


def test_notes_of_basic_memory_tell_their_observations(tmp_path: Path) -> None:
    note = written(tmp_path / "notes" / "search.md", BASIC)
    first = proposals_in(note)[0]

    assert told(note) == [
        ("Search uses Postgres full text", Kind.PROJECT_DECISION),
        ("Search: Trigram indexes must be rebuilt after a restore", Kind.FAILURE_LESSON),
    ]
    assert first.place == f"{note}:11"


def test_points_of_instructions_are_taken_only_where_somebody_says_so(tmp_path: Path) -> None:
    file = written(tmp_path / "AGENTS.md", AGENTS)

    assert [statement for statement, _ in told(file, sections=True)] == [
        "Use `ruff` for formatting, never black.",
        "Write tests first",
        "Commit messages are in English",
    ]
    assert run("import", str(file), at=a_project(tmp_path / "shop")).code == 1


@pytest.mark.case("C21")
def test_nothing_is_memory_before_a_person_approves_it(project: Path) -> None:
    topic = written(project.parent / "memory" / "port.md", TOPIC)
    before = topic.read_bytes()
    report = imported(project, str(topic))
    recalled = run("recall", "which port is the dev server on", "--json", at=project)
    waiting = run("review", "--json", at=project).told["waiting"]
    shown = run("review", at=project).out
    (approved,) = run("review", "approve", waiting[0]["id"], "--json", at=project).told["approved"]

    assert len(report["waiting"]) == 1
    assert run("list", "--json", at=project).told == [approved]
    assert "8081" not in recalled.out
    assert (waiting[0]["origin"], waiting[0]["state"]) == ("import", "waiting")
    assert f"from {topic}: no words of yours prove it" in shown
    assert (approved["author"], approved["kind"]) == ("human", "project_fact")
    assert run("doctor", at=project).code == 0
    assert topic.read_bytes() == before


@pytest.mark.parametrize("verdict", ["approve", "discard", None])
def test_what_was_offered_once_is_not_offered_again(project: Path, verdict: str | None) -> None:
    topic = written(project.parent / "memory" / "port.md", TOPIC)
    imported(project, str(topic))
    (row,) = run("review", "--json", at=project).told["waiting"]
    if verdict is not None:
        run("review", verdict, row["id"], at=project)
    again = imported(project, str(topic))

    assert (again["waiting"], again["known"]) == ([], 1)


def test_what_was_forgotten_does_not_come_back_by_another_program(project: Path) -> None:
    run("remember", "The dev server listens on port 8081.", at=project)
    (item,) = run("list", "--json", at=project).told
    run("forget", item["id"], at=project)
    file = written(project.parent / "m.json", [{"id": 1, "memory": item["statement"]}])
    report = imported(project, str(file))

    assert (report["waiting"], report["refused"]) == ([], 1)


@pytest.mark.parametrize("verb", [("forget",), ("erase", "--yes")])
def test_what_is_forgotten_or_erased_leaves_the_review_as_well(
    project: Path, verb: tuple[str, ...]
) -> None:
    said = "The dev server of the shop listens on port 8081"
    file = written(
        project.parent / "m.json",
        [{"id": 1, "memory": said}, {"id": 2, "memory": "Deploys with Ansible"}],
    )
    imported(project, str(file))
    run("remember", f"{said}.", at=project)
    (item,) = run("list", "--json", at=project).told
    run(*verb, item["id"], at=project)
    shown = run("review", at=project).out

    assert "Ansible" in shown
    assert "8081" not in shown
    assert "ERASED" not in shown


def test_secrets_in_other_programs_memories_stay_out(project: Path) -> None:
    key = "sk-ant-api03-" + "a1B2" * 20
    file = written(project.parent / "m.json", [{"id": 1, "memory": f"The key is {key} for tests"}])
    imported(project, str(file))
    shown = run("review", at=project).out

    assert "for tests" in shown
    assert key not in shown


def test_a_dry_run_keeps_nothing(project: Path) -> None:
    file = written(project.parent / "m.json", MEM0)
    ran = run("import", str(file), "--dry-run", at=project)

    assert "2 statements of 1 file would wait" in ran.out
    assert "Deploys with Ansible" in ran.out
    assert run("review", "--json", at=project).told["waiting"] == []


@pytest.mark.case("C21")
def test_what_claude_code_remembers_of_this_project_is_found_and_offered(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude = project.parent / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude))
    folder = claude / "projects" / slug_of(project) / "memory"
    nothing = run("import", "--memories", at=project).out
    written(folder / "port.md", TOPIC)
    written(folder / "MEMORY.md", INDEX)
    installed = run("install", "claude-code", "--dry-run", at=project).out
    report = imported(project, "--memories")

    assert "Nothing that another program remembers" in nothing
    assert "`backstory import --memories` offers them" in installed
    assert len(report["waiting"]) == 4


def test_sections_without_a_path_are_those_of_the_project(project: Path) -> None:
    written(project / "AGENTS.md", AGENTS)
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    report = imported(project, "--sections")

    assert len(report["files"]) == 1
    assert len(report["waiting"]) == 3


def test_a_directory_with_sessions_is_one_of_sessions(project: Path) -> None:
    folder = project.parent / "both"
    written(folder / "memory" / "MEMORY.md", INDEX)
    written(folder / "s.jsonl", "{}")

    assert memory_files_in(folder) == ()


def test_sessions_and_memories_together_are_refused(project: Path) -> None:
    memory = written(project.parent / "m.json", MEM0)
    session = written(project.parent / "s.jsonl", '{"sessionId": "s"}')

    assert run("import", str(memory), str(session), at=project).code == 2


@given(text=st.text())
def test_no_text_is_an_error_for_any_reader(text: str) -> None:
    file = Path("/nowhere/note.md")
    found = [
        proposal
        for reader in (
            *(markdown.of_index, markdown.of_topic, markdown.of_basic_note),
            *(markdown.of_sections, exports.of_server, exports.of_mem0),
        )
        for proposal in reader(text, file)
    ]

    assert all(proposal.statement.strip() for proposal in found)


LONG = 100_000


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: x\npermalink: y\n---\n- [fact] a" + " " * LONG + "b\n",
        "---\ntitle: x\npermalink: y\n---\n- [fact] a" + " #tag" * LONG + " x y\n",
        "---\ntitle: x\n" + "\n" * LONG + "\n---\n- [fact] a b c",
        "- [a](b) " + "x " * LONG + " " * LONG + "y\n",
        "- a b c\n" + "<!-- " * LONG,
    ],
    ids=["blanks", "tags", "empty lines", "an index line", "comments"],
)
def test_a_huge_line_is_read_in_no_time(text: str) -> None:
    file = Path("/nowhere/note.md")
    for reader in (markdown.of_index, markdown.of_topic, markdown.of_basic_note):
        assert len([*reader(text, file)]) <= 1
    assert len([*markdown.of_sections(text, file)]) <= 1


@pytest.mark.parametrize(
    "end", ["", " #a", " #a #b/c", " (seen in review)", " #a (in review)", " (x) #a"]
)
def test_tags_and_context_of_an_observation_are_left_out(end: str) -> None:
    text = f"---\npermalink: p\ntitle: Search\n---\n- [fact] Search is (very) fast{end}  \n"
    (found,) = markdown.of_basic_note(text, Path("/nowhere/note.md"))

    assert found.statement == "Search is (very) fast"


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "1", "memory": "we use pnpm here", "metadata": "oops"}]',
        '[{"id": "1", "memory": "we use pnpm here", "metadata": ["a", "b"]}]',
        '[{"id": "1", "memory": "we use \\ud800 pnpm here"}]',
        '[{"id": "1", "memory": "we use pnpm here", "categories": {"a": []}}]',
    ],
)
def test_an_export_of_any_shape_is_offered_as_far_as_it_can_be_read(
    project: Path, text: str
) -> None:
    file = written(project.parent / "m.json", text)

    assert run("import", str(file), at=project).code == 0
    assert "pnpm here" in run("review", at=project).out


def test_json_of_any_depth_is_no_bug(project: Path) -> None:
    file = written(project.parent / "m.json", "[" * LONG)

    assert run("import", str(file), at=project).code == 1


NAMES = (
    *("id", "memory", "results", "type", "name", "observations", "metadata", "categories"),
    *("entities", "relations", "entity", "from", "to", "relationType"),
)
records = st.recursive(
    st.none() | st.integers() | st.text(max_size=8) | st.sampled_from(["entity", "relation"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(value=records)
def test_no_shape_of_json_is_an_error(value: object) -> None:
    text = json.dumps(value)
    for reader in (exports.of_server, exports.of_mem0):
        assert all(proposal.statement for proposal in reader(text, Path("/nowhere/x.json")))
