"""A project that moved keeps its memory; one that was made anew is told where its memory is."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.locking import LOCK_NAME, WorkerLock
from backstory.adapters.lookalikes import address
from backstory.adapters.project import init_project
from backstory.api import Memory
from backstory.store import SqliteStore, move_store, open_store
from backstory.wiring import relinking
from commands import DECIDED, remembered, run
from hosting import Host
from projects import a_project, git
from recorded import files_in


def id_of(folder: Path) -> str:
    """Return the name that a project's store was given when it was made."""
    store = open_store(init_project(folder, env={}).state_dir / "memory.db", now_ms=1)
    with store.reading() as tables:
        name = tables.meta.project_id()
    store.close()
    return name


def held(folder: Path) -> list[str]:
    """Return the statements of the active items."""
    return [row["statement"] for row in run("list", "--json", at=folder).told]


def a_folder(folder: Path) -> Path:
    """Make a plain directory with a memory that holds one thing."""
    folder.mkdir()
    run("init", at=folder)
    remembered(folder)
    return folder


def a_clone(source: Path, folder: Path, *, origin: str = "") -> Path:
    git(source.parent, "clone", "--quiet", str(source), str(folder))
    if origin:
        git(folder, "remote", "set-url", "origin", origin)
    return folder


@pytest.mark.case("C34")
@pytest.mark.parametrize("make", [a_project, a_folder])
def test_a_project_that_is_renamed_or_moved_keeps_its_memory_and_its_id(
    tmp_path: Path, make: object
) -> None:
    assert callable(make)
    before = make(tmp_path / "shop")
    run("remember", DECIDED, at=before)
    name, items = id_of(before), held(before)
    (tmp_path / "elsewhere").mkdir()
    after = before.rename(tmp_path / "elsewhere" / "店铺 2")

    assert (id_of(after), held(after)) == (name, items)
    assert len(items) == 1


@pytest.mark.case("C34")
def test_a_memory_is_brought_along_from_one_directory_to_another(tmp_path: Path) -> None:
    old = a_folder(tmp_path / "notes")
    name, items = id_of(old), held(old)
    exported = run("export", "--json", at=old).told["path"]
    (old / ".backstory" / "config.toml").write_text("review = true\n")
    (tmp_path / "anew").mkdir()
    moved = run("relink", str(old), str(tmp_path / "anew"), at=tmp_path)

    assert moved.code == 0, moved.err
    assert "1 item and 1 turn" in moved.out
    assert (id_of(tmp_path / "anew"), held(tmp_path / "anew")) == (name, items)
    assert (tmp_path / "anew" / ".backstory" / "exports" / Path(exported).name).is_file()
    assert (tmp_path / "anew" / ".backstory" / "config.toml").is_file()
    assert not (old / ".backstory").exists()


@pytest.mark.case("C34")
def test_a_directory_that_becomes_a_repository_is_told_where_its_memory_is(
    tmp_path: Path,
) -> None:
    folder = a_folder(tmp_path / "my notes")
    name, items = id_of(folder), held(folder)
    git(folder, "init", "--quiet")
    told = run("status", at=folder).out
    moved = run("relink", str(folder), at=folder)

    assert f"backstory relink '{folder}'" in told.replace("\n" + " " * 9, " ")
    assert moved.code == 0, moved.err
    assert (id_of(folder), held(folder)) == (name, items)
    assert "relink" not in run("status", at=folder).out
    assert git(folder, "status", "--porcelain", "--ignored") == ""


@pytest.mark.case("C34")
@pytest.mark.parametrize(
    "origin", ["", "https://example.org/us/shop.git", "git@example.org:us/shop.git"]
)
def test_a_second_clone_is_told_of_the_memory_of_the_first(tmp_path: Path, origin: str) -> None:
    first = a_project(tmp_path / "shop")
    git(first, "remote", "add", "origin", "ssh://git@EXAMPLE.org:22/us/shop")
    run("remember", DECIDED, at=first)
    second = a_clone(first, tmp_path / "shop-2", origin=origin)

    assert run("init", "--json", at=second).told["known_before"] == str(first)
    assert "backstory relink" in run("init", at=second).out
    run("remember", "We use four spaces here.", at=second)
    assert "relink" not in run("status", at=second).out


