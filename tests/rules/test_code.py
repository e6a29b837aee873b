"""Errors are not swallowed, time is passed in, and nothing is put off."""

import ast
import re
from collections import Counter
from itertools import pairwise

import pytest

from source_tree import checks, functions, listed, place, source, tooling

# Where whatever goes wrong must not stop what goes on around it. Nowhere else.
CATCHES_ALL = {
    "src/backstory/jobs/worker.py": 1,  # one job's failure is recorded and the next one runs
    "src/backstory/hooks/main.py": 1,  # a host goes on without memory, whatever is wrong
    "src/backstory/cli/app.py": 1,  # a bug becomes exit code 3 and a file to send
}
# Where time and chance come from: the edge. Everything below is handed both.
CLOCK_PLACES = ("src/backstory/wiring/", "src/backstory/adapters/", "src/backstory/cli/")
CLOCK_CALLS = {
    *("time.time", "time.time_ns", "time.monotonic", "time.sleep", "datetime.now"),
    *("datetime.utcnow", "datetime.today", "date.today", "random.random", "random.choice"),
    *("uuid.uuid4", "secrets.token_hex", "secrets.token_urlsafe", "os.urandom"),
}
# Tokens that never leave the store and prove only that two holders differ.
TOKEN_CALLS = {"secrets.token_hex", "secrets.token_urlsafe", "os.urandom"}
TOKEN_PLACES = ("src/backstory/store/", "src/backstory/inject/")


def test_everything_is_caught_in_named_places_only() -> None:
    found = Counter(
        module.name
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and catches_all(node) and not raises_again(node)
    )

    assert {name: n for name, n in found.items() if n > CATCHES_ALL.get(name, 0)} == {}


def test_time_and_chance_are_passed_in_below_the_edge() -> None:
    calls = [
        f"{place(module, node)} {call}"
        for module in source()
        if not module.name.startswith(CLOCK_PLACES)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and (call := dotted(node.func)) in CLOCK_CALLS
        if not (call in TOKEN_CALLS and module.name.startswith(TOKEN_PLACES))
    ]

    assert not calls, listed(calls)


def test_tests_neither_sleep_nor_ask_for_the_time() -> None:
    waits = {"time.sleep", "time.time", "datetime.now", "date.today"}
    calls = [
        f"{place(module, node)} {dotted(node.func)}"
        for module in checks()
        if not module.name.startswith("tests/process")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and dotted(node.func) in waits
    ]

    assert not calls, listed(calls)


def test_statements_name_their_columns() -> None:
    # Around a subquery that names its own, a star adds nothing.
    star = re.compile(r"SELECT\s+(\w+\.)?\*(?!\s+FROM \()")
    stars = [module.name for module in source() if star.search(module.text)]

    assert not stars, listed(stars)


def test_nothing_is_put_off_in_a_comment() -> None:
    marks = re.compile(r"#.*\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
    left = [
        f"{module.name}:{number}"
        for module in (*source(), *tooling(), *checks())
        for number, line in enumerate(module.text.splitlines(), 1)
        if marks.search(line)
    ]

    assert not left, listed(left)


def test_silenced_type_errors_have_a_reason_above() -> None:
    silent = [
        f"{module.name}:{number + 2}"
        for module in source()
        for number, (above, line) in enumerate(pairwise(module.text.splitlines()))
        if "# type: ignore" in line and not above.lstrip().startswith("#")
    ]

    assert not silent, listed(silent)


def test_only_edges_speak_of_any() -> None:
    # JSON and other libraries' objects have no better type where they come in.
    edges = ("src/backstory/cli/", "src/backstory/adapters/", "src/backstory/store/")
    # And where a module of the standard library is stood in for.
    edges += ("src/backstory/hooks/light/",)
    found = [
        place(module, node)
        for module in source()
        if not module.name.startswith(edges)
        for function in functions(module)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == "Any"
    ]

    assert not found, listed(found)


def catches_all(node: ast.ExceptHandler) -> bool:
    """Whether a handler takes whatever comes."""
    return node.type is None or dotted(node.type) in {"Exception", "BaseException"}


def raises_again(node: ast.ExceptHandler) -> bool:
    """Whether it lets what it caught go on."""
    return any(isinstance(last, ast.Raise) for last in node.body[-1:])


def dotted(node: ast.expr) -> str:
    """Return a name with dots, its last two words at the most."""
    return (
        ".".join(ast.unparse(node).split(".")[-2:])
        if isinstance(node, ast.Name | ast.Attribute)
        else ""
    )


# A person's own editor is to be seen.
WITH_A_WINDOW = {"src/backstory/cli/editing.py"}
STARTS = {"subprocess.run", "subprocess.Popen"}
SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "asyncio.create_subprocess_shell"}


@pytest.mark.case("C45")
def test_programs_are_started_without_a_shell_and_without_a_window() -> None:
    problems = [
        f"{place(module, call)}: {name}"
        for module in source()
        for call in ast.walk(module.tree)
        if isinstance(call, ast.Call)
        for name in [ast.unparse(call.func)]
        for named in [{keyword.arg for keyword in call.keywords}]
        if name in SHELLS
        or (name in STARTS and "shell" in named)
        or (name in STARTS and "creationflags" not in named and module.name not in WITH_A_WINDOW)
    ]

    assert not problems, listed(problems)
