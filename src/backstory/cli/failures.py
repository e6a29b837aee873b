"""From errors to exit codes, in one place: 0 done, 1 a person can fix it, 2 usage, 3 a bug."""

import json
import os
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import click
import platformdirs

from backstory.cli.render import literal
from backstory.model.errors import BackstoryError

EXIT_BUG = 3
EXIT_INTERRUPTED = 130
EXIT_PIPE = 141  # as a shell reports a reader that went away (128 + SIGPIPE)


def exit_code_of(run: Callable[[], object], *, as_json: bool) -> int:
    """Run a command and return its exit code; what went wrong is on standard error."""
    try:
        run()
        sys.stdout.flush()
    except BackstoryError as error:
        _tell(error.slug, str(error), as_json=as_json)
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _tell("interrupted", "interrupted; what was acknowledged is kept", as_json=as_json)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; say nothing more, not even when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    return 0


def report_bug(error: BaseException, *, as_json: bool) -> int:
    """Keep what is needed to find a bug in a file, say where it is, and return the exit code."""
    log = _log_file()
    with log.open("w", encoding="utf-8", errors="backslashreplace") as file:
        traceback.print_exception(error, file=file)
    _tell(
        "bug",
        f"this is a bug in Backstory ({type(error).__name__}); your memory was not changed by "
        f"what failed. Please send {log}",
        as_json=as_json,
    )
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
