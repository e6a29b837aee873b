"""The stand-in for typing in a hook's process does what the standard module does."""

import subprocess
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest

from backstory.hooks.light import typed
from hosting import SOURCE

MODULES = [pytest.param(typing, id="standard"), pytest.param(typed, id="stand-in")]


def a_place(module: Any) -> Any:
    class Place(module.NamedTuple):
        name: str
        rank: int

    return Place


@pytest.mark.parametrize("module", MODULES)
def test_a_named_tuple_is_a_tuple_whose_places_have_names(module: Any) -> None:
    place = a_place(module)
    one = place("a", rank=2)

    assert one == ("a", 2) == place._make(["a", 2])
    assert (one.name, one.rank) == ("a", 2)
    assert hash(one) == hash(("a", 2))
    assert isinstance(one, place)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(
    "wrong", [lambda cls: cls("a"), lambda cls: cls("a", 1, 2), lambda cls: cls("a", 1, rank=2)]
)
def test_a_missing_or_unknown_place_is_an_error(
    module: Any, wrong: Callable[[Any], object]
) -> None:
    with pytest.raises(TypeError):
        wrong(a_place(module))


@pytest.mark.parametrize("module", MODULES)
def test_what_only_tells_types_apart_changes_nothing(module: Any) -> None:
    name = module.NewType("Name", str)

    assert (name("a"), module.cast("int", "b"), module.TYPE_CHECKING) == ("a", "b", False)
    assert module.Any | None


def test_who_asks_for_more_gets_it_from_the_standard_module() -> None:
    assert typed.Protocol is typing.Protocol
    with pytest.raises(AttributeError):
        typed.nothing_of_the_kind  # noqa: B018 - it is asked for


# What a hook may come to load, and what asks `typing` or `urllib` for more than a prompt does.
BESIDE = """
import sys
from backstory.hooks.light import typed
sys.modules["typing"] = typed
from backstory.hooks.light import records, named
sys.modules["dataclasses"] = records
sys.modules["enum"] = named
from backstory.hooks.main import _load_pathlib
_load_pathlib()
assert sys.modules["typing"] is typed
assert "urllib.parse" not in sys.modules
import pathlib, tomllib
assert tomllib.loads("a = [1, {b = 2.5}]") == {"a": [1, {"b": 2.5}]}
from importlib import resources
assert resources.files("backstory").joinpath("store/schema.sql").read_text()
import importlib.resources.abc, inspect, socket, ssl, subprocess
import tempfile, shutil, urllib.parse, typing
assert isinstance(resources.files("backstory"), importlib.resources.abc.Traversable)
assert typing.get_type_hints
assert pathlib.Path("/a b").as_uri() == "file:///a%20b"
"""


def test_what_is_loaded_beside_the_stand_ins_works() -> None:
    # As a hook is started: with no site packages, which load things beforehand.
    code = f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n{BESIDE}"
    command = [sys.executable, "-I", "-S", "-c", code]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)

    assert (ran.returncode, ran.stderr) == (0, "")
