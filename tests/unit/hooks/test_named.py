"""The stand-in for enum in a hook's process does what the standard module does."""

import enum
import json
from collections.abc import Iterator
from typing import Any

import pytest

import backstory.adapters.hosts.calls
import backstory.model.job
import backstory.model.words
import backstory.recall.answer
import backstory.wiring.recalling  # noqa: F401 - whatever words a hook may load
from backstory.hooks.light import named

MODULES = [pytest.param(enum, id="standard"), pytest.param(named, id="stand-in")]


def a_class(module: Any) -> Any:
    class Colour(module.StrEnum):
        """What a thing looks like."""

        RED = "red"
        DARK_BLUE = "dark_blue"

        @property
        def is_warm(self) -> bool:
            return self is Colour.RED

    return Colour


@pytest.mark.parametrize("module", MODULES)
def test_a_word_is_its_text_and_the_only_one_of_it(module: Any) -> None:
    colour = a_class(module)

    assert colour("red") is colour.RED is colour(colour.RED)
    assert (colour.RED, colour.RED.value, colour.RED.name) == ("red", "red", "RED")
    assert (colour.RED.is_warm, colour.DARK_BLUE.is_warm) == (True, False)
    assert isinstance(colour.RED, colour)
    assert {colour.RED: 1}["red"] == 1


@pytest.mark.parametrize("module", MODULES)
def test_a_word_is_written_as_its_text(module: Any) -> None:
    red = a_class(module).RED

    assert (f"{red}", str(red), json.dumps({red: [red]})) == ("red", "red", '{"red": ["red"]}')
    assert type(str(red)) is type(red.value) is str
    assert repr(red) == "<Colour.RED: 'red'>"


@pytest.mark.parametrize("module", MODULES)
def test_words_are_listed_in_order_and_matched(module: Any) -> None:
    colour = a_class(module)
    match colour("dark_blue"):
        case colour.RED:
            found = "red"
        case colour.DARK_BLUE:
            found = "blue"

    assert [one.name for one in colour] == ["RED", "DARK_BLUE"]
    assert (len(colour), found) == (2, "blue")


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("wrong", ["green", "RED", None, 1, []])
def test_another_text_is_no_word(module: Any, wrong: object) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        a_class(module)(wrong)


def every_class() -> Iterator[type[enum.StrEnum]]:
    return (one for one in enum.StrEnum.__subclasses__() if one.__module__.startswith("backstory"))


def test_all_words_of_backstory_are_the_same_in_both() -> None:
    for one in every_class():
        made = type(named.StrEnum)(
            one.__name__, (named.StrEnum,), {word.name: word.value for word in one}
        )

        assert [(w.name, w.value, repr(w)) for w in made] == [
            (w.name, w.value, repr(w)) for w in one
        ]
    assert len(list(every_class())) > 10


def test_whatever_else_is_asked_for_is_of_the_standard_module() -> None:
    assert named.IntFlag is enum.IntFlag
    with pytest.raises(AttributeError):
        named.nothing_of_the_kind  # noqa: B018 - it is asked for
