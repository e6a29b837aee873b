"""Episodes that share a ticket, a branch or rare files are shown beside each other."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from backstory.model.episode import Episode
from commands import run
from git_repositories import Built, a_repository
from recorded import SettableClock


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "shop")


@pytest.fixture
def memory(repository: Built) -> Iterator[Memory]:
    clock = SettableClock(1_800_000_000_000)
    opening = Opening(env=repository.environ, clock=clock)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def beside(memory: Memory, name: str) -> list[tuple[str, str]]:
    links = memory.episode(name).links
    return [(link.kind, link.episode.summary.objective) for link in links]


def told(memory: Memory, text: str) -> list[str]:
    hits = memory.recall(text).hits
    return [hit.entry.summary.objective for hit in hits if isinstance(hit.entry, Episode)]


def test_rare_files_and_tickets_link_episodes_and_common_files_do_not(
    repository: Built, memory: Memory
) -> None:
    for n in range(25):
        repository.commit(f"release {n}", CHANGES=f"{n}\n", **{f"src__part{n}": "1\n"})
    first = repository.commit("cart: keep the order", src__cart="1\n", CHANGES="x\n")
    second = repository.commit("basket: sums [SHM-4]", src__cart="2\n", CHANGES="y\n")
    repository.commit("wording of the receipts [SHM-4]", docs__receipts="1\n")
    memory.backfill()

    assert beside(memory, first) == [("same_files", "basket: sums [SHM-4]")]
    assert set(beside(memory, second)) == {
        ("same_files", "cart: keep the order"),
        ("same_ticket", "wording of the receipts [SHM-4]"),
    }
    shown = run("episode", "show", second[:10], at=repository.root).out
    assert "same files (src/cart): " in shown
    assert "same ticket (SHM-4): " in shown
    row = json.loads(run("episode", "show", first[:10], "--json", at=repository.root).out)
    assert row["links"][0]["shared"] == ["src/cart"]


def test_links_are_five_at_the_most_and_none_to_what_is_named_anyway(
    repository: Built, memory: Memory
) -> None:
    shas = [repository.commit(f"cart: step {n}", src__cart=f"{n}\n") for n in range(9)]
    last = repository.commit(
        f"cart: undo a step\n\nThis reverts commit {shas[-1]}.", src__cart="undone\n"
    )
    memory.backfill()

    assert beside(memory, last) == [
        ("reverts", "cart: step 8"),
        *(("same_files", f"cart: step {n}") for n in (7, 6, 5, 4, 3)),
    ]


def test_episode_bounded_by_hand_is_linked_with_what_has_its_ticket(
    repository: Built, memory: Memory
) -> None:
    sha = repository.commit("auth: issue tokens [SHM-9]", src__auth="1\n")
    memory.backfill()
    begun = memory.begin_episode("move to tokens", tickets=["SHM-9"])

    assert beside(memory, sha) == [("same_ticket", "move to tokens")]
    assert beside(memory, begun.id) == [("same_ticket", "auth: issue tokens [SHM-9]")]


def test_forgotten_episode_is_linked_with_nothing(repository: Built, memory: Memory) -> None:
    sha = repository.commit("auth: a detour [SHM-9]", src__auth="1\n")
    other = repository.commit("auth: tokens [SHM-9]", src__auth="2\n")
    memory.backfill()

    memory.forget_episode(sha)

    assert beside(memory, other) == []


@pytest.mark.promise("R135", "R137")
def test_what_undid_an_episode_and_what_has_its_ticket_come_along(
    repository: Built, memory: Memory
) -> None:
    for n in range(8):
        repository.commit(f"unrelated {n}", **{f"src__part{n}": "1\n"})
    sha = repository.commit("retry: back off with jitter [SHM-3]", src__retry="1\n")
    repository.commit("gateway limits follow the contract [SHM-3]", src__limits="1\n")
    repository.commit(f"Too slow at the till\n\nThis reverts commit {sha}.", src__retry="2\n")
    memory.backfill()

    found = told(memory, "why did we back off with jitter?")

    assert found == [
        "retry: back off with jitter [SHM-3]",
        "Too slow at the till",
        "gateway limits follow the contract [SHM-3]",
    ]
    reasons = [
        reason for hit in memory.recall("back off with jitter").hits for reason in hit.reasons
    ]
    assert any("is linked with" in reason and "reverts" in reason for reason in reasons)


def test_what_shares_two_rare_files_comes_along_and_what_shares_one_does_not(
    repository: Built, memory: Memory
) -> None:
    for n in range(8):
        repository.commit(f"unrelated {n}", **{f"src__part{n}": "1\n"})
    repository.commit("gateway limits follow the contract", src__retry="1\n", src__pause="1\n")
    repository.commit("wording of the receipts", src__retry="2\n")
    repository.commit("back off with jitter", src__retry="3\n", src__pause="3\n")
    memory.backfill()

    assert told(memory, "back off with jitter") == [
        "back off with jitter",
        "gateway limits follow the contract",
    ]
