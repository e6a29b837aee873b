"""Writing the chosen model into the user's settings file, and leaving the rest of it as it is."""

import json
import os
import re
import secrets
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from backstory.adapters.models.addresses import ModelAddress
from backstory.model.errors import SettingsError

_SECTION = re.compile(r"^\s*\[\s*model\s*\]")
_ANY_SECTION = re.compile(r"^\s*\[")
_OWN = re.compile(r"^\s*(name|base_url)\s*=")


def keep_model(file: Path, address: ModelAddress | None) -> None:
    """Let the settings file name this model, or none; never a key.

    Only the lines of `[model]` that name it are changed. Raises `SettingsError` where the file
    is written in a way in which they cannot be found: then a person has to edit it.
    """
    wanted: dict[str, str] = {}
    if address is not None:
        wanted["name"] = address.name
        if not address.is_usual:
            wanted["base_url"] = address.base_url
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        changed = _changed(text, wanted)
        if _kept(changed) != wanted:
            raise SettingsError(f"{file} has to be edited by hand: set model.name in it")
        _write(file, changed)
    except OSError as error:
        raise SettingsError(f"{file} cannot be written: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"{file} cannot be read: {error}") from error


def _changed(text: str, wanted: Mapping[str, str]) -> str:
    # Text of JSON is text of TOML.
    own = [f"{name} = {json.dumps(value)}" for name, value in wanted.items()]
    lines = text.splitlines()
    begin = next((n for n, line in enumerate(lines) if _SECTION.match(line)), None)
    if begin is None:
        gap = [""] if lines else []
        return _joined([*lines, *gap, "[model]", *own] if own else lines)
    rest = lines[begin + 1 :]
    end = next((n for n, line in enumerate(rest) if _ANY_SECTION.match(line)), len(rest))
    others = [line for line in rest[:end] if not _OWN.match(line)]
    return _joined([*lines[: begin + 1], *own, *others, *rest[end:]])


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _kept(text: str) -> dict[str, str]:
    table = tomllib.loads(text).get("model", {})
    return {name: table[name] for name in ("name", "base_url") if name in table}


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(handle, "w", encoding="utf-8", newline="\n") as opened:  # noqa: PTH123 - a handle
            opened.write(text)
        draft.replace(file)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
