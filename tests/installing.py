"""Installing for a host in a home of the test's own, and taking it out again."""

from pathlib import Path

from backstory.adapters.installing import changes
from backstory.adapters.installing.entries import Entry, Site
from backstory.adapters.installing.hosts import entries_for
from backstory.adapters.installing.writing import write_all

PROGRAM = "/opt/backstory/bin/backstory"


def a_site(home: Path, *, project: Path | None = None, program: str = PROGRAM) -> Site:
    """Return where to install: a user's home, or a project."""
    return Site(home=home, env={}, project=project, program=program, has_mcp=True)


def copies(site: Site) -> Path:
    """Return where it is kept what files were before."""
    return site.home / "copies"


def put_in(entries: list[Entry], site: Site) -> list[changes.Change]:
    """Enter these, and return what that changed."""
    made = changes.installing(entries, copies=copies(site))
    write_all(made, copies=copies(site))
    return made


def take_out(entries: list[Entry], site: Site) -> None:
    """Take these out."""
    made = changes.uninstalling(entries, copies=copies(site))
    write_all(made, copies=copies(site), forgotten=[entry.file for entry in entries])


def install(host: str, site: Site) -> list[changes.Change]:
    """Install for a host, and return what that changed."""
    return put_in(entries_for(host, site), site)


def uninstall(host: str, site: Site) -> None:
    """Take a host's entries out."""
    take_out(entries_for(host, site), site)


def snapshot(site: Site) -> dict[str, bytes | None]:
    """Return every file with its bytes, and every directory."""
    return {str(p): p.read_bytes() if p.is_file() else None for p in site.home.rglob("*")}
