"""Test runs told by their command, and counted from what they print. Pure.

Which commands run tests, and how their programs sum up, is in `data/runners.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from backstory.capture.command_lines import Step, steps_of
from backstory.capture.packaged import packaged_text

# Programs sum up at their end.
OUTPUT_CHARS = 20_000
_WRAPPERS_MAX = 4
_SHELL_PYTHON = re.compile(r"^(?:python|pypy)[\d.]*(?:\.exe)?$|^py$")
_ENDING = re.compile(r"\.(?:exe|cmd|bat|js|mjs|cjs)$", re.IGNORECASE)
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RanTests:
    """A run of tests: by which runner, and how many passed and failed where it is told."""

    runner: str
    passed: int | None = None
    failed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counting:
    patterns: tuple[re.Pattern[str], ...]
    sums: bool = False
    lines: bool = False  # each match is one test


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runner:
    name: str
    commands: tuple[tuple[str, ...], ...]
    goals: tuple[tuple[str, ...], ...]
    counting: _Counting | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runners:
    runners: Mapping[str, tuple[_Runner, ...]]  # by the program
    wrappers: tuple[tuple[str, ...], ...]  # longest first
    value_options: frozenset[str]
    not_running: frozenset[str]
    hint: re.Pattern[str]  # stands in every command that runs tests


def ran_tests(command: str, *, output: str = "") -> RanTests | None:
    """Return the test run that a command is, or None.

    A command whose exit code is not that of its tests (`pytest | tail`, `pytest; git push`) is
    one only where `output` tells the counts.
    """
    table = _table()
    if not table.hint.search(command):
        return None
    steps = steps_of(command)
    for place, step in enumerate(steps):
        runner = _runner_of(step)
        if runner is None:
            continue
        counts = _counted(runner, output)
        is_last = place == len(steps) - 1
        if counts is None and not is_last:
            return None
        passed, failed = counts or (None, None)
        return RanTests(runner=runner.name, passed=passed, failed=failed)
    return None


def _runner_of(step: Step) -> _Runner | None:
    table = _table()
    if table.not_running.intersection(step):
        return None
    words = list(step)
    for _ in range(_WRAPPERS_MAX):
        words = _named(words)
        plain = [words[0], *_plain(words[1:])]
        candidates = table.runners.get(words[0], ())
        found = next((one for one in candidates if _is_run_by(words, one, plain=plain)), None)
        if found is not None:
            return found
        shorter = _without_wrapper(words)
        if not shorter or shorter == words:
            return None
        words = shorter
    return None


def _named(words: list[str]) -> list[str]:
    """Return a command with its program by its plain name; `python -m x` is x."""
    name = _ENDING.sub("", words[0].replace("\\", "/").rsplit("/", 1)[-1])
    rest = words[1:]
    if _SHELL_PYTHON.match(name) or (name == "coverage" and rest[:1] == ["run"]):
        if "-m" in rest[:6]:
            module = rest[rest.index("-m") + 1 :]
            return _named(module) if module else [name]
        script = next((n for n, word in enumerate(rest) if word.endswith(".py")), None)
        if script is not None:
            return _named(rest[script:])
    return [name, *rest]


def _is_run_by(words: list[str], runner: _Runner, *, plain: list[str]) -> bool:
    exact = any(_begins(plain, one) or _begins(words, one) for one in runner.commands)
    return exact or any(
        plain[0] == one[0] and any(fnmatchcase(word, one[1]) for word in plain[1:])
        for one in runner.goals
    )


def _begins(words: Sequence[str], pattern: Sequence[str]) -> bool:
    return len(words) >= len(pattern) and all(
        fnmatchcase(word, wanted) for word, wanted in zip(words, pattern, strict=False)
    )


def _plain(words: Sequence[str]) -> Iterator[str]:
    """Yield what is neither an option nor the value of one."""
    skips = False
    for word in words:
        if skips:
            skips = False
        elif word in _table().value_options:
            skips = True
        elif not word.startswith(("-", "+")):  # cargo +nightly
            yield word


def _without_wrapper(words: list[str]) -> list[str]:
    for wrapper in _table().wrappers:
        if _begins(words, wrapper):
            rest = words[len(wrapper) :]
            while rest and (rest[0].startswith("-") or "=" in rest[0] or rest[0][0].isdecimal()):
                takes_next = rest[0] in _table().value_options
                rest = rest[2:] if takes_next else rest[1:]
            return rest
    return []


def _counted(runner: _Runner, output: str) -> tuple[int, int] | None:
    """Return how many tests passed and failed, or None where it is not told."""
    if runner.counting is None or not output:
        return None
    text = _COLOURS.sub("", output[-OUTPUT_CHARS:])
    found: dict[str, int] = {}
    for pattern in runner.counting.patterns:
        for name, number in _numbers(pattern, text, counting=runner.counting).items():
            found.setdefault(name, number)
    bad = found.get("failed", 0) + found.get("errors", 0)
    if "passed" in found:
        return found["passed"], bad
    if "total" in found:
        return max(0, found["total"] - bad - found.get("skipped", 0)), bad
    return (0, bad) if bad else None


def _numbers(pattern: re.Pattern[str], text: str, *, counting: _Counting) -> Mapping[str, int]:
    matches = list(pattern.finditer(text))
    if not matches:
        return {}
    if counting.lines:
        return dict.fromkeys(pattern.groupindex, len(matches))
    counted = matches if counting.sums else matches[-1:]
    return {name: sum(int(m.group(name)) for m in counted) for name in pattern.groupindex}


@lru_cache(maxsize=1)
def _table() -> _Runners:
    table = tomllib.loads(packaged_text(__spec__, "data/runners.toml"))
    countings = {
        name: _Counting(
            patterns=tuple(re.compile(part, re.MULTILINE) for part in one["patterns"]),
            sums=one.get("sums", False),
            lines=one.get("lines", False),
        )
        for name, one in table["counts"].items()
    }
    runners = tuple(
        _Runner(
            name=one["name"],
            commands=_split(one.get("commands", ())),
            goals=_split(one.get("goals", ())),
            counting=countings.get(one.get("counts", "")),
        )
        for one in table["runner"]
    )
    by_program: dict[str, tuple[_Runner, ...]] = {}
    for runner in runners:
        for program in dict.fromkeys(words[0] for words in (*runner.commands, *runner.goals)):
            by_program[program] = (*by_program.get(program, ()), runner)
    lines = [" ".join(words) for one in runners for words in (*one.commands, *one.goals)]
    return _Runners(
        runners=by_program,
        wrappers=tuple(sorted(_split(table["wrappers"]), key=len, reverse=True)),
        value_options=frozenset(table["value_options"]),
        not_running=frozenset(table["not_running"]),
        hint=re.compile("|".join(re.escape(word) for word in sorted(map(_hint, lines)))),
    )


def _hint(line: str) -> str:
    """Return what a command that a line describes has in it: its last word, or all of it."""
    last = line.rsplit(maxsplit=1)[-1].strip("*:-")
    return last if len(last) > 2 else line


def _split(lines: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in lines)
