"""Items that benches make up, by the thousand: all alike but for what is given."""

from backstory.model.ids import ItemId
from backstory.model.item import Item, Revision
from backstory.model.words import Author, Kind, Scope, Status


def a_made_item(
    name: str,
    statement: str,
    *,
    title: str = "",
    keywords: tuple[str, ...] = (),
    paths: tuple[str, ...] = (),
    at_ms: int = 0,
) -> Item:
    """Return an active fact of the project."""
    revision = Revision(
        number=1,
        title=title or statement[:80],
        statement=statement,
        synopsis="",
        detail="",
        aliases=(),
        keywords=keywords,
        paths=paths,
        tags=(),
        author=Author.RULE,
        author_name="",
        reason="",
        created_at_ms=at_ms,
    )
    return Item(
        id=ItemId(name),
        seq=0,  # given by the store
        kind=Kind.PROJECT_FACT,
        scope=Scope.PROJECT,
        status=Status.ACTIVE,
        thread_id=None,
        claim_key=None,
        claim_value=None,
        is_negative=False,
        is_pinned=False,
        priority=50,
        confidence=1.0,
        revision=revision,
        created_at_ms=at_ms,
        updated_at_ms=at_ms,
    )
