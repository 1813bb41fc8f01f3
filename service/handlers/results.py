"""Results of rated games: their log, ratings (docs/ratings.md), players' statistics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection

from service.competition.ratings import (
    MAIL_PROVIDERS,
    UNRATED,
    WEEK,
    Finished,
    Opponent,
    RatedResult,
    Rating,
    RatingChange,
    doubtful,
    places,
    steps,
    why_not,
)
from service.handlers.lobby import has_house_rules
from service.handlers.transaction import transaction
from service.log.folding import NOTHING, Timeline, TimelineStep, folds
from service.log.recorded import Recorded
from service.record.reading import RulesMissing
from service.rules.outcome import Outcome
from service.rules.shared_events import SeatHandedOver, SeatResigned, SharedEvent, TimeLapsed
from service.rules.tabletop.table import Table
from service.store import events, results
from service.store.games import Games, Position
from service.store.results import Category, Doubted, FirstPlayer, PlayedGame, RatedGame, Sat
from service.texts.catalog import DEFAULT

LEAST_DOUBTED: Final = 5
"""Doubtful results in four weeks from which operators see a player."""
MOST_LISTED: Final = 50
"""Limit of players in the operators' list."""


def record_result(db: Connection, games: Games, game: UUID) -> None:
    """Write the result of a finished rated game, unless written, and rate its players if it counts.

    These transactions are serialised: results are numbered in the order in which they change ratings.
    """
    position = games.open(db, game)
    outcome = position.outcome
    assert outcome is not None  # noqa: S101 # the effect is written with the end of the game
    log = events.read(db, position.codec, game)
    left, ended_at = turns_left(position, log), log[-1].at
    # Slow work comes before the lock.
    results.write_alone(db)
    if results.is_written(db, game):
        return
    first = results.first_players(db, game)
    people = [each.player for each in first]
    shared, met = results.share_browser(db, people), results.met(db, people, ended_at, WEEK)
    addresses = tuple(each.address for each in first)
    category = Category(position.game.ruleset, position.game.seats)
    house = has_house_rules(position.ruleset.meta, position.game.options)
    reason = why_not(Finished(addresses, left, shared, met, house))
    if reason is not None:
        enter(db, RatedGame(game, category, ended_at, reason))
        return
    placed = places(category.seats, outcome, left)
    capped = doubtful(placed, left, _standings(db, category, first))
    enter(db, RatedGame(game, category, ended_at, None, tuple(people), placed, capped))


def enter(db: Connection, ended: RatedGame) -> None:
    """Write a result and, if it counts, rate its players; call under the lock on results."""
    number = results.write(db, ended)
    if ended.uncounted is None:
        category, players = ended.category, ended.players
        result = RatedResult(number, *category, ended.at, players, ended.places, ended.doubtful)
        ratings, opponents = results.ratings(db, category, players), results.opponents(db, category, players)
        results.keep(db, result, steps(result, ratings, opponents, results.gained(db, result, WEEK)))


def _standings(db: Connection, category: Category, first: Sequence[FirstPlayer]) -> list[Opponent]:
    people = [each.player for each in first]
    ratings, others = results.ratings(db, category, people), results.opponents(db, category, people, people)
    return [
        Opponent(
            ratings.get(each.player, UNRATED).games,
            others.get(each.player, 0),
            None if each.domain in MAIL_PROVIDERS else each.domain,
        )
        for each in first
    ]


