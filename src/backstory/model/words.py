"""The closed word sets of Backstory. Each is explained in docs/explanation/glossary.md."""

from enum import StrEnum


class Kind(StrEnum):
    """What sort of thing an item says."""

    USER_PREFERENCE = "user_preference"
    PROJECT_DECISION = "project_decision"
    CODE_CONVENTION = "code_convention"
    PROJECT_FACT = "project_fact"
    REFERENCE = "reference"
    TOOL_LESSON = "tool_lesson"
    FAILURE_LESSON = "failure_lesson"
    DISCUSSION_CONTEXT = "discussion_context"

    @property
    def is_factual(self) -> bool:
        """Whether it may be shown without the non-factual mark."""
        return self is not Kind.DISCUSSION_CONTEXT


class Status(StrEnum):
    """Where an item stands. Only active ones are recalled; stale ones are flagged."""

    ACTIVE = "active"
    STALE = "stale"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    FORGOTTEN = "forgotten"
    ARCHIVED = "archived"


class Scope(StrEnum):
    """How far an item reaches."""

    THREAD = "thread"
    PROJECT = "project"
    USER = "user"


class Purpose(StrEnum):
    """Why an agent is running. The isolated ones get a memory that holds nothing."""

    CODING = "coding"
    CODE_EXPLAIN = "code_explain"
    GENERAL_CHAT = "general_chat"
    CODE_AUDIT = "code_audit"
    PATCH_EXPLAIN = "patch_explain"
    PATCH_REVISE = "patch_revise"
    EVALUATION = "evaluation"

    @property
    def is_isolated(self) -> bool:
        """Whether nothing may be read from or written to memory."""
        return self not in _ORDINARY_PURPOSES


_ORDINARY_PURPOSES = frozenset({Purpose.CODING, Purpose.CODE_EXPLAIN, Purpose.GENERAL_CHAT})


class Speaker(StrEnum):
    """Who really spoke, told by structure. Only human text can ground an item."""

    HUMAN = "human"
    COMMAND = "command"
    TOOL_RESULT = "tool_result"
    SYSTEM_REMINDER = "system_reminder"
    HOOK_CONTEXT = "hook_context"
    COMPACTION_SUMMARY = "compaction_summary"
    SUBAGENT = "subagent"
    RECALLED = "recalled"


class Role(StrEnum):
    """Which side of a turn, or which event, a quote was taken from."""

    USER = "user"
    ASSISTANT = "assistant"
    EVENT = "event"


class TurnState(StrEnum):
    """How far a turn got."""

    OPEN = "open"
    COMPLETED = "completed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class EventKind(StrEnum):
    """What happened outside the conversation."""

    COMMIT = "commit"
    COMMAND = "command"
    TEST_RUN = "test_run"
    FILE_SAVED = "file_saved"
    TICKET_CLOSED = "ticket_closed"


class Source(StrEnum):
    """Where what is recorded comes from; each can be switched off."""

    CONVERSATIONS = "conversations"  # what people and agents say
    COMMANDS = "commands"  # what agents run
    GIT = "git"
    SHELL = "shell"  # what a person types at a prompt
    FILES = "files"  # what is saved while somebody watches
    TICKETS = "tickets"


class Intent(StrEnum):
    """What a candidate asks of memory."""

    ASSERT = "assert"
    REPLACE = "replace"  # the speaker says that something earlier no longer holds
    RETRACT = "retract"


class CandidateState(StrEnum):
    """What became of a candidate."""

    PENDING = "pending"
    WAITING = "waiting"  # a person is to approve it
    ACCEPTED = "accepted"
    REFUSED = "refused"


class Author(StrEnum):
    """Who wrote a revision. What a human wrote no job may change."""

    RULE = "rule"
    MODEL = "model"
    HUMAN = "human"
    IMPORT = "import"


class Action(StrEnum):
    """What a change did to an item."""

    CREATE = "create"
    REVISE = "revise"
    SUPERSEDE = "supersede"
    RETRACT = "retract"
    FORGET = "forget"
    PIN = "pin"
    UNPIN = "unpin"
    EDIT = "edit"
    STALE = "stale"
    FRESH = "fresh"
    ARCHIVE = "archive"


class JobKind(StrEnum):
    """Work to be done later."""

    EXTRACT = "extract"  # the rules read turns of a thread
    PROPOSE = "propose"  # a model reads turns of a thread that the rules have read
    CONSOLIDATE = "consolidate"
    SUMMARIZE = "summarize"  # a model sums up one episode
    PROJECT = "project"  # new commits, sessions that are over and cited files are looked at


class JobState(StrEnum):
    """Whether a job still has to run. A lease is not a state but a due time in the future."""

    OPEN = "open"
    DONE = "done"
    DEAD = "dead"


class Lane(StrEnum):
    """Which way of looking found a hit, surest first."""

    ANCHOR = "anchor"
    EXACT = "exact"
    PREFIX = "prefix"
    SUBSTRING = "substring"
    TERMS = "terms"
    VECTOR = "vector"


class Language(StrEnum):
    """What a person is told things in; memory itself holds both, as they were said."""

    ENGLISH = "en"
    CHINESE = "zh"
