"""Results of rated games: written into their log once a game is over, and turned into ratings (docs/ratings.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection

from service.log.folding import NOTHING, folds
from service.log.recorded import Recorded
from service.rating.counting import WEEK, Finished, why_not
from service.rating.places import places
from service.rating.ratings import Rating, Result, steps
from service.rules.shared_events import SeatHandedOver, SeatResigned, TimeLapsed
from service.store import events, results
from service.store.games import Games
from service.store.position import Position
from service.store.results import Category, Ended


def record_result(db: Connection, games: Games, game: UUID) -> None:
    """Write the result of a rated game that is over, unless it is written, and rate its players if it counts.

    Transactions that do so follow one another: the numbers of results are the order in which they change ratings.
    """
    position = games.open(db, game)
    outcome = position.outcome
    assert outcome is not None  # noqa: S101 # the effect is written with the end of the game
    log = events.read(db, position.codec, game)
    left, ended_at = turns_left(position, log), log[-1].at
    # What takes long is done before the others have to wait.
    results.write_alone(db)
    if results.is_written(db, game):
        return
    first = results.first_players(db, game)
    people = [each.player for each in first]
    shared, met = results.share_browser(db, people), results.met(db, people, ended_at, WEEK)
    addresses = tuple(each.address for each in first)
    category = Category(position.game.ruleset, position.game.seats)
    reason = why_not(Finished(addresses, left, shared, met))
    placed = (tuple(people), places(category.seats, outcome, left)) if reason is None else ()
    enter(db, Ended(game, category, ended_at, reason, *placed))


def enter(db: Connection, ended: Ended) -> None:
    """Write a result and, if it counts, rate its players; nobody else writes results meanwhile."""
    number = results.write(db, ended)
    if ended.uncounted is None:
        result = Result(number, *ended.category, ended.players, ended.places)
        results.keep(db, result, steps(result, results.ratings(db, ended.category, ended.players)))


def turns_left(position: Position, log: list[Recorded]) -> Mapping[int, int]:
    """Return the turn in which the first player of a seat left, for each seat whose first player did (P-08).

    A player leaves by resigning, by being absent at the end or when another person takes the seat over, and by the
    lapse that ends the game.
    """
    ruleset, left = position.ruleset, dict[int, int]()
    absent = frozenset[int]() if position.clocks is None else position.clocks.absent
    gone, turn, lapsed = set(position.resigned) | absent, 0, dict[int, int]()
    for each, folded in zip(log, folds(ruleset, [each.event for each in log], NOTHING), strict=True):
        event, turn = each.event, ruleset.turn(folded.state)
        if isinstance(event, SeatResigned):
            left.setdefault(event.seat, turn)
        elif isinstance(event, TimeLapsed):
            lapsed[event.seat] = turn
            gone |= {event.seat} if event.ends else set()
        elif isinstance(event, SeatHandedOver):
            left.setdefault(event.seat, lapsed.get(event.seat, turn))
    return {**{seat: lapsed.get(seat, turn) for seat in gone}, **left}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild has done: how many results count, how many ratings follow, and how many were kept otherwise."""

    results: int
    ratings: int
    mended: int


def how_many(games: Games) -> int:
    """Return how many results count."""
    with games.engine.connect() as db:
        return results.count(db)


def rebuild(games: Games, told: Callable[[], None] = lambda: None) -> Rebuilt:
    """Work all ratings out anew from the log of results, and mend those that were kept otherwise.

    `told` is called after each result. None is written meanwhile.
    """
    with games.engine.begin() as db:
        results.write_alone(db)
        kept_steps, kept, mended, done = results.kept_steps(db), results.kept_ratings(db), 0, 0
        ratings: dict[Category, dict[UUID, Rating]] = {}
        for result in results.counted(db):
            own = ratings.setdefault(Category(result.ruleset, result.seats), {})
            for step in steps(result, own):
                own[step.player] = step.after
                if kept_steps.pop((result.number, step.player), None) != (step.before.mu, step.after.skill):
                    results.keep_steps(db, result, [step])
                    mended += 1
            done += 1
            told()
        for number, player in kept_steps:
            results.drop_step(db, number, player)
        mended += len(kept_steps) + _mend(db, ratings, kept)
        return Rebuilt(done, sum(map(len, ratings.values())), mended)


def _mend(
    db: Connection, ratings: Mapping[Category, Mapping[UUID, Rating]], kept: dict[tuple[Category, UUID], Rating]
) -> int:
    """Keep the ratings instead of those that are kept; return how many were kept otherwise."""
    mended = 0
    for category, own in ratings.items():
        for player, rating in own.items():
            if kept.pop((category, player), None) != rating:
                results.keep_ratings(db, category, {player: rating})
                mended += 1
    for category, player in kept:
        results.drop_rating(db, category, player)
    return mended + len(kept)
