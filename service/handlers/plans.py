"""What a host plans: the game, its seats, options and terms, held against what the ruleset offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from service.handlers.refusals import BadOption, UnknownRuleset
from service.handlers.terms import may_be_rated
from service.players.levels import Level
from service.rules.kernel import Meta
from service.store.game_row import Terms
from service.store.games import Games


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that somebody wants to host; options left out take the ruleset's defaults.

    `nonce` is the host's own value of chance, as a Newcomer's. `computers` are the levels of the computer players
    who sit down with the host.
    """

    ruleset: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    terms: Terms = field(default_factory=Terms)
    nonce: str | None = None
    computers: Sequence[Level] = ()


def options_of(games: Games, plan: Plan) -> dict[str, Any]:
    """Return all options of a planned game with their values; UnknownRuleset, BadOption."""
    if plan.ruleset not in games.rulesets:
        raise UnknownRuleset
    return _options(games.rulesets[plan.ruleset].meta, plan)


def options_at_all_tables(games: Games, plan: Plan) -> dict[str, Any]:
    """Return all options of games at tables of the plan's seats or fewer, two at least; UnknownRuleset, BadOption.

    A value that a smaller table does not allow is refused: when players are missing, no game could be made with it.
    """
    options = options_of(games, plan)
    for seats in games.rulesets[plan.ruleset].meta.seats:
        if 1 < seats < plan.seats:
            options_of(games, replace(plan, seats=seats))
    return options


def has_house_rules(meta: Meta, options: Mapping[str, Any]) -> bool:
    """Return whether a game is played with house rules, which makes it another game than that of the book (P-22)."""
    return any(each.house_rules and options.get(each.name) is True for each in meta.options)


def _options(meta: Meta, plan: Plan) -> dict[str, Any]:
    if plan.seats not in meta.seats:
        raise BadOption("seats")
    if plan.seats == 1 and plan.terms.access == "public":
        raise BadOption("access")
    if plan.seats == 1 and plan.terms.pace is not None:
        raise BadOption("pace")
    if plan.computers and len(plan.computers) >= plan.seats:
        raise BadOption("computers")
    if plan.terms.rated and not may_be_rated(plan.seats, plan.seats - len(plan.computers), plan.terms):
        raise BadOption("rated")
    offered = {option.name: option for option in meta.options}
    for name, value in plan.options.items():
        if name not in offered or not offered[name].allows(value, plan.seats):
            raise BadOption(name)
    return {name: option.default for name, option in offered.items()} | dict(plan.options)
