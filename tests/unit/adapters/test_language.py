"""A person is spoken to as their variable, their settings or their locale ask, in this order."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.language import language_in_force, language_of_locale
from backstory.model.errors import UsageError
from backstory.model.words import Language

EN, ZH = Language.ENGLISH, Language.CHINESE
LOCALES: list[tuple[Mapping[str, str], Language]] = [
    ({}, EN),
    ({"LANG": "zh_CN.UTF-8"}, ZH),
    ({"LANG": "zh_TW"}, ZH),
    ({"LANG": "zh-Hans"}, ZH),
    ({"LANG": "zh"}, ZH),
    ({"LANG": "zh.UTF-8"}, ZH),
    ({"LANG": "en_US.UTF-8"}, EN),
    ({"LANG": "zhx_CN"}, EN),
    ({"LANG": "C.UTF-8"}, EN),
    ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, EN),
    ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, ZH),
    ({"LANG": "de_DE", "LC_MESSAGES": "zh_HK.UTF-8"}, ZH),
    ({"LANG": "en_US", "LANGUAGE": "zh_CN:en"}, ZH),
    ({"LANG": "zh_CN", "LANGUAGE": "en:zh_CN"}, EN),
    ({"LC_ALL": "zh_CN", "LANGUAGE": "en"}, ZH),
    ({"LC_ALL": "POSIX", "LANG": "zh_CN"}, EN),
]


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the user's settings are, which say nothing yet."""
    monkeypatch.setattr("backstory.adapters.language.user_file", lambda: tmp_path / "config.toml")
    return tmp_path / "config.toml"


@pytest.mark.parametrize(("env", "language"), LOCALES)
def test_locale_is_read_in_the_order_of_posix(env: Mapping[str, str], language: Language) -> None:
    assert language_of_locale(env) is language


@given(locale=st.text(max_size=12))
def test_any_locale_is_english_or_chinese(locale: str) -> None:
    is_chinese = locale.strip().lower().startswith("zh")

    assert language_of_locale({"LANG": locale}) is EN or is_chinese


def test_settings_win_over_the_locale_and_the_variable_over_both(config: Path) -> None:
    config.write_text('language = "zh"\n', encoding="utf-8")

    assert language_in_force({}) is ZH
    assert language_in_force({"LANG": "en_US", "LC_ALL": "C"}) is ZH
    assert language_in_force({"BACKSTORY_LANGUAGE": " EN ", "LANG": "zh_CN"}) is EN


def test_variable_that_names_no_language_is_an_error() -> None:
    with pytest.raises(UsageError, match="BACKSTORY_LANGUAGE is 'fr'; it must be en or zh"):
        language_in_force({"BACKSTORY_LANGUAGE": "fr"})


def test_settings_that_cannot_be_read_leave_it_to_the_locale(config: Path) -> None:
    config.write_text('language = "klingon"\n', encoding="utf-8")

    assert language_in_force({"LANG": "zh_CN"}) is ZH
