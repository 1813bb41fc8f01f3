"""The notation of actions: one short line each, to be typed into a mail and read in a record (README.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.rules.games.new_corp_order import actions as a
from service.rules.games.new_corp_order.letters import (
    COLOUR_LETTERS,
    CONSULTANT_LETTERS,
    DECK,
    ROTATED,
    TYPE_LETTERS,
)
from service.rules.games.new_corp_order.reading import NotedLine
from service.rules.games.new_corp_order.terms import Colour, Consultant, Square


def notate(action: a.Action) -> str:
    """Return the action's one canonical line, such as `D T A1-B1 3`; no two actions share a line."""
    return _WRITE[type(action)](action)


def parse(text: str) -> a.Action:
    """Return the action that a line means: canonical, in short forms, or with the words of any of the languages.

    Raises Unreadable, naming the part not understood and an example of what is expected.
    """
    line = NotedLine(text)
    use = line.used_consultant()
    head = line.head()
    if head == "I":
        action = _infiltrate(line, use)
    elif head == "T":
        action = _take_over(line, use)
    else:
        action = _READ[head](line)
    line.end()
    return action


def _cards(colours: tuple[Colour, ...]) -> str:
    return "".join(COLOUR_LETTERS[colour] for colour in colours)


def _card(card: a.Card) -> str:
    return COLOUR_LETTERS[card.colour] + (ROTATED if card.rotated else "")


def _with(use: Consultant | None, line: str) -> str:
    return line if use is None else f"{CONSULTANT_LETTERS[use]} {line}"


def _write_plot(action: a.Plot) -> str:
    return " ".join(["P", *(DECK if source == "deck" else source for source in action.sources)])


def _write_infiltrate(action: a.Infiltrate) -> str:
    parts = ["I"]
    joker = "" if action.joker is None else f"+{COLOUR_LETTERS[action.joker]}"
    for placement in action.placements:
        parts += [f"{placement.cards}{COLOUR_LETTERS[placement.colour]}{joker}", placement.company]
        joker = ""
    if action.take is not None:
        parts.append(f"={CONSULTANT_LETTERS[action.take]}")
    return _with(action.use, " ".join(parts))


def _write_take_over(action: a.TakeOver) -> str:
    return _with(action.use, f"T {action.source}-{action.target} {action.agents}")


def _write_agents(kind: str) -> Callable[[Any], str]:
    return lambda action: f"{kind} {action.company} {action.agents}"


def _write_move_agents(action: a.MoveAgents) -> str:
    return " ".join([_BROADCAST, *(f"{move.source}-{move.target}" for move in action.moves)])


_BROADCAST = TYPE_LETTERS["broadcast-network"]
_GUERRILLA = TYPE_LETTERS["guerrilla-marketing"]
_PRINT = TYPE_LETTERS["print-media"]
_AMBIENT = TYPE_LETTERS["ambient-advertising"]
_SOCIAL = TYPE_LETTERS["social-media"]
_ONLINE = TYPE_LETTERS["online-marketing"]
_VIRAL = TYPE_LETTERS["viral-marketing"]
_PLACEMENT = TYPE_LETTERS["product-placement"]
_NEGATIVE = TYPE_LETTERS["negative-campaigning"]

_WRITE: dict[type[Any], Callable[[Any], str]] = {
    a.Plot: _write_plot,
    a.Infiltrate: _write_infiltrate,
    a.TakeOver: _write_take_over,
    a.Discard: lambda action: f"X {_cards(action.cards)}",
    a.MoveAgents: _write_move_agents,
    a.RotateCards: lambda action: f"{_GUERRILLA} @{action.hq} {action.cards}{COLOUR_LETTERS[action.colour]}",
    a.ExchangeCards: lambda action: f"{_PRINT} {_card(action.give)} @{action.hq} {_card(action.take)}",
    a.UnrotateCards: lambda action: f"{_AMBIENT} @{action.hq} {_cards(action.colours)}",
    a.RemoveCard: lambda action: f"{_SOCIAL} @{action.hq} {_card(action.card)}",
    a.ExchangeAgents: lambda action: f"{_ONLINE} {action.first} {action.second}",
    a.AddAgents: _write_agents(_VIRAL),
    a.PlaceCard: lambda action: f"{_PLACEMENT} {COLOUR_LETTERS[action.colour]}",
    a.WithdrawAgents: _write_agents(_NEGATIVE),
    a.SkipAbility: lambda _: "skip",
    a.ChooseConglomerates: lambda action: f"C {_cards(action.colours)}",
    a.PlaceAgents: lambda action: " ".join(["A", *action.companies]),
    a.PlayOds: lambda _: "ODS",
}


