"""Git behind the `Vcs` port: the program is asked, the repository never written to."""

from backstory.adapters.git.repository import GitRepository

__all__ = ["GitRepository"]
