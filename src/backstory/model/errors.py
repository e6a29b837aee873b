"""Every error that Backstory raises on purpose.

The message is fit for a person: what was wrong, where, what to do.
`slug` names the entry in docs/reference/errors.md; `exit_code` is what the command line returns.
"""


class BackstoryError(Exception):
    """Something a person can read and act on."""

    slug = "backstory"
    exit_code = 1


class StoreDegradedError(BackstoryError):
    """The store is damaged, foreign or newer; nothing in it was touched."""

    slug = "store-degraded"


class StoreUnavailableError(BackstoryError):
    """The store cannot be opened or written now: locked, full or read-only."""

    slug = "store-unavailable"


class StoreOutdatedError(StoreUnavailableError):
    """The store is of an older version, and a hook has no time to bring it up to date."""

    slug = "store-outdated"


class NoProjectError(BackstoryError):
    """There is no project at this place."""

    slug = "no-project"


class NotFoundError(BackstoryError):
    """The thing named does not exist in this project."""

    slug = "not-found"


class LeaseLostError(BackstoryError):
    """Somebody else holds the turn or job now, or memory was cleared meanwhile."""

    slug = "lease-lost"


class IllegalOperationError(BackstoryError):
    """An operation on items breaks a rule; its whole batch was rolled back."""

    slug = "illegal-operation"


class NotConfirmedError(BackstoryError):
    """A destructive command was not confirmed."""

    slug = "not-confirmed"


class UnreadableInputError(BackstoryError):
    """A file or message handed to Backstory is not what it should be."""

    slug = "unreadable-input"


class SettingsError(BackstoryError):
    """A settings file cannot be read, or holds something that is no setting."""

    slug = "settings"


class ModelAddressError(BackstoryError):
    """The name or address of a language model cannot be used."""

    slug = "model-address"


class ModelKeyError(BackstoryError):
    """The key of a language model is missing, or the place that should hold it cannot be read."""

    slug = "model-key"


class VcsUnavailableError(BackstoryError):
    """Git is missing, refuses the repository, or took too long; memory works on without it."""

    slug = "vcs-unavailable"


class SourceUnavailableError(BackstoryError):
    """A program or service that tells what to record cannot be used now; nothing was recorded."""

    slug = "source-unavailable"


class UsageError(BackstoryError):
    """The call itself makes no sense."""

    slug = "usage"
    exit_code = 2
