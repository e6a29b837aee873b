"""What is promised holds from what was said to what is answered, through the library alone."""

import json
from pathlib import Path

import pytest

from backstory import Memory, NullMemory
from backstory.model.words import Purpose, Status
from backstory.wiring.opening import Opening
from projects import a_project, git, memory_of, say
from source_tree import ROOT

SAID = (
    "We decided to use PostgreSQL for the main database.",
    "以后提交信息一律用中文写。",
    "Always use tabs in Go files.",
    "The staging server is at staging.example.com.",
)
QUESTION = "which database do we use?"
ISOLATED = [purpose for purpose in Purpose if purpose.is_isolated]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository with a commit."""
    return a_project(tmp_path / "shop")


def statements(memory: Memory) -> list[str]:
    return [item.revision.statement for item in memory.list()]


@pytest.mark.promise("R9")
def test_what_was_said_lasts_over_a_restart_and_answers_in_both_languages(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, *SAID)

    with memory_of(project, now_ms=9_000_000) as memory:
        english = memory.recall(QUESTION).hits
        chinese = memory.recall("提交信息用什么语言？").hits
        history = memory.history()

    assert "PostgreSQL" in english[0].entry.revision.statement
    assert "中文" in chinese[0].entry.revision.statement
    assert [turn.user_text for turn in history] == list(SAID)


@pytest.mark.promise("R62")
def test_an_empty_memory_answers_with_nothing_and_no_error(project: Path) -> None:
    with memory_of(project) as memory:
        assert memory.list() == ()
        assert memory.history() == ()
        assert memory.recall(QUESTION).hits == ()
        assert memory.recall(QUESTION).abstained_because
        assert memory.context(QUESTION).text == ""


@pytest.mark.promise("R2", "R3")
@pytest.mark.case("C90")
@pytest.mark.parametrize("purpose", ISOLATED)
def test_an_isolated_purpose_is_given_the_same_with_a_full_memory_and_with_none(
    project: Path, tmp_path: Path, purpose: Purpose
) -> None:
    with memory_of(project) as memory:
        say(memory, *SAID)
    empty = a_project(tmp_path / "empty")

    texts = []
    for folder in (project, empty):
        isolated = Memory.open(folder, purpose=purpose, opening=Opening(env={}))
        assert isinstance(isolated, NullMemory)
        texts.append(isolated.context(QUESTION).text + isolated.routing())
        assert isolated.list() == ()
        assert isolated.recall(QUESTION).hits == ()
        assert isolated.search("PostgreSQL") == ()

    assert texts == ["", ""]


@pytest.mark.promise("R3", "R56")
@pytest.mark.case("C90")
def test_an_isolated_purpose_keeps_nothing(project: Path) -> None:
    isolated = Memory.open(project, purpose=Purpose.CODE_AUDIT, opening=Opening(env={}))
    isolated.complete_turn(isolated.begin_turn(SAID[0]), "ok")
    isolated.remember(SAID[0])
    isolated.close()

    with memory_of(project) as memory:
        assert memory.list() == ()
        assert memory.status().turns.get("completed", 0) == 0


@pytest.mark.promise("R25")
def test_a_memory_that_holds_nothing_has_the_surface_of_the_real_one() -> None:
    public = {name for name in dir(Memory) if not name.startswith("_")} - {"open", "init"}

    assert public <= {name for name in dir(NullMemory) if not name.startswith("_")}


@pytest.mark.promise("R1")
@pytest.mark.case("C31")
def test_two_projects_of_one_name_share_nothing(project: Path, tmp_path: Path) -> None:
    other = a_project(tmp_path / "other" / "shop")
    with memory_of(project) as memory:
        say(memory, *SAID)

    with memory_of(other) as memory:
        assert memory.list() == ()
        assert memory.search("PostgreSQL") == ()


@pytest.mark.promise("R1")
@pytest.mark.case("C32")
def test_work_trees_of_one_repository_share_everything(project: Path, tmp_path: Path) -> None:
    git(project, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    with memory_of(project) as memory:
        say(memory, *SAID)
        known = statements(memory)

    with memory_of(tmp_path / "tree") as memory:
        assert statements(memory) == known


@pytest.mark.promise("R1")
@pytest.mark.case("C11", "C74", "C80")
def test_nothing_is_written_in_the_work_tree(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, *SAID)
        memory.export()

    assert git(project, "status", "--porcelain", "--ignored") == ""
    assert [path.name for path in project.iterdir()] == [".git"]


@pytest.mark.promise("R107")
@pytest.mark.case("C62", "C108")
def test_a_forgotten_item_is_in_no_view_and_is_not_rebuilt(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, SAID[0])
        (item,) = memory.list()
        memory.forget(item.id)
        memory.reindex()
        say(memory, "What time is it?")

        assert memory.list() == ()
        assert memory.recall(QUESTION).hits == ()
        assert "PostgreSQL" not in memory.context(QUESTION).text
        assert memory.show(item.id).item.status is Status.FORGOTTEN

        say(memory, SAID[0])

        assert len(memory.list()) == 1


@pytest.mark.promise("R13", "R176")
@pytest.mark.case("C40")
def test_injected_text_that_comes_back_grounds_nothing(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, SAID[0])
        (item,) = memory.list()
        text = memory.context(QUESTION).relevant
        memory.forget(item.id)
        say(memory, f"{text}\n\nThanks.")

        assert memory.list() == ()


@pytest.mark.promise("R12")
def test_what_is_handed_over_says_that_it_proves_nothing_about_the_code(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, *SAID)
        text = memory.context(QUESTION).relevant

    assert "not evidence" in text
    assert "current" in text
    assert "PostgreSQL" in text
    assert "staging" not in text


@pytest.mark.promise("R117")
@pytest.mark.case("C08")
def test_rebuilding_the_index_changes_no_answer(project: Path) -> None:
    questions = [QUESTION, "Go 文件怎么缩进？", "where is the staging server?", "football"]
    with memory_of(project) as memory:
        say(memory, *SAID)
        before = [found(memory, question) for question in questions]
        memory.reindex()

        assert [found(memory, question) for question in questions] == before
        assert any(before)


def found(memory: Memory, question: str) -> list[str]:
    return [hit.entry.id for hit in memory.recall(question).hits]


@pytest.mark.promise("R37", "R176")
def test_every_item_of_many_conversations_has_the_exact_words_that_prove_it(
    project: Path,
) -> None:
    corpus = (ROOT / "tests/corpus/extraction.jsonl").read_text(encoding="utf-8")
    said: dict[str, tuple[str, str]] = {}
    with memory_of(project) as memory:
        for case in corpus.splitlines()[::3]:
            memory.new_thread()
            for turn in json.loads(case)["turns"]:
                opened = memory.begin_turn(turn["user"])
                memory.complete_turn(opened, turn["assistant"])
                said[opened.id] = (turn["user"], turn["assistant"])
        stories = [memory.show(item.id) for item in memory.list(statuses=tuple(Status))]

    assert stories
    for story in stories:
        assert story.evidence, story.item.revision.statement
        for evidence in story.evidence:
            quote = evidence.quote
            text = said[str(quote.turn_id)][quote.role == "assistant"]
            cut = text[quote.start : quote.end]
            assert quote.text == cut or "[REDACTED:" in quote.text
        assert any(evidence.quote.role == "user" for evidence in story.evidence)
