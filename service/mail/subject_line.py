"""Subjects of the mails of a game: the state first, then the table, then why and until when.

Mail programs thread the mails of a game by their headers (compose.py), so each mail has a subject of its own. Tables
without names that share a label in subjects are numbered from the second on (`with_namesakes`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, get_args

from sqlalchemy import Connection, text

from service.mail.sentences import one_line
from service.mail.strip_links import table_name
from service.rules.bidi import short
from service.store.games import Position
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
MAX_NAME_LENGTH: Final = 32
MAX_REASON_LENGTH: Final = 64
_MAX_NAMES: Final = 2
_CUT: Final = "\0"


def table_label(position: Position, seat: int | None, language: str) -> str:
    """Return the label of a game in subjects: the name of its table, or else its title and the opponents."""
    if name := table_name(position):
        return short(name, MAX_NAME_LENGTH)
    by_people = _by_people(position, seat, language)
    if not position.namesakes:
        return by_people
    return say(language, "table-namesake", table=by_people, number=position.namesakes + 1)


def _by_people(position: Position, seat: int | None, language: str) -> str:
    title = position.ruleset.meta.title
    others = [
        short(one_line(name), MAX_NAME_LENGTH) for at, name in enumerate(position.names_in(language)) if at != seat
    ]
    if not others:
        return say(language, "table-alone", title=title)
    if len(others) > _MAX_NAMES:
        return say(language, "table-with-more", title=title, name=others[0], count=len(others) - 1)
    return say(language, "table-with", title=title, names=listed(others, language))


def subject_line(
    position: Position, seat: int | None, language: str, state: State, why: str = "", until: str = ""
) -> str:
    """Return a subject; `why` is the reason of the mail, `until` the end of the reader's time."""
    begin = say(language, f"subject-{state}", table=table_label(position, seat, language))
    reason = f" ({short(one_line(why).rstrip('.'), MAX_REASON_LENGTH)})" if why else ""
    return f"{begin}{reason}{f' · {until}' if until else ''}"


def reminder_subject(position: Position, seat: int, language: str, until: str) -> str:
    """Return the subject of a mail that reminds of a deadline."""
    return say(language, "subject-time-runs", until=until, table=table_label(position, seat, language))


def over_subject(position: Position, seat: int, language: str, result: str) -> str:
    """Return the subject of the mail about the end of a game; `result` names the winner."""
    return say(language, "subject-over", table=table_label(position, seat, language), result=result.rstrip("."))


def numbered_subject(subject: str, number: int, language: str) -> str:
    """Return a subject unique within the game, for a reader who wants no threads."""
    return say(language, "subject-numbered", subject=subject, number=number)


def subject_beginnings(position: Position, language: str) -> tuple[str, ...]:
    """Return the beginnings of subjects of mails that take answers, earlier forms included.

    Tables without a name went by a mark, the last digits of the game's id, before they went by title and opponents.
    Reminders had the time first (`subject-reminds`).
    """
    title, mark = position.ruleset.meta.title, f"#{position.game.id.hex[-6:]}"
    name = short(table_name(position), MAX_NAME_LENGTH)
    tables = (name,) if name else (mark, title)
    states = (say(language, f"subject-{state}", table=table) for table in tables for state in STATES)
    reminders = (say(language, "subject-reminds", left="", table=table) for table in tables)
    running = say(language, "subject-time-runs", until=_CUT, table="").partition(_CUT)[0]
    return (f"{title} {mark}", running, *reminders, *states)


_EARLIER: Final = text("""
select count(*)
  from seat mine join game g on g.id = mine.game_id
 where mine.player_id = :reader and g.id < :game and g.ruleset = :ruleset and g.seats = :seats and g.name is null
   and (g.status in ('open', 'running')
        or (select e.at from event e where e.game_id = g.id and e.seq = g.version) > :began)
   and not exists (
     select from seat s where s.game_id = :game
        and not exists (select from seat o where o.game_id = g.id and o.player_id = s.player_id))
""")


def with_namesakes(db: Connection, position: Position, seat: int) -> Position:
    """Return the game with the number of earlier ones of the same people that had not ended when it was opened.

    The number stays, so that all mails of a game have the same one.
    """
    game = position.game
    if game.terms.name:
        return position
    values = {
        "reader": position.seats[seat].player_id,
        "game": game.id,
        "ruleset": game.ruleset,
        "seats": game.seats,
        "began": game.created_at,
    }
    return replace(position, namesakes=db.execute(_EARLIER, values).scalar_one())