def _plot(line: NotedLine) -> a.Action:
    return a.Plot(sources=tuple(line.several(line.source)))


def _infiltrate(line: NotedLine, use: Consultant | None) -> a.Action:
    placements: list[a.Placement] = []
    joker: Colour | None = None
    while not placements or line.goes_on():
        number, colour = line.number(), line.colour()
        if line.plus():
            joker = line.colour() if not placements else line.fail()
        placements.append(a.Placement(colour=colour, cards=1 if number is None else number, company=line.square()))
    return a.Infiltrate(placements=tuple(placements), use=use, joker=joker, take=line.taken_consultant())


def _take_over(line: NotedLine, use: Consultant | None) -> a.Action:
    source, target = line.way()
    agents = line.number()
    return a.TakeOver(source=source, target=target, agents=line.fail() if agents is None else agents, use=use)


def _move_agents(line: NotedLine) -> a.Action:
    ways = line.several(line.way)
    return a.MoveAgents(moves=tuple(a.Move(source=source, target=target) for source, target in ways))


def _rotate_cards(line: NotedLine) -> a.Action:
    hq, number, colour = line.hq(), line.number(), line.colour()
    return a.RotateCards(hq=hq, colour=colour, cards=1 if number is None else number)


def _exchange_cards(line: NotedLine) -> a.Action:
    give, hq, take = line.card(), line.hq(), line.card()
    return a.ExchangeCards(give=give, hq=hq, take=take)


def _unrotate_cards(line: NotedLine) -> a.Action:
    hq, colours = line.hq(), line.colours()
    return a.UnrotateCards(hq=hq, colours=colours)


def _remove_card(line: NotedLine) -> a.Action:
    hq, card = line.hq(), line.card()
    return a.RemoveCard(hq=hq, card=card)


def _exchange_agents(line: NotedLine) -> a.Action:
    first, second = line.way()
    return a.ExchangeAgents(first=first, second=second)


def _agents_of(line: NotedLine) -> tuple[Square, int]:
    """Read a company and a number of its agents; without a number it is one."""
    company, agents = line.square(), line.number()
    return company, 1 if agents is None else agents


def _add_agents(line: NotedLine) -> a.Action:
    company, agents = _agents_of(line)
    return a.AddAgents(company=company, agents=agents)


def _withdraw_agents(line: NotedLine) -> a.Action:
    company, agents = _agents_of(line)
    return a.WithdrawAgents(company=company, agents=agents)


def _choose_conglomerates(line: NotedLine) -> a.Action:
    colours = line.colours()
    if len(colours) != 2:
        line.fail()
    return a.ChooseConglomerates(colours=colours)


_READ: dict[str, Callable[[NotedLine], a.Action]] = {
    "P": _plot,
    "X": lambda line: a.Discard(cards=line.colours()),
    _BROADCAST: _move_agents,
    _GUERRILLA: _rotate_cards,
    _PRINT: _exchange_cards,
    _AMBIENT: _unrotate_cards,
    _SOCIAL: _remove_card,
    _ONLINE: _exchange_agents,
    _VIRAL: _add_agents,
    _PLACEMENT: lambda line: a.PlaceCard(colour=line.colour()),
    _NEGATIVE: _withdraw_agents,
    "SKIP": lambda _: a.SkipAbility(),
    "C": _choose_conglomerates,
    "A": lambda line: a.PlaceAgents(companies=tuple(line.several(line.square))),
    "ODS": lambda _: a.PlayOds(),
}
