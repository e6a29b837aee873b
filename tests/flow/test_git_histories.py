"""Every odd history that git can make is read, and what became of a commit is never guessed."""

from pathlib import Path

import pytest

from backstory.model.errors import VcsUnavailableError
from backstory.ports.vcs import ChangeKind, Commit, Here, Known, NotInClone, Rewritten
from git_repositories import Built, a_clone, a_repository

LINES = "".join(f"line {n}\n" for n in range(40))


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "project")


def history(built: Built, *seen: str) -> list[Commit]:
    return list(built.vcs.read(listed.sha for listed in built.vcs.listed(seen=seen)))


def known(built: Built, sha: str) -> Known:
    """What was recorded of a commit while it was there."""
    (commit,) = built.vcs.read([sha])
    return Known(
        sha=sha,
        tree=commit.tree,
        authored_at_ms=commit.authored_at_ms,
        patch_id=built.vcs.patch_ids([sha]).get(sha),
    )


def forget_unreachable(built: Built) -> None:
    built.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    built.git("gc", "--quiet", "--prune=now")


def test_plain_history_is_read_oldest_first_with_its_changes(repository: Built) -> None:
    first = repository.commit("start: a beginning\n\nWith a reason.", a_dot_py=LINES)
    second = repository.commit("go on", a_dot_py=LINES + "more\n", docs__b="b\n")

    commits = history(repository)

    assert [commit.sha for commit in commits] == [first, second]
    assert commits[0].subject == "start: a beginning"
    assert commits[0].message == "start: a beginning\n\nWith a reason.\n"
    assert commits[1].parents == (first,)
    assert commits[1].authored_at_ms == commits[0].authored_at_ms + 60_000
    assert [(f.path, f.kind, f.added, f.deleted) for f in commits[1].files] == [
        ("a.py", ChangeKind.MODIFIED, 1, 0),
        ("docs/b", ChangeKind.ADDED, 1, 0),
    ]
    assert commits[1].files[0].blob == repository.git("rev-parse", "HEAD:a.py")


def test_second_walk_names_only_what_is_new(repository: Built) -> None:
    repository.commit("one", a="1\n")
    seen = repository.vcs.tips()
    repository.git("switch", "--quiet", "--create", "side")
    new = repository.commit("two", a="2\n")

    assert [listed.sha for listed in repository.vcs.listed(seen=[*seen.values()])] == [new]
    assert not [*repository.vcs.listed(seen=[*repository.vcs.tips().values()])]


def test_branch_is_a_tag_on_what_was_listed(repository: Built) -> None:
    main = repository.commit("on main", a="1\n")
    repository.git("switch", "--quiet", "--create", "side")
    side = repository.commit("on a branch", a="2\n")

    refs = {listed.sha: listed.ref for listed in repository.vcs.listed(["main", "side"])}

    assert refs.keys() == {main, side}
    assert {listed.sha: listed.ref for listed in repository.vcs.listed()}[
        side
    ] == "refs/heads/side"


def test_range_is_walked_as_asked_and_never_taken_for_an_option(
    repository: Built, tmp_path: Path
) -> None:
    first = repository.commit("one", a="1\n")
    second = repository.commit("two", a="2\n")

    assert [listed.sha for listed in repository.vcs.listed([f"{first}..main"])] == [second]
    with pytest.raises(VcsUnavailableError):
        [*repository.vcs.listed([f"--output={tmp_path}/stolen"])]
    assert not (tmp_path / "stolen").exists()


def test_merge_tells_both_parents_and_no_changes(repository: Built) -> None:
    repository.commit("base", a="1\n")
    repository.git("switch", "--quiet", "--create", "side")
    side = repository.commit("side", b="2\n")
    repository.git("switch", "--quiet", "main")
    main = repository.commit("main", c="3\n")
    repository.git("merge", "--quiet", "--no-ff", "-m", "join them", "side")

    merge = history(repository)[-1]

    assert merge.is_merge
    assert merge.parents == (main, side)
    assert merge.files == ()
    assert repository.vcs.is_merged(side, "main")
    assert not repository.vcs.is_merged(main, "side")


def test_rename_and_deletion_and_binary_file_are_told_apart(repository: Built) -> None:
    repository.commit("start", old__name_dot_py=LINES, gone="x\n")
    repository.git("mv", "old/name.py", "new.py")
    repository.git("rm", "--quiet", "gone")
    (repository.root / "picture").write_bytes(b"\x00\x01")
    repository.commit("move")

    files = {file.path: file for file in history(repository)[-1].files}

    assert files["new.py"].kind is ChangeKind.RENAMED
    assert files["new.py"].old_path == "old/name.py"
    assert (files["new.py"].added, files["new.py"].deleted) == (0, 0)
    assert files["gone"].kind is ChangeKind.DELETED
    assert files["gone"].blob is None
    assert files["picture"].added is None


