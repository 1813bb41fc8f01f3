"""Tables for one viewer: the game, legal actions, chat, notes, hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec.json import Decoder
from sqlalchemy import Connection, text

from service.log.codec import action_json
from service.players.hints import Hint, Reason
from service.rules.kernel import AnyRuleset
from service.rules.lookahead import valuation_of
from service.rules.tabletop.table import Table
from service.shared.lobby_etag import LOBBY_ETAG
from service.store.game_row import SeatRow
from service.store.games import Position
from service.store.people import SPEAKER, UNHEARD
from service.texts.catalog import say
from service.texts.games import game_language, in_language
from service.texts.names import DEFAULT_LANGUAGE, GONE, display_name
from service.views.pace import played_by, shown_clock, shown_pace

# Game for one viewer, and legal actions of a seat.

View = dict[str, Any]

_PERSON: View = {
    "bot": False,
    "owner": None,
    "computer": None,
    "reachable": True,
    "unconfirmed": False,
    "auto_answers": [],
}


def table(position: Position, viewer: int | None, language: str = DEFAULT_LANGUAGE, *, with_view: bool = True) -> View:
    """Return the game for the viewer (a seat, or None for a spectator), as JSON types.

    `decision`, `view` and `outcome` are None before the game, `view` also without `with_view`. The language is for the
    placeholder name of deleted players.
    """
    game, ruleset, state = position.game, position.ruleset, position.state
    terms = game.terms
    running, automaton, forked = state is not None, position.automaton_in(language), game.forked_from
    return {
        "id": str(game.id),
        "ruleset": game.ruleset,
        "status": game.status,
        "options": dict(game.options),
        "origin": game.origin,
        "forked_from": None if forked is None else {"game": str(forked.game), "seq": forked.seq},
        "name": terms.name,
        "access": terms.access,
        "spectators": terms.spectators,
        "start": terms.start,
        "on_resignation": terms.on_resignation,
        "training": terms.training,
        "pace": shown_pace(terms.pace, language),
        "rated": terms.rated,
        "clock": shown_clock(position),
        "host": position.seat_of(game.host),
        "seats": shown_seats(position, language),
        "automaton": None if automaton is None else {"seat": game.seats, "name": automaton},
        "seat": viewer,
        "version": position.version,
        "decision": position.decision if running else None,
        "to_act": sorted(position.to_act),
        "view": ruleset.view(state, viewer) if running and with_view else None,
        "outcome": position.outcome,
        "resigned": list(position.resigned),
        "unattended": sorted(position.unattended),
        "handed_over": [{"seat": each.seat, "seq": each.until} for each in position.former],
    }


def table_at_present(
    position: Position, viewer: int | None, absent: Mapping[int, datetime], language: str = DEFAULT_LANGUAGE
) -> View:
    """Return the table with the absent players' seats, and the ends of absences (T-20)."""
    told = [{"seat": seat, "until": until.isoformat()} for seat, until in absent.items()]
    return {**table(position, viewer, language), "away": told}


def shown_seats(position: Position, language: str) -> list[View]:
    """Return every seat with its player, in the language."""
    if position.game.origin == "import":
        return [{"seat": seat, "name": name, **_PERSON} for seat, name in enumerate(position.names_in(language))]
    taken = {row.seat: _seat(row, language) for row in position.seats}
    return [taken.get(seat) or {"seat": seat, "name": None, **_PERSON} for seat in range(position.game.seats)]


def choices(position: Position, seat: int | None, language: str) -> list[View]:
    """Return the legal actions of the seat: `action`, `notation`, `kind`, `text`; none unless awaited."""
    ruleset, state = position.ruleset, position.state
    if seat not in position.awaited:
        return []
    names = position.names_in(language)
    return [
        {
            "action": action_json(action),
            "notation": ruleset.notate(action),
            "kind": ruleset.describe(type(action), seat, language, names),
            "text": ruleset.describe(action, seat, language, names),
        }
        for action in ruleset.legal(state, seat)
    ]


def standings(position: Position, viewer: int | None) -> View:
    """Return the scores as if the game ended now, as far as the viewer may know; for a begun game."""
    ruleset, state = position.ruleset, position.state
    return {
        "version": position.version,
        "outcome": position.outcome,
        "standings": ruleset.standings(state, viewer),
        "played_by": played_by(position),
    }


def spoken(position: Position, *wishes: str | None) -> str:
    """Return the first wished language that the game's ruleset has, or else the ruleset's first."""
    return game_language(position.ruleset.meta, *wishes)


def _seat(row: SeatRow, language: str) -> View:
    name, own = display_name(row.name, language), {**_PERSON, "auto_answers": list(row.auto_answers)}
    if row.computer is not None:
        return {"seat": row.seat, "name": name, **own, "computer": row.computer}
    if not row.bot:
        unconfirmed = row.email is not None and not row.confirmed
        reachable = not (row.unreachable or unconfirmed)
        return {"seat": row.seat, "name": name, **own, "reachable": reachable, "unconfirmed": unconfirmed}
    return {"seat": row.seat, "name": name, **own, "bot": True, "owner": display_name(row.owner or GONE, language)}


# Begun game, for pages and mails.


def view_of_game(position: Position, viewer: int | None, language: str) -> Table:
    """Return the table for a seat or a spectator (None), in the language if the ruleset has it."""
    here = spoken(position, language)
    return Table(position.ruleset, position.state, position.game.seats, viewer, here, position.names_in(here))


# Beside a table: chat, the player's notes, and the state of mails.

