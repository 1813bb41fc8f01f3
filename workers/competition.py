"""Effects of leagues, tournaments, daily deals and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from secrets import token_bytes
from time import monotonic
from typing import Any, Final
from uuid import UUID

import structlog
from msgspec import convert, to_builtins
from sqlalchemy import Connection

from service.handlers import leagues, rounds, tournaments
from service.handlers.daily_deals import count
from service.handlers.lobby import notify
from service.handlers.results import keep_played, record_result
from service.log.recorded import instant
from service.players.levels import VERSIONS, Level
from service.players.solo import SoloResult, best_of, first_state, tries_of, try_of
from service.record.deal import DEAL, Committed, digest
from service.record.seal import Signer
from service.rules.chance import Chance, commit, derive_deal_key
from service.rules.kernel import AnyRuleset
from service.runtime import Runtime
from service.shared import clock
from service.store import competition, daily_deals, notices, outbox, proof
from service.store.daily_deals import DealRow, today
from service.store.outbox import OutboxRow
from service.store.proof import KeyEnded

# Steps of leagues and tournaments, each exactly once: a step settles its row in the same transaction.

Step = Callable[[Connection, OutboxRow], None]
LOOK_AGAIN: Final = timedelta(seconds=15)
"""Longest wait of a process whose clock is behind."""


def begin_season(runtime: Runtime, row_id: int) -> None:
    """Begin the season of the row (payload `competition`, `until`)."""

    def begin(db: Connection, row: OutboxRow) -> None:
        season, until = UUID(row.payload["competition"]), row.payload["until"]
        leagues.begin_season(db, runtime.games, season, until, clock.now())

    _carry_out(runtime, row_id, begin)


def remind_of_entry(runtime: Runtime, row_id: int) -> None:
    """Write the reminders that entry into a season ends soon (payload `competition`)."""

    def remind(db: Connection, row: OutboxRow) -> None:
        found = competition.read_competition(db, UUID(row.payload["competition"]))
        if found is not None:
            rounds.remind_of_season(db, found)

    _carry_out(runtime, row_id, remind, timed=False)


def make_game(runtime: Runtime, row_id: int) -> None:
    """Make the game of the row's pairing (payload `pairing`)."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        position = rounds.make_game(db, runtime.games, UUID(row.payload["pairing"]), clock.now())
        outbox.finish(db, row_id, "done")
    if position is not None:
        notify(runtime.games, position)
    runtime.games.wake()


def count_game(runtime: Runtime, row_id: int) -> None:
    """Count the finished game of the row."""
    _carry_out(runtime, row_id, lambda db, row: rounds.count_game(db, runtime.games, row.game_id, clock.now()))


def go_on(runtime: Runtime, row_id: int) -> None:
    """Begin the next round of a tournament without a host (payload `competition`, `round`)."""

    def begin(db: Connection, row: OutboxRow) -> None:
        tournament, number = UUID(row.payload["competition"]), row.payload["round"]
        tournaments.go_on(db, runtime.games, tournament, number, clock.now())

    _carry_out(runtime, row_id, begin)


def _carry_out(runtime: Runtime, row_id: int, step: Step, timed: bool = True) -> None:
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        early = instant(row.payload["until"]) - clock.now() if timed and "until" in row.payload else timedelta(0)
        if early > timedelta(0):
            # The row is due by the database's clock, and events are dated by this process's.
            outbox.later(db, row_id, min(early, LOOK_AGAIN), 0)
            return
        step(db, row)
        outbox.finish(db, row_id, "done")
    runtime.games.wake()


# Daily deals: commit to the next days' deals, let computer players try them, and count players' results.

AHEAD: Final = (1, 2)
"""Days from today for which a deal is committed to: the root over the signature is published before."""
AT_ONCE: Final = 2_000
"""Limit of results added to the tables of weeks and months in one transaction."""
SECONDS: Final = 1.0
"""Seconds after which no other game of a deal is tried in one go: the mails of the same queue wait meanwhile."""
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TriedGame:
    """Game in which a computer player has tried a deal; no result if the game ended otherwise."""

    level: Level
    version: int
    result: SoloResult | None


