"""The text of the generated pages of docs/reference, made from the code that they describe."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from typing import Any

from backstory import api
from backstory.cli.group import command_line as commands_of
from backstory.cli.helping import paragraph_said
from backstory.model import errors as error_types
from backstory.model.errors import BackstoryError
from backstory.model.words import Language
from backstory.speaking import is_chinese, speak
from cases import CASES, NOT_APPLICABLE
from promises import PROMISES
from proofs import Proved

GENERATED = "<!-- Made by scripts/reference from {source}; change that instead. -->\n"


def errors() -> str:
    """List every error with its slug, exit code and meaning."""
    found = [error for error in vars(error_types).values() if isinstance(error, type)]
    lines = [
        "# Errors",
        "",
        GENERATED.format(source="src/backstory/model/errors.py"),
        "Every error raised on purpose is a `backstory.model.errors.BackstoryError`.",
        "Its message says what was wrong, where, and what to do; `slug` names its entry here.",
        "On the command line a message goes to standard error and the exit code says the rest:",
        "0 done, 1 a person can fix it, 2 the call makes no sense, 3 a bug, 130 interrupted.",
    ]
    for error in (error for error in found if issubclass(error, BackstoryError)):
        lines += [
            "",
            f"## {error.slug}",
            "",
            f"`{error.__name__}`, exit code {error.exit_code}.",
            "",
        ]
        lines += _sentences(error.__doc__ or "")
    return "\n".join(lines) + "\n"


def command_line() -> str:
    """List every command with its arguments and options."""
    return _command_page("Command line")


def command_line_in_chinese() -> str:
    """List the same in Chinese."""
    speak(Language.CHINESE)
    try:
        return _command_page("命令行")
    finally:
        speak(Language.ENGLISH)


def _command_page(title: str) -> str:
    group = commands_of()
    lines = [
        f"# {title}",
        "",
        GENERATED.format(source="the commands in src/backstory/cli"),
        *_sentences(paragraph_said(group.help or "")),
        "",
        *_parameters(group),
    ]
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        context = command.context_class(command, info_name=f"backstory {name}")
        lines += ["", f"## backstory {name}", "", "```text", command.get_usage(context), "```", ""]
        lines += _help_lines(command.help or "")
        lines += ["", *_parameters(command)]
        if getattr(command, "epilog", None):
            examples = [line.strip("\b ") for line in command.epilog.split("\n")]
            heading, *calls = filter(None, examples)
            lines += ["", paragraph_said(heading), "", "```text", *calls, "```"]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def _help_lines(told: str) -> list[str]:
    if not is_chinese():
        return told.replace("\b\n", "").strip().split("\n")
    paragraphs = [_sentences(paragraph_said(part)) for part in told.split("\n\n")]
    return [line for lines in paragraphs for line in ("", *lines)][1:]


def _parameters(command: Any) -> list[str]:
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    if not shown:
        return []
    head = "| 参数或选项 | 含义 |" if is_chinese() else "| argument or option | meaning |"
    return [head, "|---|---|", *(f"| {_spelling(one)} | {_meaning(one)} |" for one in shown)]


def _spelling(parameter: Any) -> str:
    spelled = [*parameter.opts, *parameter.secondary_opts]
    return ", ".join(f"`{one if one[0] == '-' else one.upper()}`" for one in spelled)


def _meaning(parameter: Any) -> str:
    meaning = paragraph_said(parameter.help or "").replace("|", "\\|")
    default = parameter.default
    if isinstance(default, str | int) and not isinstance(default, bool) and default != "":
        default = f"`{default}`"
        return f"{meaning}默认：{default}。" if is_chinese() else f"{meaning} Default: {default}."
    return meaning


def library() -> str:
    """List what a user of the library holds, with its documentation."""
    lines = ["# Library", "", GENERATED.format(source="the docstrings of backstory.api")]
    lines += ["`backstory.Memory.open()` is the way in; what it returns is documented here."]
    for name in sorted(api.__all__, key=lambda name: name != "Memory"):
        thing = getattr(api, name)
        lines += ["", f"## {name}", "", *_documentation(thing)]
        if inspect.isfunction(thing):
            lines += ["", *_signature(name, thing)]
        elif thing is api.Memory:
            lines += _methods(thing)
    return "\n".join(lines) + "\n"


def _methods(thing: type) -> Iterator[str]:
    for owner in thing.__mro__[-2::-1]:
        for name, member in vars(owner).items():
            function = getattr(member, "__func__", member)
            if inspect.isfunction(function) and not name.startswith("_"):
                yield from ("", f"### {thing.__name__}.{name}", "")
                yield from _signature(name, function)
                yield from ("", *_documentation(function))


def _signature(name: str, function: Callable[..., Any]) -> list[str]:
    # From the source: an object's annotations are spelled differently by each Python version.
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    (written,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    arguments = re.sub(r"^(self|cls)(, )?", "", ast.unparse(written.args))
    returned = ast.unparse(written.returns).strip("'") if written.returns else "None"
    return ["```text", f"{name}({arguments}) -> {returned}", "```"]


def _documentation(thing: Any) -> list[str]:
    return (inspect.getdoc(thing) or "").split("\n")


def schema() -> str:
    """Show the schema as it is created, comments and all."""
    sql = resources.files("backstory").joinpath("store/schema.sql").read_text(encoding="utf-8")
    return "\n".join(
        [
            "# Schema",
            "",
            GENERATED.format(source="src/backstory/store/schema.sql"),
            "One SQLite file holds a project's memory, in the tables below.",
            "Read it with any SQLite tool; write it only through Backstory.",
            "A file whose catalogue differs from this is reported and left as it is.",
            "",
            "```sql",
            sql.strip(),
            "```",
            "",
        ]
    )


def promises() -> str:
    """List what is promised and which tests prove it."""
    lines = [
        "# Promises",
        "",
        GENERATED.format(source="tests/promises.py"),
        "What Backstory promises, with the number of the requirement and the tests that prove it.",
    ]
    return "\n".join([*lines, *_proved(PROMISES)]) + "\n"


def cases() -> str:
    """List the faults that are kept out, and which tests prove it."""
    lines = [
        "# Cases",
        "",
        GENERATED.format(source="tests/cases.py"),
        "Classes of fault that people met in other memory tools, each told by what is right here,",
        "with the tests that prove it. Numbers have gaps.",
        *_proved(CASES),
        "",
        "## Cases that do not apply",
    ]
    for name, why in NOT_APPLICABLE.items():
        lines += ["", f"**{name}** {why}"]
    return "\n".join(lines) + "\n"


def _proved(found: Sequence[Proved]) -> Iterator[str]:
    for proved in found:
        yield from ("", f"**{proved.id}** {proved.sentence}", "")
        yield from (f"- `{test}`" for test in proved.tests)


def _sentences(text: str) -> list[str]:
    flat = " ".join(text.split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z])|(?<=。)(?=.)", flat)
