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