def turns_left(position: Position, log: list[Recorded]) -> Mapping[int, int]:
    """Return the turn in which the first player of a seat left, for each seat left (P-08).

    A player leaves by resigning, by being absent at the end or when substituted, and by the lapse that ends the game.
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
    """Summary of a rebuild: results that count, ratings, and corrected rows."""

    results: int
    ratings: int
    mended: int


def doubted(db: Connection, now: datetime) -> list[Doubted]:
    """Return the players with the most doubtful results not lost in four weeks, for operators."""
    return results.doubted(db, now - 4 * WEEK, LEAST_DOUBTED, MOST_LISTED)


def how_many(games: Games) -> int:
    """Return the number of results that count."""
    with transaction(games.engine) as db:
        return results.count(db)


def rebuild(games: Games, told: Callable[[], None] = lambda: None) -> Rebuilt:
    """Recompute all ratings from the log of results, and correct the stored ones that differ.

    Call `told` after each result. No result is written meanwhile.
    """
    with transaction(games.engine) as db:
        results.write_alone(db)
        found = _compared(db, told)
        for result, step in found.steps:
            results.keep_steps(db, result, [step])
        for number, player in found.stray_steps:
            results.drop_step(db, number, player)
        for category, player, rating in found.ratings:
            results.keep_ratings(db, category, {player: rating})
        for category, player in found.stray_ratings:
            results.drop_rating(db, category, player)
        mended = len(found.steps) + len(found.stray_steps) + len(found.ratings) + len(found.stray_ratings)
        return Rebuilt(found.counted, found.rated, mended)


def rated_otherwise(db: Connection) -> list[UUID]:
    """Return the players whose stored rating, or its history, differs from the log of results.

    On a REPEATABLE READ connection all is compared in one snapshot.
    """
    found = _compared(db)
    wrong = {step.player for _, step in found.steps} | {player for _, player in found.stray_steps}
    wrong |= {player for _, player, _ in found.ratings} | {player for _, player in found.stray_ratings}
    return sorted(wrong)


@dataclass(slots=True)
class _Comparison:
    """Differences: computed rows that are not stored, and stored rows (stray) that are not computed."""

    counted: int = 0
    rated: int = 0
    steps: list[tuple[RatedResult, RatingChange]] = field(default_factory=list)
    stray_steps: list[tuple[int, UUID]] = field(default_factory=list)
    ratings: list[tuple[Category, UUID, Rating]] = field(default_factory=list)
    stray_ratings: list[tuple[Category, UUID]] = field(default_factory=list)


def _compared(db: Connection, told: Callable[[], None] = lambda: None) -> _Comparison:
    kept_steps, kept, found = results.kept_steps(db), results.kept_ratings(db), _Comparison()
    ratings: dict[Category, dict[UUID, Rating]] = {}
    met, gains = (
        defaultdict[tuple[Category, UUID], set[UUID]](set),
        defaultdict[UUID, list[tuple[datetime, float]]](list),
    )
    for result in results.counted(db):
        category = Category(result.ruleset, result.seats)
        own = ratings.setdefault(category, {})
        for player in result.players:
            met[category, player].update(each for each in result.players if each != player)
        opponents = {player: len(met[category, player]) for player in result.players}
        for step in steps(
            result, own, opponents, {player: _lately(gains[player], result.at) for player in result.players}
        ):
            own[step.player] = step.after
            gain, seat = step.after.skill.mu - step.before.mu, result.players.index(step.player)
            if result.doubtful[seat] and gain > 0:
                gains[step.player].append((result.at, gain))
            if kept_steps.pop((result.number, step.player), None) != (step.before.mu, step.after.skill):
                found.steps.append((result, step))
        found.counted += 1
        told()
    for category, each in ratings.items():
        found.rated += len(each)
        wrong = [player for player, rating in each.items() if kept.pop((category, player), None) != rating]
        found.ratings += [(category, player, each[player]) for player in wrong]
    found.stray_steps, found.stray_ratings = list(kept_steps), list(kept)
    return found


def _lately(gains: Sequence[tuple[datetime, float]], at: datetime) -> float:
    """Return the gain in the week before `at`, added up in the order of results."""
    total = 0.0
    for when, gain in gains:
        if at - WEEK < when <= at:
            total += gain
    return total


# Statistics of a finished game for its players, computed from its log: place, points, answers.

PRESENT: Final = frozenset({"api", "web", "link", "reply"})
"""Doors by which players answer in person; an order was given before the question."""
OTHERWISE: Final = "profiles count it otherwise than its log says; `boardroom rebuild` mends that"
"""Audit message for a game that `is_kept_otherwise`."""
LONGEST: Final = 2**31 - 1
"""Limit of a stored answer time in seconds; only an altered log has more."""


@dataclass(slots=True)
class SeatAnswers:
    """Answers of a seat: moves, seconds to each answer, lapsed deadlines."""

    moves: int = 0
    waits: list[int] = field(default_factory=list)
    answered: int = 0
    lapsed: int = 0


def keep_played(db: Connection, games: Games, game: UUID) -> None:
    """Store a finished game's statistics for its players, replacing earlier ones."""
    rows = _rows(db, games, game)
    if rows is not None:
        results.keep_played(db, game, rows)


def is_kept_otherwise(db: Connection, games: Games, game: UUID) -> bool:
    """Return whether a game's stored statistics differ from its log.

    Nothing stored is no difference: the effect may be pending, or the game older than the table.
    """
    # Twice: an account may be deleted between two statements, but is gone from both the second time.
    return all(_is_kept_otherwise(db, games, game) for _ in range(2))


def keep_all(games: Games) -> int:
    """Recompute the statistics of all finished games, and return their number; skip games without installed rules."""
    with transaction(games.engine) as db:
        over = results.finished_games(db)
    kept = 0
    for game in over:
        with suppress(RulesMissing), transaction(games.engine) as db:
            keep_played(db, games, game)
            kept += 1
    return kept


