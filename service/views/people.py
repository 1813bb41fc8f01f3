"""Profiles, lists of acquaintances, and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from service.rules.kernel import AnyRuleset
from service.shared.refusal import NotFound
from service.store.access import PlayerRow
from service.store.people import find_visible_profile
from service.texts.names import display_name
from service.views.pages import TOP, PageWanted, Place
from service.views.ratings import rating_change, ratings_of

# Profile of an account for others, built field by field, as far as its owner allows.

View = dict[str, Any]
BOUND: Final = 200
"""Number of latest games that figures are computed from."""
LAST: Final = 10

_PLAYER: Final = text("""
select p.handle, p.name, p.created_at, p.owner is not null as bot from player p where p.id = :player
""")
# Imported games were played by others, and deals would reveal results before they are shown.
_PLAYED: Final = text("""
select g.ruleset, g.seats, count(*) as games from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'finished' and g.origin = 'here' and g.deal is null
 group by g.ruleset, g.seats order by g.ruleset, g.seats
""")
# One statement, so that all figures are of the same games.
_FIGURES: Final = text("""
with recent as materialized (
  select * from played_game where player_id = :player order by ended_at desc, game_id desc limit :bound),
results as (
  select ruleset, seats, people = 1 as computers, count(*) as games, count(*) filter (where won) as won,
         avg(points) as points, max(points) as best
    from recent where not "left" group by 1, 2, 3),
sources as (
  select ruleset, source, sum(cast(made.points as integer)) as points
    from recent, jsonb_each_text(sources) as made(source, points) where people > 1 group by 1, 2),
waits as (select unnest(waits) as seconds from recent)
select (select json_agg(each order by ruleset, seats, computers) from results as each) as results,
       (select json_agg(each) from sources as each) as sources,
       (select count(*) from recent) as games, coalesce(sum(asked), 0) as asked, coalesce(sum(lapsed), 0) as lapsed,
       coalesce(sum(moves), 0) as moves,
       greatest(extract(epoch from max(ended_at) - min(began_at)) / 86400, 1) as days,
       (select percentile_disc(0.5) within group (order by seconds) from waits) as median,
       (select min(seconds) from waits) as fastest
  from recent
""")
# A private table shows only its result for the player, except to those who sat there.
_LAST: Final = text("""
select r.*, t.before, t.mu, g.access = 'public' and g.spectators
            or exists (select from seat s where s.game_id = g.id and s.player_id = :viewer) as open,
       g.name, (select json_agg(json_build_object('seat', s.seat, 'name', p.name, 'handle',
                         case when p.visibility = 'public' and p.blocked is null then p.handle end) order by s.seat)
                  from seat s join player p on p.id = s.player_id
                 where s.game_id = g.id and s.player_id <> :player) as others
  from (select game_id, ruleset, seats, people, place, won, "left", points, scores, ended_at from played_game
         where player_id = :player order by ended_at desc, game_id desc limit :last) r
  join game g on g.id = r.game_id left join result e on e.game_id = r.game_id
  left join rating_step t on t.number = e.number and t.player_id = :player
 order by r.ended_at desc, r.game_id desc
