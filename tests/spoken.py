"""Every sentence that a person may be told, gathered from the code that says it."""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache

from backstory.cli import group
from backstory.cli.words import _STATUSES
from backstory.model.job import FailureCause
from backstory.model.words import Author, Lane, Role, Source, Status, TurnState
from source_tree import PACKAGE, Module, functions, modules, place

# What hands its first argument to the book: sentences of the command line, and what others said.
SAYING = {"said", "label"}
PASSING_ON = {"retold"}
# What writes for people; commands, variables and the marks of a terminal stay as they are.
PRINTING = {"line", "heading", "notice", "echo", "write", "confirmed"}
ENGLISH = re.compile(r"(?<![\w\[`])(?!backstory|kB)[A-Za-z]{2,}(?![\w`])")
# Errors that no person is shown: they are told to a model, or to whoever programs against this.
UNSEEN = {
    *("AttributeError", "FrozenInstanceError", "ImportError", "TypeError", "ValueError"),
    *("ToolError", "ResourceError", "ResourceNotFoundError", "UserError"),
}
# Where a `ValueError` becomes a sentence about a setting.
EXPLAINED = {"src/backstory/capture/patterns.py", "src/backstory/adapters/settings.py"}
# Arguments whose words reach a person, and lists of such words.
TELLING = {"abstained_because", "because", "fault", "message", "obstacle", "otherwise", "reason"}
TELLING |= {"subject", "summary", "to_do", "wanted"}
GATHERING = {"problems", "reasons", "candidate.reasons"}
# Functions that return or yield them.
FINDING = {
    "src/backstory/adapters/installing/git_hooks.py": {"_doubt"},
    "src/backstory/adapters/installing/notes.py": {"_claude_code", "_codex", "_gemini"},
    "src/backstory/adapters/installing/trial.py": {"_judged"},
    "src/backstory/adapters/lookalikes.py": {"advice"},
    "src/backstory/adapters/models/library/failures.py": {"_summary"},
    "src/backstory/adapters/models/ollama.py": {"_summary"},
    "src/backstory/adapters/rehearsal/running.py": {"run"},
    "src/backstory/adapters/settings.py": {"_because"},
    "src/backstory/adapters/sources/webhooks/serving.py": {"_take"},
    "src/backstory/api/working.py": {"summarize"},
    "src/backstory/hooks/inbox.py": {"notice"},
    "src/backstory/recall/answer.py": {"_why_nothing"},
    "src/backstory/recall/hits.py": {"hidden_because"},
    "src/backstory/recall/weighing/judging.py": {"_shortfall_in_long", "_shortfall", "_uncovered"},
    "src/backstory/wiring/reports/auditing.py": {
        "_said",
        "_happened",
        "_of_items",
        "_of_proposals",
        "_of_work",
    },
    "src/backstory/wiring/reports/reporting.py": {"what_would_go"},
    "src/backstory/wiring/story/summarizing.py": {"summarize_now"},
}
# Constants that hold them.
HOLDING = {
    "src/backstory/adapters/installing/notes.py": {"_ASKED"},
    "src/backstory/adapters/models/library/failures.py": {"_SUMMARIES"},
    "src/backstory/cli/commands/agents/faults.py": {"ADVICE"},
    "src/backstory/cli/commands/demo.py": {"_NEXT"},
    "src/backstory/cli/commands/doctor.py": {"ADVICE", "_UNKNOWN"},
    "src/backstory/cli/commands/modelling.py": {"_HELP"},
    "src/backstory/cli/commands/reviewing.py": {"_INSTRUCTIONS"},
}
# Where such words are handed on to a model, or are no sentences.
NOT_FOR_PEOPLE = (
    *("src/backstory/mcp/", "src/backstory/hooks/records.py", "src/backstory/extract/claims/"),
    *("src/backstory/consolidate/model/", "src/backstory/episodes/model/"),
    *("src/backstory/extract/model/proposing.py", "src/backstory/extract/model/reply.py"),
)
# Of the above: what never gets as far as a person, or is known by all its forms.
NOT_TOLD = {
    "cd YOUR-PROJECT && backstory import",
    "memory is off for this {1}",  # machine, project or session
    "the key was not accepted{1}",  # with a status of HTTP, which has an entry of its own
    "there is no such model or address{1}",
    "too many requests for the account{1}",
    # Its example has braces of its own.
    'regular expressions, such as ["ACME-[0-9]{6}"], or {name = …, pattern = …}',
}


