"""Every command does what its help says, for people and as JSON."""

import json
from pathlib import Path

import pytest

from backstory.cli.group import command_line
from commands import DECIDED, remembered, run
from projects import a_project
from transcripts import Claude, written

RULE = "以后提交信息一律用中文写。"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


@pytest.mark.promise("R146")
def test_what_is_remembered_is_listed_shown_found_and_explained(project: Path) -> None:
    item = remembered(project)
    remembered(project, RULE)

    listed = run("list", at=project).out.splitlines()
    shown = run("show", item, at=project).out
    found = run("recall", "which", "database?", at=project).out
    explained = run("why", "PostgreSQL", at=project).out

    assert listed == [
        f"{item}  decision    We decided to use PostgreSQL for the main database",
        listed[1],
    ]
    assert listed[1].endswith("convention  以后提交信息一律用中文写")
    assert "“We decided to use PostgreSQL for the main database”" in shown
    assert "revision 1" in shown
    assert found.startswith(item)
    assert explained.startswith("Remembered, because this was said:")


@pytest.mark.case("C64")
def test_what_is_not_remembered_is_told_with_its_reason(project: Path) -> None:
    ran = run("remember", "Should we use MongoDB?", at=project)

    assert ran.code == 0
    assert ran.out.startswith("Not remembered:")
    assert "it is a question" in ran.out
    assert "it is a question" in run("why", "MongoDB", at=project).out


@pytest.mark.promise("R146")
def test_edit_pin_unpin_forget_and_undo_change_one_item(project: Path) -> None:
    item = remembered(project)
    prefix = item[:8]

    assert "Use MariaDB." in run("edit", prefix, "Use", "MariaDB.", at=project).out
    assert "(pinned)" in run("pin", prefix, at=project).out
    assert "(pinned)" not in run("unpin", prefix, at=project).out
    assert "(forgotten)" in run("forget", prefix, at=project).out
    assert run("undo", at=project).out.startswith("Undone: forget of")
    assert run("show", prefix, "--json", at=project).told["statement"] == "Use MariaDB."


@pytest.mark.promise("R154")
def test_erase_asks_first_and_leaves_no_byte(project: Path) -> None:
    item = remembered(project, "We decided to keep the canary word quokka in the docs.")
    run("export", str(project.parent / "copy.json"), at=project)

    unasked = run("erase", item, at=project)
    erased = run("erase", item, "--yes", at=project)

    assert unasked.code == 1
    assert "--yes" in unasked.err
    assert erased.out.startswith("Erased, with ")
    store = project / ".git/backstory"
    assert not [path for path in store.rglob("*") if b"quokka" in path.read_bytes()]
    assert run("erase", "--json", at=project).told == {"is_scrubbed": True}


def test_copies_that_still_hold_erased_words_are_named(project: Path) -> None:
    item = remembered(project)
    copy = run("export", "--json", at=project).told["path"]

    assert f"Still in {copy}" in run("erase", item, "--yes", at=project).out


def test_new_items_wait_where_review_is_on(project: Path) -> None:
    assert "Review is on" in run("review", "--on", at=project).out
    waiting = run("remember", DECIDED, "--json", at=project).told["waiting"]
    other = run("remember", RULE, "--json", at=project).told["waiting"]

    assert run("list", "--json", at=project).told == []
    assert "1 waiting" not in run("status", at=project).out
    approved = run("review", "approve", waiting[0]["id"][:9], "--json", at=project).told
    assert [item["statement"] for item in approved["approved"]] == [DECIDED.rstrip(".")]
    assert len(approved["waiting"]) == 1
    run("review", "discard", other[0]["id"], at=project)
    assert "Nothing waits" in run("review", "--off", at=project).out
    assert len(run("list", "--json", at=project).told) == 1


@pytest.mark.promise("R146", "R147")
def test_clear_says_what_would_go_and_deletes_when_confirmed(project: Path) -> None:
    remembered(project)
    kept = Path(run("export", "--json", at=project).told["path"])

    asked = run("clear", at=project)
    cleared = run("clear", "--confirm", at=project)

    assert asked.code == 1
    assert "1 item, 1 turn" in asked.err
    assert "generation 2" in cleared.out
    assert run("list", "--json", at=project).told == []
    assert kept.exists()


@pytest.mark.promise("R148")
def test_an_export_fills_an_empty_memory_and_no_other(project: Path, tmp_path: Path) -> None:
    item = remembered(project)
    copy = run("export", str(tmp_path / "copy.json"), "--json", at=project).told["path"]
    other = a_project(tmp_path / "other")

    assert run("import", copy, at=other).out.startswith("Imported 1 item, 1 turn")
    assert run("show", item, at=other).out == run("show", item, at=project).out
    assert run("import", copy, at=other).code != 0
    assert run("import", copy, "--dry-run", at=a_project(tmp_path / "third")).code == 2
    assert run("export", copy, at=project).code == 1  # never overwritten