""")


def profile_by_handle(
    db: Connection, rulesets: Mapping[str, AnyRuleset], viewer: UUID, handle: str, language: str
) -> View:
    """Return the profile of the account with the handle; NotFound if hidden or missing."""
    player = find_visible_profile(db, viewer, handle)
    if player is None:
        raise NotFound("player")
    row: Any = db.execute(_PLAYER, {"player": player}).one()
    figures: Any = db.execute(_FIGURES, {"player": player, "bound": BOUND}).one()
    made = {(each["ruleset"], each["source"]): each["points"] for each in figures.sources or ()}
    return {
        "handle": row.handle,
        "name": display_name(row.name, language),
        "bot": row.bot,
        "since": row.created_at.date().isoformat(),
        "played": [
            {"ruleset": each.ruleset, "seats": each.seats, "games": each.games}
            for each in db.execute(_PLAYED, {"player": player})
        ],
        "results": [_result(each) for each in figures.results or ()],
        "sources": _sources(rulesets, made, language),
        "answers": _answers(figures),
        "ratings": ratings_of(db, player),
        "last": [
            _last(each, language) for each in db.execute(_LAST, {"player": player, "viewer": viewer, "last": LAST})
        ],
    }


def _result(row: Mapping[str, Any]) -> View:
    counted = {name: row[name] for name in ("ruleset", "seats", "computers", "games", "won", "best")}
    return counted | {"points": None if row["points"] is None else round(float(row["points"]), 1)}


def _answers(row: Any) -> View:
    return {
        "games": row.games,
        "deadlines": row.asked,
        "kept": row.asked - row.lapsed,
        "moves_per_day": round(float(row.moves / row.days), 1) if row.games else 0.0,
        "median": row.median,
        "fastest": row.fastest,
    }


def _sources(rulesets: Mapping[str, AnyRuleset], made: Mapping[tuple[str, str], int], language: str) -> list[View]:
    """Return points by ruleset and source, with the labels and order of the installed rulesets."""
    return [
        {"ruleset": name, "source": part.symbol, "label": part.label, "points": made[name, part.symbol]}
        for name in sorted({ruleset for ruleset, _ in made} & rulesets.keys())
        for part in rulesets[name].contributions.sources(language)
        if (name, part.symbol) in made
    ]


def _scores(row: Any, others: Sequence[Mapping[str, Any]]) -> list[int] | None:
    """Return the player's score, then the others' in their order, then an automaton's."""
    if row.scores is None or row.left or not row.open:
        return None
    after = [each["seat"] for each in others]
    own = [seat for seat in range(row.seats) if seat not in after]
    return [row.scores[seat] for seat in (*own, *after, *range(row.seats, len(row.scores)))]


def _last(row: Any, language: str) -> View:
    others = row.others or () if row.open else ()
    return {
        "game": str(row.game_id) if row.open else None,
        "name": row.name if row.open else None,
        "others": [{"name": display_name(each["name"], language), "handle": each["handle"]} for each in others],
        "ruleset": row.ruleset,
        "seats": row.seats,
        "computers": row.people == 1,
        "place": row.place,
        "won": row.won,
        "left": row.left,
        "points": row.points,
        "scores": _scores(row, others),
        "rating_change": None if row.mu is None else rating_change(row.before, row.mu),
        "ended_at": row.ended_at.isoformat(),
    }


# Lists of others: friends and friend requests, blocked players, ignored players.

Kind = Literal["friends", "blocks", "ignored"]
KINDS: Final[tuple[Kind, ...]] = ("friends", "blocks", "ignored")

# A player named by a seat may hide the handle. Senders of requests and friends show it.
_WHO: Final = "p.name, p.owner is not null as bot, case when p.visibility = 'public' then p.handle end as handle"
_FRIEND: Final = _WHO.replace("'public'", "'public' or e.state = 'accepted' or e.recipient = :player")
_AFTER: Final = "and (e.created_at, e.id) < (:moment, :place) order by e.created_at desc, e.id desc limit :limit"
_LISTS: Final = {
    "friends": text(f"""
select e.id, e.created_at, {_FRIEND},
       case when e.state = 'accepted' then 'friend' when e.sender = :player then 'asked' else 'asks' end as state
  from friendship e join player p on p.id = case when e.sender = :player then e.recipient else e.sender end
 where (e.sender = :player or e.recipient = :player) and e.state in ('open', 'accepted') {_AFTER}
"""),  # noqa: S608 - constants
    "blocks": text(f"""
select e.id, e.created_at, {_WHO} from block e join player p on p.id = e.blocked where e.blocker = :player {_AFTER}
"""),  # noqa: S608 - constants
    "ignored": text(f"""
select e.id, e.created_at, {_WHO} from ignored_player e join player p on p.id = e.ignored
 where e.player_id = :player {_AFTER}
"""),  # noqa: S608 - constants
}
_BETWEEN: Final = text("""
select (select json_build_object('id', f.id, 'state', case when f.state = 'accepted' then 'friend'
                                     when f.sender = :player then 'asked' else 'asks' end) from friendship f
         where least(f.sender, f.recipient) = least(cast(:player as uuid), cast(:other as uuid))
           and greatest(f.sender, f.recipient) = greatest(cast(:player as uuid), cast(:other as uuid))
           and f.state in ('open', 'accepted')) as friend,
       (select id from block where blocker = :player and blocked = :other) as block,
       (select id from ignored_player where player_id = :player and ignored = :other) as ignored
""")


