"""An entry is added to a person's JSON file and taken out, and no other byte changes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.installing.json_edits import added, depth_of, found, removed
from backstory.adapters.installing.jsonc import parse, value_of
from backstory.model.errors import UnreadableInputError

OURS = {"ours": True, "list": [1, 2]}
FILES = [
    "{}",
    "{}\n",
    '{"a":1}',
    '{"a": 1, "b": [1, 2]}\n',
    '{\n  "a": 1\n}\n',
    '{\r\n    "a": 1\r\n}\r\n',
    '{ // a comment with "quotes" and {brackets}\n}\n',
    '{\n\t"a": [1, 2], // y\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"x": 1} // z\n\t\t]\n\t}\n}\n',
    '{\n  "hooks": {"Stop": [{"x": 1}, {"y": 2}]},\n  "z": 3,\n}\n',
    '{\n  /* one */ "hooks": {\n    "Start": [] /* two */\n  } // three\n}',
    '\ufeff{\n  "名": "值"\n}\n',
]


def is_ours(value: object) -> bool:
    """Tell our entry from others."""
    return isinstance(value, dict) and "ours" in value


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize(("path", "to_list"), [(["hooks", "Stop"], True), (["mcp", "us"], False)])
def test_what_was_added_is_taken_out_without_a_trace(
    text: str, path: list[str], to_list: bool
) -> None:
    changed = added(text, path, value=OURS, to_list=to_list)

    assert changed != text
    assert removed(changed, path, is_ours=is_ours) == text


@pytest.mark.case("C21")
@pytest.mark.parametrize("text", FILES)
def test_everything_else_means_the_same_afterwards(text: str) -> None:
    changed = added(text, ["hooks", "Stop"], value=OURS, to_list=True)
    before, after = value_of(text, parse(text)), value_of(changed, parse(changed))

    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert after["hooks"]["Stop"][-1] == OURS
    assert {k: v for k, v in after.items() if k != "hooks"} == {
        k: v for k, v in before.items() if k != "hooks"
    }


@pytest.mark.case("C20")
def test_foreign_entries_keep_their_places_when_ours_stands_between() -> None:
    text = '{"hooks": {"Stop": [{"x": 1}, {"ours": 1}, {"y": 2}]}}'

    assert removed(text, ["hooks", "Stop"], is_ours=is_ours) == (
        '{"hooks": {"Stop": [{"x": 1}, {"y": 2}]}}'
    )


def test_an_empty_file_becomes_an_object() -> None:
    assert json.loads(added("", ["a", "b"], value=1)) == {"a": {"b": 1}}


@pytest.mark.parametrize("text", ['{"a": ', "[1", '{"a": 1} x', '{"a" 1}', "{a: 1}", "nope"])
def test_what_is_no_json_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UnreadableInputError, match="line 1"):
        added(text, ["hooks"], value=1)


def test_what_stands_in_the_way_is_named() -> None:
    with pytest.raises(UnreadableInputError, match="hooks is no object"):
        added('{"hooks": 3}', ["hooks", "Stop"], value=1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.case("C21")
@given(
    value=st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), json_values),
    indent=st.sampled_from([None, 0, 1, 2, 4, "\t"]),
)
def test_any_file_comes_back_byte_for_byte(value: dict[str, object], indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    changed = added(text, ["hooks", "Stop"], value=OURS, to_list=True)

    assert found(changed, ["hooks", "Stop"]) == [OURS]
    assert json.loads(changed) == {**value, "hooks": {"Stop": [OURS]}}
    assert removed(changed, ["hooks", "Stop"], is_ours=is_ours) == text


@given(
    value=st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), json_values),
    theirs=st.dictionaries(st.sampled_from(["Stop", "Start"]), st.lists(json_values, max_size=2)),
    indent=st.sampled_from([None, 1, 2, "\t"]),
)
def test_what_others_add_meanwhile_is_all_that_stays(
    value: dict[str, object], theirs: dict[str, object], indent: int | None
) -> None:
    whole = {**value, "hooks": theirs} if theirs else value
    text = json.dumps(whole, indent=indent, ensure_ascii=False)
    stays = depth_of(text, ["hooks", "Stop"])
    changed = added(text, ["hooks", "Stop"], value=OURS, to_list=True)
    edited = added(changed, ["hooks", "Other"], value={"x": 1}, to_list=True)
    rest = removed(edited, ["hooks", "Stop"], is_ours=is_ours, stays=stays)

    with_theirs = added(text, ["hooks", "Other"], value={"x": 1}, to_list=True)
    assert json.loads(rest) == json.loads(with_theirs)