@pytest.mark.case("C64")
def test_what_waits_is_told_by_status_and_done_by_work(project: Path) -> None:
    claude = Claude(cwd=str(project))
    lines = [claude.user(DECIDED), claude.said("Fine.")]
    session = written(project.parent / "one.jsonl", lines)
    run("import", str(session), at=project)

    status = run("status", at=project).out

    assert "memory   ok  (coding)" in status
    assert "items    decision: 1 active" in status
    assert len(status.splitlines()) < 24
    assert all(len(line) <= 80 for line in status.splitlines() if str(project) not in line)
    assert run("work", "--retry", at=project).out == "0 jobs done, 0 failed, 0 left.\n"


def test_a_new_conversation_and_a_new_index_change_no_item(project: Path) -> None:
    item = remembered(project)

    assert run("new", at=project).out.startswith("A new conversation has begun: t_")
    assert run("reindex", at=project).out == "1 entry in the index.\n"
    assert [row["id"] for row in run("list", "--json", at=project).told] == [item]


def test_init_makes_a_plain_directory_a_project(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()

    made = run("init", "--json", at=folder).told

    assert Path(made["state"]) == folder / ".backstory"
    assert (folder / ".backstory/.gitignore").read_text() == "*\n"
    assert run("status", at=folder).code == 0


def test_context_is_what_an_agent_is_given(project: Path) -> None:
    item = remembered(project)

    text = run("context", "which database do we use?", at=project).out
    parts = run("context", "--json", at=project).told

    assert text.count(item) == 2  # in the index, and in full
    assert item in parts["index"]
    assert parts["relevant"] == ""


@pytest.mark.case("C69")
def test_recall_explains_what_it_looked_at(project: Path) -> None:
    item = remembered(project)

    ran = run("recall", "database", "--explain", at=project).out

    assert "Looked at" in ran
    assert ran.count(item) == 2


def test_recall_says_by_what_an_entry_was_found(project: Path) -> None:
    remembered(project)

    assert "    found by its words\n" in run("recall", "which database is used?", at=project).out


def test_search_finds_what_was_said(project: Path) -> None:
    remembered(project)

    assert "PostgreSQL" in run("search", "PostgreSQL", at=project).out
    assert run("search", "kangaroo", at=project).out == "No turn holds these words.\n"


# What a command is given here; one that is not named is tried without words.
WORDS = {
    "remember": ("We use tabs in Go files, always.",),
    "recall": ("database",),
    "search": ("database",),
    "why": ("database",),
    "context": ("database",),
    "list": ("--all",),
    "show": ("ITEM",),
    "edit": ("ITEM", "Use MariaDB."),
    "pin": ("ITEM",),
    "unpin": ("ITEM",),
    "forget": ("ITEM",),
    "erase": ("ITEM", "--yes"),
    "clear": ("--confirm",),
    "episode": ("begin", "the search"),
    "shell": ("bash",),
    "tickets": ("import", "TICKETS"),
    "relink": ("PROJECT", "ANEW"),
}
COMMANDS = [name for name in command_line().list_commands(None) if name != "demo"]
# These go on until they are stopped; tests/process stops them.
STANDING = {"watch", "webhooks"}


@pytest.mark.parametrize("command", sorted({*COMMANDS} - STANDING))
def test_json_of_a_command_is_one_value_and_nothing_else(project: Path, command: str) -> None:
    tickets = project.parent / "tickets.json"
    tickets.write_text("[]")
    (project.parent / "anew").mkdir()
    named = {"ITEM": remembered(project), "TICKETS": str(tickets), "PROJECT": str(project)}
    named["ANEW"] = str(project.parent / "anew")
    words = [named.get(word, word) for word in WORDS.get(command, ())]

    ran = run(command, *words, "--json", at=project)

    assert ran.code == 0, ran.err
    assert isinstance(ran.told, dict | list)
    assert ran.err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_begins_with_what_to_do_and_fits_a_screen(project: Path, command: str) -> None:
    text = run(command, "--help", at=project).out.splitlines()
    sentence = text[2].strip()

    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert len(text) <= 40
    assert all(len(line) <= 100 for line in text)


def test_json_may_be_asked_for_before_the_command_too(project: Path) -> None:
    assert json.loads(run("--json", "list", at=project).out) == []
