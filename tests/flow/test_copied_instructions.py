"""What a person pastes from a file that agents read anyway is not their word."""

import os
from pathlib import Path

import pytest

from backstory.adapters.instructions import written_lines
from backstory.adapters.models.scripted import playing
from backstory.adapters.project import init_project
from backstory.api import Memory
from backstory.extract.window import line_form
from backstory.model.words import Kind
from modelled import a_memory, a_proposal, a_reply, say, statements, worked
from projects import a_project, memory_of

ENGLISH = """# Rules

- Always write commit messages in the imperative mood.
- Never push to main without a review by somebody else.
"""
CHINESE = """1. 以后所有提交信息都用中文写，并写明原因。
2. 测试里一律不要 mock 数据库，用真的容器。
"""


def said(memory: Memory, text: str) -> list[str]:
    """Let a person say something, and return what is remembered then."""
    memory.complete_turn(memory.begin_turn(text), "Noted.")
    memory.work()
    return [item.revision.statement for item in memory.list()]


@pytest.mark.case("C41")
@pytest.mark.parametrize("rules", [ENGLISH, CHINESE])
@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md", ".cursorrules", "README.md"])
def test_what_is_pasted_from_such_a_file_is_not_remembered(
    tmp_path: Path, rules: str, name: str
) -> None:
    project = a_project(tmp_path / "shop")
    (project / name).write_text(f"Shop\n\n{rules}\nMore.\n", encoding="utf-8")
    with memory_of(project) as memory:
        assert said(memory, f"Look at this:\n\n{rules}") == []
        slugs = {reason.slug for one in memory.proposals() for reason in one.reasons}

    assert "checked-in" in slugs


@pytest.mark.case("C41")
@pytest.mark.parametrize("name", ["AGENTS.md", "notes.md"])
def test_a_model_makes_it_nobodys_word_either(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.pipeline.extract", lambda _: ())
    memory = a_memory(tmp_path)
    (tmp_path / "shop" / name).write_text(ENGLISH, encoding="utf-8")
    say(memory, (f"Look at this:\n\n{ENGLISH}", "I see."), ("Thanks for that.", "Fine."))
    rule = "Always write commit messages in the imperative mood"
    worked(memory, playing([a_reply(a_proposal(rule, kind=Kind.CODE_CONVENTION))]))

    assert statements(memory) == ([] if name == "AGENTS.md" else [rule])


@pytest.mark.case("C41")
@pytest.mark.parametrize("rules", [ENGLISH, CHINESE])
def test_the_same_rules_in_no_such_file_are_a_persons_word(tmp_path: Path, rules: str) -> None:
    with memory_of(a_project(tmp_path / "shop")) as memory:
        assert len(said(memory, rules)) == 2


@pytest.mark.case("C41")
def test_a_line_that_stands_there_too_may_be_said_by_itself(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    (project / "CLAUDE.md").write_text(ENGLISH, encoding="utf-8")
    with memory_of(project) as memory:
        own = "Always write commit messages in the imperative mood.\nThanks!"

        assert len(said(memory, own)) == 1


@pytest.mark.case("C41")
def test_what_is_said_beside_a_pasted_part_is_remembered(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    (project / "AGENTS.md").write_text(ENGLISH, encoding="utf-8")
    with memory_of(project) as memory:
        (held,) = said(memory, f"{ENGLISH}\nWe decided to use PostgreSQL for the main database.")

    assert "PostgreSQL" in held


def test_lines_are_compared_without_markers_and_short_ones_not_at_all() -> None:
    line = "Always write commit messages in English"

    assert line_form(f"  - [ ] {line}  ") == line
    assert line_form(f"2. {line}") == line
    assert line_form("- 1. " * 100_000 + line) == line
    assert line_form("提交信息一律用中文来写好") == "提交信息一律用中文来写好"
    assert line_form("- Use tabs") == ""


def test_a_file_that_is_huge_or_no_text_has_no_lines_or_is_read_as_far_as_it_goes(
    tmp_path: Path,
) -> None:
    project = a_project(tmp_path / "shop")
    (project / "AGENTS.md").write_text("This line is long enough to count.\n" * 20_000)
    (project / "README.md").write_bytes(b"\xff\xfe Another line that is long enough to count.\n")
    (project / "CLAUDE.md").mkdir()

    assert len(written_lines(init_project(project, env={}))) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_nobody_waits_for_a_pipe_that_has_the_name_of_such_a_file(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    os.mkfifo(project / "AGENTS.md")
    (project / "CLAUDE.md").write_text("This line is long enough to count.\n")

    assert len(written_lines(init_project(project, env={}))) == 1
