"""Subjects of the mails of a game: the state first, then the table, then why and until when.

Mail programs thread the mails of a game by their headers (letter.py), so each mail has a subject of its own.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from service.mail.harmless import table_name
from service.mail.sentences import one_line
from service.rules.bidi import short
from service.store.position import Position
from service.texts.catalog import say
from service.texts.locales import listed

State = Literal[
    "turn",
    "goes-on",
    "withdrawn",
    "started",
    "message",
    "receipt",
    "lapsed",
    "pause",
    "take-back",
    "request",
    "called-off",
    "removed",
]
STATES: Final[tuple[State, ...]] = get_args(State)
LONGEST_NAME: Final = 32
LONGEST_REASON: Final = 64
_MOST_NAMES: Final = 2
_CUT: Final = "\0"


def called(position: Position, seat: int | None, language: str) -> str:
    """Return what a game is called in subjects: by the name of its table, or else by its title and the opponents."""
    if name := table_name(position):
        return short(name, LONGEST_NAME)
    by_people = _by_people(position, seat, language)
    if not position.namesakes:
        return by_people
    return say(language, "table-namesake", table=by_people, number=position.namesakes + 1)


def _by_people(position: Position, seat: int | None, language: str) -> str:
    title = position.ruleset.meta.title
    others = [short(one_line(name), LONGEST_NAME) for at, name in enumerate(position.names_in(language)) if at != seat]
    if not others:
        return say(language, "table-alone", title=title)
    if len(others) > _MOST_NAMES:
        return say(language, "table-with-more", title=title, name=others[0], count=len(others) - 1)
    return say(language, "table-with", title=title, names=listed(others, language))


def subject(position: Position, seat: int | None, language: str, state: State, why: str = "", until: str = "") -> str:
    """Return the subject of a mail: `why` is the reason of the mail, `until` the end of the reader's time."""
    begin = say(language, f"subject-{state}", table=called(position, seat, language))
    reason = f" ({short(one_line(why).rstrip('.'), LONGEST_REASON)})" if why else ""
    return f"{begin}{reason}{f' · {until}' if until else ''}"


def reminder_subject(position: Position, seat: int, language: str, until: str) -> str:
    """Return the subject of a mail that reminds of a deadline."""
    return say(language, "subject-time-runs", until=until, table=called(position, seat, language))


def over_subject(position: Position, seat: int, language: str, result: str) -> str:
    """Return the subject of the mail about the end of a game; `result` says who has won."""
    return say(language, "subject-over", table=called(position, seat, language), result=result.rstrip("."))


def numbered(subject: str, number: int, language: str) -> str:
    """Return a subject that no other mail of the game has, for a reader who wants no threads."""
    return say(language, "subject-numbered", subject=subject, number=number)


def beginnings(position: Position, language: str) -> tuple[str, ...]:
    """Return how the subjects of mails of a game begin to which one can answer, earlier forms among them.

    Tables without a name went by a mark, the last digits of the game's id, before they went by title and opponents.
    Reminders had the time first (`subject-reminds`).
    """
    title, mark = position.ruleset.meta.title, f"#{position.game.id.hex[-6:]}"
    name = short(table_name(position), LONGEST_NAME)
    tables = (name,) if name else (mark, title)
    states = (say(language, f"subject-{state}", table=table) for table in tables for state in STATES)
    reminders = (say(language, "subject-reminds", left="", table=table) for table in tables)
    running = say(language, "subject-time-runs", until=_CUT, table="").partition(_CUT)[0]
    return (f"{title} {mark}", running, *reminders, *states)