@pytest.mark.case("C85")
def test_a_memory_that_a_clone_brought_as_a_file_is_not_offered(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "shop")
    git(folder, "init", "--quiet")
    assert run("status", "--json", at=folder).told["known_before"] == str(folder)

    git(folder, "add", "--force", ".backstory/memory.db")
    git(folder, "commit", "-m", "A memory for everybody")
    cloned = a_clone(folder, tmp_path / "cloned", origin="https://example.org/shop")

    assert (cloned / ".backstory" / "memory.db").exists()
    assert run("status", "--json", at=cloned).told["known_before"] is None


@pytest.mark.case("C85")
def test_an_index_that_leaves_out_how_paths_begin_is_taken_to_hold_it(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "shop")
    (folder / ".backstory" / "a.txt").write_text("before it\n")
    git(folder, "init", "--quiet")
    git(folder, "add", "--force", ".backstory/a.txt", ".backstory/memory.db")
    git(folder, "update-index", "--index-version", "4")

    assert b".backstory/memory.db" not in (folder / ".git" / "index").read_bytes()
    assert run("status", "--json", at=folder).told["known_before"] is None


@pytest.mark.case("C34")
def test_projects_that_have_nothing_in_common_are_not_taken_for_one(tmp_path: Path) -> None:
    first = a_project(tmp_path / "one" / "web")
    run("remember", DECIDED, at=first)
    beside = a_project(tmp_path / "one" / "web-2")
    (tmp_path / "two").mkdir()
    others = [
        beside,
        a_project(tmp_path / "two" / "web"),
        a_clone(beside, tmp_path / "one" / "web-3", origin="https://example.org/web"),
    ]

    assert [run("status", "--json", at=one).told["known_before"] for one in others] == [None] * 3


@pytest.mark.case("C34")
def test_an_agent_that_begins_in_a_second_clone_is_told_once(tmp_path: Path) -> None:
    first = a_project(tmp_path / "shop")
    run("remember", DECIDED, at=first)
    host = Host(a_clone(first, tmp_path / "shop-2"))
    told = [
        host.fire("SessionStart", source="startup").get("systemMessage", ""),
        host.fire("UserPromptSubmit", prompt="Hello.", prompt_id="p1").get("systemMessage", ""),
    ]

    assert f"backstory relink {first}" in told[0]
    assert told[1] == ""
    assert "systemMessage" not in Host(a_project(tmp_path / "new")).fire("SessionStart")


@pytest.mark.parametrize("remote", ["https://a.org/x/y.git/", "ssh://g@A.org:22/x/y", "a.org:x/y"])
def test_one_remote_has_one_address_however_it_is_written(remote: str) -> None:
    assert address(remote) == "a.org/x/y"


@given(st.text())
def test_any_text_is_an_address(remote: str) -> None:
    assert isinstance(address(remote), str)


def test_what_cannot_be_brought_along_is_told_and_nothing_is_changed(tmp_path: Path) -> None:
    old = a_folder(tmp_path / "notes")
    full = a_project(tmp_path / "shop")
    run("remember", "We use four spaces here.", at=full)
    (tmp_path / "bare").mkdir()
    told = a_project(tmp_path / "told")
    run("todo", "add", "write the guide", at=told)
    before = [files_in(old / ".backstory"), files_in(full / ".git" / "backstory")]
    refused = {
        "has a memory of its own": run("relink", str(old), str(full), at=tmp_path),
        "(0 items, 0 turns)": run("relink", str(old), str(told), at=tmp_path),
        "one project": run("relink", str(old), str(old), at=tmp_path),
        "in no project": run("relink", str(tmp_path / "bare"), str(full), at=tmp_path),
        f"no directory {tmp_path / 'gone'}": run("relink", str(tmp_path / "gone"), at=full),
        "has no memory": run("relink", str(a_project(tmp_path / "x")), str(full), at=tmp_path),
    }

    assert all(words in ran.err for words, ran in refused.items())
    assert {ran.code for ran in refused.values()} <= {1, 2}
    assert [files_in(old / ".backstory"), files_in(full / ".git" / "backstory")] == before


def test_a_memory_that_somebody_uses_stays_where_it_is(tmp_path: Path) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")
    with Memory.open(new) as memory:
        memory.status()
    working = []
    for state in (old / ".backstory", new / ".git" / "backstory"):
        lock = WorkerLock(state / LOCK_NAME)
        assert lock.take(now_ms=1)
        working.append(run("relink", str(old), str(new), at=tmp_path).err)
        lock.release()
    in_use = []
    for folder in (old, new):
        with Memory.open(folder) as memory:
            memory.status()
            in_use.append(run("relink", str(old), str(new), at=tmp_path).err)

    assert all("a worker is at work" in told for told in working)
    assert all("is in use" in told for told in in_use)
    assert len(held(old)) == 1
    assert run("relink", str(old), str(new), at=tmp_path).code == 0


