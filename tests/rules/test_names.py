"""Names say what a thing is: none of them would fit everything."""

import ast
import re

from source_tree import Module, checks, functions, listed, modules, place, source, tooling

BARRED = {
    *("manager", "managers", "handler", "handlers", "helper", "helpers", "util", "utils"),
    *("common", "data", "info", "process", "base", "misc"),
}
# A stage's or a job's entry point is called handler in the design.
ALLOWED_MODULES = {"handler"}
# Short for words that are short enough.
ABBREVIATED = {
    *("cfg", "ctx", "conn", "msg", "req", "resp", "idx", "num", "cnt", "buf", "cb", "tbl"),
    *("col", "val", "tmp", "str", "obj", "fn", "func", "arg", "args", "kw"),
}
# What other libraries call by name keeps their spelling.
FOREIGN = {"kwargs", "args", "ctx", "StrEnum"}
# "test", and a sentence.
WORDS_MIN = 4
ENDS = (".", "!", "?", ":")


def test_no_name_is_one_that_fits_everything() -> None:
    named = [
        (place(module, node), node.name)
        for module in (*source(), *tooling())
        for node in definitions(module)
    ]
    named += [(m.name, m.path.stem) for m in source() if m.path.stem not in ALLOWED_MODULES]
    barred = [f"{where} {name}" for where, name in named if last_word(name) in BARRED]

    assert not barred, listed(barred)


def test_names_are_not_abbreviated() -> None:
    named = [
        (place(module, node), name)
        for module in (*source(), *tooling())
        for node in definitions(module)
        for name in (node.name, *parameters(node))
    ]
    short = [
        f"{where} {name}"
        for where, name in named
        if not name.startswith("__")
        and name.strip("_") not in FOREIGN
        and ABBREVIATED & set(words(name))
    ]

    assert not short, listed(short)


def test_tests_are_functions_whose_names_are_sentences() -> None:
    problems = [
        f"{place(module, function)} {function.name}"
        for module in checks()
        for function in functions(module)
        if function.name.startswith("test") and len(words(function.name)) < WORDS_MIN
    ]
    problems += [
        f"{place(module, node)} class {node.name}"
        for module in checks()
        for node in definitions(module)
        if isinstance(node, ast.ClassDef) and any(is_test(method) for method in node.body)
    ]

    assert not problems, listed(problems)


def test_modules_say_in_a_sentence_what_they_hold() -> None:
    silent = [
        module.name
        for module in modules("src", "tests", "bench", "conftest.py")
        if not (ast.get_docstring(module.tree) or "").split("\n\n")[0].rstrip().endswith(ENDS)
    ]

    assert not silent, listed(silent)


def definitions(module: Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Return the functions and classes of a module."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node for node in ast.walk(module.tree) if isinstance(node, kinds)]


def words(name: str) -> list[str]:
    """Split a name in either of the two usual ways of joining words."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in spaced.lower().split("_") if word]


def last_word(name: str) -> str:
    """Return the word that says what sort of thing it is."""
    return (words(name) or [""])[-1]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    """Return the names of a function's parameters; a class has none."""
    if isinstance(node, ast.ClassDef):
        return []
    return [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]


def is_test(node: ast.stmt) -> bool:
    """Whether pytest would collect this method."""
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")
