"""Whether a text asks to be remembered at once. Pure; decides when, never what."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from backstory.capture.folding import fold

# A wish stands at the beginning or the end of what somebody types; a pasted log lies between.
_LOOKED_AT_CHARS = 10_000


def is_urgent(text: str) -> bool:
    """Whether the text holds a word such as "remember" or "以后"."""
    return _signals().search(fold(_ends(text)).replace("’", "'")) is not None


def _ends(text: str) -> str:
    if len(text) <= 2 * _LOOKED_AT_CHARS:
        return text
    return f"{text[:_LOOKED_AT_CHARS]}\n{text[-_LOOKED_AT_CHARS:]}"


@cache
def _signals() -> re.Pattern[str]:
    source = files("backstory.record").joinpath("data/urgent.toml")
    languages = tomllib.loads(source.read_text(encoding="utf-8")).values()
    words = [re.escape(word) for language in languages for word in language.get("words", [])]
    parts = [re.escape(part) for language in languages for part in language.get("parts", [])]
    return re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?![\w'])|{'|'.join(parts)}", re.ASCII)
