"""What somebody proposes to remember, before and after the gate has judged it."""

from dataclasses import dataclass

from backstory.model.ids import CandidateId, EventId, ThreadId, TurnId
from backstory.model.words import CandidateState, Intent, Kind, Role

# In a synopsis, what follows it is why the statement holds.
REASON_MARK = " — "


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """An exact span of one turn or event, with its speaker's role.

    `start` and `end` are character offsets into the verbatim text. `text` is that span,
    but for secrets, which a visible placeholder stands for.
    """

    role: Role
    start: int
    end: int
    text: str
    turn_id: TurnId | None = None
    event_id: EventId | None = None

    def __post_init__(self) -> None:
        """Refuse a quote that points nowhere or at two things."""
        if (self.turn_id is None) == (self.event_id is None):
            raise ValueError("a quote names one turn or one event")
        if not 0 <= self.start < self.end:
            raise ValueError("a quote is a span of at least one character")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a statement is about, in a form that two wordings of it share.

    Two active items with one key cannot exist: the later choice takes the earlier one's place.
    """

    subject: str  # normalised, e.g. "database" or "function name"
    attribute: str = ""  # e.g. "starts with"; empty where the subject is the slot itself
    value: str = ""  # e.g. "postgresql"; normalised by the slot lexicon where it knows the name
    is_negative: bool = False  # "do not use X"
    paths: tuple[str, ...] = ()  # the part of the project that the statement is limited to

    def key(self, kind: Kind) -> str:
        """Return the claim key: kind, subject, attribute and paths, and what is ruled out.

        The value of a choice is no part of it, so that a later choice meets the earlier one.
        Ruling a value out leaves the choice open, so it has a key of its own for each value.
        """
        place = ",".join(sorted(self.paths))
        attribute = f"{self.attribute}!{self.value}" if self.is_negative else self.attribute
        return "|".join((kind.value, self.subject, attribute, place))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A proposal as its proposer made it: nothing in it has been checked."""

    kind: Kind
    statement: str
    quotes: tuple[Quote, ...]
    intent: Intent = Intent.ASSERT
    title: str = ""
    proposer: str = "rule"  # "rule:<its name>", "model:<its name>" or "agent:<the client's name>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A draft that passed the gate. Only `extract.gate.check_draft` makes one from a draft."""

    kind: Kind
    statement: str  # secrets replaced
    quotes: tuple[Quote, ...]
    intent: Intent
    title: str
    synopsis: str
    aliases: tuple[str, ...]
    keywords: tuple[str, ...]
    paths: tuple[str, ...]
    claim: Claim | None
    proposer: str

    @property
    def detail(self) -> str:
        """Why it holds, in the user's words; "" where they gave no reason."""
        # People write such a dash, too: what follows the whole statement is the reason.
        stated = f"{' '.join(self.statement.split())}{REASON_MARK}"
        return self.synopsis.removeprefix(stated) if self.synopsis.startswith(stated) else ""

    @property
    def words(self) -> str:
        """What it says and the words that it rests on, without the reason for it."""
        quoted = (quote.text for quote in self.quotes if quote.text != self.detail)
        return "\n".join((self.statement, *quoted))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a draft was refused: a stable slug and a sentence for a person."""

    slug: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A draft that failed the gate, with every reason found."""

    draft: Draft
    reasons: tuple[Reason, ...]

    def __post_init__(self) -> None:
        """Refuse a refusal without a reason."""
        if not self.reasons:
            raise ValueError("a refusal has at least one reason")


Verdict = Candidate | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCandidate:
    """A candidate or refusal as the store keeps it, so that `why` can answer."""

    id: CandidateId
    thread_id: ThreadId | None
    kind: Kind
    intent: Intent
    statement: str
    title: str
    quotes: tuple[Quote, ...]
    proposer: str
    state: CandidateState
    reasons: tuple[Reason, ...]
    item_id: str | None
    created_at_ms: int

    @property
    def origin(self) -> str:
        """Who proposed it: "rule", "model", "agent", "human" or "import"."""
        return self.proposer.partition(":")[0]
