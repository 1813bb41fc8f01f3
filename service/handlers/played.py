"""What a finished game counts for its players: place, points, and how they answered; worked out from its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection

from service.competition.ratings import places
from service.handlers.transaction import transaction
from service.log.folding import Timeline, TimelineStep
from service.record.reading import RulesMissing
from service.rules.outcome import Outcome
from service.rules.shared_events import SharedEvent, TimeLapsed
from service.rules.tabletop.table import Table
from service.store import results
from service.store.games import Games, Position
from service.store.results import PlayedGame, Sat
from service.texts.catalog import DEFAULT

PRESENT: Final = frozenset({"api", "web", "link", "reply"})
"""The doors by which players answer themselves; an order was given before the question."""
OTHERWISE: Final = "profiles count it otherwise than its log says; `boardroom rebuild` mends that"
"""What an audit says of a game that `is_kept_otherwise`."""
LONGEST: Final = 2**31 - 1
"""The most seconds of an answer that are kept: more there can only be in a log that was altered."""


@dataclass(slots=True)
class SeatAnswers:
    """How a seat has answered up to an event: its moves, seconds to each answer, and deadlines that passed."""

    moves: int = 0
    waits: list[int] = field(default_factory=list)
    answered: int = 0
    lapsed: int = 0


def keep_played(db: Connection, games: Games, game: UUID) -> None:
    """Keep what a game that is over counts for the people who sat in it, in place of what was kept before."""
    rows = _rows(db, games, game)
    if rows is not None:
        results.keep_played(db, game, rows)


def is_kept_otherwise(db: Connection, games: Games, game: UUID) -> bool:
    """Return whether what is kept of a game for its players is something else than its log says.

    Nothing may be kept: its effect is not carried out yet, or the game was over before there was such a table.
    """
    # An account may be deleted between two statements; then it is gone from both the second time.
    return all(_is_kept_otherwise(db, games, game) for _ in range(2))


def keep_all(games: Games) -> int:
    """Work it out anew for all games that are over, and return how many there are; those without rules are left."""
    with transaction(games.engine) as db:
        over = results.finished_games(db)
    kept = 0
    for game in over:
        with suppress(RulesMissing), transaction(games.engine) as db:
            keep_played(db, games, game)
            kept += 1
    return kept


def known_places(outcome: Outcome, seats: int) -> Mapping[int, int]:
    """Return the places by seat, 1 for winners: none without winners, and without scores none for the others.

    An automaton that wins has a number after those of the seats.
    """
    scores, winners = outcome["scores"], outcome["winners"]
    found = places(max(seats, *(winner + 1 for winner in winners), 0), outcome, ())
    return {seat: found[seat] for seat in range(seats) if seat in winners or (winners and scores is not None)}


def answers(timeline: Timeline, seat: int, since: int, until: int) -> SeatAnswers:
    """Return how the seat has answered from one event on until before another."""
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
    # What an older version has kept says nothing of scores and sources.
    return kept != (replace(found, scores=None, sources=None) if kept.sources is None else found)


def _rows(db: Connection, games: Games, game: UUID) -> list[PlayedGame] | None:
    """Return what a game counts for the people who sat in it; None for one that is not over."""
    position = games.open(db, game)
    outcome = position.outcome
    if outcome is None:
        return None
    over = _Over(position, games.timeline(db, position), outcome, results.sat_in(db, game), _sources(position, outcome))
    return [_row(over, each) for each in over.people if not each.gone]


@dataclass(frozen=True, slots=True)
class _Over:
    """A game that is over: who has sat in it, and by seat what points are made of."""

    position: Position
    timeline: Timeline
    outcome: Outcome
    people: Sequence[Sat]
    sources: Sequence[dict[str, int]]


def _sources(position: Position, outcome: Outcome) -> Sequence[dict[str, int]]:
    """Return the points of each seat by the symbol of their source, as far as the ruleset tells sources."""
    ruleset, seats = position.ruleset, position.game.seats
    if outcome["scores"] is None or not ruleset.contributions.sources(DEFAULT):
        return [{}] * seats
    made = Table(ruleset, position.state, seats, None, DEFAULT, position.names_in(DEFAULT)).result()
    parts = () if made is None else made.parts
    return [{part.symbol: part.points for part in parts[seat]} if seat < len(parts) else {} for seat in range(seats)]


def _row(over: _Over, sat: Sat) -> PlayedGame:
    position, timeline, outcome = over.position, over.timeline, over.outcome
    # The seat was the player's from the last handing over before theirs on.
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
