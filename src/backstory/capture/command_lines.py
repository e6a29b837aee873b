"""A command line taken apart into the programs that it runs. Pure."""

import re
import shlex

_ENDS = frozenset({"&&", "||", ";", ";;", "&", "|", "|&", "\n", "(", ")"})
_ASSIGNMENT = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*\+?=")
_OPERATOR_CHARACTERS = "();<>|&\n"
_OPERATORS = re.compile(r"&&|\|\||\|&|;;|[<>]+&?|&>+|[();&|\n]")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "ksh"})
_GIVEN = re.compile(r"^-[a-z]*c$")  # bash -c, bash -lc
_DEPTH_MAX = 3  # a shell that runs a shell that runs a command


Step = tuple[str, ...]  # one program and its words

# What only looks around says nothing of what somebody wants or did.
_LOOKING = frozenset(
    {"cd", "pushd", "popd", "ls", "ll", "la", "pwd", "cat", "bat", "less", "more", "head", "tail"}
    | {"echo", "which", "type", "man", "whoami", "date", "df", "du", "ps", "top", "htop", "tree"}
    | {"file", "wc", "stat", "grep", "rg", "ag", "ack", "find", "fd", "vi", "vim", "nvim", "nano"}
    | {"emacs", "clear", "reset", "history", "exit", "logout", "fg", "bg", "jobs", "alias", "env"}
    | {"printenv", "true", ":", "z", "j", "open", "xdg-open", "backstory", "sleep", "wait"}
)
_LOOKING_GIT = frozenset({"status", "log", "diff", "show", "blame", "branch", "fetch", "help"})


def only_looks(command: str) -> bool:
    """Whether a command only looks around: no program in it does anything."""
    steps = steps_of(command)
    return bool(steps) and all(map(_is_looking, steps))


def _is_looking(step: Step) -> bool:
    name = step[0].rsplit("/", 1)[-1]
    return name in _LOOKING or (name == "git" and step[1:2] != () and step[1] in _LOOKING_GIT)


def steps_of(command: str, *, depth: int = 0) -> tuple[Step, ...]:
    """Return the programs that a command line runs, in order, or none where it cannot be read.

    Assignments and redirections are left out, and what `bash -c "…"` runs stands for itself.
    """
    try:
        tokens = _tokens(command)
    except ValueError:  # a quote that is not closed
        return ()
    steps: list[Step] = []
    words: list[str] = []
    skips = False
    for token in [*tokens, ";"]:
        if skips:
            skips = False
        elif token in _ENDS:
            steps += [tuple(words)] if words else []
            words = []
        elif set(token) <= set(_OPERATOR_CHARACTERS):
            if words and words[-1].isdecimal():
                words.pop()  # 2>&1
            skips = True
        elif words or not _ASSIGNMENT.match(token):
            words.append(token)
    return tuple(part for step in steps for part in _unwrapped(step, depth))


def _tokens(command: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=_OPERATOR_CHARACTERS)
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    tokens: list[str] = []
    for token in lexer:
        if token and set(token) <= set(_OPERATOR_CHARACTERS):
            tokens += _OPERATORS.findall(token)  # several may stand side by side
        elif token:
            tokens.append(token)
    return tokens


def _unwrapped(step: Step, depth: int) -> tuple[Step, ...]:
    given = _given_to_shell(step) if depth < _DEPTH_MAX else None
    inner = () if given is None else steps_of(given, depth=depth + 1)
    return inner or (step,)


def _given_to_shell(words: Step) -> str | None:
    if words[0].rsplit("/", 1)[-1] not in _SHELLS:
        return None
    place = next((n for n, word in enumerate(words) if _GIVEN.match(word)), None)
    return words[place + 1] if place is not None and place + 1 < len(words) else None
