"""What ties two episodes together beside what their messages say. Pure."""

from collections.abc import Set

from backstory.episodes.messages.references import LinkKind
from backstory.model.episode import Episode


def shared_links(one: Episode, other: Episode, *, common_paths: Set[str]) -> tuple[LinkKind, ...]:
    """Return what two episodes share, surest first.

    `common_paths` are those that nearly everything touches (a change log, a list of versions):
    they tie nothing together.
    """
    kinds = []
    if set(one.tickets) & set(other.tickets):
        kinds.append(LinkKind.SAME_TICKET)
    if one.branch is not None and one.branch == other.branch:
        kinds.append(LinkKind.SAME_BRANCH)
    if (set(one.summary.changes) & set(other.summary.changes)) - common_paths:
        kinds.append(LinkKind.SAME_FILES)
    return tuple(kinds)
