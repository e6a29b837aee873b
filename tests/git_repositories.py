"""Builds real git repositories for tests: no settings, clock or hooks of the machine get in."""

import os
import subprocess
from pathlib import Path

from backstory.adapters.git import GitRepository

FIRST_SECOND = 1_700_000_000


class Built:
    """A work tree and the git program in it. Every commit is a minute later than the last."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.minutes = 0

    @property
    def environ(self) -> dict[str, str]:
        """What git may see of the machine: itself and an empty home."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home)}

    @property
    def vcs(self) -> GitRepository:
        """The repository behind the port."""
        return GitRepository(self.root, environ=self.environ)

    def git(self, *arguments: str, given: bytes | None = None, **more: str) -> str:
        """Run git as Ada, at the next minute, and return what it prints."""
        moment = f"{FIRST_SECOND + 60 * self.minutes} +0000"
        environ = self.environ | {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_DATE": moment,
            "GIT_EDITOR": "true",
            "GIT_SEQUENCE_EDITOR": "true",
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=environ | more,
            input=given,
            capture_output=True,
            check=True,
            timeout=60,
        )
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, path: str, text: str) -> None:
        """Put a file into the work tree."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def commit(self, message: str, **files: str) -> str:
        """Commit these files and return the hash: "__" in a name is a slash, "_dot_" a dot."""
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_dot_", "."), text)
        self.minutes += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", message)
        return self.git("rev-parse", "HEAD")


def a_repository(root: Path, *options: str) -> Built:
    """Make an empty repository with a branch `main`; its home is beside it."""
    home = root.parent / f"{root.name}.home"
    home.mkdir(parents=True, exist_ok=True)
    root.mkdir(parents=True, exist_ok=True)
    built = Built(root, home)
    built.git("init", "--quiet", "--initial-branch=main", *options)
    return built


def a_clone(of: Built, root: Path, *options: str) -> Built:
    """Clone a repository."""
    of.git("config", "uploadpack.allowFilter", "true")
    of.git("clone", "--quiet", *options, of.root.as_uri(), str(root))
    clone = Built(root, of.home)
    clone.minutes = of.minutes
    return clone
