"""Sentences about events, actions and refusals; questions for the parts of an action.

Sentences about an event are made from what `redact` shows the viewer, and from nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.new_corp_order.abilities import EFFECTS
from service.rules.games.new_corp_order.actions import (
    ACTION_TYPES,
    Action,
    AddAgents,
    ChooseConglomerates,
    Discard,
    ExchangeAgents,
    ExchangeCards,
    Infiltrate,
    MoveAgents,
    PlaceAgents,
    PlaceCard,
    Placement,
    PlayOds,
    Plot,
    RemoveCard,
    RotateCards,
    SkipAbility,
    TakeOver,
    UnrotateCards,
    WithdrawAgents,
    agents_of,
    rotated_by,
)
from service.rules.games.new_corp_order.events import EVENT_TYPES, Event
from service.rules.games.new_corp_order.grid import COLUMNS, squares_of
from service.rules.games.new_corp_order.house_rules import house_rules
from service.rules.games.new_corp_order.notation import DECK
from service.rules.games.new_corp_order.redact import redact
from service.rules.games.new_corp_order.terms import SLOTS, SQUARES, CompanyType
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.language import UNKNOWN, Voice, fill
from service.rules.kernel import GameStarted, Illegal, Json, Part, Question

_EVENT_NAMES: dict[type[Event | GameStarted], str] = {kind: name for name, kind in EVENT_TYPES.items()}
_EVENT_NAMES[GameStarted] = "game-started"
_TAGS: dict[type[Action], str] = {kind: tag for tag, kind in ACTION_TYPES.items()}
_ABILITIES: dict[type[Action], CompanyType] = {effect.action: kind for kind, effect in EFFECTS.items()}


def describe(
    thing: Event | GameStarted | Action | type[Action] | Illegal,
    viewer: int | None,
    language: str,
    names: Sequence[str],
) -> str:
    """Return a sentence in the language (English, if unknown), or the name of a kind of action.

    `names` are the players' display names by seat. Of an event the sentence knows only what `redact` shows the viewer;
    an action is described to the seat that may choose it, a refusal to the seat that asked.
    """
    voice = Voice(speak(language), viewer, names)
    if isinstance(thing, type):
        return voice.type(_ABILITIES[thing]) if thing in _ABILITIES else voice.language.kinds[_TAGS[thing]]
    if isinstance(thing, Illegal):
        return tell_refusal(voice, thing)
    if isinstance(thing, Action):
        return tell_action(voice, thing)
    return tell_event(voice, _EVENT_NAMES[type(thing)], redact(thing, viewer))


def address(event: Event | GameStarted, seat: int, language: str, names: Sequence[str]) -> str:
    """Return what `describe` tells a spectator of an event, told to the seat."""
    return tell_event(Voice(speak(language), seat, names), _EVENT_NAMES[type(event)], redact(event, None))


# Events, from what the viewer may see of them.

Told = tuple[str, Mapping[str, Any]]
"""The key of a sentence, and its fields."""


def tell_event(voice: Voice, name: str, seen: Json) -> str:
    """Return the sentence on an event by its stored name, from its redacted fields."""
    key, fields = _EVENT_SENTENCES.get(name, _plainly)(voice, seen)
    template = voice.language.events[name + key]
    return template.format_map(fields) if isinstance(fields, _Fields) else fill(template, fields)


def _plainly(voice: Voice, seen: Json, **own: str) -> Told:
    """Fill in the fields that mean the same in every event, beside those of its own."""
    fields = _Fields(voice, seen)
    fields |= own
    for field in ("source", "target", "company", "first", "second"):
        if field in seen:
            fields[field] = seen[field]
    if "consultant" in seen:
        fields["consultant"] = voice.consultant(seen["consultant"])
    for things in ("cards", "agents"):
        if things in seen and "colour" in seen and things not in own:
            fields[things] = voice.coloured(things, seen[things], seen["colour"])
    return "", fields


class _Fields(dict[str, Any]):
    """Fields of a sentence. Phrases about people are made on demand: each sentence uses few."""

    def __init__(self, voice: Voice, seen: Json) -> None:
        super().__init__()
        self._voice, self._seen = voice, seen

    def __missing__(self, field: str) -> str:
        form, of = _PEOPLE.get(field, ("", ""))
        return self._voice.person(form, self._seen[of]) if of in self._seen else UNKNOWN


_PEOPLE = {
    **{form: (form, "seat") for form in ("name", "who", "turn", "due")},
    "own_hq": ("own-hq", "seat"),
    "in_hq": ("in-hq", "hq"),
    "from_hq": ("from-hq", "hq"),
}
"""The form of each phrase about a player, and the field with the player's seat."""