def test_a_move_that_is_cut_short_leaves_all_of_it_in_one_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for place, name in ((shutil, "copytree"), (os, "replace"), (shutil, "rmtree")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, stop)
            run("relink", str(old), str(new), at=tmp_path)
        whole = [folder for folder in (old, new) if run_exists(folder)]
        assert len(whole) == 1

    assert len(held(new)) == 1


def run_exists(folder: Path) -> bool:
    """Whether a directory has a memory that holds something."""
    is_there = any(
        (folder / name / "memory.db").exists() for name in (".backstory", ".git/backstory")
    )
    return is_there and held(folder) != []


def test_an_isolated_purpose_moves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")
    monkeypatch.setenv("BACKSTORY_PURPOSE", "code_audit")
    moved = run("relink", str(old), str(new), at=tmp_path)
    monkeypatch.undo()

    assert "isolated" in moved.err + moved.out
    assert len(held(old)) == 1


@pytest.mark.parametrize("kept", ["settings", "store"])
def test_a_memory_that_is_isolated_where_it_is_stays_there(tmp_path: Path, kept: str) -> None:
    old = a_folder(tmp_path / "notes")
    (tmp_path / "anew").mkdir()
    if kept == "store":
        run("purpose", "code_audit", at=old)
    else:
        (old / ".backstory" / "config.toml").write_text('purpose = "code_audit"\n')
    before = files_in(old)
    moved = run("relink", str(old), str(tmp_path / "anew"), at=tmp_path)

    assert "isolated for code_audit" in moved.err
    assert files_in(old) == before
    assert not [*(tmp_path / "anew").iterdir()]


def test_a_place_that_is_isolated_takes_no_memory(tmp_path: Path) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")
    run("purpose", "code_audit", at=new)
    moved = run("relink", str(old), str(new), at=tmp_path)

    assert "isolated for code_audit" in moved.err
    assert len(held(old)) == 1


def test_settings_of_the_new_place_stay(tmp_path: Path) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")
    run("init", at=new)
    settings = new / ".git" / "backstory" / "config.toml"
    settings.write_text("# mine\n")
    (old / ".backstory" / "config.toml").write_text("# theirs\n")
    run("relink", str(old), str(new), at=tmp_path)

    assert settings.read_text() == "# mine\n"
    assert len(held(new)) == 1


def test_a_directory_that_only_holds_a_copy_of_a_store_is_no_memory_and_stays(
    tmp_path: Path,
) -> None:
    store = a_folder(tmp_path / "notes") / ".backstory" / "memory.db"
    copies = tmp_path / "copies"
    (copies / "letters").mkdir(parents=True)
    shutil.copy(store, copies)
    (copies / "letters" / "memory.db").write_text("of another program")
    (copies / "thesis.txt").write_text("mine")
    before = files_in(copies)
    moved = run("relink", str(copies), str(a_project(tmp_path / "shop")), at=tmp_path)

    assert moved.code != 0
    assert files_in(copies) == before


def test_copies_that_a_person_made_beside_a_store_are_brought_along(tmp_path: Path) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")
    for name in ("memory.db.20260101", "kept/memory.db", "kept/.gitignore"):
        (old / ".backstory" / name).parent.mkdir(exist_ok=True)
        (old / ".backstory" / name).write_text(name)
    run("relink", str(old), str(new), at=tmp_path)
    state = new / ".git" / "backstory"

    assert (state / "memory.db.20260101").read_text() == "memory.db.20260101"
    assert (state / "kept" / "memory.db").is_file()
    assert (state / "kept" / ".gitignore").is_file()


def test_what_a_hook_puts_into_the_spool_while_a_store_moves_is_brought_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = a_folder(tmp_path / "notes"), a_project(tmp_path / "shop")

    def moves(store: SqliteStore, target: Path) -> None:
        (old / ".backstory" / "spool").mkdir()
        (old / ".backstory" / "spool" / "1-a.json").write_text("{}")
        move_store(store, target)

    monkeypatch.setattr(relinking, "move_store", moves)
    run("relink", str(old), str(new), at=tmp_path)

    assert (new / ".git" / "backstory" / "spool" / "1-a.json").is_file()
