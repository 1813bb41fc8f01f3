"""The record of a game: whole and sealed once it is over, and at any time the view of one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import structlog
from sqlalchemy import Connection

from service.audit.inspect import whole_record
from service.audit.log import Altered
from service.log.folding import Folded, Timeline, TimelineStep, outcome
from service.log.recorded import Recorded, milliseconds
from service.record.canonical import canonical
from service.record.record import header_line, seal_line
from service.rules.outcome import Outcome
from service.rules.shared_events import ComputerSeated, DealSet, SeatHandedOver
from service.rules.tabletop.story import shown_actor
from service.store import events, proof
from service.store.games import Games, Position
from service.store.proof import ArchiveUnreadable
from service.texts.catalog import say
from service.texts.games import game_language, unit_heading
from service.views.history import known_door, redacted
from service.views.sentences import notation, sentences

if TYPE_CHECKING:
    # A record is told of without a database.
    from service.store.games import Position

_MINE = """
select g.id from seat s join game g on g.id = s.game_id
where s.player_id = %(player)s and g.id > %(after)s and (g.deal is null or g.deal < %(today)s)
  and (g.status = 'finished' and g.head is not null
  or g.status = 'cancelled' and exists (select from lobby_event l where l.game_id = g.id))
order by g.id limit %(limit)s
"""
_NIL = UUID(int=0)
log = structlog.get_logger()


def record_text(db: Connection, games: Games, game: UUID) -> bytes:
    """Return the record of a finished or cancelled game, with its seal if it has one; UnknownGame, Altered, NoChain."""
    record = whole_record(db, games, game)
    made = proof.seal_of(db, game)
    if made is not None:
        record.sealed(seal_line(made.head, made.at, made.public, made.signature))
    return record.text()


def records_of(
    db: Connection, games: Games, player: UUID, after: UUID | None, limit: int, now: datetime
) -> Iterator[bytes]:
    """Yield the records of at most `limit` finished or cancelled games of a player, the oldest first, after `after`.

    Those of a day's deal are left out until the day is over. An altered game is left out, and the log says so.
    """
    wanted = {"player": player, "after": after or _NIL, "today": now.astimezone(UTC).date()}
    listed = db.exec_driver_sql(_MINE, {**wanted, "limit": limit})
    found: Sequence[UUID] = listed.scalars().all()
    for game in found:
        try:
            yield record_text(db, games, game)
        except Altered as altered:
            log.error("a game was altered and has no record", game=str(game), seq=altered.seq)
        except ArchiveUnreadable as unreadable:
            # What is lost is left out as well; an archive that does not answer is waited for.
            if not unreadable.lost:
                raise


def view_text(db: Connection, position: Position, viewer: int | None) -> bytes:
    """Return the steps of a game that has begun, as a seat or a spectator (None) knows them, one JSON line each.

    Each line has the head of the hash chain after its step; the actions and doors of other seats are left out.
    """
    return b"".join(canonical(line) + b"\n" for line in _view(db, position, viewer))


def _computers(log: Sequence[Recorded]) -> Sequence[ComputerSeated]:
    """Return the computer players with which the game began."""
    return [each.event for each in log if each.seat is None and isinstance(each.event, ComputerSeated)]


def _view(db: Connection, position: Position, viewer: int | None) -> Iterator[dict[str, Any]]:
    game = position.game
    log = events.read(db, position.codec, game.id, 0, position.version)
    deal = next((each.event.day for each in log if isinstance(each.event, DealSet)), None)
    header = header_line(str(game.id), log[0].event, game.terms.pace, _computers(log), deal)
    yield header | {"kind": "view", "viewer": viewer}
    heads = {seq: head.hex() for seq, head in events.heads(db, game.id, position.version).items()}
    begins = 1

    def begin_of(seq: int) -> int:
        nonlocal begins
        begins = seq if seq in heads else begins
        return begins

    for seq, together in groupby(log, lambda each: begin_of(each.seq)):
        step = list(together)
        first = step[0]
        yield {
            "kind": "view-step",
            "seq": seq,
            "at": milliseconds(first.at),
            "seat": shown_actor(redacted(position, first.event, viewer), first.seat),
            "door": known_door(position, first, viewer),
            "decision": first.decision,
            "action": first.action if first.seat == viewer else None,
            "events": [{"type": each.name, "data": redacted(position, each.event, viewer)} for each in step],
            "head": heads.get(seq),
        }


# The listing of a game as text: the actions of each turn, in the game's notation and in words.

LISTING_COLUMNS: Final = 72


def listing(
    timeline: Timeline, title: str, names: Sequence[str], viewer: int | None, language: str, *, everything: bool
) -> str:
    """Return the listing in lines of at most 72 columns, as the viewer may know it.

    It is in the game's first language if the game does not have the one asked for. The number of a step is that of its
    first event. With `everything`, after the end of the game, every action has its notation; else only the viewer's own
    have.
    """
    language = game_language(timeline.ruleset.meta, language)
    lines = [title, *wrap(", ".join(names), LISTING_COLUMNS)]
    for turn, steps in groupby(timeline.steps, key=lambda step: step.turn):
        lines += ["", unit_heading(timeline.ruleset, turn, language) if turn else say(language, "listing-beginning")]
        for step in steps:
            noted = notation(timeline.ruleset, step) if everything or step.seat == viewer else None
            lines += _step(timeline, step, names, viewer, language, noted)
    lines += _ending(timeline, names, language)
    return "\n".join([*lines, ""])


def listed_players(seats: int, automata: Sequence[str], language: str) -> tuple[str, ...]:
    """Return what the seats of a game are called of which nobody knows who sat there."""
    return (*(say(language, "listing-player", n=seat + 1) for seat in range(seats)), *automata)


def _ending(timeline: Timeline, names: Sequence[str], language: str) -> Iterator[str]:
    """Yield the lines about seats that their first players have not played to the end, if the game is over."""
    folded, players = timeline.folds[-1], timeline.steps[0].facts[0].event.seats
    over = outcome(timeline.ruleset, players, folded)
    handed_over = [
        (each.event.seat, each.seq)
        for step in timeline.steps
        for each in step.facts
        if isinstance(each.event, SeatHandedOver)
    ]
    sentences_of = [] if over is None else list(who_played(names[:players], handed_over, folded, over, language))
    if sentences_of:
        yield ""
    for text in sentences_of:
        yield from wrap(text, LISTING_COLUMNS)


def _step(
    timeline: Timeline, step: TimelineStep, names: Sequence[str], viewer: int | None, language: str, noted: str | None
) -> Iterator[str]:
    undone = f"({say(language, 'listing-undone')})" if step.undone else ""
    heading = " ".join(filter(None, [noted, undone]))
    if heading:
        yield from wrap(heading, LISTING_COLUMNS, initial_indent=f"{step.first:5}  ", subsequent_indent=" " * 7)
    for number, text in enumerate(sentences(timeline.ruleset, names, step, viewer, language)):
        first = f"{step.first:5}  " if not heading and not number else " " * 7
        yield from wrap(text, LISTING_COLUMNS, initial_indent=first, subsequent_indent=" " * 7)


# Who has played the seats of a game that is over: who left, who took over, where the service stood in (T-26).


def lines_of(position: Position, language: str) -> list[str]:
    """Return a sentence for each seat of a game that its first player has not played to the end; none while it runs."""
    if position.outcome is None:
        return []
    handed_over = [(each.seat, each.until) for each in position.former]
    return list(who_played(position.names_in(language), handed_over, position.folded, position.outcome, language))


def who_played(
    names: Sequence[str], handed_over: Iterable[tuple[int, int]], folded: Folded, outcome: Outcome, language: str
) -> Iterator[str]:
    """Yield these sentences; `handed_over` are the seats that others took over, each with the number of the event."""
    since = dict(handed_over)
    for seat, name in enumerate(names):
        if seat in since:
            yield say(language, "seat-taken-over", name=name, number=seat + 1, seq=since[seat])
        if seat in folded.stood_in - folded.computers.keys():
            yield say(language, _stood_in(seat, folded, outcome), name=name)


def _stood_in(seat: int, folded: Folded, outcome: Outcome) -> str:
    """Return the key of the sentence about a seat that the service stands in for at the end."""
    won = seat in outcome["winners"]
    if seat not in folded.resigned:
        return "seat-stood-in-won-absent" if won else "seat-stood-in-absent"
    if outcome.get("reason") == "resignation":
        return "seat-resigned"
    return "seat-stood-in-won-resigned" if won else "seat-stood-in-resigned"
