"""Work to be done later: when it is tried, who may do it, and the loop that does it."""

from backstory.jobs.ahead import writing_after
from backstory.jobs.failures import JobFailedError
from backstory.jobs.leases import hold
from backstory.jobs.paging import pages
from backstory.jobs.resting import CALLS_LOOKED_AT, rests_until_ms
from backstory.jobs.worker import Ran, Runner, Runners, drain, run_due

__all__ = [
    "CALLS_LOOKED_AT",
    "JobFailedError",
    "Ran",
    "Runner",
    "Runners",
    "drain",
    "hold",
    "pages",
    "rests_until_ms",
    "run_due",
    "writing_after",
]
