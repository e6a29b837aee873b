"""Nothing here is too long to be read in one sitting."""

import ast
from collections import Counter

from source_tree import (
    Function,
    Module,
    checks,
    functions,
    listed,
    place,
    source,
    tooling,
)

BODY_LINES_MAX = 50
MODULE_LINES_MAX = 400
TEST_MODULE_LINES_MAX = 600
PARAMETERS_MAX = 6
POSITIONAL_MAX = 2
NESTING_MAX = 3
PACKAGE_MODULES_MAX = 12

BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)


def test_function_bodies_are_short() -> None:
    long = [
        f"{place(module, function)} {function.name}: {lines} lines"
        for module in (*source(), *tooling(), *checks())
        for function in functions(module)
        if (lines := body_lines(function)) > BODY_LINES_MAX
    ]

    assert not long, listed(long)


def test_modules_are_short() -> None:
    sizes = [(m, MODULE_LINES_MAX) for m in (*source(), *tooling())]
    sizes += [(m, TEST_MODULE_LINES_MAX) for m in checks()]
    long = [
        f"{module.name}: {lines} lines, {limit} at the most"
        for module, limit in sizes
        if (lines := module.text.count("\n")) > limit
    ]

    assert not long, listed(long)


def test_functions_take_few_parameters() -> None:
    many = [
        f"{place(module, function)} {function.name}: {len(names)} parameters"
        for module in (*source(), *tooling())
        for function in functions(module)
        if not is_command(function, module)
        if len(names := parameters(function)) > PARAMETERS_MAX
    ]

    assert not many, listed(many)


def test_parameters_past_the_second_have_to_be_named() -> None:
    unnamed = [
        f"{place(module, function)} {function.name}: {', '.join(names)}"
        for module in (*source(), *tooling())
        for function in functions(module)
        if not is_called_by_others(function, module)
        if len(names := positional(function)) > POSITIONAL_MAX
    ]

    assert not unnamed, listed(unnamed)


def test_blocks_are_not_nested_deeply() -> None:
    deep = [
        f"{place(module, function)} {function.name}: {depth} blocks deep"
        for module in (*source(), *tooling(), *checks())
        for function in functions(module)
        if (depth := nesting(function.body)) > NESTING_MAX
    ]

    assert not deep, listed(deep)


def test_packages_hold_few_modules() -> None:
    counted = Counter(m.path.parent for m in source() if m.path.name != "__init__.py")
    large = [f"{folder}: {n} modules" for folder, n in counted.items() if n > PACKAGE_MODULES_MAX]

    assert not large, listed(large)


def body_lines(function: Function) -> int:
    """Return how many lines a body has, its docstring apart."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def positional(function: Function) -> list[str]:
    """Return the parameters that can be given without a name, the receiver apart."""
    arguments = function.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def parameters(function: Function) -> list[str]:
    """Return all parameters, the receiver apart."""
    return [*positional(function), *(argument.arg for argument in function.args.kwonlyargs)]


def is_command(function: Function, module: Module) -> bool:
    """Whether its parameters are the options of a command line, which are named there."""
    return module.name.startswith("src/backstory/cli/") and is_called_by_others(function, module)


def is_called_by_others(function: Function, module: Module) -> bool:
    """Whether what calls it decides on its parameters: Python itself, or a table it stands in."""
    called = {id(node.func) for node in ast.walk(module.tree) if isinstance(node, ast.Call)}
    is_value = any(
        isinstance(node, ast.Name) and node.id == function.name and id(node) not in called
        for node in ast.walk(module.tree)
    )
    is_registered = any("callback" in ast.unparse(one) for one in function.decorator_list)
    return function.name.startswith("__") or is_value or is_registered


def nesting(body: list[ast.stmt]) -> int:
    """Return how many blocks stand in one another; a chain of `elif` counts once."""
    return max((_depth(statement) for statement in body), default=0)


def _depth(statement: ast.stmt) -> int:
    if isinstance(statement, Function | ast.ClassDef):
        return 0  # looked at by itself
    if isinstance(statement, ast.If) and is_elif(statement):
        own = 1 + nesting(statement.body)
        return max(own, _depth(statement.orelse[0]))
    return isinstance(statement, BLOCKS) + max(
        (nesting(inner) for inner in _bodies(statement)), default=0
    )


def is_elif(statement: ast.If) -> bool:
    """Whether its else branch is just another condition in the same column."""
    return (
        len(statement.orelse) == 1
        and isinstance(statement.orelse[0], ast.If)
        and statement.orelse[0].col_offset == statement.col_offset
    )


def _bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    named = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    handled = [handler.body for handler in getattr(statement, "handlers", [])]
    cases = [case.body for case in getattr(statement, "cases", [])]
    return [*named, *handled, *cases]
