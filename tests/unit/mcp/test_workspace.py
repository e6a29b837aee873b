"""A call is about one project that the client has open, and never about another."""

from collections.abc import Awaitable, Callable
from pathlib import Path, PureWindowsPath
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.types import ListRootsResult, Root

from asking_mcp import ask
from backstory.api import Memory
from backstory.mcp import asking
from backstory.mcp import workspace as workspaces
from backstory.mcp.workspace import Workspace
from backstory.model.errors import NoProjectError, UsageError
from hosting import a_repository
from projects import a_project, git

DATABASES = {"shop": "PostgreSQL", "till": "MariaDB"}
ERAS = ["legacy", "auto"]


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """Return two projects that decided differently, and a folder that is none."""
    made = {name: a_repository(tmp_path / "work" / name) for name in DATABASES}
    for name, folder in made.items():
        with Memory.open(folder) as memory:
            memory.remember(f"We decided to use {DATABASES[name]} for the main database.")
    made["none"] = tmp_path / "empty"
    made["none"].mkdir()
    return made


def roots_at(*folders: Path) -> Callable[[Any], Awaitable[ListRootsResult]]:
    """Return a client's answer to what it has open."""

    async def answer(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri()) for folder in folders])

    return answer


async def which(client: Client, **more: str) -> str:
    """Return the database that is recalled, or the error."""
    result = await client.call_tool("recall", {"query": "Which database do we use?", **more})
    if result.is_error:
        return str(result.content[0].text)
    return " ".join(entry["text"] for entry in result.structured_content["entries"])


@pytest.mark.parametrize("era", ERAS)
def test_a_folder_that_the_client_has_open_is_taken(folders: dict[str, Path], era: str) -> None:
    roots = roots_at(folders["till"])
    found = ask(folders["none"], which, list_roots_callback=roots, mode=era)

    assert "MariaDB" in found
    assert "PostgreSQL" not in found


def test_what_the_client_has_open_counts_rather_than_where_the_server_was_started(
    folders: dict[str, Path],
) -> None:
    roots = roots_at(folders["till"])
    found = ask(folders["shop"], which, list_roots_callback=roots, mode="legacy")

    assert "MariaDB" in found


@pytest.mark.parametrize("era", ERAS)
def test_of_several_open_projects_one_has_to_be_named(folders: dict[str, Path], era: str) -> None:
    roots = roots_at(folders["shop"], folders["till"])

    async def three_times(client: Client) -> list[str]:
        named = [await which(client, project=name) for name in ("till", str(folders["shop"]))]
        return [await which(client), *named]

    unclear, by_name, by_path = ask(
        folders["none"], three_times, list_roots_callback=roots, mode=era
    )
    assert "several projects are open" in unclear
    assert "PostgreSQL" not in by_name
    assert "MariaDB" in by_name
    assert "PostgreSQL" in by_path


def test_a_project_that_is_not_open_cannot_be_named(folders: dict[str, Path]) -> None:
    async def other(client: Client) -> list[str]:
        return [await which(client, project=name) for name in ("till", str(folders["till"]), "\0")]

    found = ask(folders["shop"], other)
    assert all("no open project is called" in answer for answer in found)
    assert not any("MariaDB" in answer for answer in found)


def test_a_change_of_what_is_open_counts_at_once(folders: dict[str, Path]) -> None:
    opened = [folders["shop"]]

    async def roots(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri()) for folder in opened])

    async def before_and_after(client: Client) -> list[str]:
        first = await which(client)
        opened[:] = [folders["till"]]
        with pytest.warns(MCPDeprecationWarning):  # newer clients tell it otherwise
            await client.send_roots_list_changed()
        return [first, await which(client)]

    first, second = ask(
        folders["none"], before_and_after, list_roots_callback=roots, mode="legacy"
    )
    assert "PostgreSQL" in first
    assert "MariaDB" in second
    assert "PostgreSQL" not in second


def test_a_client_that_does_not_answer_holds_no_call_up(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_ROOTS_S", 0.05)

    async def never(_: Any) -> ListRootsResult:
        await anyio.sleep_forever()
        raise AssertionError

    found = ask(folders["shop"], which, list_roots_callback=never, mode="legacy")
    assert "PostgreSQL" in found


def test_resources_of_an_open_project_are_read_by_its_name(folders: dict[str, Path]) -> None:
    roots = roots_at(folders["shop"], folders["till"])

    async def index(client: Client) -> str:
        read = await client.read_resource("backstory://index/till")
        return str(read.contents[0].text)

    found = ask(folders["none"], index, list_roots_callback=roots, mode="legacy")
    assert "MariaDB" in found
    assert "PostgreSQL" not in found


def test_without_a_project_the_error_says_what_to_do(folders: dict[str, Path]) -> None:
    assert "backstory init" in ask(folders["none"], which)


def test_folders_of_one_repository_are_one_project(folders: dict[str, Path]) -> None:
    inside = folders["shop"] / "src"
    inside.mkdir()
    workspace = Workspace(folders["none"], env={})
    uris = [folders["shop"].as_uri(), inside.as_uri()]

    assert workspace.shelf(uris) is workspace.shelf([inside.as_uri()])


@pytest.mark.case("C33")
def test_each_work_tree_of_a_repository_is_looked_at_by_itself(tmp_path: Path) -> None:
    main = a_project(tmp_path / "shop")
    git(main, "worktree", "add", "--quiet", "../topic")
    workspace = Workspace(tmp_path, env={})
    shelves = [workspace.shelf([folder.as_uri()]) for folder in (main, tmp_path / "topic")]

    assert [shelf.project.root for shelf in shelves] == [main, tmp_path / "topic"]
    assert len({shelf.project.state_dir for shelf in shelves}) == 1


@pytest.mark.case("C45")
@pytest.mark.parametrize(
    ("uri", "folder"),
    [
        ("file:///C:/code/my%20shop", "C:\\code\\my shop"),
        ("file:///d%3A/%E5%BA%97%E9%93%BA", "d:\\店铺"),
        ("file://server/share", None),
        ("file:///code", None),
    ],
)
def test_addresses_of_windows_have_a_drive(
    uri: str, folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspaces, "Path", PureWindowsPath)
    found = workspaces._folder_of(uri)

    assert found == (None if folder is None else PureWindowsPath(folder))


def test_addresses_with_blanks_and_chinese_are_understood(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "我的 店铺")
    workspace = Workspace(tmp_path, env={})

    assert workspace.shelf([folder.as_uri()]).project.root == folder.resolve()


@given(uri=st.one_of(st.text(max_size=60), st.text(max_size=40).map("file://{}".format)))
def test_whatever_a_client_says_is_open_nothing_else_is_reached(uri: str) -> None:
    workspace = Workspace(Path("/proc"), env={})
    try:
        workspace.shelf([uri])
    except (NoProjectError, UsageError):
        return
    raise AssertionError(f"{uri!r} led to a project")