def commit_ahead(runtime: Runtime, now: datetime) -> None:
    """Commit to the missing deals of the next days, of the first game that one player can play.

    A service without any deal yet also commits to that of the day. Its proof says that the day had begun. Without a key
    for seals there are no deals, since nothing could be proved.
    """
    ruleset = next((each for each in runtime.games.rulesets.values() if 1 in each.meta.seats), None)
    if runtime.signer is None or ruleset is None:
        return
    for ahead in (0, *AHEAD):
        try:
            _commit(runtime, runtime.signer, ruleset, today(now) + timedelta(days=ahead), only_as_first=ahead == 0)
        except KeyEnded:
            # Processes with the new key do it.
            log.warning("no deal is committed to with a key that another one has followed", key=runtime.signer.id)
            return


def _commit(runtime: Runtime, signer: Signer, ruleset: AnyRuleset, day: date, only_as_first: bool) -> None:
    with runtime.engine.begin() as db:
        if daily_deals.is_committed(db, day) or (only_as_first and not daily_deals.is_first(db)):
            return
        at = proof.use_key(db, signer.id, signer.public, clock.now)
        seed = token_bytes(32)
        options = {option.name: option.default for option in ruleset.meta.options}
        committed = Committed(
            day=day.isoformat(), ruleset=ruleset.meta.name, seats=1, options=options, commitment=commit(seed)
        )
        signature = signer.sign(digest(committed), at, DEAL)
        what = (day, committed.ruleset, committed.seats, options, committed.commitment)
        daily_deals.commit(db, DealRow(*what, at, signer.public, signature), seed)
        outbox.add(db, notices.deal_best(day))


def settle_deals(runtime: Runtime, now: datetime) -> bool:
    """Add results of past days to the tables of weeks and months; return whether there may be more."""
    with runtime.engine.begin() as db:
        return daily_deals.settle(db, today(now), AT_ONCE) == AT_ONCE


def find_best(runtime: Runtime, row_id: int) -> None:
    """Let computer players try the row's deal some more, and store the best result after all games.

    Results follow from the deal and the players' versions alone, so repetition changes nothing. The row keeps them
    under `tried`.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
        if row is None:
            return
        day = date.fromisoformat(row.payload["day"])
        deal, seed = daily_deals.find(db, day), daily_deals.seed_of(db, day)
    ruleset = None if deal is None else runtime.games.rulesets.get(deal.ruleset)
    if deal is None or ruleset is None:
        with runtime.engine.begin() as db:
            outbox.finish(db, row_id, "skipped")
        return
    games, before = tries_of(ruleset), convert(row.payload.get("tried", []), list[TriedGame])
    tried = before if all(VERSIONS.get(each.level) == each.version for each in before) else []
    chance = Chance(derive_deal_key(seed, day.isoformat()))
    tried = [
        *tried,
        *_tried(ruleset, first_state(ruleset, deal.options, chance), chance, f"deal-{day}", games[len(tried) :]),
    ]
    with runtime.engine.begin() as db:
        now = outbox.lock(db, row_id)
        if now is None or now.payload != row.payload:
            # Another process was faster.
            return
        if len(tried) < len(games):
            outbox.remember(db, row_id, {"tried": to_builtins(tried)})
            outbox.later(db, row_id, timedelta(), 0)
            return
        level, version, result = best_of((each.level, each.result) for each in tried)
        daily_deals.keep_best(db, day, {"level": level, "version": version, **result._asdict()})
        outbox.finish(db, row_id, "done")


def _tried(
    ruleset: AnyRuleset, state: Any, chance: Chance, name: str, games: Sequence[tuple[Level, int]]
) -> Iterator[TriedGame]:
    """Yield the results of the games, at least of the first, until the time is up."""
    until = monotonic() + SECONDS
    for level, number in games:
        yield TriedGame(level, VERSIONS[level], try_of(ruleset, state, chance, name, level, number))
        if monotonic() > until:
            return


def count_deal_result(runtime: Runtime, row_id: int) -> None:
    """Count the player's result in the row's finished game, once."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        counted = count(db, runtime.games.open(db, row.game_id), row.payload["version"])
        outbox.finish(db, row_id, "done" if counted else "skipped")


# Results of rated games, and the ratings of their players.


def carry_out_result(runtime: Runtime, row_id: int) -> None:
    """Write the result of the row's finished game, once, with the ratings that follow from it."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        record_result(db, runtime.games, row.game_id)
        outbox.finish(db, row_id, "done")


# Figures of finished games for profiles.


def carry_out_played(runtime: Runtime, row_id: int) -> None:
    """Store the figures of the row's finished game for its players; idempotent."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        keep_played(db, runtime.games, row.game_id)
        outbox.finish(db, row_id, "done")
