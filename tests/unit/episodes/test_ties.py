"""References, tickets and todos tie episodes together only where the words say so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.episodes.links import HOLDERS_MAX, strongest
from backstory.episodes.messages.references import LinkKind, references
from backstory.episodes.messages.tickets import (
    tickets_of_branch,
    tickets_of_merge,
    tickets_of_message,
)
from backstory.episodes.todos import is_done

SHA = "1a2b3c4d5e"
OTHER = "99aabbccdd"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (f'Revert "a"\n\nThis reverts commit {SHA}.', LinkKind.REVERTS),
        (f"a\n\n(cherry picked from commit {SHA})", LinkKind.PICKED_FROM),
        (f"a\n\nFixes: {SHA} (log: add a mark)", LinkKind.FIXES),
        (f"a\n\nA regression since {SHA}.", LinkKind.FIXES),
        (f"a\n\nThe bug was\nintroduced in {SHA}.", LinkKind.FIXES),
        (f"a\n\nFollow-up to {SHA}", LinkKind.FOLLOWS),
        (f"a\n\nAs {SHA} did for the other one.", LinkKind.REFERS),
        (f"a\n\n修复 {SHA} 引入的问题。", LinkKind.FIXES),
        (f"a\n\n回退提交 {SHA}。", LinkKind.REVERTS),
        (f"a\n\nThis fixes the build. {SHA} did the rest.", LinkKind.REFERS),
    ],
)
def test_reference_has_the_kind_that_its_words_say(message: str, kind: LinkKind) -> None:
    assert [(one.kind, one.sha) for one in references(message)] == [(kind, SHA)]


def test_nearest_words_decide_between_two_commits() -> None:
    message = f"a\n\nFollow-up to {SHA}, which fixed what {OTHER} had broken. Fixes {OTHER}."

    assert {one.sha: one.kind for one in references(message)} == {
        SHA: LinkKind.FOLLOWS,
        OTHER: LinkKind.FIXES,
    }


def test_tickets_are_found_and_standards_are_not() -> None:
    tickets = tickets_of_message(
        "SHM-311: read UTF-8, see RFC-2616 and #7\n\n    #0 0x55 in main\n\n"
        "Closes #42, fixes ABC-1"
    )

    assert tickets.named == ("SHM-311", "#7", "#42", "ABC-1")
    assert tickets.closed == ("#42", "ABC-1")


@pytest.mark.parametrize(
    ("branch", "tickets"),
    [
        ("feature/ABC-123-login", ("ABC-123",)),
        ("123-login", ("#123",)),
        ("fix/issue-42", ("#42",)),
        ("gh-7/refactor", ("#7",)),
        ("release/2024-10", ()),
        ("release-1.2", ()),
        ("utf-8", ()),
        ("main", ()),
    ],
)
def test_branch_names_tell_their_tickets(branch: str, tickets: tuple[str, ...]) -> None:
    assert tickets_of_branch(branch) == tickets


@pytest.mark.parametrize(
    ("subject", "tickets"),
    [
        ("Merge branch 'feature/SHM-7-tokens'", ("SHM-7",)),
        ("Merge remote-tracking branch 'origin/fix/gh-12' into main", ("#12",)),
        (f"Merge pull request #{5} from ada/SHM-9-cart", ("SHM-9",)),
        ("Merge branch 'main'", ()),
        ("Merge the two lists", ()),
    ],
)
def test_merge_is_of_the_tickets_of_the_branch_that_it_brought(
    subject: str, tickets: tuple[str, ...]
) -> None:
    assert tickets_of_merge(subject) == tickets


def test_todo_is_done_by_words_and_files() -> None:
    todo = "Refresh tokens are not rotated yet."

    assert is_done(
        todo, ["src/auth.py"], later="auth: rotate refresh tokens", later_files=["src/auth.py"]
    )
    assert not is_done(
        todo, ["src/auth.py"], later="auth: rename a helper", later_files=["src/auth.py"]
    )
    assert not is_done(todo, ["src/auth.py"], later="ui: refresh the page", later_files=["ui.js"])
    assert is_done("集群模式尚未支持", ["a.py"], later="支持集群模式", later_files=["a.py"])


def test_what_few_episodes_hold_ties_them_and_the_surest_name_is_told() -> None:
    holders = {
        (LinkKind.SAME_FILES, "rare.py"): [1, 2, 4, 9],
        (LinkKind.SAME_FILES, "rarer.py"): [2, 3, 9],
        (LinkKind.SAME_TICKET, "#1"): [1, 9],
    }

    first, second, *_ = strongest(holders, of=9, size=100)

    assert (first.number, first.kind) == (1, LinkKind.SAME_TICKET)
    assert (second.number, second.kind) == (2, LinkKind.SAME_FILES)
    assert second.shared == ("rarer.py", "rare.py")


def test_what_nearly_everything_holds_ties_nothing() -> None:
    changelog = {(LinkKind.SAME_FILES, "CHANGES.md"): list(range(40))}

    assert strongest(changelog, of=9, size=40) == ()
    assert strongest({(LinkKind.SAME_FILES, "a.py"): [9]}, of=9, size=1) == ()
    assert strongest({}, of=9, size=0) == ()


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(LinkKind), st.text(max_size=3)).filter(
            lambda key: key[0] in HOLDERS_MAX
        ),
        st.lists(st.integers(1, 30), unique=True, max_size=25),
        max_size=6,
    ),
    st.integers(1, 30),
)
def test_ties_are_few_and_never_to_itself(
    holders: dict[tuple[LinkKind, str], list[int]], number: int
) -> None:
    ties = strongest(holders, of=number, size=30)

    assert len(ties) <= 5
    assert all(tie.number != number and tie.weight > 0 and tie.shared for tie in ties)
    assert [tie.weight for tie in ties] == sorted((t.weight for t in ties), reverse=True)
