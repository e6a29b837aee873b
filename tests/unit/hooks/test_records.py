"""The stand-in for dataclasses in a hook's process does what the standard module does."""

import dataclasses
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.hooks.light import records

MODULES = [pytest.param(dataclasses, id="standard"), pytest.param(records, id="stand-in")]


def a_class(module: Any) -> Any:
    @module.dataclass(frozen=True, slots=True, kw_only=True)
    class Place:
        name: str
        marks: tuple[str, ...] = ()
        rank: int = 0

        def __post_init__(self) -> None:
            if not self.name:
                raise ValueError("a place has a name")

    return Place


def a_changing_class(module: Any) -> Any:
    @module.dataclass(slots=True)
    class Count:
        name: str
        seen: list[int] = module.field(default_factory=list)
        last: int = module.field(default=7)

    return Count


@pytest.mark.parametrize("module", MODULES)
def test_fields_have_their_defaults(module: ModuleType) -> None:
    place, count = a_class(module)(name="a"), a_changing_class(module)("b")
    other = a_changing_class(module)("c", [1], last=2)

    assert (place.name, place.marks, place.rank) == ("a", (), 0)
    assert (count.name, count.seen, count.last) == ("b", [], 7)
    assert (other.name, other.seen, other.last) == ("c", [1], 2)
    assert a_changing_class(module)("b").seen is not count.seen


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(
    "wrong",
    [
        lambda cls: cls(),
        lambda cls: cls(name="a", colour="red"),
        lambda cls: cls(name="a", marks=(), rank=1, height=2),
    ],
)
def test_a_missing_or_unknown_field_is_an_error(
    module: ModuleType, wrong: Callable[[Any], object]
) -> None:
    with pytest.raises(TypeError):
        wrong(a_class(module))


@pytest.mark.parametrize("module", MODULES)
def test_a_class_may_check_what_it_is_made_of(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="has a name"):
        a_class(module)(name="")


@pytest.mark.parametrize("module", MODULES)
def test_what_is_frozen_cannot_be_changed(module: ModuleType) -> None:
    place = a_class(module)(name="a")

    with pytest.raises(AttributeError):
        place.name = "b"
    with pytest.raises(AttributeError):
        del place.name
    assert place.name == "a"


@pytest.mark.parametrize("module", MODULES)
def test_what_is_not_frozen_changes_and_has_no_hash(module: ModuleType) -> None:
    count = a_changing_class(module)("a")
    count.last = 9

    assert count.last == 9
    with pytest.raises(TypeError):
        hash(count)


@pytest.mark.parametrize("module", MODULES)
def test_a_class_of_two_parts_has_the_fields_of_both(module: Any) -> None:
    @module.dataclass(frozen=True, kw_only=True)
    class Base:
        first: int
        second: int = 2

    @module.dataclass(frozen=True, kw_only=True)
    class Whole(Base):
        third: int = 3

    whole = Whole(first=1, second=5)

    assert [one.name for one in module.fields(whole)] == ["first", "second", "third"]
    assert module.asdict(whole) == {"first": 1, "second": 5, "third": 3}


@pytest.mark.parametrize("module", MODULES)
def test_objects_can_be_matched_by_place(module: ModuleType) -> None:
    match a_changing_class(module)("a", [1]):
        case object(name="a") as found:
            names = type(found).__match_args__

    assert names == ("name", "seen", "last")


@given(
    one=st.tuples(st.text(min_size=1), st.lists(st.text()).map(tuple), st.integers()),
    other=st.tuples(st.text(min_size=1), st.lists(st.text()).map(tuple), st.integers()),
)
def test_objects_are_equal_hashed_shown_and_replaced_alike(one: Any, other: Any) -> None:
    told = []
    for module in (dataclasses, records):
        place = a_class(module)
        first, second = (place(name=n, marks=m, rank=r) for n, m, r in (one, other))
        changed = module.replace(first, rank=other[2])
        told.append(
            (first == second, hash(first) == hash(second), repr(first), module.asdict(changed))
        )
        assert first != one
        assert len({first, place(name=one[0], marks=one[1], rank=one[2])}) == 1

    assert told[0] == told[1]
