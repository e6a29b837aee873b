"""What a sentence claims that must be proved: files, commits, and what tests did. Pure."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

from backstory.capture.folding import fold
from backstory.episodes.messages.parts import hashes
from backstory.episodes.model.material import Material
from backstory.model.event import Event
from backstory.model.words import EventKind
from backstory.segment.places import clean_path, mentioned_paths
from backstory.segment.terms import search_terms

# So much of what a sentence says has to stand in what was shown, in whatever form.
_ANCHORED_SHARE_MIN = 0.5
_COUNT = re.compile(r"\d+")
_TEST = re.compile(r"\btests?\b|\bspec\b", re.IGNORECASE)


class Shown:
    """What a model was shown, and which commits there are, to compare sentences with."""

    def __init__(self, material: Material, *, known: frozenset[str]) -> None:
        texts = [source.text for source in material.sources]
        whole = "\n".join([*texts, material.diff, *material.paths])
        self._terms = frozenset(search_terms(whole))
        self._texts = texts
        self._paths = frozenset(material.paths)
        self._names = [clean_path(path) for path in material.paths]
        self._runs = tuple(_test_runs(material.events))
        self._known = known

    def wrong_with(self, sentence: str) -> str:
        """Return why a sentence does not check, as a slug, or nothing."""
        if any(sha not in self._known for sha in hashes(sentence)):
            return "unknown-commit"
        if not all(map(self._tells_of, mentioned_paths(sentence))):
            return "unknown-file"
        if not self._agrees_with_tests(sentence):
            return "tests-not-shown"
        return "" if self.anchors(sentence) else "not-in-the-texts"

    def anchors(self, sentence: str) -> bool:
        """Whether at least half of what a sentence says stands in what was shown."""
        said = set(search_terms(sentence))
        return len(said & self._terms) >= _ANCHORED_SHARE_MIN * len(said)

    def changed(self, path: str) -> bool:
        """Whether a path is one of those that changed."""
        return path in self._paths

    def _tells_of(self, path: str) -> bool:
        """Whether a path or file name changed in the episode or stands in its texts."""
        name = clean_path(path)
        if any(f"/{name}/" in f"/{one}/" for one in self._names):
            return True
        return any(path in text for text in self._texts)

    def _agrees_with_tests(self, sentence: str) -> bool:
        passes, fails = _says("passes", sentence), _says("fails", sentence)
        if not passes and not fails:
            return True
        if not self._runs or (passes and not fails and not self._runs[-1][1]):
            return False
        if fails and all(is_good for _, is_good in self._runs):
            return False
        told = {count for event, _ in self._runs for count in _COUNT.findall(event.text)}
        return set(_COUNT.findall(sentence)) <= told


def _test_runs(events: Sequence[Event]) -> Iterator[tuple[Event, bool]]:
    """Yield the runs of tests with how they ended."""
    for event in events:
        payload = event.payload
        is_run = event.kind is EventKind.TEST_RUN
        is_run |= event.kind is EventKind.COMMAND and bool(_TEST.search(event.text))
        ends = [payload.get(name) for name in ("failed", "exit_code")]
        told = [end for end in ends if isinstance(end, int)]
        if is_run and told:
            yield event, not any(told)


@lru_cache(maxsize=2)
def _patterns(name: str) -> re.Pattern[str]:
    source = files("backstory.episodes.model").joinpath("prompts/tests.toml")
    table = tomllib.loads(source.read_text("utf-8"))[name]
    chinese = "|".join(map(re.escape, table["zh"]))
    return re.compile(rf"\b(?:{'|'.join(table['en'])})\b|{chinese}", re.IGNORECASE)


def _says(name: str, sentence: str) -> bool:
    return _patterns(name).search(fold(sentence)) is not None
