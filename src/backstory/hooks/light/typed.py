"""A quick stand-in for the standard `typing`, for the process of a hook and no other.

The standard module takes longer to load than all patterns of a prompt, and what it holds says
something to a type checker and nothing at run time. This one has what a prompt's way asks for.
Whoever asks for more (a settings file is read, a store is made) gets the standard module, which
takes its place from then on. `start` puts it there, before anything of Backstory is loaded.
"""

import sys
from collections.abc import Iterable
from importlib import import_module
from operator import itemgetter

TYPE_CHECKING = False


class Any:
    """Whatever it is."""


def cast(_wanted: object, one: object) -> object:
    """Return what is given."""
    return one


def NewType(_name: str, of: object) -> object:  # noqa: N802 - it is called so
    """Return the type of which another is only told apart by a type checker."""
    return of


# Of what it is a tuple is said by whoever is one.
class NamedTuple(tuple):  # type: ignore[type-arg]
    """A tuple whose places have the names of its annotations. No place has a default."""

    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)
        for place, name in enumerate(cls._fields):
            setattr(cls, name, property(itemgetter(place)))

    def __new__(cls, *placed: object, **named: object) -> "NamedTuple":
        """Return a tuple of these, in the order of the fields."""
        left = cls._fields[len(placed) :]
        if len(placed) > len(cls._fields) or named.keys() != set(left):
            raise TypeError(f"{cls.__name__} is made of {', '.join(cls._fields)}")
        return cls._make((*placed, *(named[name] for name in left)))

    @classmethod
    def _make(cls, values: Iterable[object]) -> "NamedTuple":
        return tuple.__new__(cls, values)


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # the import statement asks whether this is a package
        raise AttributeError(name)
    if sys.modules.get("typing") is sys.modules[__name__]:
        del sys.modules["typing"]
    return getattr(import_module("typing"), name)
