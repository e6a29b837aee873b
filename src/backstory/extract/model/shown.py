"""What a model sees of a text, bounded and without secrets, and the way back. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from backstory.capture.folding import fold
from backstory.capture.redact import Redacted, redact

Span = tuple[int, int]

# Up to here a whole text is searched for secrets; beyond, what is shown and its surroundings.
_REDACTED_WHOLE_CHARS = 200_000
_REDACTED_AROUND_CHARS = 4_000
# What a kept part costs beside its own characters: the line that tells what was left out.
_GAP_CHARS = 60
_AROUND_SIGNAL_CHARS = 60
_SIGNALS_MAX = 200
_OCCURRENCES_MAX = 20
# A quote whose spaces or width differ is still sought when it has at least this many characters.
_LOOSE_CHARS_MIN = 4
_QUOTE_MARKS = " \t\r\n\"'`“”‘’「」『』…"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placeholder:
    at: int  # in the shown text
    length: int
    start: int  # in the original
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of the original, as shown."""

    start: int
    end: int
    text: str
    placeholders: tuple[_Placeholder, ...]

    def found(self, span: Span) -> "Found":
        """Return what a span of the shown text stands for; a placeholder is taken whole."""
        first, last = span[0], span[1] - 1
        for one in self.placeholders:
            if one.at <= first < one.at + one.length:
                first = one.at
            if one.at <= last < one.at + one.length:
                last = one.at + one.length - 1
        return Found(
            start=self._offset(first, is_end=False),
            end=self._offset(last, is_end=True),
            text=self.text[first : last + 1],
        )

    def _offset(self, at: int, *, is_end: bool) -> int:
        moved = self.start + at + (1 if is_end else 0)
        for placeholder in self.placeholders:
            if at < placeholder.at:
                break
            if at < placeholder.at + placeholder.length:
                return placeholder.end if is_end else placeholder.start
            moved += placeholder.end - placeholder.start - placeholder.length
        return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A span of the original, and its words with placeholders for secrets."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A text as a model sees it: pieces in order, with what was left out told between them."""

    pieces: tuple[Piece, ...]
    original_chars: int

    @property
    def text(self) -> str:
        """The pieces with a line for each gap; empty where nothing is shown."""
        if not self.pieces:
            return ""
        parts: list[str] = []
        position = 0
        for piece in self.pieces:
            parts += [_gap(piece.start - position), piece.text]
            position = piece.end
        return "".join((*parts, _gap(self.original_chars - position))).strip("\n")

    def find(self, words: str) -> Found | None:
        """Return where a quote stands in the original, or None where it does not stand at all.

        Sought word for word; failing that without regard to white space, width, case and script
        form, and to quotation marks around it. Of several places one that is not inside a longer
        word is preferred, then the first. A quote never reaches over a gap.
        """
        for search in (_exact, _loose):
            for wanted in dict.fromkeys((words, words.strip(_QUOTE_MARKS))):
                found = [
                    (piece, span) for piece in self.pieces for span in search(piece.text, wanted)
                ]
                if found:
                    piece, span = next(
                        (one for one in found if _stands_alone(one[0].text, one[1])), found[0]
                    )
                    return piece.found(span)
        return None


def show(
    text: str, *, spans: Sequence[Span], signals: Iterable[Span] = (), chars_max: int
) -> Shown:
    """Return the bounded view of the given spans of a text.

    A text that is too long keeps its head, its tail, and between them the parts around the
    signals, in order, as many as fit.
    """
    kept = _kept(list(spans), list(signals)[:_SIGNALS_MAX], chars_max=chars_max)
    whole = redact(text) if len(text) <= _REDACTED_WHOLE_CHARS else None
    return Shown(
        pieces=tuple(_piece(text, span, whole=whole) for span in kept), original_chars=len(text)
    )


def _kept(spans: list[Span], signals: list[Span], *, chars_max: int) -> list[Span]:
    if sum(end - start for start, end in spans) <= chars_max:
        return spans
    quarter = chars_max // 4
    kept = _merged([*_first(spans, quarter), *_last(spans, quarter)])
    for start, end in signals:
        around = (start - _AROUND_SIGNAL_CHARS, end + _AROUND_SIGNAL_CHARS)
        tried = _merged([*kept, *_within(spans, around)])
        if _cost(tried) <= chars_max:
            kept = tried
    return kept


def _cost(spans: list[Span]) -> int:
    return sum(end - start + _GAP_CHARS for start, end in spans)


def _first(spans: Iterable[Span], chars: int) -> Iterator[Span]:
    for start, end in spans:
        if chars <= 0:
            return
        yield start, min(end, start + chars)
        chars -= end - start


def _last(spans: Sequence[Span], chars: int) -> Iterator[Span]:
    for start, end in reversed(spans):
        if chars <= 0:
            return
        yield max(start, end - chars), end
        chars -= end - start


def _within(spans: Iterable[Span], wanted: Span) -> Iterator[Span]:
    for start, end in spans:
        cut = max(start, wanted[0]), min(end, wanted[1])
        if cut[0] < cut[1]:
            yield cut


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _piece(text: str, span: Span, *, whole: Redacted | None) -> Piece:
    start, end = span
    base = 0
    if whole is None:
        base = max(0, start - _REDACTED_AROUND_CHARS)
        whole = redact(text[base : end + _REDACTED_AROUND_CHARS])
    hidden = [
        (secret.start + base, secret.end + base, secret.placeholder)
        for secret in whole.secrets
        if secret.start + base < end and secret.end + base > start
    ]
    parts: list[str] = []
    placeholders: list[_Placeholder] = []
    length = 0
    position = start
    for secret_start, secret_end, placeholder in hidden:
        before = text[position : max(position, secret_start)]
        parts += [before, placeholder]
        placeholders.append(
            _Placeholder(
                at=length + len(before),
                length=len(placeholder),
                start=max(start, secret_start),
                end=min(end, secret_end),
            )
        )
        length += len(before) + len(placeholder)
        position = secret_end
    parts.append(text[position : max(position, end)])
    return Piece(start=start, end=end, text="".join(parts), placeholders=tuple(placeholders))


def _gap(chars: int) -> str:
    return f"\n[{chars} characters left out]\n" if chars > 0 else ""


def _exact(text: str, words: str) -> list[Span]:
    return [(at, at + len(words)) for at in _places(text, words)] if words.strip() else []


def _loose(text: str, words: str) -> list[Span]:
    wanted = "".join(fold(words).split())
    if len(wanted) < _LOOSE_CHARS_MIN:
        return []
    folded = fold(text)
    kept = [at for at, character in enumerate(folded) if not character.isspace()]
    plain = "".join(folded[at] for at in kept)
    return [(kept[at], kept[at + len(wanted) - 1] + 1) for at in _places(plain, wanted)]


def _places(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    for _ in range(_OCCURRENCES_MAX):
        if at < 0:
            return
        yield at
        at = text.find(words, at + 1)


def _stands_alone(text: str, span: Span) -> bool:
    before, after = text[: span[0]][-1:], text[span[1] :][:1]
    return not (before.isalnum() or after.isalnum())
