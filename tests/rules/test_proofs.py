"""Each promise and each case is proved, and each proof names what it proves: both ways."""

import ast
import re
from collections.abc import Iterator

import pytest

from cases import CASES, NOT_APPLICABLE
from promises import PROMISES
from source_tree import Function, checks, functions, listed

# The mark of a proof → the list of what there is to prove, and the letter of its numbers.
LISTS = {"promise": (PROMISES, "R"), "case": (CASES, "C")}
NAMES = tuple(LISTS)


def listed_proofs(mark: str) -> set[tuple[str, str]]:
    """Return (what is proved, test) for every proof that a list names."""
    return {(proved.id, test) for proved in LISTS[mark][0] for test in proved.tests}


@pytest.mark.parametrize("mark", NAMES)
def test_what_is_proved_are_numbered_sentences_in_order(mark: str) -> None:
    found, letter = LISTS[mark]
    numbers = [int(proved.id.removeprefix(letter)) for proved in found]

    assert numbers == sorted(set(numbers))
    assert all(re.fullmatch(r"[A-Z0-9].*\.", proved.sentence) for proved in found)


@pytest.mark.parametrize("mark", NAMES)
def test_everything_has_a_proof(mark: str) -> None:
    bare = [proved.id for proved in LISTS[mark][0] if not proved.tests]

    assert not bare, listed(bare)


def test_a_case_that_does_not_apply_says_why_and_has_no_proof() -> None:
    assert not {case.id for case in CASES} & set(NOT_APPLICABLE)
    assert all(re.fullmatch(r".*: .*\.", why) for why in NOT_APPLICABLE.values())


@pytest.mark.parametrize("mark", NAMES)
def test_proofs_and_marks_are_equal(mark: str) -> None:
    marks, proofs = set(marked(mark)), listed_proofs(mark)
    problems = [f"{test} is not marked as a proof of {id_}" for id_, test in proofs - marks]
    problems += [f"{id_} does not list {test}, which proves it" for id_, test in marks - proofs]

    assert not problems, listed(sorted(problems))


def test_no_proof_is_skipped() -> None:
    proofs = {test for mark in LISTS for _, test in listed_proofs(mark)}
    skipped = [
        name
        for name, function in named()
        if name in proofs and {"skip", "xfail", "slow"} & set(mark_names(function))
    ]

    assert not skipped, listed(skipped)


def named() -> Iterator[tuple[str, Function]]:
    """Yield every test function under the name that pytest gives it."""
    for module in checks():
        for function in functions(module):
            if function.name.startswith("test_"):
                yield f"{module.name}::{function.name}", function


def marked(mark: str) -> Iterator[tuple[str, str]]:
    """Yield (what is proved, test) for every mark, also of a Hypothesis machine."""
    for module in checks():
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
                pytest.fail(f"{module.name}: mark each proof by itself, not a whole module")
    for name, function in named():
        for id_ in ids_in(function, mark):
            yield id_, name


def ids_in(function: Function, mark: str) -> list[str]:
    """Return the ids in `@pytest.mark.promise("R1", "R2")`."""
    return [
        argument.value
        for call in function.decorator_list
        if isinstance(call, ast.Call) and ast.unparse(call.func) == f"pytest.mark.{mark}"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    ]


def mark_names(function: Function) -> list[str]:
    """Return the names of a test's marks."""
    calls = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
    return [ast.unparse(call).rpartition(".")[2] for call in calls]
