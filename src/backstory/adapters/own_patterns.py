"""How a settings file or a variable writes a person's own patterns of what is secret."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backstory.capture.patterns import SecretPattern


class ExplainedError(ValueError):
    """A value that cannot be understood, for a reason that says more than what was wanted."""


def patterns_in(value: object) -> "tuple[SecretPattern, ...]":
    """Read patterns, or tables of a name and a pattern; of a variable, one pattern a line.

    Raises `TypeError` for anything else, and `ExplainedError` for a pattern that cannot be used.
    """
    from backstory.capture.patterns import PATTERNS_MAX  # noqa: PLC0415 - few have a pattern

    given = value.splitlines() if isinstance(value, str) else value
    if not isinstance(given, list):
        raise TypeError
    if len(given) > PATTERNS_MAX:
        raise ExplainedError(f"there are at most {PATTERNS_MAX} patterns")
    return tuple(_pattern(one) for one in given if one != "")


def _pattern(given: object) -> "SecretPattern":
    from backstory.capture.patterns import secret_pattern  # noqa: PLC0415 - as above

    table = {"pattern": given} if isinstance(given, str) else given
    if not isinstance(table, dict) or not {"pattern"} <= table.keys() <= {"name", "pattern"}:
        raise TypeError
    if not all(isinstance(part, str) for part in table.values()):
        raise TypeError
    try:
        return secret_pattern(table["pattern"], name=table.get("name", "custom"))
    except ValueError as error:
        raise ExplainedError(str(error)) from error
