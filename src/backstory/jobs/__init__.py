"""Work to be done later: when it is tried, who may do it, and the loop that does it."""

from backstory.jobs.failures import JobFailedError
from backstory.jobs.leases import hold
from backstory.jobs.worker import Ran, Runner, Runners, drain, run_due

__all__ = ["JobFailedError", "Ran", "Runner", "Runners", "drain", "hold", "run_due"]
