"""Names of things: one type for each, so that no two can be mixed up."""

from typing import NewType

ThreadId = NewType("ThreadId", str)
TurnId = NewType("TurnId", str)
EventId = NewType("EventId", str)
CandidateId = NewType("CandidateId", str)
ItemId = NewType("ItemId", str)
EpisodeId = NewType("EpisodeId", str)
JobId = NewType("JobId", int)
