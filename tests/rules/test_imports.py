"""What the path of every prompt loads is light."""

import subprocess
import sys

import pytest

HEAVY = {"pydantic", "typer", "rich", "click", "asyncio", "http", "ssl", "sqlite3", "email"}
READER_PATHS = ["backstory.store", "backstory.recall", "backstory.inject", "backstory.capture"]


@pytest.mark.parametrize("module", READER_PATHS)
def test_reading_memory_loads_nothing_slow(module: str) -> None:
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )

    assert not HEAVY & set(result.stdout.split())


# What the hook may load beside the standard library, and what of that library is too slow.
HOOK_LIBRARIES = {"apsw", "snowballstemmer", "platformdirs", "backstory"}
HOOK_MODULES = ["backstory.cli.app", "backstory.hooks.main", "backstory.hooks.exchange"]
HOOK_MODULES += ["backstory.hooks.showing"]


def test_the_hook_loads_the_standard_library_and_three_small_ones() -> None:
    loads = "; ".join(f"import {module}" for module in HOOK_MODULES)
    code = (
        f"import sys; before = set(sys.modules); {loads}; "
        "print(*{n.split('.')[0] for n in set(sys.modules) - before})"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    loaded = set(result.stdout.split())

    assert not HEAVY & loaded
    assert loaded - set(sys.stdlib_module_names) <= HOOK_LIBRARIES
