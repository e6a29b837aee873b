"""What is installed for a checkout is exactly what was locked."""

import re
import tomllib

import pytest

from source_tree import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def locked(text: str) -> dict[str, str]:
    """Return each requirement of a lock by its name, with all that is said of it."""
    joined = text.replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]
    return {re.split(r"[=\[ ]", line, maxsplit=1)[0].lower(): line for line in lines}


@pytest.mark.case("C95")
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_everything_is_locked_to_a_version_and_its_hashes(lock: object) -> None:
    assert hasattr(lock, "read_text")
    found = locked(lock.read_text(encoding="utf-8"))

    assert found
    assert [
        line for line in found.values() if "==" not in line or "--hash=sha256:" not in line
    ] == []


@pytest.mark.case("C95")
def test_what_the_core_needs_is_little_and_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {
        re.split(r"[<>=!~;\[ ]", one, maxsplit=1)[0].lower() for one in project["dependencies"]
    }
    run = locked((ROOT / "requirements/run.txt").read_text(encoding="utf-8"))

    assert needed == {"apsw", "snowballstemmer", "typer", "rich", "pydantic", "platformdirs"}
    assert needed <= set(run)
