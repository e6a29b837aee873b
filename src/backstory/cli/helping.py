"""The help of commands in the language that is spoken; in English it is as typer writes it."""

import re
from collections.abc import Sequence

import typer
import typer.core
from rich.cells import cell_len

from backstory.cli.wrapping import wrapped
from backstory.speaking import explained, is_chinese

_FIRST_COLUMN_MAX = 30
_GAP = 2
# What typer adds to the help of a parameter: "  [default: 10; 1<=x<=100]"; once with a backslash.
_ADDED = re.compile(r"(?s)(.*?)(?:(?:^|  )\\?\[(default: .*|required|.*[<>]=?.*)\])?")
_AS_IT_IS = "\b"  # begins a paragraph whose lines stay as they are
_PLACEHOLDERS = {"[OPTIONS]": "[选项]", "COMMAND": "命令", "[ARGS]": "[参数]"}


# Which class it is depends on the version of typer.
class Formatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Writes help: in Chinese by itself, since words are told apart there by no spaces."""

    def write_usage(self, prog: str, args: str = "", **prefix: str | None) -> None:
        """Write how a command is called."""
        if not is_chinese():
            super().write_usage(prog, args, **prefix)
            return
        for english, chinese in _PLACEHOLDERS.items():
            args = args.replace(english, chinese)
        lead = f"{explained('Usage')}：{prog} "
        margin = " " * cell_len(lead)
        lines = wrapped(lead + args, width=self.width, indent=len(margin))
        self.write(f"\n{margin}".join(lines) + "\n")

    def write_heading(self, heading: str) -> None:
        """Write what a part is about."""
        if is_chinese():
            self.write(f"{'':>{self.current_indent}}{explained(heading)}：\n")
        else:
            super().write_heading(heading)

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        if not is_chinese():
            super().write_text(text)
            return
        room = self.width - self.current_indent
        paragraphs = [_lines(paragraph, room) for paragraph in text.split("\n\n")]
        for number, lines in enumerate(paragraphs):
            self.write("\n" if number else "")
            for line in lines:
                self.write(f"{'':>{self.current_indent}}{line}\n")

    def write_dl(
        self, rows: Sequence[tuple[str, str]], *columns: int, **named_columns: int
    ) -> None:
        """Write names beside what they mean."""
        if not is_chinese():
            super().write_dl(rows, *columns, **named_columns)
            return
        widths = (cell_len(name) for name, _ in rows)
        first = min(max(widths, default=0), _FIRST_COLUMN_MAX) + _GAP
        margin = " " * (first + self.current_indent)
        for name, meaning in rows:
            self.write(f"{'':>{self.current_indent}}{name}")
            room = first - cell_len(name)
            self.write(" " * room if room >= _GAP else f"\n{margin}")
            lines = wrapped(_meaning(meaning), width=max(self.width - first - _GAP, 10))
            self.write(f"\n{margin}".join(lines) + "\n")


class _Context(typer.Context):
    formatter_class = Formatter


class SpokenCommand(typer.core.TyperCommand):
    """A command whose help is in the language that is spoken."""

    context_class = _Context


def first_sentence(text: str) -> str:
    """Return the first sentence of a command's help in Chinese."""
    return paragraph_said(text.partition("\n\n")[0]).partition("。")[0] + "。"


def paragraph_said(paragraph: str) -> str:
    """Return one paragraph of help in the language that is spoken."""
    return explained(" ".join(paragraph.split()))


def _lines(paragraph: str, room: int) -> list[str]:
    head, *rest = paragraph.strip("\n").split("\n")
    if head.strip() == _AS_IT_IS:
        return [explained(line) for line in rest]
    return wrapped(paragraph_said(paragraph), width=room)


def _meaning(told: str) -> str:
    found = _ADDED.fullmatch(told)
    assert found is not None  # anything is a help without an addition
    added = "；".join(explained(part) for part in (found[2] or "").split("; ") if part)
    return f"{explained(found[1])}  [{added}]".strip() if added else explained(found[1])


__all__ = ["Formatter", "SpokenCommand", "first_sentence", "paragraph_said"]
