"""Subjects of the mails of a game: the state first, then the table, then why and until when.

Mail programs thread the mails of a game by their headers (letter.py), so each mail has a subject of its own.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from service.mail.harmless import table_name
from service.mail.sentences import one_line
from service.rules.isolation import short
from service.store.position import Position
from service.texts.catalog import say

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


def called(position: Position, seat: int | None, language: str) -> str:
    """Return what a game is called in subjects: by the name of its table, or else by its mark and the opponents."""
    if name := table_name(position):
        return short(name, LONGEST_NAME)
    others = [one_line(name) for at, name in enumerate(position.everybody_in(language)) if at != seat]
    more = f" +{len(others) - _MOST_NAMES}" if len(others) > _MOST_NAMES else ""
    return f"{mark_of(position)} {', '.join(short(name, LONGEST_NAME) for name in others[:_MOST_NAMES])}{more}".strip()


def mark_of(position: Position) -> str:
    """Return the mark by which a game without a name is known: the last digits of its id."""
    return f"#{position.game.id.hex[-6:]}"


def subject(position: Position, seat: int | None, language: str, state: State, why: str = "", left: str = "") -> str:
    """Return the subject of a mail: `why` is the reason of the mail, `left` how long the reader has time."""
    begin = say(language, f"subject-{state}", table=called(position, seat, language))
    reason = f" ({short(one_line(why).rstrip('.'), LONGEST_REASON)})" if why else ""
    return f"{begin}{reason}{f' · {left}' if left else ''}"


def reminder_subject(position: Position, seat: int, language: str, left: str) -> str:
    """Return the subject of a mail that reminds of a deadline."""
    return say(language, "subject-reminds", left=left[:1].upper() + left[1:], table=called(position, seat, language))


def over_subject(position: Position, seat: int, language: str, result: str) -> str:
    """Return the subject of the mail about the end of a game; `result` says who has won."""
    return say(language, "subject-over", table=called(position, seat, language), result=result.rstrip("."))


def numbered(subject: str, number: int, language: str) -> str:
    """Return a subject that no other mail of the game has, for a reader who wants no threads."""
    return say(language, "subject-numbered", subject=subject, number=number)


def beginnings(position: Position, language: str) -> tuple[str, ...]:
    """Return how the subjects of mails of a game begin to which one can answer, earlier forms among them."""
    table = short(table_name(position), LONGEST_NAME) or mark_of(position)
    begin = (say(language, f"subject-{state}", table=table) for state in STATES)
    reminder = say(language, "subject-reminds", left="", table=table)
    return (f"{position.ruleset.meta.title} {mark_of(position)}", reminder, *begin)