def _game_started(voice: Voice, seen: Json) -> Told:
    rules = [voice.phrase(f"house.{name}") for name in house_rules(seen["seats"], seen["options"])]
    key = ".solo" if seen["seats"] == 1 else ".house" if rules else ""
    return key, {"players": voice.number("players", seen["seats"]), "rules": voice.all_of(rules)}


def _companies_laid(_: Voice, seen: Json) -> Told:
    return "", {"rows": len(seen["grid"]) // len(COLUMNS)}


def _agents_scattered(voice: Voice, seen: Json) -> Told:
    colours = seen["colours"]
    on_grid = zip(squares_of(len(colours)), colours, strict=True)
    return "", {"agents": ", ".join(f"{square} {voice.colour(colour)}" for square, colour in on_grid)}


def _objectives_dealt(voice: Voice, seen: Json) -> Told:
    own = next((each for each in seen["objectives"] if each is not None), None)
    return ("", {}) if own is None else (".own", {"objectives": voice.all_of(voice.type(each) for each in own)})


def _consultants_dealt(voice: Voice, seen: Json) -> Told:
    held = [
        voice.phrase("held-by", name=voice.name(seat), what=voice.consultant(consultant))
        for seat, consultant in enumerate(seen["consultants"])
    ]
    return "", {"consultants": ", ".join(held)}


def _cards_dealt(voice: Voice, seen: Json) -> Told:
    deck = voice.number("cards", seen["deck"])
    if seen["display"] is None:
        return ".solo", {"deck": deck}
    fields = {"deck": deck, "display": voice.colours(seen["display"])}
    own = next((hand["cards"] for hand in seen["hands"] if hand["cards"] is not None), None)
    return ("", fields) if own is None else (".own", {**fields, "hand": voice.cards(own)})


def _conglomerates_chosen(voice: Voice, seen: Json) -> Told:
    return "", {"who": voice.person("who", 0), "player": voice.pair(seen["player"]), "ods": voice.pair(seen["ods"])}


def _decision_reached(voice: Voice, seen: Json) -> Told:
    return _plainly(voice, seen, phase=voice.language.phases[seen["decision"]])


def _card_taken(voice: Voice, seen: Json) -> Told:
    slot = seen["source"]
    origin = voice.phrase("from-deck") if slot == "deck" else voice.phrase("from-slot", slot=slot)
    if seen["card"] is None:
        return ".hidden", _plainly(voice, seen, origin=origin)[1]
    return f".{seen['to']}", _plainly(voice, seen, origin=origin, card=voice.card(seen["card"]))[1]


def _display_refilled(voice: Voice, seen: Json) -> Told:
    cards = [voice.phrase("in-slot", slot=slot, colour=voice.colour(card)) for slot, card in seen["cards"]]
    return "", {"cards": ", ".join(cards)}


def _cards_unrotated(voice: Voice, seen: Json) -> Told:
    return _plainly(voice, seen, cards=voice.cards(seen["colours"]))


def _agents_moved(voice: Voice, seen: Json) -> Told:
    agents = voice.coloured("agents-listed", seen["agents"], seen["colour"])
    return _plainly(voice, seen, agents=agents)


def _takeover_failed(voice: Voice, seen: Json) -> Told:
    agents = voice.coloured("agents-with", seen["agents"], seen["colour"])
    return _plainly(voice, seen, agents=agents)


def _company_taken_over(voice: Voice, seen: Json) -> Told:
    agents = voice.coloured("agents-with", seen["agents"], seen["colour"])
    return _plainly(voice, seen, agents=agents, defenders=voice.coloured("agents", seen["defenders"], seen["defender"]))


def _defender_hired(voice: Voice, seen: Json) -> Told:
    return _plainly(voice, seen, agents=voice.coloured("agents", 1, seen["colour"]))


def _cards_exchanged(voice: Voice, seen: Json) -> Told:
    return _plainly(voice, seen, gave=voice.card(**seen["gave"]), took=voice.card(**seen["took"]))


def _card_removed(voice: Voice, seen: Json) -> Told:
    return _plainly(voice, seen, card=voice.card(**seen["card"]))


def _cards_of_a_hand(voice: Voice, seen: Json) -> Told:
    cards = voice.number("cards", seen["count"]) if seen["cards"] is None else voice.cards(seen["cards"])
    return _plainly(voice, seen, cards=cards)


def _marker_moved(_: Voice, seen: Json) -> Told:
    return "", {"column": COLUMNS[seen["column"]]}


def _priority_followed(voice: Voice, seen: Json) -> Told:
    priority = seen["priority"]
    return "", {"priority": priority.removesuffix("-scan"), "reason": voice.language.priorities[priority]}


def _card_swept(voice: Voice, seen: Json) -> Told:
    return "", {"slot": seen["slot"], "card": voice.card(seen["card"])}


def _game_ended(voice: Voice, seen: Json) -> Told:
    scores = [
        voice.phrase("held-by", name=voice.name(seat), what=voice.number("points", score))
        for seat, score in enumerate(seen["scores"])
    ]
    winners = voice.all_of(voice.name(seat) for seat in seen["winners"])
    return (".shared" if len(seen["winners"]) > 1 else ""), {"scores": ", ".join(scores), "winners": winners}


_EVENT_SENTENCES: dict[str, Callable[[Voice, Json], Told]] = {
    "game-started": _game_started,
    "companies-laid": _companies_laid,
    "agents-scattered": _agents_scattered,
    "objectives-dealt": _objectives_dealt,
    "consultants-dealt": _consultants_dealt,
    "cards-dealt": _cards_dealt,
    "conglomerates-chosen": _conglomerates_chosen,
    "decision-reached": _decision_reached,
    "card-taken": _card_taken,
    "display-refilled": _display_refilled,
    "cards-unrotated": _cards_unrotated,
    "agents-moved": _agents_moved,
    "takeover-failed": _takeover_failed,
    "company-taken-over": _company_taken_over,
    "cards-exchanged": _cards_exchanged,
    "card-removed": _card_removed,
    "cards-drawn": _cards_of_a_hand,
    "cards-discarded": _cards_of_a_hand,
    "marker-moved": _marker_moved,
    "priority-followed": _priority_followed,
    "card-swept": _card_swept,
    "game-ended": _game_ended,
    "defender-hired": _defender_hired,
    "agents-withdrawn": _agents_moved,
}


# Actions, addressed to the seat that may choose them.


def tell_action(voice: Voice, action: Action) -> str:
    """Return the sentence that asks for the action."""
    return _ACTION_SENTENCES[type(action)](voice, action)


def _say(voice: Voice, key: str, **fields: Any) -> str:
    return fill(voice.language.actions[key], fields)


def _using(voice: Voice, action: Infiltrate | TakeOver) -> str:
    return "" if action.use is None else voice.phrase("using", consultant=voice.consultant(action.use))


def _plot(voice: Voice, action: Plot) -> str:
    taken = [
        voice.phrase("take-deck") if source == "deck" else voice.phrase("take-slot", slot=source)
        for source in action.sources
    ]
    return _say(voice, "plot", cards=voice.phrase("then").join(taken))


def _infiltrate(voice: Voice, action: Infiltrate) -> str:
    placements = [_placement(voice, placement, action) for placement in action.placements]
    fields = {"using": _using(voice, action), "placements": voice.phrase("then").join(placements)}
    if action.take is None:
        return _say(voice, "infiltrate", **fields)
    return _say(voice, "infiltrate.take", **fields, consultant=voice.consultant(action.take))


def _placement(voice: Voice, placement: Placement, action: Infiltrate) -> str:
    colour, joker = placement.colour, action.joker
    fields = {
        "cards": voice.coloured("cards", placement.cards, colour),
        "agents": voice.coloured("agents", agents_of(placement, action), colour),
        "company": placement.company,
    }
    if joker is None:
        return _say(voice, "placement", **fields)
    return _say(voice, "placement.joker", **fields, joker=voice.coloured("cards", 1, joker))


def _take_over(voice: Voice, action: TakeOver) -> str:
    return _say(
        voice,
        "take-over",
        using=_using(voice, action),
        cards=voice.number("cards", rotated_by(action)),
        agents=voice.number("agents", action.agents),
        source=action.source,
        target=action.target,
    )


def _move_agents(voice: Voice, action: MoveAgents) -> str:
    moves = [_say(voice, "move", source=move.source, target=move.target) for move in action.moves]
    return _say(voice, "move-agents", moves=voice.phrase("then").join(moves))


def _rotate_cards(voice: Voice, action: RotateCards) -> str:
    cards = voice.coloured("cards", action.cards, action.colour)
    return _say(voice, "rotate-cards", cards=cards, in_hq=voice.person("in-hq", action.hq))


def _exchange_cards(voice: Voice, action: ExchangeCards) -> str:
    gave = voice.card(action.give.colour, action.give.rotated)
    took = voice.card(action.take.colour, action.take.rotated)
    return _say(voice, "exchange-cards", gave=gave, took=took, from_hq=voice.person("from-hq", action.hq))


def _unrotate_cards(voice: Voice, action: UnrotateCards) -> str:
    return _say(voice, "unrotate-cards", cards=voice.cards(action.colours), in_hq=voice.person("in-hq", action.hq))


def _remove_card(voice: Voice, action: RemoveCard) -> str:
    card = voice.card(action.card.colour, action.card.rotated)
    return _say(voice, "remove-card", card=card, from_hq=voice.person("from-hq", action.hq))


def _with_agents(key: str) -> Callable[[Voice, Any], str]:
    return lambda voice, act: _say(voice, key, agents=voice.number("agents", act.agents), company=act.company)


_ACTION_SENTENCES: dict[type[Any], Callable[[Voice, Any], str]] = {
    Plot: _plot,
    Infiltrate: _infiltrate,
    TakeOver: _take_over,
    Discard: lambda voice, action: _say(voice, "discard", cards=voice.cards(action.cards)),
    MoveAgents: _move_agents,
    RotateCards: _rotate_cards,
    ExchangeCards: _exchange_cards,
    UnrotateCards: _unrotate_cards,
    RemoveCard: _remove_card,
    ExchangeAgents: lambda voice, act: _say(voice, "exchange-agents", first=act.first, second=act.second),
    AddAgents: _with_agents("add-agents"),
    PlaceCard: lambda voice, act: _say(voice, "place-card", card=voice.card(act.colour)),
    WithdrawAgents: _with_agents("withdraw-agents"),
    SkipAbility: lambda voice, _: _say(voice, "skip-ability"),
    ChooseConglomerates: lambda voice, act: _say(voice, "choose-conglomerates", colours=voice.pair(act.colours)),
    PlaceAgents: lambda voice, act: _say(voice, "place-agents", companies=voice.all_of(act.companies)),
    PlayOds: lambda voice, _: _say(voice, "play-ods"),
}


# Refusals: what the rules do not allow, and what to do instead.


def tell_refusal(voice: Voice, refusal: Illegal) -> str:
    """Return the sentence on a refusal: by its code and rule, by its code, or in general."""
    sentences = voice.language.refusals
    keys = (f"{refusal.code}.{refusal.rule}", refusal.code, "")
    return fill(sentences[next(key for key in keys if key in sentences)], _refusal_fields(voice, refusal.facts))


def _refusal_fields(voice: Voice, facts: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: _REFUSAL_FIELDS[name](voice, fact) for name, fact in facts.items() if name in _REFUSAL_FIELDS
    }
    for name, kind in (("held", "cards"), ("unrotated", "cards"), ("left", "agents-listed")):
        if name in facts and "colour" in facts:
            fields[kind.split("-")[0]] = voice.coloured(kind, facts[name], facts["colour"])
    if "hq" in facts:
        fields["in_hq"] = voice.person("in-hq", facts["hq"])
    if "least" in facts and "most" in facts:
        kind = "exactly" if facts["least"] == facts["most"] else "range"
        fields["number"] = voice.phrase(kind, least=facts["least"], most=facts["most"])
    return fields


def _same(_: Voice, fact: Any) -> str:
    return str(fact)


_REFUSAL_FIELDS: dict[str, Callable[[Voice, Any], str]] = {
    "slot": _same,
    "square": _same,
    "source": _same,
    "target": _same,
    "hq": _same,
    "colour": Voice.colour,
    "colours": Voice.pair,
    "consultant": Voice.consultant,
    "ability": Voice.type,
    "fits": lambda voice, kind: voice.language.kinds[kind],
    "due": lambda voice, phase: voice.language.phases[phase],
}


# Questions for the parts of an action, and the labels of the answers.

_FROM_HAND = ("infiltrate", "discard", "place-card")


def ask(part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
    """Return the question for a part of an action in a language (English, if unknown), with a label for each value."""
    voice = Voice(speak(language), view["you"] and view["you"]["seat"], names)
    questions = voice.language.questions
    exact, anywhere = f"{part.kind}{part.pointer}", f"{part.kind}{re.sub(r'[0-9]+', '#', part.pointer)}"
    text = questions.get(exact) or questions[anywhere]
    labels = [
        questions[f"{exact}.none"] if each is None else _answer_label(voice, view, part, each) for each in part.values
    ]
    places = [_answer_place(_field(part), each) for each in part.values]
    return Question(text=text, labels=tuple(labels), places=tuple(places))


def _field(part: Part) -> str:
    return next(step for step in reversed(part.pointer.split("/")) if not step.isdigit())


def _answer_place(field: str, value: Any) -> str | None:
    """Return the name of the place in the picture for which the value stands."""
    if field == "hq":
        return f"@{value}"
    if value == "deck":
        return DECK
    return value if value in SQUARES or value in SLOTS else None


def _answer_label(voice: Voice, view: Json, part: Part, value: Any) -> str:
    field = _field(part)
    if isinstance(value, str) and field in ("colour", "colours", "cards", "joker"):
        return _colour_label(voice, view, part.kind, value)
    return _ANSWER_LABELS[field](voice, view, value)


def _colour_label(voice: Voice, view: Json, kind: str, colour: str) -> str:
    name = voice.colour(colour)
    if kind not in _FROM_HAND:
        return name
    return fill(voice.language.questions["in-hand"], {"colour": name, "n": view["you"]["hand"][colour]})


def company_label(voice: Voice, view: Json, square: str) -> str:
    """Return the label of a company as an answer: square, name and agents."""
    company = next(each for each in view["grid"]["companies"] if each["square"] == square)
    agents = voice.coloured("agents-listed", company["agents"], company["colour"])
    return fill(voice.language.questions["company"], {"square": square, "name": company["name"], "agents": agents})


def _source_label(voice: Voice, view: Json, source: str) -> str:
    if source == "deck":
        return voice.phrase("take-deck")
    return voice.phrase("in-slot", colour=voice.colour(view["display"][int(source) - 1]), slot=source)


def _rotated_label(voice: Voice, _: Json, rotated: bool) -> str:
    return voice.language.questions["rotated" if rotated else "upright"]


_ANSWER_LABELS: Mapping[str, Callable[[Voice, Json, Any], str]] = {
    "sources": _source_label,
    **dict.fromkeys(("company", "companies", "source", "target", "first", "second"), company_label),
    "cards": lambda voice, _, number: voice.number("cards", number),
    "agents": lambda voice, _, number: voice.number("agents-alone", number),
    **dict.fromkeys(("use", "take"), lambda voice, _, consultant: voice.consultant(consultant)),
    "hq": lambda voice, _, seat: voice.name(seat),
    "rotated": _rotated_label,
}