ALL: Final = PageWanted(100_000)


@dataclass(frozen=True, slots=True)
class Between:
    """A player's relationship to another: ids of the entries, and the state of the friendship."""

    friend: str | None
    friend_state: str | None
    block: UUID | None
    ignored: UUID | None


def list_acquaintances(db: Connection, kind: Kind, player: UUID, wanted: PageWanted = ALL) -> list[Any]:
    """Return rows of a player's list, newest first, for `shown_player`."""
    values = {"player": player, "moment": wanted.after[0], "place": wanted.after[1], "limit": wanted.limit}
    return list(db.execute(_LISTS[kind], values))


def shown_player(row: Any, reader: PlayerRow) -> View:
    entry = {
        "id": str(row.id),
        "name": display_name(row.name, reader.language),
        "handle": row.handle,
        "bot": row.bot,
        "since": row.created_at.isoformat(),
    }
    return entry | ({"state": row.state} if hasattr(row, "state") else {})


def between(db: Connection, player: UUID, other: UUID) -> Between:
    """Return a player's relationship to another."""
    row = db.execute(_BETWEEN, {"player": player, "other": other}).one()
    friend = row.friend or {"id": None, "state": None}
    return Between(friend["id"], friend["state"], row.block, row.ignored)


# Reports, for their reporter and for operators.

MOST: Final = 100
"""Limit of reports on a page, for operators and for their reporter."""

_BY = text("""
select id, game_id, competition_id, about, number, quoted, words, created_at, answer, answered_at from report
 where reporter = :player and (created_at, id) < (:moment, :place) order by created_at desc, id desc limit :limit
""")
_OPEN = text("""
select r.id, r.game_id as game, r.competition_id as tournament, r.about, r.number, r.quoted, r.words, r.created_at,
       r.reporter, r.reported, p.name as reporter_name, q.name as reported_name
  from report r join player p on p.id = r.reporter join player q on q.id = r.reported
 where r.answer is null order by r.created_at, r.id limit :most
""")


def reports_by(db: Connection, player: UUID, after: Place = TOP, limit: int | None = None) -> list[View]:
    """Return a player's reports with their answers, newest first, as JSON types.

    After a place; all without a `limit`.
    """
    values = {"player": player, "moment": after[0], "place": after[1], "limit": limit}
    return [_shown(row) for row in db.execute(_BY, values)]


def open_reports(db: Connection) -> Sequence[RowMapping]:
    """Return the unanswered reports, oldest first; for operators."""
    return db.execute(_OPEN, {"most": MOST}).mappings().all()


def _shown(row: Any) -> View:
    return {
        "id": str(row.id),
        "game": None if row.game_id is None else str(row.game_id),
        "tournament": None if row.competition_id is None else str(row.competition_id),
        "about": row.about,
        "number": row.number,
        "quoted": row.quoted,
        "text": row.words,
        "created_at": row.created_at.isoformat(),
        "answer": row.answer,
        "answered_at": None if row.answered_at is None else row.answered_at.isoformat(),
    }
