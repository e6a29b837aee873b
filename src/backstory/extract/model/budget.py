"""How much a model is shown and asked for, so that what is asked for always fits. Pure."""

from dataclasses import dataclass

from backstory.model import limits
from backstory.ports.model_client import OUTPUT_TOKENS_MAX

# Four turns with room for what matters in each; some 5,000 tokens of English, and no more than
# 20,000 of Chinese.
INPUT_CHARS_MAX = 20_000

# What one candidate is asked to stay within. Current tokenisers make at most about one token of
# a Chinese character and far less of an English one, so characters bound tokens.
ASKED_TITLE_CHARS = 60
ASKED_STATEMENT_CHARS = 200
ASKED_QUOTE_CHARS = 160
ASKED_QUOTES = 2
_MEMBERS_TOKENS = 60  # names, braces and marks of one candidate
CANDIDATE_TOKENS = (
    ASKED_TITLE_CHARS + ASKED_STATEMENT_CHARS + ASKED_QUOTES * ASKED_QUOTE_CHARS + _MEMBERS_TOKENS
)
_SUMMARY_SHARE = 5  # a fifth of the output is for the summary
_ENVELOPE_TOKENS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The input that is shown and the output that is paid for, in one call."""

    input_chars: int = INPUT_CHARS_MAX
    output_tokens: int = OUTPUT_TOKENS_MAX

    def __post_init__(self) -> None:
        """Refuse a budget in which not even one candidate fits."""
        if self.candidates_asked < 1:
            raise ValueError(f"{self.output_tokens} output tokens hold no candidate")

    @property
    def summary_chars_asked(self) -> int:
        """How long the thread summary may become."""
        return min(limits.THREAD_SUMMARY_CHARS_MAX, self.output_tokens // _SUMMARY_SHARE)

    @property
    def candidates_asked(self) -> int:
        """How many candidates of the asked size fit beside the summary."""
        room = self.output_tokens - self.summary_chars_asked - _ENVELOPE_TOKENS
        return min(limits.CANDIDATES_PER_BATCH_MAX, room // CANDIDATE_TOKENS)
