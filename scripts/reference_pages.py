"""The text of the generated pages of docs/reference, made from the code that they describe."""

import re
from importlib import resources

from backstory.model import errors as error_types
from backstory.model.errors import BackstoryError
from promises import PROMISES

GENERATED = "<!-- Made by scripts/reference from {source}; change that instead. -->\n"


def errors() -> str:
    """List every error with its slug, exit code and meaning."""
    found = [error for error in vars(error_types).values() if isinstance(error, type)]
    lines = [
        "# Errors",
        "",
        GENERATED.format(source="src/backstory/model/errors.py"),
        "Every error raised on purpose is a `backstory.model.errors.BackstoryError`.",
        "Its message says what was wrong, where, and what to do; `slug` names its entry here.",
        "On the command line a message goes to standard error and the exit code says the rest:",
        "0 done, 1 a person can fix it, 2 the call makes no sense, 3 a bug, 130 interrupted.",
    ]
    for error in (error for error in found if issubclass(error, BackstoryError)):
        lines += [
            "",
            f"## {error.slug}",
            "",
            f"`{error.__name__}`, exit code {error.exit_code}.",
            "",
        ]
        lines += _sentences(error.__doc__ or "")
    return "\n".join(lines) + "\n"


def schema() -> str:
    """Show the schema as it is created, comments and all."""
    sql = resources.files("backstory").joinpath("store/schema.sql").read_text(encoding="utf-8")
    return "\n".join(
        [
            "# Schema",
            "",
            GENERATED.format(source="src/backstory/store/schema.sql"),
            "One SQLite file holds a project's memory, in the tables below.",
            "Read it with any SQLite tool; write it only through Backstory.",
            "A file whose catalogue differs from this is reported and left as it is.",
            "",
            "```sql",
            sql.strip(),
            "```",
            "",
        ]
    )


def promises() -> str:
    """List what is promised and which tests prove it."""
    lines = [
        "# Promises",
        "",
        GENERATED.format(source="tests/promises.py"),
        "What Backstory promises, with the number of the requirement and the tests that prove it.",
    ]
    for promise in PROMISES:
        lines += ["", f"**{promise.id}** {promise.sentence}", ""]
        lines += [f"- `{test}`" for test in promise.tests]
    return "\n".join(lines) + "\n"


def _sentences(text: str) -> list[str]:
    flat = " ".join(text.split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z])", flat)
