"""What is installed is all that is needed, and nothing that is not."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from source_tree import PACKAGE, ROOT, files

# Files that coding agents take for instructions: none may come along with a library.
INSTRUCTIONS = {
    *("agents.md", "claude.md", "gemini.md", "copilot-instructions.md", "skill.md"),
    *(".cursorrules", ".clinerules", ".windsurfrules", ".mcp.json"),
}
INSTRUCTION_FOLDERS = {".claude", ".cursor", ".codex", ".gemini", ".github", ".ci"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build what `pip install` installs."""
    return build(tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source archive."""
    return build(tmp_path_factory.mktemp("sdist"), "sdist")


def build(folder: Path, target: str) -> Path:
    """Build in place, without an environment of its own that would need a network."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


def test_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    names = {name for name in contents(wheel) if name.startswith("backstory/")}

    assert names == {
        f"backstory/{path.relative_to(PACKAGE).as_posix()}"
        for path in files()
        if path.is_relative_to(PACKAGE)
    }


def test_wheel_says_that_it_is_typed_and_under_which_licence(wheel: Path) -> None:
    names = contents(wheel)

    assert "backstory/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.case("C96")
def test_archives_hold_no_instructions_for_agents(wheel: Path, sdist: Path) -> None:
    paths = [Path(name.lower()) for name in (*contents(wheel), *contents(sdist))]

    assert not [path for path in paths if path.name in INSTRUCTIONS]
    assert not [path for path in paths if INSTRUCTION_FOLDERS & set(path.parts)]


def test_source_archive_can_be_built_from(sdist: Path) -> None:
    names = {name.split("/", 1)[1] for name in contents(sdist)}

    assert {"pyproject.toml", "LICENSE", "CHANGELOG.md"} <= names
    assert {"README.md", "README.zh-CN.md"} <= names
    assert {name.split("/")[0] for name in names if "/" in name} == {"src"}


def test_wheel_works_where_nothing_of_the_repository_is(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import backstory; {READS}"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )

    assert result.stdout.strip().startswith(str(tmp_path))


# Whatever is read from the package at run time is read through importlib.resources.
READS = (
    "from importlib import resources; root = resources.files('backstory'); "
    "assert (root / 'store/migrations/0001_initial.sql').read_text(); print(backstory.__file__)"
)


def contents(archive: Path) -> list[str]:
    """Return the names in a wheel or a source archive."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.namelist()
    with tarfile.open(archive) as sdist:
        return [member.name for member in sdist.getmembers() if member.isfile()]
