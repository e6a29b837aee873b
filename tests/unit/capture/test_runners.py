"""Test runs are told by the command, whichever way it is written, and nothing else is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.command_lines import steps_of
from backstory.capture.runners import RanTests, ran_tests


@pytest.mark.parametrize(
    ("command", "runner"),
    [
        ("pytest -q tests/unit", "pytest"),
        ("cd web && ../.venv/bin/python3.12 -m pytest -q 2>&1", "pytest"),
        ("python -X dev -m unittest discover", "unittest"),
        ("uv run --with rich pytest -x", "pytest"),
        ("FOO=1 timeout 60 poetry run coverage run -m pytest", "pytest"),
        ("bash -lc 'cd a && pytest -q'", "pytest"),
        ("(cd a && pytest)", "pytest"),
        ("git pull\npytest", "pytest"),
        ("./manage.py test shop", "django"),
        ("npx jest --watchAll=false", "jest"),
        ("yarn vitest run", "vitest"),
        ("npm t", "npm"),
        ("npm --prefix web run test:unit", "npm"),
        ("pnpm --filter web test", "pnpm"),
        ("node --test", "node"),
        ("go test ./...", "go test"),
        ("cargo +nightly test --all", "cargo test"),
        ("cargo nextest run", "cargo nextest"),
        ("mvn -q clean test", "maven"),
        ("./gradlew :app:test", "gradle"),
        ("gradle connectedAndroidTest", "gradle"),
        ("bundle exec rspec", "rspec"),
        ("dotnet test Shop.sln", "dotnet test"),
        ("make -j4 test", "make"),
        ("npm test 测试", "npm"),
    ],
)
@pytest.mark.promise("R64")
def test_command_that_runs_tests_is_told_with_its_runner(command: str, runner: str) -> None:
    assert ran_tests(command) == RanTests(runner=runner)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "pip install pytest",
        "git commit -m 'run pytest and npm test'",
        "echo npm test",
        "grep -r pytest .",
        "cat test.py",
        "python test.py",
        "test -f x && echo y",
        "docker run test",
        "npm run build",
        "gradle build -x test",
        "mvn -DskipTests verify",
        "pytest --collect-only",
        "cargo test --no-run",
        "pytest --help",
        "pytest 'not closed",
        "vim pytest.ini",
    ],
)
def test_command_that_only_names_tests_is_no_test_run(command: str) -> None:
    assert ran_tests(command) is None


@pytest.mark.parametrize("command", ["pytest | tail -3", "pytest || true", "pytest; git push"])
def test_where_the_exit_code_is_another_programs_only_counts_tell(command: str) -> None:
    printed = "===== 1 failed, 4 passed in 0.2s ====="

    assert ran_tests(command) is None
    assert ran_tests(command, output=printed) == RanTests(runner="pytest", passed=4, failed=1)


@pytest.mark.parametrize(
    ("command", "printed", "counts"),
    [
        ("pytest", "\x1b[31m== 2 failed, 10 passed, 1 error in 3s ==\x1b[0m", (10, 3)),
        ("pytest", "== 3 passed, 1 warning in 3s ==", (3, 0)),
        ("python -m unittest", "Ran 12 tests in 0.1s\n\nFAILED (failures=1, errors=2)", (9, 3)),
        ("python -m unittest", "Ran 12 tests in 0.1s\n\nOK (skipped=2)", (10, 0)),
        ("npm test", "Tests:       1 failed, 11 passed, 12 total", (11, 1)),
        ("npx vitest", "      Tests  1 failed | 11 passed (12)", (11, 1)),
        ("npx mocha", "  12 passing (3s)\n  2 failing\n", (12, 2)),
        ("go test -v ./...", "--- PASS: A (0s)\n    --- FAIL: B/c\n--- PASS: D", (2, 1)),
        (
            "cargo test",
            "result: ok. 5 passed; 0 failed;\nresult: FAILED. 1 passed; 2 failed",
            (6, 2),
        ),
        ("mvn test", "[ERROR] Tests run: 12, Failures: 1, Errors: 1, Skipped: 2\n", (8, 2)),
        ("rspec", "12 examples, 1 failure", (11, 1)),
        ("phpunit", "OK (12 tests, 30 assertions)", (12, 0)),
        ("dotnet test", "Failed!  - Failed:     1, Passed:    11, Skipped:     0", (11, 1)),
        ("ctest", "90% tests passed, 1 tests failed out of 10", (9, 1)),
    ],
)
def test_what_a_runner_prints_is_counted(
    command: str, printed: str, counts: tuple[int, int]
) -> None:
    ran = ran_tests(command, output=f"collected\n{printed}\n")

    assert ran is not None
    assert (ran.passed, ran.failed) == counts


def test_output_without_a_summary_counts_nothing() -> None:
    assert ran_tests("pytest", output="no tests ran in 0.01s") == RanTests(runner="pytest")


def test_steps_of_a_line_are_its_programs_in_order() -> None:
    assert steps_of("A=1 a b 2>&1 >log && bash -c 'c; d \"e f\"' | g &") == (
        ("a", "b"),
        ("c",),
        ("d", "e f"),
        ("g",),
    )


@given(st.text(max_size=200))
def test_any_text_is_taken_apart_without_an_error(text: str) -> None:
    steps_of(text)
    ran_tests(f"pytest {text}", output=text)
