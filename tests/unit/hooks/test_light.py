"""What spares loading and patterns says what they would say."""

import hashlib
import re
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.settings import user_file
from backstory.inject.fences import _CONTROLS, harmless
from backstory.model.ids import digest
from backstory.recall.asking import phrases, times
from backstory.record import without_half_characters


@given(text=st.text())
def test_a_digest_is_the_sha_256_of_a_text(text: str) -> None:
    assert digest(text) == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@pytest.mark.parametrize("stated", [None, "", " ", "/elsewhere/config"])
def test_the_users_settings_are_where_platformdirs_says(
    stated: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if stated is None:
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", stated)
    place = platformdirs.user_config_path("backstory", appauthor=False)

    assert user_file() == Path(place) / "config.toml"


_PARTS = [*phrases._phrases("todo"), *phrases._phrases("why"), "What", "is", "要", "İ", "ı", " "]


@given(words=st.lists(st.sampled_from(_PARTS), max_size=6), is_loud=st.booleans())
def test_phrases_are_found_as_by_a_pattern_of_all_of_them(words: list[str], is_loud: bool) -> None:
    text = " ".join(words).upper() if is_loud else " ".join(words)
    whole = phrases._pattern(phrases._phrases("todo"))

    assert phrases.asks_for_todos(text) == (whole.search(text) is not None)
    if phrases.asks_for_todos(text):
        assert phrases.without_todo_phrases(text) == whole.sub(" ", text)


_TIMES = [*times._PARTS, "2024", "q5", "market", "Mar", "İ", "ſ", "ı", " ", "-", "_", "x", "上"]


@given(words=st.lists(st.sampled_from(_TIMES), max_size=6), is_loud=st.booleans())
def test_words_of_time_are_found_as_by_their_pattern(words: list[str], is_loud: bool) -> None:
    text = "".join(words).upper() if is_loud else "".join(words)

    assert times._is_hinted(text) == (re.search(times._HINT, text) is not None)


@given(text=st.text(st.characters(exclude_categories=()), max_size=20))
def test_whatever_is_no_character_is_marked_and_whatever_is_a_control_goes(text: str) -> None:
    assert without_half_characters(text) == re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert re.search(_CONTROLS, harmless(text)) is None
