"""The user's settings: from their own file, the project's state directory and the environment.

Files that travel with a repository are not read: they could only ever narrow what is set here.
"""

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backstory.adapters.own_patterns import ExplainedError, patterns_in
from backstory.model.errors import SettingsError, UsageError
from backstory.model.words import Language, Purpose, Source

if TYPE_CHECKING:
    from backstory.capture.patterns import SecretPattern

FILE_NAME = "config.toml"
_FILE_BYTES_MAX = 64 * 1024
_IS_LINUX = bool(sys.platform == "linux")  # not decided by the machine of the type checker
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person chose. None is no choice; later places win over earlier ones."""

    review: bool | None = None  # new items wait for approval
    purpose: Purpose | None = None
    language: Language | None = None  # what a person is told things in
    redact_at_capture: bool | None = None  # turns are stored with their secrets replaced
    secret_patterns: "tuple[SecretPattern, ...]" = ()  # what else is secret
    headless: bool | None = None  # import takes sessions that a script ran, too
    hooks_headless: bool | None = None  # hooks take the sessions that a script runs, too
    isolated_prompts: tuple[str, ...] = ()  # what begins so is isolated, beside the built-in ones
    is_conversations_on: bool | None = None  # False: this source is not recorded here
    is_commands_on: bool | None = None
    is_git_on: bool | None = None
    is_shell_on: bool | None = None
    is_files_on: bool | None = None
    is_tickets_on: bool | None = None
    ignored_commands: tuple[str, ...] = ()  # shell patterns of what is not recorded
    excluded_paths: tuple[str, ...] = ()
    model: str | None = None  # "provider:model"
    model_url: str | None = None  # where it is asked, if not at its provider's own address
    is_model_on: bool | None = None  # False: no model is asked here
    call_tokens: int | None = None  # caps; 0 is none
    session_tokens: int | None = None
    day_tokens: int | None = None
    day_usd: float | None = None


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
    def secret_patterns(self) -> "tuple[SecretPattern, ...]":
        """What a person counts as secret: the patterns of every place together."""
        return (*self.stated.secret_patterns, *self.filed.secret_patterns)

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked about what is said."""
        switches = (self.stated.is_model_on, self.filed.is_model_on)
        return bool(self.stated.model or self.filed.model) and False not in switches

    @property
    def model_name(self) -> str:
        """The model that is named, as the book of calls has it; "" for none."""
        provider, colon, model = (self.stated.model or self.filed.model or "").partition(":")
        return f"{provider.strip().lower()}{colon}{model.strip()}"

    def captures(self, source: Source) -> bool:
        """Whether what comes from a source is recorded: it is not where any place says so."""
        name = f"is_{source.value}_on"
        return False not in (getattr(self.stated, name), getattr(self.filed, name))

    @property
    def ignored_commands(self) -> tuple[str, ...]:
        """Patterns of commands that are not recorded: those of every place together."""
        return (*self.stated.ignored_commands, *self.filed.ignored_commands)

    @property
    def excluded_paths(self) -> tuple[str, ...]:
        """Patterns of files that are not recorded: those of every place together."""
        return (*self.stated.excluded_paths, *self.filed.excluded_paths)

    @property
    def isolated_prompts(self) -> tuple[str, ...]:
        """What begins so is isolated: those of every place together."""
        return (*self.stated.isolated_prompts, *self.filed.isolated_prompts)

    @property
    def hooks_take_headless(self) -> bool:
        """Whether hooks take the sessions that a script runs."""
        return bool(_first(self.stated.hooks_headless, self.filed.hooks_headless))

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
    # What could send words or money elsewhere: a project's file, which may have come in an
    # archive with the project, cannot set it.
    is_personal: bool = False

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


def _language(value: object) -> Language:
    return Language(_words(value).lower())


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    if not value.strip():
        raise ValueError
    return value.strip()


def _beginnings(value: object) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise TypeError
    return tuple(part.strip() for part in parts if part.strip())


