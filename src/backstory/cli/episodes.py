"""How episodes and todos are worded on a screen, and which fields of them JSON shows."""

from collections.abc import Mapping, Sequence

from backstory.cli.render import Screen, counted, day, one_line
from backstory.cli.words import status_word
from backstory.model.episode import Episode, ReasonedDecision, Summary
from backstory.model.words import Status
from backstory.ports.story import LeftOpen
from backstory.ports.vcs import Here, NotInClone, Resolution, Rewritten
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
        marks.append(f"(on {episode.branch}, not merged)")
    if episode.is_stale:
        marks.append(f"({status_word(Status.STALE)})")
    screen.line(
        (day(episode.started_at_ms), "dim"),
        "  ",
        one_line(episode.summary.objective),
        *((f"  {mark}", "cyan") for mark in marks),
    )
    _show_why(screen, episode.summary.decisions)
    for problem in episode.summary.problems[:1]:
        if problem not in episode.summary.objective:
            screen.line(("            problem: ", "dim"), one_line(problem), indent=21)
    for todo in episode.summary.todos[:2]:
        if todo.is_open:
            screen.line(("            left: ", "dim"), one_line(todo.text), indent=18)


def _show_why(screen: Screen, decisions: Sequence[ReasonedDecision]) -> None:
    """Write the first decision that says why, or that an item holds."""
    for decision in decisions:
        if decision.reason:
            screen.line(("            why: ", "dim"), one_line(decision.reason), indent=17)
            return
        if decision.item_id is not None:
            screen.line(("            decided: ", "dim"), one_line(decision.decision), indent=21)
            return


def show_story(screen: Screen, story: EpisodeStory) -> None:
    """Write one episode in full."""
    episode, summary = story.episode, story.episode.summary
    stale = f"  ({status_word(Status.STALE)})" if episode.is_stale else ""
    screen.line((one_line(summary.objective), "bold"), (stale, "yellow"))
    ended = day(episode.ended_at_ms) if episode.ended_at_ms else "still open"
    screen.line(("  ", ""), episode.id, f"  {day(episode.started_at_ms)} to {ended}")
    became = {fate.sha: fate for fate in story.became}
    for commit in story.commits:
        where = "" if commit.is_merged else f", on {commit.branch}, not merged"
        fate = _fate(became.get(commit.sha))
        screen.line(f"  commit {commit.sha[:_HASH_CHARS]} by {commit.author}{where}{fate}")
    if episode.tickets:
        named = [_ticket(ticket, story.titles) for ticket in episode.tickets]
        screen.line(f"  tickets: {', '.join(named)}")
    _show_summary(screen, summary)
    if story.brought:
        screen.line(f"  brought {counted(len(story.brought), 'commit')}:")
    for one in story.brought[-_BROUGHT_SHOWN:]:
        screen.line(f"    {one.id}  {one_line(one.summary.objective)}")
    for link in story.links:
        screen.line(
            f"  {_kind(link)}: {link.episode.id}  {one_line(link.episode.summary.objective)}"
        )
    if story.model:
        dropped = sum(story.dropped.values())
        told = f"; {counted(dropped, 'claim')} dropped that nothing proves" if dropped else ""
        screen.line((f"  summed up with {story.model}{told}", "dim"))


def _ticket(ticket: str, titles: Mapping[str, str]) -> str:
    return f"{ticket} ({one_line(titles[ticket])})" if ticket in titles else ticket


def _show_summary(screen: Screen, summary: Summary) -> None:
    if summary.changes:
        more = len(summary.changes) - _PATHS_SHOWN
        rest = f" and {counted(more, 'file')} more" if more > 0 else ""
        screen.line(f"  changed: {', '.join(summary.changes[:_PATHS_SHOWN])}{rest}")
    for decision in summary.decisions:
        why = f" ({decision.reason})" if decision.reason else ""
        screen.line(f"  decided: {one_line(decision.decision + why)}")
    for problem in summary.problems:
        screen.line(f"  problem: {one_line(problem)}")
    for lesson in summary.lessons:
        screen.line(f"  learnt: {one_line(lesson.text)}")
    for number, todo in enumerate(summary.todos, 1):
        by = f" (by {todo.closed_by})" if todo.closed_by else ""
        state = "left" if todo.is_open else "done"
        screen.line(f"  {state} #{number}: {one_line(todo.text)}{by}")


def _kind(link: LinkedEpisode) -> str:
    if link.kind not in _SHARED:
        return _KINDS.get((link.kind, link.is_later), link.kind)
    more = len(link.shared) - _PATHS_SHOWN
    rest = f" and {more:,} more" if more > 0 else ""
    return f"{_SHARED[link.kind]} ({', '.join(link.shared[:_PATHS_SHOWN])}{rest})"


def _fate(found: Resolution | None) -> str:
    match found:
        case Rewritten():
            return f", rewritten as {found.into[:_HASH_CHARS]}"
        case NotInClone():
            return ", not found in this clone"
        case _:
            return ""
