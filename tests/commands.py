"""Running `backstory` inside the test's own process, and telling what it printed."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstory.cli.app import main

DECIDED = "We decided to use PostgreSQL for the main database."


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> Any:
        """What it printed as JSON."""
        return json.loads(self.out)


def run(*words: str, at: Path) -> Ran:
    """Run a command for the project at a directory."""
    out, err = _stream(), _stream()
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(["--project", str(at), *words])
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    return Ran(code, _text(out), _text(err))


def remembered(at: Path, text: str = DECIDED) -> str:
    """Let something be remembered, and return its id."""
    made = run("remember", text, "--json", at=at).told
    (item,) = made["items"]
    return str(item["id"])


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