def _tokens(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    tokens = int(value)
    if tokens < 0:
        raise ValueError
    return tokens


def _dollars(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    dollars = float(value)
    if not 0 <= dollars < math.inf:
        raise ValueError
    return dollars


def _cap(name: str) -> _Key:
    return _Key(
        name=f"model.{name}",
        field=name,
        read=_tokens,
        wanted="a number of tokens, 0 for no cap",
        is_personal=True,
    )


# Lists that protect: a later place adds to them and takes nothing away.
_ADDED_UP = frozenset(
    {"isolated_prompts", "secret_patterns", "ignored_commands", "excluded_paths"}
)
# Off in one place is off: no later one switches it on again.
_SWITCHES = frozenset({"is_model_on", *(f"is_{source}_on" for source in Source)})
_PURPOSES = f"one of {', '.join(purpose.value for purpose in Purpose)}"
_KEYS = (
    _Key(name="review", field="review", read=_truth, wanted="true or false"),
    _Key(name="purpose", field="purpose", read=_purpose, wanted=_PURPOSES),
    _Key(name="language", field="language", read=_language, wanted="en or zh", is_personal=True),
    _Key(
        name="privacy.redact_at_capture",
        field="redact_at_capture",
        read=_truth,
        wanted="true or false",
    ),
    _Key(
        name="privacy.patterns",
        field="secret_patterns",
        read=patterns_in,
        wanted='regular expressions, such as ["ACME-[0-9]{6}"], or {name = …, pattern = …}',
    ),
    _Key(name="import.headless", field="headless", read=_truth, wanted="true or false"),
    _Key(name="hooks.headless", field="hooks_headless", read=_truth, wanted="true or false"),
    _Key(
        name="hooks.isolated_prompts",
        field="isolated_prompts",
        read=_beginnings,
        wanted='beginnings of prompts, such as ["/audit", "audit:"]',
    ),
    *(
        _Key(
            name=f"capture.{source}", field=f"is_{source}_on", read=_truth, wanted="true or false"
        )
        for source in Source
    ),
    _Key(
        name="capture.ignore",
        field="ignored_commands",
        read=_beginnings,
        wanted='patterns of commands, such as ["ssh *", "*vault*"]',
    ),
    _Key(
        name="capture.exclude",
        field="excluded_paths",
        read=_beginnings,
        wanted='patterns of paths, such as ["docs/*", "*.csv"]',
    ),
    _Key(
        name="model.name",
        field="model",
        read=_words,
        wanted="provider:model, such as ollama:qwen3",
        is_personal=True,
    ),
    _Key(
        name="model.base_url",
        field="model_url",
        read=_words,
        wanted="an address, such as http://localhost:11434",
        is_personal=True,
    ),
    _Key(name="model.enabled", field="is_model_on", read=_truth, wanted="true or false"),
    _cap("call_tokens"),
    _cap("session_tokens"),
    _cap("day_tokens"),
    _Key(
        name="model.day_usd",
        field="day_usd",
        read=_dollars,
        wanted="US dollars, 0 for no cap",
        is_personal=True,
    ),
)


def user_file() -> Path:
    """Return where the user's own settings are, or would be."""
    if _IS_LINUX:
        # What `platformdirs` answers, by the XDG Base Directory Specification; every prompt would
        # wait for it to load.
        stated = os.environ.get("XDG_CONFIG_HOME", "").strip()
        return Path(stated or Path.home() / ".config", "backstory", FILE_NAME)
    import platformdirs  # noqa: PLC0415 - as above

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
        except ExplainedError as error:
            raise UsageError(f"{key.variable}: {error}") from error
        except ValueError as error:
            raise UsageError(f"{key.variable} is {text!r}; it must be {key.wanted}") from error
    return Settings(**found)


def settings_in(*files: Path) -> Settings:
    """Return what these files say, the last of them first. One that is not there says nothing.

    The first is the user's own. An isolated purpose in any of them isolates, a model that is off
    in any of them is off, and patterns of what is secret add up. Raises `SettingsError` with
    everything that is wrong: a setting that was meant and not understood could be one that
    protects something.
    """
    found: dict[str, Any] = {}
    problems: list[str] = []
    for file in files:
        for key, value in _read(file, problems):
            if key.is_personal and file is not files[0]:
                problems.append(f"{file}: {key.name} can be set in {files[0]} only")
            elif key.field in _ADDED_UP:
                found[key.field] = (*found.get(key.field, ()), *value)
            elif not _is_narrowed(found, key.field):
                found[key.field] = value
    if problems:
        raise SettingsError("; ".join(problems))
    return Settings(**found)


def _is_narrowed(found: Mapping[str, Any], field: str) -> bool:
    """Whether an earlier file has said what no later one takes back."""
    if field == "purpose":
        return "purpose" in found and found["purpose"].is_isolated
    return field in _SWITCHES and found.get(field) is False


def _read(file: Path, problems: list[str]) -> Iterator[tuple[_Key, Any]]:
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
            yield key, _strictly(key, value)
        except ExplainedError as error:
            problems.append(f"{file}: {name}: {error}")
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
    import tomllib  # noqa: PLC0415 - slow to load, and few have such a file

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
