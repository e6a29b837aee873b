"""Title, synopsis, aliases, keywords and paths of an item, made by rule from its statement."""

import re
from collections import Counter

from backstory.capture.folding import fold
from backstory.extract.language.lexicon import lexicon
from backstory.model import limits
from backstory.model.candidate import REASON_MARK

_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"[a-z0-9][a-z0-9_.+#/-]*[a-z0-9+#]|[a-z0-9]")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_PATH = re.compile(
    r"(?<![\w/.-])(?:\.{0,2}/)?(?:[\w@.-]+/)+[\w@.*-]+|(?<![\w/.-])[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|java|rb|md|toml|ya?ml|json|sql|sh|css|html|vue|kt|swift|c|cpp|h)\b"
)
_ENGLISH_WORD_MIN = 2


def title_of(statement: str) -> str:
    """Return the statement on one line, cut at a word within the limit of a title."""
    return _cut(_SPACES.sub(" ", statement).strip(" ,.;:，。；：!！"), limits.TITLE_CHARS_MAX)


def synopsis_of(statement: str) -> str:
    """Return the statement on one line, within the limit of a synopsis."""
    return _cut(_SPACES.sub(" ", statement).strip(), limits.SYNOPSIS_CHARS_MAX)


def synopsis_with(statement: str, reason: str) -> str | None:
    """Return the statement with its reason, or None where the two are too long for a synopsis."""
    lines = f"{synopsis_of(statement)}{REASON_MARK}{_SPACES.sub(' ', reason).strip()}"
    return lines if len(lines) <= limits.SYNOPSIS_CHARS_MAX else None


def keywords_of(statement: str) -> tuple[str, ...]:
    """Return the words a search would use: English words and Han pairs, without function words."""
    plain = fold(statement)
    found: Counter[str] = Counter()
    for word in _WORD.findall(plain):
        if len(word) >= _ENGLISH_WORD_MIN and not lexicon().has("function_word", word):
            found[word] += 1
    for run in _HAN_RUN.findall(lexicon().pattern("function_character").sub(" ", plain)):
        if len(run) <= 4:
            found[run] += 1
        for i in range(len(run) - 1):
            found[run[i : i + 2]] += 1
    return tuple(word for word, _ in found.most_common(limits.KEYWORDS_MAX))


def aliases_of(statement: str) -> tuple[str, ...]:
    """Return names in the statement that people ask by: technologies, identifiers, paths."""
    plain = fold(statement)
    names = [match.group() for match in lexicon().pattern("tech").finditer(plain)]
    names += [match.group() for match in re.finditer(r"[a-z]+(?:[_-][a-z0-9]+)+", plain)]
    names += [path.lower() for path in paths_of(statement)]
    short = (name[: limits.ALIAS_CHARS_MAX] for name in names if len(name) > 1)
    return tuple(dict.fromkeys(short))[: limits.CANDIDATE_ALIASES_MAX]


def paths_of(statement: str) -> tuple[str, ...]:
    """Return the repository paths that the statement names."""
    paths = (match.group().removeprefix("./") for match in _PATH.finditer(statement))
    return tuple(
        dict.fromkeys(path for path in paths if "://" not in path and not path.startswith("//"))
    )


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit // 2)
    return (cut[:space] if space > 0 else cut) + "…"
