"""A quick stand-in for the standard `enum`, for the process of a hook and no other.

The standard module takes a tenth of a millisecond for each class of words, of which a prompt
loads twenty. Words are made here as plain subclasses of `str`; whatever else is asked for comes
from the standard module. It knows what is used here: no words that have parts or stand for others.
"""

import enum
from collections.abc import Iterator
from typing import Any


class _Words(type):
    """What makes a class of words: its texts become its only objects."""

    _known: dict[object, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> "_Words":
        stated = {key: text for key, text in body.items() if type(text) is str and key[0] != "_"}
        others = {key: body[key] for key in body if key not in stated}
        made = super().__new__(cls, name, bases, others)
        made._known = {}
        for key, text in stated.items():
            made._known[text] = made._word(key, text)
            setattr(made, key, made._known[text])
        return made

    def _word(cls: Any, key: str, text: str) -> Any:
        word = str.__new__(cls, text)
        word.name = key
        return word

    def __call__(cls, text: object) -> Any:
        try:
            return cls._known[text]
        except (KeyError, TypeError):
            raise ValueError(f"{text!r} is not a valid {cls.__qualname__}") from None

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._known.values())

    def __len__(cls) -> int:
        return len(cls._known)


class StrEnum(str, metaclass=_Words):
    """A word of a closed set."""

    name: str
    __str__ = str.__str__

    @property
    def value(self) -> str:
        """The word as plain text."""
        return str(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {self.value!r}>"


def __getattr__(name: str) -> object:
    return getattr(enum, name)
