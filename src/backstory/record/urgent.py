"""Whether a text asks to be remembered at once. Pure; decides when, never what."""

import re
from functools import cache

from backstory.capture.folding import fold
from backstory.capture.packaged import packaged_text

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
    import tomllib  # noqa: PLC0415 - slow to load, and most hooks do without

    languages = tomllib.loads(packaged_text(__spec__, "data/urgent.toml")).values()
    words = [re.escape(word) for language in languages for word in language.get("words", [])]
    parts = [re.escape(part) for language in languages for part in language.get("parts", [])]
    return re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?![\w'])|{'|'.join(parts)}", re.ASCII)
