"""How episodes and todos are worded on a screen, and which fields of them JSON shows."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from backstory.cli.render import (
    Screen,
    bracketed,
    colon,
    counted,
    day,
    joined,
    one_line,
    stopped,
    strung,
    with_brackets,
)
from backstory.cli.words import status_word
from backstory.model.episode import Episode, ReasonedDecision, Summary
from backstory.model.words import Status
from backstory.ports.story import LeftOpen
from backstory.ports.vcs import Here, NotInClone, Resolution, Rewritten
from backstory.speaking import said
from backstory.wiring.story.linking import LinkedEpisode
from backstory.wiring.telling import EpisodeStory

_HASH_CHARS = 10
_PATHS_SHOWN = 3
_BROUGHT_SHOWN = 10

_KINDS = {
    ("reverts", False): "reverts",
    ("reverts", True): "reverted by",
    ("picked_from", False): "picked from",
    ("picked_from", True): "picked as",
    ("fixes", False): "fixes",
    ("fixes", True): "fixed by",
    ("follows", False): "follows",
    ("follows", True): "followed by",
    ("refers", False): "refers to",
    ("refers", True): "referred to by",
}
_SHARED = {"same_ticket": "same ticket", "same_branch": "same branch", "same_files": "same files"}

_FATES = {Here: "here", Rewritten: "rewritten", NotInClone: "not_in_clone"}


def episode_row(episode: Episode) -> dict[str, object]:
    """Return an episode as JSON shows it."""
    return {
        "id": episode.id,
        "objective": episode.summary.objective,
        "branch": episode.branch,
        "merged": episode.is_merged,
        "tickets": episode.tickets,
        "commits": episode.commits,
        "started_at_ms": episode.started_at_ms,
        "ended_at_ms": episode.ended_at_ms,
        "stale": episode.is_stale,
        "summary": episode.summary,
    }


def episode_story_row(story: EpisodeStory) -> dict[str, object]:
    """Return an episode with its commits and links as JSON shows it."""
    return {
        **episode_row(story.episode),
        "recorded_commits": story.commits,
        "ticket_titles": story.titles,
        "summed_up_by": story.model or None,
        "dropped": story.dropped,
        "became": [
            {"sha": fate.sha, "fate": _FATES[type(fate)], "into": getattr(fate, "into", None)}
            for fate in story.became
        ],
        "brought": [{"id": one.id, "objective": one.summary.objective} for one in story.brought],
        "links": [
            {
                "id": link.episode.id,
                "objective": link.episode.summary.objective,
                "kind": link.kind,
                "later": link.is_later,
                "shared": link.shared,
            }
            for link in story.links
        ],
    }


def todo_row(left: LeftOpen) -> dict[str, object]:
    """Return a todo as JSON shows it."""
    return {
        "id": todo_name(left),
        "text": left.todo.text,
        "open": left.todo.is_open,
        "closed_by": left.todo.closed_by,
    }


def todo_name(left: LeftOpen) -> str:
    """Return what a todo is called: its episode and its number there."""
    return f"{left.episode_id}#{left.number}"


def show_in_timeline(screen: Screen, episode: Episode) -> None:
    """Write an episode as a line of a story, and below it why, what went wrong, what is left."""
    marks = [f"[{ticket}]" for ticket in episode.tickets[:2]]
    if not episode.is_merged:
        marks.append(bracketed(said(f"on {episode.branch}, not merged")))
    if episode.is_stale:
        marks.append(bracketed(status_word(Status.STALE)))
    screen.line(
        (day(episode.started_at_ms), "dim"),
        "  ",
        one_line(episode.summary.objective),
        *((f"  {mark}", "cyan") for mark in marks),
    )
    _show_why(screen, episode.summary.decisions)
    for problem in episode.summary.problems[:1]:
        if problem not in episode.summary.objective:
            _show_below(screen, said("problem"), words=problem)
    for todo in episode.summary.todos[:2]:
        if todo.is_open:
            _show_below(screen, said("left"), words=todo.text)


def _show_why(screen: Screen, decisions: Sequence[ReasonedDecision]) -> None:
    """Write the first decision that says why, or that an item holds."""
    for decision in decisions:
        if decision.reason:
            _show_below(screen, said("why"), words=decision.reason)
            return
        if decision.item_id is not None:
            _show_below(screen, said("decided"), words=decision.decision)
            return


def _show_below(screen: Screen, head: str, *, words: str) -> None:
    """Write one thing of an episode below its line, and what is left of it behind its head."""
    lead = f"            {colon(head)}"
    screen.line((lead, "dim"), one_line(words), indent=cell_len(lead))


def show_story(screen: Screen, story: EpisodeStory) -> None:
    """Write one episode in full."""
    episode, summary = story.episode, story.episode.summary
    stale = f"  {bracketed(status_word(Status.STALE))}" if episode.is_stale else ""
    screen.line((one_line(summary.objective), "bold"), (stale, "yellow"))
    ended = day(episode.ended_at_ms) if episode.ended_at_ms else said("still open")
    time = said(f"{day(episode.started_at_ms)} to {ended}")
    screen.line(("  ", ""), episode.id, f"  {time}")
    became = {fate.sha: fate for fate in story.became}
    for commit in story.commits:
        made = said(f"commit {commit.sha[:_HASH_CHARS]} by {commit.author}")
        where = () if commit.is_merged else (said(f"on {commit.branch}, not merged"),)
        screen.line(f"  {strung([made, *where, *_fate(became.get(commit.sha))])}")
    if episode.tickets:
        named = [_ticket(ticket, story.titles) for ticket in episode.tickets]
        screen.line(f"  {colon(said('tickets'))}{joined(named)}")
    _show_summary(screen, summary)
    if story.brought:
        commits = counted(len(story.brought), "commit")
        screen.line(f"  {said(f'brought {commits}:')}")
    for one in story.brought[-_BROUGHT_SHOWN:]:
        screen.line(f"    {one.id}  {one_line(one.summary.objective)}")
    for link in story.links:
        objective = one_line(link.episode.summary.objective)
        screen.line(f"  {colon(_kind(link))}{link.episode.id}  {objective}")
    if story.model:
        dropped = sum(story.dropped.values())
        told = said(f"summed up with {story.model}")
        if dropped:
            claims = counted(dropped, "claim")
            told = stopped([told, said(f"{claims} dropped that nothing proves")])
        screen.line((f"  {told}", "dim"))


def _ticket(ticket: str, titles: Mapping[str, str]) -> str:
    return f"{ticket} ({one_line(titles[ticket])})" if ticket in titles else ticket


def _show_summary(screen: Screen, summary: Summary) -> None:
    if summary.changes:
        more = len(summary.changes) - _PATHS_SHOWN
        paths = joined(summary.changes[:_PATHS_SHOWN])
        if more > 0:
            paths = said(f"{paths} and {counted(more, 'file')} more")
        screen.line(f"  {colon(said('changed'))}{paths}")
    for decision in summary.decisions:
        why = f" ({decision.reason})" if decision.reason else ""
        screen.line(f"  {colon(said('decided'))}{one_line(decision.decision + why)}")
    for problem in summary.problems:
        screen.line(f"  {colon(said('problem'))}{one_line(problem)}")
    for lesson in summary.lessons:
        screen.line(f"  {colon(said('learnt'))}{one_line(lesson.text)}")
    for number, todo in enumerate(summary.todos, 1):
        by = f" {bracketed(said(f'by {todo.closed_by}'))}" if todo.closed_by else ""
        state = said("left" if todo.is_open else "done")
        screen.line(f"  {colon(f'{state} #{number}')}{one_line(todo.text)}{by}")


def _kind(link: LinkedEpisode) -> str:
    if link.kind not in _SHARED:
        return said(_KINDS.get((link.kind, link.is_later), link.kind))
    more = len(link.shared) - _PATHS_SHOWN
    held = joined(link.shared[:_PATHS_SHOWN])
    if more > 0:
        held = said(f"{held} and {more:,} more")
    return with_brackets(said(_SHARED[link.kind]), held)


def _fate(found: Resolution | None) -> tuple[str, ...]:
    match found:
        case Rewritten():
            return (said(f"rewritten as {found.into[:_HASH_CHARS]}"),)
        case NotInClone():
            return (said("not found in this clone"),)
        case _:
            return ()
