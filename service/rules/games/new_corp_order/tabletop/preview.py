"""Preview of an action: one sentence, its consequence, a verdict, and marks for the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.new_corp_order import actions as a
from service.rules.games.new_corp_order.actions import agents_of
from service.rules.games.new_corp_order.describe import describe
from service.rules.games.new_corp_order.legal import takeover_succeeds
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.story import changes
from service.rules.games.new_corp_order.tabletop.words import card, counted, speaker, word
from service.rules.kernel import by_name
from service.rules.table_parts import Foreseen, Telling
from service.rules.table_plugin import Sight

REACHED = "decision-reached"


def preview(sight: Sight, action: Any, foreseen: Foreseen) -> Telling:
    """Return the effect of an action of the reader, in the present tense."""
    kind = next(iter(by_name([type(action)])))
    told = _TOLD.get(type(action), _told)(sight, action, foreseen)
    button = word(sight, f"confirm.{kind}" if kind in _BUTTONS else "confirm")
    marks = tuple(changes(sight, foreseen.events))
    return Telling(**{"prospect": "good", "button": button, "marks": marks, **told})


def _told(sight: Sight, action: Any, _: Foreseen) -> dict[str, Any]:
    return {"sentence": describe(action, sight.viewer, sight.language, sight.names)}


def _hidden(sight: Sight, action: Any, foreseen: Foreseen) -> dict[str, Any]:
    return _told(sight, action, foreseen) | {"prospect": "open"}


def _plot(sight: Sight, action: a.Plot, foreseen: Foreseen) -> dict[str, Any]:
    display = sight.known.display
    cards = [card(sight, each, None if each == "deck" else display[int(each) - 1]) for each in action.sources]
    if action.sources == ("deck", "deck"):
        cards = [word(sight, "hidden.two")]
    told = {"sentence": word(sight, "take", cards=speaker(sight).all_of(cards))}
    if len(action.sources) == 1:
        told["button"] = word(sight, "confirm.plot.one")
    if "deck" in action.sources:
        told["prospect"] = "open"
    goes_on = any(each.fields["decision"] == "second-card" for each in foreseen.events if each.name == REACHED)
    if "deck" in action.sources and sight.known.solo:
        told["consequence"] = word(sight, "draws")  # In a game of several the service says so, of every such action.
    elif goes_on:
        told["consequence"] = word(sight, "take-more")
    return told


def _infiltrate(sight: Sight, action: a.Infiltrate, _: Foreseen) -> dict[str, Any]:
    voice = speaker(sight)
    agents = [agents_of(each, action) for each in action.placements]
    added = [
        word(sight, "add", agents=voice.coloured("agents", n, each.colour), company=each.company)
        for n, each in zip(agents, action.placements, strict=True)
    ]
    further = []
    if action.joker is not None:
        names = {"colour": voice.colour(action.joker), "other": voice.colour(action.placements[0].colour)}
        further.append(word(sight, "joker", **names))
    if action.take is not None:
        further.append(word(sight, "take-consultant", consultant=voice.consultant(action.take)))
    return {"sentence": " ".join(added), "consequence": " ".join(further), "verdict": _gained(sight, sum(agents))}


def _place_agents(sight: Sight, action: a.PlaceAgents, foreseen: Foreseen) -> dict[str, Any]:
    voice, state = speaker(sight), sight.known
    numbers = [state.to_place.count(state.companies[each].colour) for each in action.companies]
    added = [
        word(sight, "add", agents=voice.coloured("agents", n, state.companies[each].colour), company=each)
        for n, each in zip(numbers, action.companies, strict=True)
    ]
    return {"sentence": " ".join(added), "verdict": _gained(sight, sum(numbers))}


def _take_over(sight: Sight, action: a.TakeOver, foreseen: Foreseen) -> dict[str, Any]:
    state: State = sight.known
    source, target = state.companies[action.source], state.companies[action.target]
    voice, n = speaker(sight), action.agents
    fields: dict[str, Any] = {
        "source": action.source,
        "target": action.target,
        "agents": voice.coloured("agents-listed", n, source.colour),
    }
    dealt = [word(sight, "then-draw")] if action.use == "dealmaker" else []
    if target.colour == source.colour:
        told = word(sight, "joins.one" if n == 1 else "joins", **fields, n=target.agents)
        more = {"prospect": "open", "verdict": _gained(sight, n), "button": word(sight, "confirm.join")}
        return {"sentence": told, "consequence": " ".join(dealt), **more}
    fields["defenders"] = counted(sight, f"bare.{target.colour}", target.agents)
    if takeover_succeeds(target, source.colour, n, action.use):
        told = word(sight, "beats.one" if n == 1 else "beats", **fields)
        won = [_won(sight, action, foreseen)]
        return {"sentence": told, "consequence": " ".join(won + dealt), "verdict": word(sight, "takes-over")}
    told = word(sight, "fails.one" if n == 1 else "fails", **fields)
    verdict = word(sight, "fails-by", n=n, held=target.agents)
    needed = [word(sight, "need", n=target.agents + 1)]
    return {"sentence": told, "consequence": " ".join(needed + dealt), "prospect": "bad", "verdict": verdict}


def _gained(sight: Sight, agents: int) -> str:
    """Return the gain of agents, with their name: a bare number with a plus sign means points."""
    return word(sight, "gains-agents.one" if agents == 1 else "gains-agents", n=agents)


def _won(sight: Sight, action: a.TakeOver, foreseen: Foreseen) -> str:
    """Return the gains of a takeover beside the company: agents and ability."""
    voice, target = speaker(sight), sight.known.companies[action.target]
    hired = any(each.name == "defender-hired" for each in foreseen.events)
    agent = voice.coloured("agents", 2 if hired else 1, target.colour)
    reached = [each.fields["decision"] for each in foreseen.events if each.name == REACHED]
    if "ability" not in reached:
        return word(sight, "also-take", agents=agent)
    return word(sight, "also-take.ability", agents=agent, type=voice.type(target.type))


_BUTTONS = frozenset(
    {"plot", "infiltrate", "take-over", "discard", "skip-ability", "choose-conglomerates", "place-agents"}
)
"""The kinds of action that have a word of their own on the button; the others are abilities."""
_TOLD: Mapping[type[Any], Callable[[Sight, Any, Foreseen], dict[str, Any]]] = {
    a.Plot: _plot,
    a.Infiltrate: _infiltrate,
    a.TakeOver: _take_over,
    a.PlaceAgents: _place_agents,
    a.ChooseConglomerates: _hidden,
}
