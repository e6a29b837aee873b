"""The user's settings: from their own file, the project's state directory and the environment.

Files that travel with a repository are not read: they could only ever narrow what is set here.
"""

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from backstory.model.errors import SettingsError, UsageError
from backstory.model.words import Purpose

FILE_NAME = "config.toml"
_FILE_BYTES_MAX = 64 * 1024
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person chose. None is no choice; later places win over earlier ones."""

    review: bool | None = None  # new items wait for approval
    purpose: Purpose | None = None
    redact_at_capture: bool | None = None  # turns are stored with their secrets replaced
    headless: bool | None = None  # import takes sessions that a script ran, too


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The settings of files and those of the environment, which hold for one program."""

    filed: Settings = Settings()
    stated: Settings = Settings()

    @property
    def redacts_at_capture(self) -> bool:
        """Whether turns are stored with their secrets replaced."""
        return bool(_first(self.stated.redact_at_capture, self.filed.redact_at_capture))

    @property
    def takes_headless(self) -> bool:
        """Whether import takes the sessions that a script ran."""
        return bool(_first(self.stated.headless, self.filed.headless))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """One setting: its name in a file, its variable, its field, and how its value is read."""

    name: str
    field: str
    read: Callable[[object], Any]
    wanted: str

    @property
    def variable(self) -> str:
        """Return the name of its environment variable."""
        return f"BACKSTORY_{self.name.replace('.', '_').upper()}"


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _YES | _NO:
        return value.strip().lower() in _YES
    raise ValueError


def _truth_in_file(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _purpose(value: object) -> Purpose:
    if not isinstance(value, str):
        raise TypeError
    return Purpose(value.strip())


_PURPOSES = f"one of {', '.join(purpose.value for purpose in Purpose)}"
_KEYS = (
    _Key(name="review", field="review", read=_truth, wanted="true or false"),
    _Key(name="purpose", field="purpose", read=_purpose, wanted=_PURPOSES),
    _Key(
        name="privacy.redact_at_capture",
        field="redact_at_capture",
        read=_truth,
        wanted="true or false",
    ),
    _Key(name="import.headless", field="headless", read=_truth, wanted="true or false"),
)


def user_file() -> Path:
    """Return where the user's own settings are, or would be."""
    return Path(platformdirs.user_config_path("backstory", appauthor=False)) / FILE_NAME


def settings_of(env: Mapping[str, str]) -> Settings:
    """Return what the environment says. Raises `UsageError` naming a variable that is wrong."""
    found: dict[str, Any] = {}
    for key in _KEYS:
        text = env.get(key.variable, "")
        if not text.strip():
            continue
        try:
            found[key.field] = key.read(text)
        except ValueError as error:
            raise UsageError(f"{key.variable} is {text!r}; it must be {key.wanted}") from error
    return Settings(**found)


def settings_in(*files: Path) -> Settings:
    """Return what these files say, the last of them first. One that is not there says nothing.

    An isolated purpose in any of them isolates. Raises `SettingsError` with everything that is
    wrong: a setting that was meant and not understood could be one that protects something.
    """
    found: dict[str, Any] = {}
    problems: list[str] = []
    for file in files:
        for field, value in _read(file, problems):
            if field != "purpose" or not _is_isolated(found.get("purpose")):
                found[field] = value
    if problems:
        raise SettingsError("; ".join(problems))
    return Settings(**found)


def _is_isolated(purpose: Purpose | None) -> bool:
    return purpose is not None and purpose.is_isolated


def _read(file: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    try:
        table = _table(file)
    except (OSError, ValueError) as error:
        problems.append(f"{file} cannot be read: {_because(error)}")
        return
    keys = {key.name: key for key in _KEYS}
    for name, value in _flat(table):
        key = keys.get(name)
        if key is None:
            problems.append(f"{file}: there is no setting {name!r}; there are {', '.join(keys)}")
            continue
        try:
            yield key.field, _strictly(key, value)
        except (TypeError, ValueError):
            problems.append(f"{file}: {name} is {value!r}; it must be {key.wanted}")


def _strictly(key: _Key, value: object) -> object:
    return _truth_in_file(value) if key.read is _truth else key.read(value)


def _table(file: Path) -> dict[str, Any]:
    if not os.path.lexists(file):
        return {}
    with file.open("rb") as opened:
        head = opened.read(_FILE_BYTES_MAX + 1)
    if len(head) > _FILE_BYTES_MAX:
        raise ValueError(f"it has more than {_FILE_BYTES_MAX} bytes")
    return tomllib.loads(head.decode("utf-8-sig"))


def _because(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return str(getattr(error, "strerror", None) or error)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _first(*values: bool | None) -> bool | None:
    return next((value for value in values if value is not None), None)
