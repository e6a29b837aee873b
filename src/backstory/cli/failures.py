"""From errors to what a person reads and to exit codes, in one place."""

import json
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

from backstory.cli.render import literal
from backstory.model.errors import BackstoryError

EXIT_BUG = 3


def report_error(error: BackstoryError, *, as_json: bool) -> int:
    """Say what a person can mend, and return the exit code."""
    _tell(error.slug, str(error), as_json=as_json)
    return error.exit_code


def report_bug(error: Exception, *, as_json: bool) -> int:
    """Keep what is needed to find a bug in a file, say where it is, and return the exit code."""
    log = _log_file()
    with log.open("w", encoding="utf-8", errors="backslashreplace") as file:
        traceback.print_exception(error, file=file)
    message = (
        f"this is a bug in Backstory ({type(error).__name__}). What was acknowledged before is "
        f"kept. Please report it with {log}"
    )
    _tell("bug", message, as_json=as_json)
    return EXIT_BUG


def _tell(slug: str, message: str, *, as_json: bool) -> None:
    if as_json:
        error = {"error": {"slug": slug, "message": message}}
        sys.stdout.write(json.dumps(error, ensure_ascii=False) + "\n")
    sys.stderr.write(f"backstory: {literal(message)}\n")


def _log_file() -> Path:
    folder = Path(platformdirs.user_log_dir("backstory", appauthor=False))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"bug-{datetime.now(tz=UTC):%Y%m%d-%H%M%S-%f}.log"
