"""Each promise is proved, and each proof names its promise: both ways, by name."""

import ast
import re

import pytest

from promises import PROMISES
from source_tree import Function, checks, functions, listed

PROOFS = {(promise.id, test) for promise in PROMISES for test in promise.tests}


def test_promises_are_numbered_sentences_in_order() -> None:
    numbers = [int(promise.id.removeprefix("R")) for promise in PROMISES]

    assert numbers == sorted(set(numbers))
    assert all(re.fullmatch(r"[A-Z0-9].*\.", promise.sentence) for promise in PROMISES)


def test_every_promise_has_a_proof() -> None:
    bare = [promise.id for promise in PROMISES if not promise.tests]

    assert not bare, listed(bare)


def test_proofs_and_marks_are_equal() -> None:
    marks = set(marked())
    problems = [f"{test} is not marked as a proof of {id_}" for id_, test in PROOFS - marks]
    problems += [f"{id_} does not list {test}, which proves it" for id_, test in marks - PROOFS]

    assert not problems, listed(sorted(problems))


def test_no_proof_is_skipped() -> None:
    proofs = {test for _, test in PROOFS}
    skipped = [
        name
        for name, function in named()
        if name in proofs and {"skip", "xfail", "slow"} & set(mark_names(function))
    ]

    assert not skipped, listed(skipped)


def named() -> list[tuple[str, Function]]:
    """Return every test function under the name that pytest gives it."""
    return [
        (f"{module.name}::{function.name}", function)
        for module in checks()
        for function in functions(module)
        if function.name.startswith("test_")
    ]


def marked() -> list[tuple[str, str]]:
    """Return (promise, test) for every mark, also of a Hypothesis machine."""
    found = [(id_, name) for name, function in named() for id_ in promised(function)]
    for module in checks():
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
                pytest.fail(f"{module.name}: mark each proof by itself, not a whole module")
    return found


def promised(function: Function) -> list[str]:
    """Return the ids in `@pytest.mark.promise("R1", "R2")`."""
    return [
        argument.value
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.promise"
        for argument in mark.args
        if isinstance(argument, ast.Constant)
    ]


def mark_names(function: Function) -> list[str]:
    """Return the names of a test's marks."""
    calls = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
    return [ast.unparse(call).rpartition(".")[2] for call in calls]
