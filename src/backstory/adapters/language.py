"""Which language a person is told things in: their word, their settings, their locale."""

from collections.abc import Mapping

from backstory.adapters.settings import settings_in, settings_of, user_file
from backstory.model.errors import SettingsError
from backstory.model.words import Language

VARIABLE = "BACKSTORY_LANGUAGE"
# In the order of POSIX (Base Definitions, 8.2), with the list that GNU's gettext reads before
# the last of them. The first that says something decides.
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG")


def language_in_force(env: Mapping[str, str]) -> Language:
    """Return the language to speak. Raises `UsageError` where the variable is wrong."""
    stated = settings_of({VARIABLE: env.get(VARIABLE, "")}).language
    return stated or _kept() or language_of_locale(env)


def language_of_locale(env: Mapping[str, str]) -> Language:
    """Return the language that the environment's locale asks for. Pure.

    All of Chinese is answered in simplified characters; everything else in English.
    """
    locale = next(filter(None, (env.get(name, "").strip() for name in _LOCALES)), "")
    tongue = locale.split(":")[0].replace("-", "_").partition("_")[0].partition(".")[0]
    return Language.CHINESE if tongue.lower() == "zh" else Language.ENGLISH


def notice_in_force(notice: str, *, env: Mapping[str, str]) -> str:
    """Return what a hook tells a person in the language to speak; a Chinese book is small."""
    if language_in_force(env) is Language.ENGLISH:
        return notice
    from backstory.speaking.book import Book, read_book  # noqa: PLC0415 - not for a prompt

    return Book(read_book("notices")).said(notice)


def _kept() -> Language | None:
    try:
        return settings_in(user_file()).language
    except SettingsError:
        return None  # what reads the settings for what they say tells what is wrong
