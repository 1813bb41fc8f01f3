"""Sentences about what happened, made of nothing but what the viewer may see of it (redact.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.new_corp_order.grid import COLUMNS, squares_of
from service.rules.games.new_corp_order.house import house_rules
from service.rules.games.new_corp_order.words.voice import UNKNOWN, Voice, fill
from service.rules.kernel import Json

Told = tuple[str, Mapping[str, Any]]
"""The key of a sentence, and its fields."""


def tell_event(voice: Voice, name: str, seen: Json) -> str:
    """Return the sentence on an event by its stored name, from its redacted fields."""
    key, fields = _TELL.get(name, _plainly)(voice, seen)
    template = voice.language.events[name + key]
    return template.format_map(fields) if isinstance(fields, _Fields) else fill(template, fields)


def _plainly(voice: Voice, seen: Json, **own: str) -> Told:
    """Fields that mean the same in every event, beside those of its own."""
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
    """The fields of a sentence. Phrases about people are made when they are used: each sentence uses few."""

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


_TELL: dict[str, Callable[[Voice, Json], Told]] = {
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
