"""A quick stand-in for the standard `dataclasses`, for the process of a hook and no other.

The standard module writes and compiles the methods of every class when it is imported: half of
what a hook would load. Here all classes share their methods, which is slower for each object and
makes nothing at import. `start` puts it in place, before anything of Backstory is loaded;
docs/decisions/0012 has the figures. It knows what is used here: no order, no positional-only
checks, no `__slots__`.
"""

from collections.abc import Callable, Mapping
from typing import Any

_MISSING: Any = object()


class FrozenInstanceError(AttributeError):
    """An attribute of a frozen object was set."""


class Field:
    """A field of a class, with what it holds where nothing is given."""

    def __init__(self, default: Any, default_factory: Any) -> None:
        self.name = ""
        self.default = default
        self.default_factory = default_factory


def field(*, default: Any = _MISSING, default_factory: Any = _MISSING) -> Any:
    """Return a field with a default, or one that is made anew for every object."""
    return Field(default, default_factory)


def dataclass(
    made: type | None = None,
    *,
    frozen: bool = False,
    eq: bool = True,
    **_spared: bool,
) -> Any:
    """Give a class the methods of a data class.

    Slots spare memory, which a hook does not keep, and that fields are named is checked where
    the standard module is used: both are passed over.
    """

    def with_methods(cls: type) -> Any:
        return _with_methods(cls, is_frozen=frozen, has_equality=eq)

    return with_methods if made is None else with_methods(made)


def fields(one: Any) -> tuple[Field, ...]:
    """Return the fields of a data class, or of an object of one."""
    return tuple(one.__dataclass_fields__.values())


def replace(one: Any, /, **changes: Any) -> Any:
    """Return an object like another but for these fields."""
    kept = {name: getattr(one, name) for name in one.__dataclass_fields__}
    return type(one)(**(kept | changes))


def asdict(one: Any) -> dict[str, Any]:
    """Return the fields of an object by name. Objects within it are not taken apart."""
    return {name: getattr(one, name) for name in one.__dataclass_fields__}


def _with_methods(cls: Any, *, is_frozen: bool, has_equality: bool) -> Any:
    known = _fields_of(cls)
    methods: dict[str, Any] = {
        "__dataclass_fields__": known,
        "__match_args__": tuple(known),
        "__init__": _initializer(cls, known),
        "__repr__": _repr,
    }
    if has_equality:
        methods |= {"__eq__": _eq, "__hash__": _hash if is_frozen else None}
    if is_frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls


def _fields_of(cls: Any) -> dict[str, Field]:
    known: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        known |= base.__dict__.get("__dataclass_fields__", {})
    for name in cls.__annotations__:
        stated = cls.__dict__.get(name, _MISSING)
        if isinstance(stated, Field):
            delattr(cls, name)
        else:
            stated = Field(stated, _MISSING)
        stated.name = name
        known[name] = stated
    return known


def _initializer(cls: Any, known: Mapping[str, Field]) -> Callable[..., None]:
    names = tuple(known)
    defaults = {n: one.default for n, one in known.items() if one.default is not _MISSING}
    factories = [one for one in known.values() if one.default_factory is not _MISSING]
    prepare = getattr(cls, "__post_init__", None)

    def initialize(self: Any, *placed: Any, **named: Any) -> None:
        values = self.__dict__
        values.update(defaults)
        for one in factories:
            if one.name not in named:
                values[one.name] = one.default_factory()
        values.update(zip(names, placed, strict=False))
        values.update(named)
        if len(values) != len(names) or len(placed) > len(names):
            wrong = sorted(set(names) ^ set(values))
            raise TypeError(f"{cls.__name__}: {', '.join(wrong)} is missing or unknown")
        if prepare is not None:
            prepare(self)

    return initialize


def _repr(self: Any) -> str:
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{type(self).__qualname__}({told})"


def _eq(self: Any, other: Any) -> Any:
    return vars(self) == vars(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(tuple(vars(self)[name] for name in self.__dataclass_fields__))


def _refuse(self: Any, name: str, *_value: Any) -> None:
    raise FrozenInstanceError(f"cannot set {name!r} of {type(self).__name__}")