# One statement that returns one JSON text: this page is requested most often.
_TABLE_SIDE: Final = f"""
select json_build_object(
  'remarks', (
    select coalesce(json_agg(json_build_object('number', t.number, 'seat', t.seat, 'at', t.at, 'text', t.text,
             'former', exists (
               select from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat) and t.at < f.left_at))
                             order by t.number desc), '[]')
    from (select * from talk t where game_id = %(game)s
             and not {UNHEARD.format(listener="%(player)s", speaker=SPEAKER)}
           order by number desc limit %(limit)s) t),
  'notes', coalesce((select text from note where game_id = %(game)s and player_id = %(player)s), ''),
  'operated', exists (select from operator_event where subject_kind = 'game' and subject = cast(%(game)s as text)),
  'has_orders', exists (select from move_order where game_id = %(game)s and player_id = %(player)s),
  'away', (
    select coalesce(json_object_agg(s.seat, a.ends), '{{}}')
    from seat s join absence a on a.player_id = s.player_id and a.begins <= %(at)s and a.ends > %(at)s
    where s.game_id = %(game)s),
  'beside_log', (select {LOBBY_ETAG.replace(":at", "%(at)s")} from game g where g.id = %(game)s),
  'muted', exists (select from mail_mute where game_id = %(game)s and player_id = %(player)s),
  'without_mail', (
    select coalesce(json_agg(s.seat), '[]')
    from seat s join player p on p.id = s.player_id left join mail_wishes w on w.player_id = p.id
    where s.game_id = %(game)s and p.owner is null
      and (not p.email_confirmed or p.unreachable or 'turn' = any(w.unwanted)
           or exists (select from mail_mute m where m.game_id = s.game_id and m.player_id = s.player_id))))::text
"""  # noqa: S608 - a constant
_REMARKS: Final = 50


@dataclass(frozen=True, slots=True)
class Remark:
    """A chat message at a table; `former` if a former player of the seat wrote it."""

    seat: int
    at: datetime
    text: str
    former: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class TableSide:
    """The last chat messages, newest first, the player's notes, and the state of mails.

    `operated` if operators have acted on the table; `has_orders` if the player has given orders; `away` maps the seats
    of absent players to the ends of absences; `beside_log` is as in service.shared.lobby_etag; `muted` if the player
    has muted the game; `without_mail` has the people's seats that get no turn mails, for any reason.
    """

    remarks: tuple[Remark, ...]
    notes: str
    operated: bool
    has_orders: bool
    away: Mapping[int, datetime]
    beside_log: str
    muted: bool
    without_mail: frozenset[int]


_READ: Final = Decoder(TableSide)


def table_side(db: Connection, game: UUID, player: UUID, at: datetime) -> TableSide:
    """Return what only this seated player sees beside the table at a moment."""
    values = {"game": game, "player": player, "at": at, "limit": _REMARKS}
    return _READ.decode(db.exec_driver_sql(_TABLE_SIDE, values).scalar_one())


# Chat, and private notes.

_TALK = text(f"""
select t.number, t.seat, t.at, t.text, exists (
  select from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat) and t.at < f.left_at) as former
from talk t
where t.game_id = :game and t.number > :after and not {UNHEARD.format(listener=":listener", speaker=SPEAKER)}
order by t.number limit :limit
""")  # noqa: S608 - constants
_NOTES = text("select text, at from note where game_id = :game and player_id = :player")


def talk(db: Connection, game: UUID, listener: UUID, after: int, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` chat messages after number `after`, in order, without those hidden from the listener.

    Only for players of the game.
    """
    rows = db.execute(_TALK, {"game": game, "listener": listener, "after": after, "limit": limit})
    return [
        {"number": row.number, "seat": row.seat, "former": row.former, "at": row.at.isoformat(), "text": row.text}
        for row in rows
    ]


def notes(db: Connection, game: UUID, player: UUID) -> dict[str, Any]:
    """Return the player's private notes on the game; only for that player."""
    row = db.execute(_NOTES, {"game": game, "player": player}).one_or_none()
    return {"text": "", "at": None} if row is None else {"text": row.text, "at": row.at.isoformat()}


# Hints in words.


def hint_reasons(ruleset: AnyRuleset, seats: int, hint: Hint, language: str, others: Sequence[str] = ()) -> list[str]:
    """Return the reasons for a hint's move in a few words each; `others` are the other seats' names."""
    best = others[0] if len(others) == 1 else say(language, "hint-best-other")
    return [_reason(ruleset, seats, each, language, best) for each in hint.reasons]


def described_hint(ruleset: AnyRuleset, hint: Hint, seat: int, language: str, names: Sequence[str]) -> str:
    """Return the move of a hint as a sentence."""
    return ruleset.describe(hint.action, seat, language, names)


def _reason(ruleset: AnyRuleset, seats: int, reason: Reason, language: str, best: str) -> str:
    size = f"{round(abs(reason.change), 1):g}"
    if reason.what in {"wins", "better"}:
        return say(language, f"hint-{reason.what}", n=size)
    if reason.what == "points":
        return say(language, "hint-points", n=f"{'+' if reason.change > 0 else '−'}{size}")
    if reason.what == "others":
        # The best other player's loss is shown as a change of that player's points.
        return say(language, "hint-others", name=best, n=f"{'−' if reason.change > 0 else '+'}{size}")
    valuation = valuation_of(ruleset, seats)
    gains_of = {} if valuation is None else valuation.gains
    return in_language(gains_of[reason.what].texts, language).format(n=size)
