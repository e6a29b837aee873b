"""How a job says that it failed, and of what kind its failure is."""

from backstory.model.errors import BackstoryError
from backstory.model.job import FailureCause


class JobFailedError(BackstoryError):
    """A job could not be done; the cause decides whether and when it is tried again."""

    slug = "job-failed"

    def __init__(
        self,
        message: str,
        *,
        cause: FailureCause,
        retry_after_ms: int | None = None,
        diagnosis: str = "",
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.diagnosis = diagnosis  # the failure as it came; for who debugs, alone
        self.retry_after_ms = retry_after_ms