@pytest.mark.case("C67")
def test_names_and_messages_that_are_not_utf8_are_kept_readable(repository: Built) -> None:
    (repository.root / "café".encode("latin-1").decode("utf-8", "surrogateescape")).write_text("x")
    (repository.root / "a\tb\nc").write_text("odd")
    repository.git("add", "--all")
    message = "größer\n".encode("latin-1")
    repository.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repository.git("commit", "--quiet", "--file=-", given=message)
    honest = repository.git("cat-file", "commit", "HEAD").encode().splitlines()
    raw = b"\n".join(line for line in honest[:-2] if not line.startswith(b"encoding"))
    sha = repository.git(
        "hash-object", "-t", "commit", "-w", "--stdin", given=raw + b"\n\n" + message
    )
    repository.git("branch", "undeclared", sha)

    (declared,) = repository.vcs.read([repository.git("rev-parse", "main")])
    (undeclared,) = repository.vcs.read([sha])

    assert {file.path for file in undeclared.files} == {r"caf\xe9", "a\tb\nc"}
    assert undeclared.subject == "gr\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}er"
    assert declared.subject == "größer"
    assert repository.vcs.blobs([r"caf\xe9", "absent"]).keys() == {r"caf\xe9"}


def test_message_that_looks_like_git_output_stays_a_message(repository: Built) -> None:
    forged = "\x01" + "a" * 40 + "\n:100644 100644 a b M\n1\t2\tfile"
    repository.commit("an honest one", a="1\n")
    sha = repository.commit(forged, a="2\n")

    commit = history(repository)[-1]

    assert commit.sha == sha
    assert [file.path for file in commit.files] == ["a"]


def test_submodule_is_marked_as_one(repository: Built, tmp_path: Path) -> None:
    part = a_repository(tmp_path / "part")
    part.commit("part", a="1\n")
    repository.commit("start", a="1\n")
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "add", part.root.as_uri(), "sub"
    )
    repository.commit("take part in")

    files = {file.path: file for file in history(repository)[-1].files}

    assert files["sub"].is_submodule
    assert not files[".gitmodules"].is_submodule


def test_unborn_head_has_a_branch_and_no_commit(repository: Built) -> None:
    assert repository.vcs.head().branch == "main"
    assert repository.vcs.head().sha is None
    assert history(repository) == []
    assert repository.vcs.tips() == {}
    assert repository.vcs.blobs(["a"]) == {}


def test_detached_head_is_walked_and_has_no_branch(repository: Built) -> None:
    repository.commit("one", a="1\n")
    repository.git("checkout", "--quiet", "--detach")
    loose = repository.commit("on no branch", a="2\n")

    assert repository.vcs.head().branch is None
    assert repository.vcs.head().sha == loose
    assert loose in [commit.sha for commit in history(repository)]
    assert loose in repository.vcs.tips().values()


def test_every_work_tree_feeds_one_history(repository: Built, tmp_path: Path) -> None:
    repository.commit("one", a="1\n")
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    second = Built(tmp_path / "second", repository.home)
    second.minutes = 5
    loose = second.commit("in the second work tree", a="2\n")

    assert loose in [commit.sha for commit in history(repository)]
    assert [c.sha for c in history(repository)] == [c.sha for c in history(second)]


@pytest.mark.case("C92")
def test_sha256_repository_is_read(tmp_path: Path) -> None:
    built = a_repository(tmp_path / "long", "--object-format=sha256")
    sha = built.commit("one", a="1\n")

    (commit,) = history(built)

    assert len(sha) == 64
    assert commit.sha == sha
    assert built.vcs.resolve(known(built, sha)) == Here(sha=sha)


@pytest.mark.case("C92")
def test_shallow_clone_does_not_take_its_edge_for_a_beginning(
    repository: Built, tmp_path: Path
) -> None:
    for n in range(4):
        repository.commit(f"step {n}", a=f"{n}\n", b="same\n")
    shallow = a_clone(repository, tmp_path / "shallow", "--depth=2")

    edge, last = history(shallow)

    assert (edge.subject, edge.files, edge.is_complete) == ("step 2", (), False)
    assert [file.path for file in last.files] == ["a"]
    assert last.is_complete


@pytest.mark.case("C92")
@pytest.mark.parametrize("wanted", ["blob:none", "tree:0"])
def test_partial_clone_is_read_without_fetching(
    repository: Built, tmp_path: Path, wanted: str
) -> None:
    for n in range(3):
        repository.commit(f"step {n}", a=LINES + f"{n}\n")
    partial = a_clone(repository, tmp_path / "partial", f"--filter={wanted}", "--no-checkout")
    before = partial.git("count-objects", "-v")

    commits = history(partial)

    assert [commit.subject for commit in commits] == ["step 0", "step 1", "step 2"]
    assert not any(commit.is_complete for commit in commits)
    assert [len(commit.files) for commit in commits] == [int(wanted == "blob:none")] * 3
    assert partial.git("count-objects", "-v") == before


@pytest.mark.case("C92")
def test_amended_message_is_found_by_its_tree(repository: Built) -> None:
    repository.commit("base", a="1\n")
    old = known(repository, repository.commit("wrod", a="2\n"))
    repository.git("commit", "--quiet", "--amend", "-m", "word")
    forget_unreachable(repository)

    new = repository.git("rev-parse", "HEAD")

    assert repository.vcs.resolve(old) == Rewritten(sha=old.sha, into=new)


