"""From errors to what a person reads and to exit codes, in one place."""

import errno
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs
import typer

from backstory.cli.render import abandon_output, notice, print_json
from backstory.model.errors import BackstoryError
from backstory.speaking import retold

# What typer raises for a wrong call, whichever click it brings along.
_WrongCallError = typer.BadParameter.__mro__[2]

EXIT_FIXABLE = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_INTERRUPTED = 130


def report(error: Exception, *, as_json: bool) -> int:
    """Say what went wrong, to people and as JSON where asked, and return the exit code."""
    slug, message, code = _told(error)
    if as_json:
        try:
            print_json({"error": {"slug": slug, "message": message}})
        except OSError:
            abandon_output()  # the code and the line below have to do
    notice(_spoken(message))
    return code


def _spoken(message: str) -> str:
    """Return an error in the language that is spoken, with where help is."""
    words, bracket, rest = message.rpartition(" (`")
    if bracket and rest.endswith("shows how)"):
        return retold(words) + retold(f"{bracket}{rest}")
    return retold(message)


def _told(error: Exception) -> tuple[str, str, int]:
    match error:
        case BackstoryError():
            return error.slug, str(error), error.exit_code
        case typer.Abort():
            return "interrupted", "nothing was done", EXIT_INTERRUPTED
        case _ if isinstance(error, _WrongCallError):
            return "usage", _usage(error), EXIT_USAGE
        case OSError(strerror=str(), errno=errno.ENOSPC, filename=None):
            abandon_output()
            return "file-system", f"the output cannot be written: {error.strerror}", EXIT_FIXABLE
        case OSError(strerror=str()):
            # The file system said no: a person knows its files better than we do.
            place = f"{error.filename}: " if error.filename else ""
            return "file-system", f"{place}{error.strerror}", EXIT_FIXABLE
        case _:
            return "bug", _bug(error), EXIT_BUG


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    hint = f" (`{context.command_path} --help` shows how)" if context else ""
    # Choices come on lines of their own, and a wrong one under the name of a Python error.
    message = " ".join(str(error.format_message()).split()).rstrip(".")
    return message.replace("Value error, ", "", 1) + hint


def _bug(error: Exception) -> str:
    """Keep what is needed to find a bug, and return what to tell."""
    told = f"this is a bug in Backstory ({type(error).__name__}). What was acknowledged is kept"
    try:
        log = _log_file()
        with log.open("w", encoding="utf-8", errors="backslashreplace") as file:
            traceback.print_exception(error, file=file)
    except OSError:
        traceback.print_exception(error)
        return f"{told}. Please report it with the lines above"
    return f"{told}. Please report it with {log}"


def _log_file() -> Path:
    folder = Path(platformdirs.user_log_dir("backstory", appauthor=False))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"bug-{datetime.now(tz=UTC):%Y%m%d-%H%M%S-%f}.log"
