"""Which lines of a message are a machine's: prompts, logs, listings, code without a fence."""

import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n?")
# Prompts and what programs begin a line with.
_MACHINE = re.compile(
    r"\s*(?:"
    r"\[[^\]\n]{0,80}[~/\\][^\]\n]{0,80}\]|"  # [time branch ~/path] command
    r"[\w.-]{1,40}@[\w.-]{1,40}[: ][^\n]{0,80}[$#%>] |"  # user@host:~$ command
    r"(?:\([\w.-]{1,30}\) ?)?(?:➜|❯|λ|»|PS [A-Z]:\\|[A-Z]:\\)|"
    r"\[[\w@./-]{1,40}\] |"  # [name of a process] its output
    r"(?:npm|yarn|pnpm|pip|docker|error|warning|fatal|fail(?:ed)?|info|debug|step|run) ?"
    r"(?:err!|warn|\d+/\d+|[:>!])|"
    r"(?:\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)? ?(?:am|pm)?|\d{4}[-/]\d\d[-/]\d\d)\b|"
    r"(?:https?|ssh|git|file)://\S+\s*$|"
    r"[\w@.~-]*/[\w@./~-]+\s*$|"  # a path alone
    r"[✓✔✗✘√×●◐▶⠿]|[-+|=_*#~]{4,}"
    r")",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[{};]\s*$|\w\(.*\)\s*[;{:]?\s*$|=>|->|::|\w\.\w+\(|\w=\S|^\s*</?\w+[^>]*>|\|\||&&|\$\{|\$\w|\\n"
)
_INLINE = re.compile(r"`[^`\n]{1,200}`")
_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[\"'(]?[A-Za-z]+(?:['’-][A-Za-z]+)*[\"')]?[,.;:!?]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_FUNCTION_WORDS = frozenset(
    """
    a an the is are was be been we i you it they our my your this that these those to in for of
    on with and or but not no never always must should shall will would can could do does don't
    doesn't use please from at by as when if so have has need needs want only all each every any
    let's stop make keep i'm i'd we'll we're it's
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_HAN_MIN = 4
_SHORT_CHARS = 60  # a short line with any Han was typed
_WORDS_SHARE_MIN = 0.6  # of a line's tokens that are words: prose is nearly all words
_FUNCTION_WORDS_MIN = 2
_FEW_TOKENS = 3  # too few to tell by their share
_GAP_LINES_MAX = 2  # between two machine lines: they are its output, too
_BLOCK_LINES_MIN = 3


def machine_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the lines that a machine wrote, with what stands between close ones."""
    spans: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    gap = 0
    for start, end in _lines(text):
        if is_machine_line(text[start:end]):
            run.append((start, end))
            gap = 0
        elif run:
            gap += 1
            if gap > _GAP_LINES_MAX:
                spans.extend(_joined(run))
                run, gap = [], 0
    return [*spans, *_joined(run)]


def is_machine_line(line: str) -> bool:
    """Whether a line is no prose of a person: a prompt, a log, a path, code."""
    plain = _INLINE.sub(" name ", line).strip()
    han = len(_HAN.findall(plain))
    if not plain or han >= _HAN_MIN or (han and len(plain) <= _SHORT_CHARS):
        return False
    if _MACHINE.match(plain):
        return True
    tokens = _TOKEN.findall(plain)
    words = [token for token in tokens if _WORD.fullmatch(token)]
    speaking = sum(word.strip("\"'(),.;:!?").lower() in _FUNCTION_WORDS for word in words)
    if speaking >= _FUNCTION_WORDS_MIN:
        return False
    if len(tokens) <= _FEW_TOKENS:
        return _CODE.search(plain) is not None
    return len(words) < _WORDS_SHARE_MIN * len(tokens)


def _joined(run: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return one span of a block of machine lines; of few, each by itself."""
    if len(run) >= _BLOCK_LINES_MIN:
        return [(run[0][0], run[-1][1])]
    return run


def _lines(text: str) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(text):
        if match.start() < match.end():
            yield match.span()
