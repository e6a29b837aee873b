"""What a person's own editor is called by, and what it may save."""

import io
from pathlib import Path

import pytest

from backstory.cli.editing import edited
from backstory.model.errors import UsageError


@pytest.fixture(autouse=True)
def _at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    monkeypatch.delenv("VISUAL", raising=False)


def test_an_editor_whose_command_has_an_open_quote_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EDITOR", "vi 'x")

    with pytest.raises(UsageError, match="EDITOR is not a command: No closing quotation"):
        edited("words", otherwise="")


def test_a_variable_of_spaces_names_no_editor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\necho changed > "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", "  ")
    monkeypatch.setenv("EDITOR", str(script))

    assert edited("words", otherwise="") == "changed"


def test_the_mark_that_editors_of_windows_put_first_is_no_part_of_the_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nprintf '\\357\\273\\277new words\\r\\n' > \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))

    assert edited("words", otherwise="") == "new words"
