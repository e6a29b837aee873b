"""Episodes are found by what they share with a question, and by nothing else."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.episodes.finding.asking import about_change, about_question
from backstory.episodes.finding.distances import BUCKETS, Distances, bucket
from backstory.episodes.finding.ranking import find
from backstory.episodes.finding.words import counted_words, saturated
from backstory.model.recall import Cues
from backstory.ports.story import Entry
from backstory.segment.terms import search_terms


class ListShelf:
    """A shelf over a list of subjects, bodies and paths."""

    def __init__(self, *commits: tuple[str, str, tuple[str, ...]], names: dict[int, int]) -> None:
        self.kept = [
            Entry(
                number=number,
                words=saturated(counted_words(subject, body)),
                paths=paths,
                title=" ".join(search_terms(subject)),
                names=(names[number],) if number in names else (),
                named_by=tuple(later for later, earlier in names.items() if earlier == number),
            )
            for number, (subject, body, paths) in enumerate(commits)
        ]

    def size(self) -> int:
        """How many there are."""
        return len(self.kept)

    now = size

    def word_counts(self, terms: Sequence[str]) -> Mapping[str, int]:
        """How many hold each term."""
        counts = {term: len(self.with_word(term, 10_000)) for term in terms}
        return {term: count for term, count in counts.items() if count}

    def path_counts(self, paths: Sequence[str]) -> Mapping[str, int]:
        """How many touched each path."""
        counts = {path: len(self.with_path(path, 10_000)) for path in paths}
        return {path: count for path, count in counts.items() if count}

    def with_word(self, term: str, limit: int) -> Sequence[int]:
        """Those that hold a term."""
        return [entry.number for entry in reversed(self.kept) if term in entry.words][:limit]

    def with_path(self, path: str, limit: int) -> Sequence[int]:
        """Those that touched a path."""
        return [entry.number for entry in reversed(self.kept) if path in entry.paths][:limit]

    def entries(self, numbers: Sequence[int]) -> Sequence[Entry]:
        """These ones."""
        return [self.kept[number] for number in numbers]

    def distances(self) -> Sequence[int]:
        """No habit yet."""
        return [0] * BUCKETS


FILLER = [(f"filler {n}", "nothing of note", (f"other/{n}.py",)) for n in range(40)]
STORY = ListShelf(
    ("auth: use JWT rather than sessions", "Several hosts share no memory.", ("src/auth.py",)),
    ("pool: bound the queue", "A burst filled the memory.", ("src/pool.py", "docs/pool.md")),
    *FILLER,
    ("pool: count what waits", "", ("src/aa.py", "other/src/a.py.bak")),
    names={42: 1},
)


def numbers(found: Sequence[object]) -> list[int]:
    return [getattr(one, "number") for one in found]  # noqa: B009 - the type is told elsewhere


def test_question_in_words_finds_the_episode_of_the_decision() -> None:
    found = find(about_question("why JWT rather than sessions?", Cues()), STORY, limit=3)

    assert found[0].number == 0
    assert "jwt" in found[0].words


def test_cue_of_a_file_alone_finds_its_episodes() -> None:
    found = find(about_question("", Cues(files=("src/pool.py",))), STORY, limit=3)

    assert numbers(found)[0] == 1
    assert found[0].paths == ("src/pool.py",)


def test_episode_of_the_place_at_hand_is_found_without_words() -> None:
    asked = about_question("", Cues(ticket="#7"))

    assert numbers(find(asked, STORY, limit=3, anchored=frozenset({1})))[0] == 1


def test_path_is_compared_whole() -> None:
    assert not find(about_question("", Cues(files=("src/a.py",))), STORY, limit=3)


@pytest.mark.case("C123")
def test_newest_is_never_a_filler_for_want_of_a_match() -> None:
    assert not find(about_question("kubernetes ingress", Cues()), STORY, limit=3)
    assert not find(about_question("", Cues()), STORY, limit=3)


def test_long_question_is_not_answered_by_one_common_word() -> None:
    asked = about_question(
        "does the payment gateway retry webhooks with note of the customer", Cues()
    )

    assert not find(asked, STORY, limit=3)


def test_quoted_title_is_found_however_far_back() -> None:
    message = "tokens: expire\n\nAs done in 1a2b3c4d (auth: use JWT rather than sessions, 2024)."

    assert find(about_change(message, []), STORY, limit=1)[0].parts["title"] > 0


@pytest.mark.promise("R137")
def test_episode_that_a_match_refers_to_comes_along() -> None:
    found = find(about_question("count what waits", Cues()), STORY, limit=5)

    assert numbers(found)[:2] == [42, 1]
    assert found[1].parts["named by"] > 0


def test_trailers_and_hashes_are_not_asked_for() -> None:
    asked = about_change("a b\n\nSigned-off-by: Ada <ada@example.org>\nSee 1a2b3c4d5e.", [])

    assert not {"ada", "1a2b3c4d5e"} & asked.words.keys()


@given(st.lists(st.integers(0, 500), max_size=BUCKETS), st.integers(1, 10**6))
def test_nearer_is_never_much_less_likely_without_a_habit(counts: list[int], far: int) -> None:
    distances = Distances(counts)

    assert distances(far) < 0 or far < 4
    assert Distances([])(1) > Distances([])(far + 1)


@given(st.integers(1, 2**40))
def test_every_distance_has_a_bucket(distance: int) -> None:
    assert 0 <= bucket(distance) < BUCKETS


def test_habit_of_looking_far_back_makes_far_more_likely() -> None:
    near, far = Distances([50, 30, 10]), Distances([0] * 10 + [50, 50, 50])

    assert near(2) - near(2000) > far(2) - far(2000)
