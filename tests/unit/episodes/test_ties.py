"""References, tickets and todos tie episodes together only where the words say so."""

import pytest

from backstory.episodes.links import shared_links
from backstory.episodes.messages.references import LinkKind, references
from backstory.episodes.messages.tickets import tickets_of_branch, tickets_of_message
from backstory.episodes.todos import is_done
from backstory.model.episode import Episode, Summary
from backstory.model.ids import EpisodeId

SHA = "1a2b3c4d5e"
OTHER = "99aabbccdd"


def an_episode(name: str, branch: str | None = None, ticket: str = "", path: str = "") -> Episode:
    return Episode(
        id=EpisodeId(name),
        seq=1,
        summary=Summary(objective=name, changes=(path,) if path else ()),
        branch=branch,
        tickets=(ticket,) if ticket else (),
        started_at_ms=0,
        ended_at_ms=0,
    )


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


def test_episodes_share_tickets_branches_and_telling_files() -> None:
    one = an_episode("a", branch="x", ticket="#1", path="a.py")

    assert shared_links(one, an_episode("b", "x", "#1", "a.py"), common_paths=frozenset()) == (
        LinkKind.SAME_TICKET,
        LinkKind.SAME_BRANCH,
        LinkKind.SAME_FILES,
    )
    assert not shared_links(one, an_episode("c", path="a.py"), common_paths={"a.py"})
    assert not shared_links(an_episode("d"), an_episode("e"), common_paths=frozenset())