def template(node: ast.AST | None, module: Module | None = None) -> str | None:
    """Return a literal or an f-string as the book has it, or None for anything else."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return _numbered(parts, module)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            pair = template(left, module), template(right, module)
            return None if None in pair else "".join(filter(None, pair))
    return None


def _numbered(parts: Iterable[ast.expr], module: Module | None) -> str:
    text, holes, is_hole = "", 0, False
    for part in parts:
        known = _constant(part, module)
        if known is not None:
            text, is_hole = text + known, False
        elif not is_hole:  # what stands side by side cannot be told apart
            holes += 1
            text, is_hole = f"{text}{{{holes}}}", True
    return text


def _constant(part: ast.expr, module: Module | None) -> str | None:
    """Return the text of a part that is always the same."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    if module is None or not isinstance(part, ast.FormattedValue):
        return None
    if not isinstance(part.value, ast.Name) or part.conversion != -1:
        return None
    held = [template(value, module) for name, value in constants(module) if name == part.value.id]
    return held[0] if held else None


def constants(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield what a module's own names stand for."""
    for statement in module.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def branches(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression may be: each side of a choice."""
    match node:
        case ast.IfExp(body=body, orelse=other):
            yield from (*branches(body), *branches(other))
        case ast.BoolOp(values=values) | ast.Tuple(elts=values):
            for value in values:
                yield from branches(value)
        case _:
            yield node


def words_of(node: ast.expr, module: Module) -> Iterator[str]:
    """Yield the sentences that an expression stands for, as far as its module says."""
    for branch in branches(node):
        text = template(branch, module)
        if text is not None:
            yield text
        elif isinstance(branch, ast.Subscript | ast.Name | ast.Call):
            yield from _looked_up(branch, module)


def _looked_up(branch: ast.expr, module: Module) -> Iterator[str]:
    """Yield the texts of a module's tables in which something is looked up, and the default."""
    named = {name.id for name in ast.walk(branch) if isinstance(name, ast.Name)}
    for value in (value for name, value in constants(module) if name in named):
        yield from texts(value, module)
    for argument in branch.args if isinstance(branch, ast.Call) else ():
        yield from filter(None, [template(argument, module)])


def texts(node: ast.AST | None, module: Module) -> Iterator[str]:
    """Yield the texts that a constant holds; keys are not told."""
    match node:
        case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from texts(part, module)
        case ast.DictComp() | ast.Call():
            return
        case _:
            text = template(node, module)
            if text:
                yield re.sub(r"\{host\}", "{1}", text.strip())


def is_sentence(text: str) -> bool:
    """Whether a text says anything: a command, marks or a hole alone do not."""
    is_command = text.startswith(("backstory ", "pip ", "ollama ", "export "))
    return bool(re.search(r"[A-Za-z]", re.sub(r"\{\d+\}", "", text))) and not is_command


@cache
def said_in(*folders: str) -> dict[str, str]:
    """Return every sentence that code under these folders says, with where."""
    return _handed(folders, SAYING)


@cache
def printed(*folders: str) -> dict[str, str]:
    """Return the English that code under these folders prints without saying it."""
    calls = (
        (module, node)
        for module in modules(*folders)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in PRINTING
    )
    return {
        text: place(module, call)
        for module, call in calls
        for part in call.args
        for text in _bare(part)
        if ENGLISH.search(text)
    }


def _bare(node: ast.expr) -> Iterator[str]:
    """Yield the texts of an expression that are handed to nothing."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from _bare(part)
        case ast.FormattedValue(value=value):
            yield from _bare(value)
        case ast.Tuple(elts=[words, *_]):  # what follows is a style
            yield from _bare(words)
        case ast.IfExp(body=body, orelse=other):
            yield from (*_bare(body), *_bare(other))
        case ast.BinOp(left=left, right=right):
            yield from (*_bare(left), *_bare(right))


@cache
def passed_on_in(*folders: str) -> dict[str, str]:
    """Return what code under these folders names of the words of the layers below."""
    return _handed(folders, PASSING_ON)


def _handed(folders: Iterable[str], names: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for module in modules(*folders):
        for call in (node for node in ast.walk(module.tree) if isinstance(node, ast.Call)):
            for text in filter(is_sentence, _said_by(call, module, names=names)):
                found.setdefault(text, place(module, call))
    return found


def _said_by(call: ast.Call, module: Module, *, names: set[str]) -> Iterator[str]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in names and call.args:
        yield from words_of(call.args[0], module)
    elif name == "counted" and len(call.args) > 1 and names == SAYING:
        many = [word.value for word in call.keywords if word.arg == "many"]
        for noun in words_of(call.args[1], module):
            yield f"# {template(many[0]) if many else f'{noun}s'}"


@cache
def raised() -> dict[str, str]:
    """Return every sentence that an error says, with where it is raised."""
    found: dict[str, str] = {}
    for module in _for_people():
        for node in (node for node in ast.walk(module.tree) if isinstance(node, ast.Raise)):
            for text in filter(is_sentence, _raised_by(node, module)):
                found.setdefault(text, place(module, node))
    return found


def _for_people() -> Iterator[Module]:
    return (one for one in modules("src") if not one.name.startswith(NOT_FOR_PEOPLE))


def _raised_by(node: ast.Raise, module: Module) -> Iterator[str]:
    if isinstance(node.exc, ast.Call):
        name = ast.unparse(node.exc.func)
        if name.endswith("Error") and (name not in UNSEEN or module.name in EXPLAINED):
            for argument in node.exc.args:
                yield from filter(None, [template(argument, module)])


@cache
def told_elsewhere() -> dict[str, str]:
    """Return what the layers below say of their findings, with where."""
    found: dict[str, str] = {}
    for module in _for_people():
        parts = (*_handed_on(module), *_returned(module), *_held(module))
        for value in (branch for part in parts for branch in branches(part)):
            text = template(value, module)
            if text and is_sentence(text) and text not in NOT_TOLD:
                found.setdefault(text, place(module, value))
    return found


def _handed_on(module: Module) -> Iterator[ast.expr]:
    for call in (node for node in ast.walk(module.tree) if isinstance(node, ast.Call)):
        yield from (word.value for word in call.keywords if word.arg in TELLING)
        if ast.unparse(call.func).removesuffix(".append") in GATHERING:
            yield from call.args


def _returned(module: Module) -> Iterator[ast.expr]:
    names = FINDING.get(module.name, ())
    for function in (one for one in functions(module) if one.name in names):
        for node in ast.walk(function):
            if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
                yield node.value


def _held(module: Module) -> Iterator[ast.expr]:
    for name, value in constants(module):
        if name in HOLDING.get(module.name, ()):
            yield from (ast.Constant(text, lineno=value.lineno) for text in texts(value, module))


@cache
def written() -> frozenset[str]:
    """Return every literal and f-string of the source, as the book would have it."""
    found = {
        template(node, module)
        for module in modules("src")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
    }
    return frozenset(text for text in found if text)


@cache
def worded() -> dict[str, str]:
    """Return the words of closed sets, and what word lists say, as screens show them."""
    sets = (Author, FailureCause, Lane, Role, Source, Status, TurnState)
    found = {word.value: word_set.__name__ for word_set in sets for word in word_set}
    found |= {f"# {state.value}": "TurnState" for state in TurnState}
    found |= {f"# {status.value}": "Status" for status in Status if status not in _STATUSES}
    found |= {f"# {word}": "Status" for word in _STATUSES.values()}
    found |= dict.fromkeys(("ok", "empty", "degraded", "isolated"), "health of a store")
    vetoes = tomllib.loads((PACKAGE / "extract/data/vetoes.toml").read_text(encoding="utf-8"))
    rows = [row for part in vetoes.values() for row in (part if isinstance(part, list) else [])]
    return found | {row["message"]: "vetoes.toml" for row in rows if "message" in row}


@cache
def helped() -> dict[str, str]:
    """Return every sentence of the help of every command, with whose it is."""
    line = group.command_line()
    found = dict.fromkeys((*_HEADINGS, *_ADDED), "every command")
    found |= dict.fromkeys(group._SECTIONS, "backstory")
    found |= dict.fromkeys(_helped_by(line), "backstory")
    for name in line.list_commands(None):
        found |= dict.fromkeys(_helped_by(line.get_command(None, name)), name)
    return found


_HEADINGS = ("Usage", "Options", "Arguments", "Examples:")
# What typer writes by itself.
_ADDED = (
    *("required", "default: {1}", "Show this message and exit."),
    *("Install completion for the current shell.",),
    "Show completion for the current shell, to copy it or customize the installation.",
)


def _helped_by(command: object) -> Iterator[str]:
    told = getattr(command, "help", None) or ""
    epilog = getattr(command, "epilog", None) or ""
    for paragraph in (*told.split("\n\n"), *epilog.split("\n\n")):
        if paragraph.strip() and not paragraph.startswith("\b"):
            yield " ".join(paragraph.split())
    for one in getattr(command, "params", ()):
        if getattr(one, "help", None) and not getattr(one, "hidden", False):
            yield one.help