def known_places(outcome: Outcome, seats: int) -> Mapping[int, int]:
    """Return the known places by seat, 1 for winners; none without winners, those of winners only without scores.

    A winning automaton has a number after the seats.
    """
    scores, winners = outcome["scores"], outcome["winners"]
    found = places(max(seats, *(winner + 1 for winner in winners), 0), outcome, ())
    return {seat: found[seat] for seat in range(seats) if seat in winners or (winners and scores is not None)}


def answers(timeline: Timeline, seat: int, since: int, until: int) -> SeatAnswers:
    """Return the seat's answers to events from `since` up to, but without, `until`."""
    found, asked = SeatAnswers(), dict[int, datetime]()
    for step in timeline.steps:
        state = timeline.after(step).state
        counted = since <= step.first < until
        if counted and step.facts[0].seat == seat:
            _count(found, timeline, step, seat, asked)
        found.lapsed += counted and any(isinstance(e.event, TimeLapsed) and e.event.seat == seat for e in step.facts)
        decision = timeline.ruleset.decision(state)
        waits = seat in timeline.ruleset.to_act(state)
        asked = {decision: asked.get(decision, step.at)} if waits else {}
    return found


def _count(
    found: SeatAnswers, timeline: Timeline, step: TimelineStep, seat: int, asked: Mapping[int, datetime]
) -> None:
    first, folded = step.facts[0], timeline.after(step)
    if step.undone or isinstance(first.event, SharedEvent) or first.door not in {*PRESENT, "order"}:
        return
    found.moves += 1
    goes_on = seat in timeline.ruleset.to_act(folded.state) and timeline.ruleset.decision(folded.state) in asked
    for at in () if goes_on else asked.values():
        found.answered += 1
        if first.door in PRESENT:
            found.waits.append(min(round((step.at - at).total_seconds()), LONGEST))


def _is_kept_otherwise(db: Connection, games: Games, game: UUID) -> bool:
    kept = results.kept_played(db, game)
    if not kept:
        return False
    found = {each.player_id: each for each in _rows(db, games, game) or ()}
    return kept.keys() != found.keys() or any(_differs(kept[player], found[player]) for player in kept)


def _differs(kept: PlayedGame, found: PlayedGame) -> bool:
    # Rows of older versions lack scores and sources.
    return kept != (replace(found, scores=None, sources=None) if kept.sources is None else found)


def _rows(db: Connection, games: Games, game: UUID) -> list[PlayedGame] | None:
    """Return a game's statistics for its players; None before its end."""
    position = games.open(db, game)
    outcome = position.outcome
    if outcome is None:
        return None
    over = _Over(position, games.timeline(db, position), outcome, results.sat_in(db, game), _sources(position, outcome))
    return [_row(over, each) for each in over.people if not each.gone]


@dataclass(frozen=True, slots=True)
class _Over:
    """A finished game: its players, and the sources of points by seat."""

    position: Position
    timeline: Timeline
    outcome: Outcome
    people: Sequence[Sat]
    sources: Sequence[dict[str, int]]


def _sources(position: Position, outcome: Outcome) -> Sequence[dict[str, int]]:
    """Return each seat's points by source symbol, empty if the ruleset has no sources."""
    ruleset, seats = position.ruleset, position.game.seats
    if outcome["scores"] is None or not ruleset.contributions.sources(DEFAULT):
        return [{}] * seats
    made = Table(ruleset, position.state, seats, None, DEFAULT, position.names_in(DEFAULT)).result()
    parts = () if made is None else made.parts
    return [{part.symbol: part.points for part in parts[seat]} if seat < len(parts) else {} for seat in range(seats)]


def _row(over: _Over, sat: Sat) -> PlayedGame:
    position, timeline, outcome = over.position, over.timeline, over.outcome
    # The player's time in the seat begins at the previous hand-over.
    before = [each.until for each in over.people if each.seat == sat.seat and each.until is not None]
    until = len(timeline.folds) + 1 if sat.until is None else sat.until
    since = max((each for each in before if each < until), default=0)
    how, left = answers(timeline, sat.seat, since, until), sat.until is not None
    scores, paced = outcome["scores"], position.clocks is not None
    return PlayedGame(
        game_id=position.game.id,
        player_id=sat.player,
        ruleset=position.game.ruleset,
        seats=position.game.seats,
        people=sum(each.computer is None for each in position.seats),
        began_at=timeline.steps[0].at,
        ended_at=timeline.steps[-1].at,
        place=None if left else known_places(outcome, position.game.seats).get(sat.seat),
        won=not left and sat.seat in outcome["winners"],
        left=left,
        points=None if left or scores is None else scores[sat.seat],
        moves=how.moves,
        asked=how.answered + how.lapsed if paced else 0,
        lapsed=how.lapsed,
        waits=how.waits,
        scores=None if scores is None else list(scores),
        sources={} if left else over.sources[sat.seat],
    )
