"""`boardroom selfplay`: whole random games without a server, for statistics and as records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import click

from service.commands.rulesets import chosen_ruleset
from service.commands.terminal import WRONG, Refused, in_words, progress, say, say_text
from service.log.codec import action_json, stored_name
from service.log.folding import Folded
from service.record.draws import Witness
from service.record.record import Record, RecordStep, result_line
from service.rules.chance import Chance, commit, derive_key
from service.rules.kernel import AnyRuleset, Json, Meta, begin, fold, state_after
from service.texts.games import unit_name


@dataclass(slots=True)
class Waits:
    """The waits of a game so far: `count` of all players together, and the seats that are waited for now.

    A seat that has to act again, without another seat being asked meanwhile, is in the same wait (T-03). Seats that act
    at once are each waited for. `in_a_row` are those of them that follow one another: what happens at once counts once.
    """

    count: int = 0
    seats: frozenset[int] = frozenset()
    in_a_row: int = 0
    _before: dict[int, int] = field(default_factory=dict)
    """By the seat that is waited for: the waits in a row that came before."""

    def note(self, actor: int | None, asked: frozenset[int]) -> None:
        """Note whom the game waits for after an action of a seat, or after its setup (None)."""
        over = {actor} if asked - self.seats else set()
        self.count += len(asked - (self.seats - over))
        if actor in self._before and (actor in over or actor not in asked):
            self.in_a_row = max(self.in_a_row, self._before.pop(actor) + 1)
        self._before = {seat: self._before.get(seat, self.in_a_row) for seat in asked}
        self.seats = asked


Choose = Callable[[Sequence[Any], Random], Any]


@dataclass(slots=True)
class Playout:
    """A game played to its end: opening events, then the actions and what each of them caused, and the last state.

    `actions` are `(decision, seat, action)`; `choices` has the number of legal actions of each decision, and `record`
    is the game's record if one was asked for. `waits` are those for its players.
    """

    opening: list[Any]
    state: Any
    actions: list[tuple[int, int, Any]] = field(default_factory=list)
    caused: list[Sequence[Any]] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    record: Record | None = None
    waits: Waits = field(default_factory=Waits)


def draw(legal: Sequence[Any], rng: Random) -> Any:
    """Return a random legal action; its kind is drawn first, so that rare kinds are played too."""
    kinds: dict[type[Any], list[Any]] = {}
    for action in legal:
        kinds.setdefault(type(action), []).append(action)
    return rng.choice(kinds[rng.choice(list(kinds))])


def play_out(
    ruleset: AnyRuleset, seats: int, options: Json, seed: str, recorded: bool = True, choose: Choose = draw
) -> Playout:
    """Play one game with chosen legal actions; the same `seed` text gives the same game."""
    secret, name = sha256(seed.encode()).digest(), seed.replace(":", "-")
    chance = Witness(Chance(derive_key(secret, name, ())))
    opening = begin(ruleset, seats, options, chance, commit(secret), ())
    drawn = [{"seq": 1, "draws": chance.taken()}] if chance.given else []
    game = Playout(opening, fold(ruleset, opening))
    rng, players = Random(seed), frozenset(range(seats))  # noqa: S311 (the same seed has to give the same game again)
    game.waits.note(None, ruleset.to_act(game.state) & players)
    while ruleset.outcome(game.state) is None:
        decision, seat, action = _choice(ruleset, game, rng, choose)
        events = ruleset.decide(game.state, seat, action, chance)
        game.state = state_after(ruleset, game.state, events)
        game.actions.append((decision, seat, action))
        game.caused.append(events)
        game.waits.note(seat, ruleset.to_act(game.state) & players)
        if chance.given:
            drawn.append({"seq": _events(game) - len(events) + 1, "draws": chance.taken()})
    if recorded:
        game.record = _record(ruleset, game, Record(name, secret), drawn)
    return game


def _record(ruleset: AnyRuleset, game: Playout, record: Record, drawn: Sequence[Json]) -> Record:
    """Return the record of a game, whose steps are all at the beginning of 1970."""
    record.header(game.opening[0])
    causes: list[tuple[int, int | None, Any]] = [(0, None, None), *game.actions]
    seq = 1
    for (decision, seat, action), events in zip(causes, [game.opening, *game.caused], strict=True):
        record.step(
            RecordStep(
                seq=seq,
                at=datetime.fromtimestamp(0, UTC),
                seat=seat,
                door="worker" if seat is not None and seat >= game.opening[0].seats else "api",
                decision=decision,
                action=None if action is None else action_json(action),
                events=[(stored_name(type(event)), event) for event in events],
            )
        )
        seq += len(events)
    record.close(drawn, result_line(ruleset, game.opening[0].seats, Folded(game.state)))
    return record


def _events(game: Playout) -> int:
    return len(game.opening) + sum(map(len, game.caused))


def _choice(ruleset: AnyRuleset, game: Playout, rng: Random, choose: Choose) -> tuple[int, int, Any]:
    """Return the decision due, the seat that answers it, and its answer."""
    state = game.state
    decision = ruleset.decision(state)
    move = ruleset.automaton(state)
    if move is not None:
        return decision, *move
    seat = rng.choice(sorted(ruleset.to_act(state)))
    legal = ruleset.legal(state, seat)
    game.choices.append(len(legal))
    return decision, seat, choose(legal, rng)


@click.command("selfplay", epilog="Exit code: 0, 1 if the game is not for so many players, 2 if it cannot be done.")
@click.option(
    "--ruleset", "name", metavar="NAME", help="which game, by its name (default: the first of those installed)"
)
@click.option("--players", type=int, required=True, help="seats at the table; 1 plays against the automaton")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="how many games")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
@click.option(
    "--option",
    "chosen",
    multiple=True,
    metavar="NAME=VALUE",
    help="an option of the game: true or false, or a seat by its number from 0; may be given several times",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="folder for one record a game")
def command(name: str | None, players: int, games: int, seed: int, chosen: Sequence[str], out: Path | None) -> int:
    """Play random games without a server, and print what came of them."""
    ruleset = chosen_ruleset(name)
    if players not in ruleset.meta.seats:
        allowed = ", ".join(map(str, ruleset.meta.seats))
        raise Refused(f"{ruleset.meta.title} is for {allowed} players, not {players}", WRONG)
    options = _options(ruleset.meta, players, chosen)
    played = []
    try:
        with progress("playing", games) as step:
            for number in range(1, games + 1):
                game = play_out(ruleset, players, options, f"selfplay:{seed}:{number}", recorded=out is not None)
                if out is not None and game.record is not None:
                    out.mkdir(parents=True, exist_ok=True)
                    record = out / f"{ruleset.meta.name}-{players}p-{seed}-{number:04}.jsonl"
                    record.write_bytes(game.record.text())
                played.append(_Summary.of(ruleset, game))
                step()
    except OSError as error:
        raise Refused(in_words(error)) from error
    say_text(_statistics(played, unit_name(ruleset, "en")))
    if out is not None:
        say(f"{len(played)} records in {out}")
    return 0


def _options(meta: Meta, players: int, chosen: Sequence[str]) -> dict[str, bool | int | None]:
    """Return the options of the games: as chosen, or else their defaults."""
    offered = {option.name: option for option in meta.options}
    values = {option.name: option.default for option in meta.options}
    for each in chosen:
        name, _, value = each.partition("=")
        if name not in offered:
            known = ", ".join(offered) or "none"
            raise click.BadParameter(f"{name!r} is no option of {meta.title}: {known}.", param_hint="--option")
        allowed: dict[str, bool | int] = {"true": True, "false": False}
        if offered[name].type == "seat":
            allowed = {str(seat): seat for seat in range(players)}
        if value not in allowed:
            raise click.BadParameter(f"{name} is one of {', '.join(allowed)}.", param_hint="--option")
        values[name] = allowed[value]
    return values


@dataclass(frozen=True, slots=True)
class _Summary:
    choices: list[int]
    events: int
    waits: float
    in_a_row: int
    turns: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str | None

    @staticmethod
    def of(ruleset: AnyRuleset, game: Playout) -> _Summary:
        outcome = ruleset.outcome(game.state)
        assert outcome is not None  # noqa: S101 # for the type checker: the game is played to its end
        scores, reason = tuple(outcome["scores"] or ()), outcome.get("reason")
        waits = game.waits.count / game.opening[0].seats
        turns = ruleset.turn(game.state)
        winners, in_a_row = tuple(outcome["winners"]), game.waits.in_a_row
        return _Summary(game.choices, _events(game), waits, in_a_row, turns, scores, winners, reason)


def _statistics(games: list[_Summary], unit: str) -> str:
    choices = [size for game in games for size in game.choices]
    decisions, events = [len(game.choices) for game in games], [game.events for game in games]
    scores = [round(mean(column), 1) for column in zip(*(game.scores for game in games), strict=True)]
    waits = mean(game.waits for game in games)
    per_turn = waits / mean(game.turns for game in games)
    wins = Counter(seat for game in games for seat in game.winners)
    reasons = Counter(game.reason for game in games if game.reason is not None)
    return "\n".join(
        [
            f"games              {len(games)}",
            f"decisions per game {mean(decisions):.1f} (most {max(decisions)})",
            f"events per game    {mean(events):.1f} (most {max(events)})",
            f"legal actions      {mean(choices):.1f} (most {max(choices)})",
            f"waits per player   {waits:.1f} ({per_turn:.1f} a {unit.lower()})",
            f"waits in a row     {mean(game.in_a_row for game in games):.1f}",
            f"wins by seat       {dict(sorted(wins.items()))}",
            f"scores by seat     {scores}",
            *([f"decided by         {dict(reasons.most_common())}"] if reasons else []),
        ]
    )