def test_amended_content_is_another_change_and_not_guessed(repository: Built) -> None:
    repository.commit("base", a="1\n")
    old = known(repository, repository.commit("change", a="2\n"))
    repository.write("a", "3\n")
    repository.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    forget_unreachable(repository)

    assert repository.vcs.resolve(old) == NotInClone(sha=old.sha)


@pytest.mark.case("C92")
@pytest.mark.parametrize("is_collected", [False, True])
def test_rebased_commits_are_found_by_their_patch(repository: Built, is_collected: bool) -> None:
    repository.commit("base", a=LINES)
    repository.git("switch", "--quiet", "--create", "side")
    old = [known(repository, repository.commit(f"side {n}", **{f"b{n}": "x\n"})) for n in (1, 2)]
    repository.git("switch", "--quiet", "main")
    repository.commit("ahead", a="0\n" + LINES)
    repository.git("rebase", "--quiet", "main", "side")
    if is_collected:
        forget_unreachable(repository)

    new = repository.git("rev-list", "--reverse", "main..side").split()

    assert [repository.vcs.resolve(one) for one in old] == [
        Rewritten(sha=one.sha, into=sha) for one, sha in zip(old, new, strict=True)
    ]


@pytest.mark.case("C92")
def test_fixup_and_squash_leave_no_commit_to_point_at(repository: Built) -> None:
    base = repository.commit("base", a=LINES)
    first = known(repository, repository.commit("feature", b="1\n"))
    second = known(repository, repository.commit("fixup! feature", b="2\n"))
    repository.git("rebase", "--quiet", "--interactive", "--autosquash", base)
    forget_unreachable(repository)

    assert repository.vcs.resolve(first) == NotInClone(sha=first.sha)
    assert repository.vcs.resolve(second) == NotInClone(sha=second.sha)
    assert [commit.subject for commit in history(repository)] == ["base", "feature"]


@pytest.mark.case("C92")
def test_squash_merge_of_one_commit_is_found_and_of_two_is_not(repository: Built) -> None:
    repository.commit("base", a=LINES)
    for name, count in (("single", 1), ("double", 2)):
        repository.git("switch", "--quiet", "--create", name, "main")
        shas = [repository.commit(f"{name} {n}", **{f"{name}{n}": "x\n"}) for n in range(count)]
        old = [known(repository, sha) for sha in shas]
        repository.git("switch", "--quiet", "main")
        repository.git("merge", "--quiet", "--squash", name)
        squashed = repository.commit(f"squash of {name}")
        repository.git("branch", "--quiet", "-D", name)
        forget_unreachable(repository)
        found = [repository.vcs.resolve(one) for one in old]

        assert found == (
            [Rewritten(sha=shas[0], into=squashed)]
            if count == 1
            else [NotInClone(sha=sha) for sha in shas]
        )


@pytest.mark.case("C92")
def test_cherry_pick_carries_the_change_of_a_branch_that_is_gone(repository: Built) -> None:
    repository.commit("base", a=LINES)
    repository.git("switch", "--quiet", "--create", "side")
    old = known(repository, repository.commit("worth it", b="1\n"))
    repository.git("switch", "--quiet", "main")
    repository.commit("ahead", c="1\n")
    repository.git("cherry-pick", "-x", old.sha)
    picked = repository.git("rev-parse", "HEAD")

    assert repository.vcs.resolve(old) == Here(sha=old.sha)
    repository.git("branch", "--quiet", "-D", "side")
    forget_unreachable(repository)
    assert repository.vcs.resolve(old) == Rewritten(sha=old.sha, into=picked)


def test_reverted_commit_is_still_here(repository: Built) -> None:
    repository.commit("base", a="1\n")
    bad = repository.commit("bad idea", a="2\n")
    repository.git("revert", "--no-edit", bad)

    revert = history(repository)[-1]

    assert repository.vcs.resolve(Known(sha=bad)) == Here(sha=bad)
    assert f"This reverts commit {bad}." in revert.message


@pytest.mark.case("C92")
def test_force_pushed_commit_is_not_found_after_the_fetch(
    repository: Built, tmp_path: Path
) -> None:
    repository.commit("base", a="1\n")
    lost = repository.commit("lost", a="2\n")
    clone = a_clone(repository, tmp_path / "clone")
    old = known(clone, lost)
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    other = repository.commit("instead", b="3\n")
    clone.git("fetch", "--quiet", "--force", "origin")
    clone.git("reset", "--quiet", "--hard", "origin/main")
    forget_unreachable(clone)

    assert clone.vcs.resolve(old) == NotInClone(sha=lost)
    assert [listed.sha for listed in clone.vcs.listed(seen=[lost])][-1] == other


@pytest.mark.case("C51")
def test_hash_of_no_commit_is_said_to_be_unknown(repository: Built) -> None:
    repository.commit("base", a="1\n")

    assert repository.vcs.resolve(Known(sha="f" * 40)) == NotInClone(sha="f" * 40)
    assert repository.vcs.resolve(Known(sha="--help")) == NotInClone(sha="--help")
