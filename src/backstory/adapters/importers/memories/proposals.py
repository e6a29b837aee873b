"""One thing that another program remembers, and the words by which programs name its kind."""

from dataclasses import dataclass

from backstory.model.words import Kind

# A line or a paragraph; what is longer is a text, and no statement.
STATEMENT_CHARS = 1_000

_KINDS = {
    **dict.fromkeys(("user", "preference", "preferences"), Kind.USER_PREFERENCE),
    **dict.fromkeys(("decision", "choice"), Kind.PROJECT_DECISION),
    **dict.fromkeys(("feedback", "convention", "rule", "style", "standard"), Kind.CODE_CONVENTION),
    **dict.fromkeys(("reference", "link", "resource", "url"), Kind.REFERENCE),
    **dict.fromkeys(("tip", "technique", "tool", "command"), Kind.TOOL_LESSON),
    **dict.fromkeys(("lesson", "gotcha", "problem", "failure", "issue"), Kind.FAILURE_LESSON),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A statement as it stands in another program's file; nobody's quoted words prove it."""

    statement: str
    kind: Kind
    program: str  # whose memory it is, as the origin names it
    place: str  # the file, with the line where there is one


def kind_named(word: object) -> Kind:
    """Return the kind that a word of another program comes closest to: a fact, in doubt."""
    return _KINDS.get(str(word).strip().lower(), Kind.PROJECT_FACT)


def is_statement(text: str) -> bool:
    """Whether a text can be a statement: it says something, and is not a whole page."""
    return (len(text.split()) > 1 and len(text) <= STATEMENT_CHARS) or _is_unspaced(text)


def _is_unspaced(text: str) -> bool:
    """Whether it is a sentence of a script that puts no blanks between words."""
    return not text.isascii() and 4 <= len(text) <= STATEMENT_CHARS
