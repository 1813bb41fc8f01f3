"""Story of a game: marks on the board, and lines of the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.rules.games.new_corp_order.actions import Infiltrate, TakeOver, agents_of
from service.rules.games.new_corp_order.tabletop.words import card, speaker, word
from service.rules.kernel import Json
from service.rules.table_parts import Line, Mark, Seen
from service.rules.table_plugin import Sight
from service.rules.tabletop.story import WHO, begun

Told = tuple[str, str]
"""An icon, and a sentence."""


def story(sight: Sight, seen: Sequence[Seen]) -> list[Line]:
    """Return the lines for the events that a viewer saw; events without a line belong to the line that follows."""
    lines: list[Line] = []
    begin, reasons = 0, []
    for index, each in enumerate(seen):
        if each.name == "priority-followed":
            reasons.append(each.fields["priority"])
        elif each.name == "card-taken" and _goes_on(seen, index):
            continue
        elif (told := _told(sight, seen, index)) is not None:
            first = _first_card(seen, index) if each.name == "card-taken" else begin
            lines.append(_line(sight, told, _actor(each), (min(first, begin), index), reasons))
            begin, reasons = index + 1, []
    return lines


def _line(sight: Sight, told: Told, seat: int | None, events: tuple[int, int], codes: Sequence[str]) -> Line:
    line = Line(icon=told[0], sentence=told[1], seat=seat, first=events[0], last=events[1])
    if not codes:
        return line
    reason = " ".join(_reason(sight, code) for code in codes)
    return replace(line, reason=reason, code=", ".join(code.removesuffix("-scan") for code in codes))


def _reason(sight: Sight, code: str) -> str:
    """Return the reason for a move of ODS, in plain words for its opponent, in terms of the rules for others."""
    if sight.viewer == 0:
        return word(sight, f"why.{code}")
    reason = speaker(sight).language.priorities[code]
    return f"{reason[:1].upper()}{reason[1:]}."


def _told(sight: Sight, seen: Sequence[Seen], index: int) -> Told | None:
    each = seen[index]
    if pays(seen, index) or infiltrates(seen, index):
        return None
    if each.name == "card-taken":
        return "icon-plot", _takes(sight, seen[_first_card(seen, index) : index + 1])
    made = _TOLD.get(each.name)
    if made is None:
        return None
    icon, sentence = made(sight, each.fields)
    return icon, begun(_name(sight, each), sentence)


def _actor(each: Seen) -> int | None:
    """Return the seat that acted; a forced pass may be part of another player's step."""
    seat: int | None = each.fields.get("seat", each.seat)
    return seat


def _name(sight: Sight, each: Seen) -> str:
    """Return the name of who did something, as a sentence begins with it."""
    seat, voice = _actor(each), speaker(sight)
    if seat is None:
        return ""
    if 0 <= seat < len(voice.names):
        return voice.name(seat)
    ods = voice.person("name", seat)
    return ods[:1].upper() + ods[1:]


def _word(sight: Sight, key: str, **fields: Any) -> str:
    """Return a sentence of the log, which may begin with `WHO`."""
    return word(sight, key, who=WHO, **fields)


def _goes_on(seen: Sequence[Seen], index: int) -> bool:
    """Return whether the next event takes another card of the same Plot."""
    return index + 1 < len(seen) and seen[index + 1].name == "card-taken" and seen[index + 1].seat == seen[index].seat


def _first_card(seen: Sequence[Seen], index: int) -> int:
    while index and seen[index - 1].name == "card-taken" and seen[index - 1].seat == seen[index].seat:
        index -= 1
    return index


def _takes(sight: Sight, taken: Sequence[Seen]) -> str:
    voice, who = speaker(sight), _name(sight, taken[0])
    kept = [card(sight, each.fields["source"], each.fields["card"]) for each in taken if each.fields["to"] != "box"]
    if kept == [word(sight, "hidden")] * 2:
        kept = [word(sight, "hidden.two")]
    boxed = [card(sight, each.fields["source"], each.fields["card"]) for each in taken if each.fields["to"] == "box"]
    if not boxed:
        return word(sight, "takes", who=who, cards=voice.all_of(kept))
    if not kept:
        return word(sight, "boxes-taken", who=who, cards=voice.all_of(boxed))
    return word(sight, "takes-and-boxes", who=who, cards=voice.all_of(kept), boxed=voice.all_of(boxed))


def _plain(icon: str, key: str) -> Callable[[Sight, Json], Told]:
    return lambda sight, _: (icon, _word(sight, key))


def _chose(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    return "icon-turn", _word(sight, "chose", player=voice.pair(told["player"]), ods=voice.pair(told["ods"]))


def _adds(sight: Sight, told: Json) -> Told:
    agents = speaker(sight).coloured("agents", told["agents"], told["colour"])
    return "icon-infiltrate", _word(sight, "adds", agents=agents, company=told["company"])


def _moves(icon: str, key: str) -> Callable[[Sight, Json], Told]:
    def tell(sight: Sight, told: Json) -> Told:
        voice = speaker(sight)
        form = "agents" if key == "moved" else "agents-with"
        fields: dict[str, Any] = {"agents": voice.coloured(form, told["agents"], told["colour"])}
        if key == "took-over":
            fields["defender"] = voice.coloured("agents", 1, told["defender"])
        return icon, _word(sight, key, source=told["source"], target=told["target"], **fields)

    return tell


def _consultant(key: str) -> Callable[[Sight, Json], Told]:
    return lambda sight, told: (
        "icon-ability",
        _word(sight, key, consultant=speaker(sight).consultant(told["consultant"])),
    )


def _rotated(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    cards = voice.coloured("cards", told["cards"], told["colour"])
    return "icon-ability", _word(sight, "rotated", cards=cards, in_hq=voice.person("in-hq", told["hq"]))


def _unrotated(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    cards = voice.cards(told["colours"])
    return "icon-ability", _word(sight, "unrotated", cards=cards, in_hq=voice.person("in-hq", told["hq"]))


def _exchanged(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    fields = {"gave": voice.card(**told["gave"]), "took": voice.card(**told["took"])}
    return "icon-ability", _word(sight, "exchanged", **fields, from_hq=voice.person("from-hq", told["hq"]))


def _removed(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    card = voice.card(**told["card"])
    return "icon-ability", _word(sight, "removed", card=card, from_hq=voice.person("from-hq", told["hq"]))


def _placed(sight: Sight, told: Json) -> Told:
    return "icon-ability", _word(sight, "placed", cards=speaker(sight).coloured("cards", told["cards"], told["colour"]))


def _withdrew(sight: Sight, told: Json) -> Told:
    agents = speaker(sight).coloured("agents-listed", told["agents"], told["colour"])
    return "icon-ability", _word(sight, "withdrew", agents=agents, company=told["company"])


def _hired(sight: Sight, told: Json) -> Told:
    return "icon-ability", _word(sight, "hired", agents=speaker(sight).coloured("agents", 1, told["colour"]))


def _swept(sight: Sight, told: Json) -> Told:
    card = speaker(sight).card(told["card"])
    return "icon-discard", _word(sight, "boxes", card=card, slot=told["slot"])


def _cards(icon: str, key: str) -> Callable[[Sight, Json], Told]:
    def tell(sight: Sight, told: Json) -> Told:
        voice = speaker(sight)
        known, n = told["cards"], told["count"]
        return icon, _word(sight, key, cards=voice.number("cards", n) if known is None else voice.cards(known))

    return tell


_TOLD: Mapping[str, Callable[[Sight, Json], Told]] = {
    "game-started": _plain("icon-turn", "begins"),
    "conglomerates-chosen": _chose,
    "turn-passed": _plain("icon-turn", "passes"),
    "end-triggered": _plain("icon-end", "last-round"),
    "consultant-used": _consultant("uses"),
    "consultant-taken": _consultant("gets"),
    "cards-placed": _placed,
    "agents-placed": _adds,
    "agents-withdrawn": _withdrew,
    "defender-hired": _hired,
    "agents-moved": _moves("icon-take-over", "moved"),
    "takeover-failed": _moves("icon-fails", "tried"),
    "company-taken-over": _moves("icon-take-over", "took-over"),
    "cards-rotated": _rotated,
    "cards-unrotated": _unrotated,
    "cards-exchanged": _exchanged,
    "card-removed": _removed,
    "agents-exchanged": lambda sight, told: (
        "icon-ability",
        _word(sight, "swapped", first=told["first"], second=told["second"]),
    ),
    "card-swept": _swept,
    "cards-drawn": _cards("icon-plot", "drew"),
    "cards-discarded": _cards("icon-discard", "discarded"),
    "table-flipped": _plain("icon-end", "flipped"),
    "game-ended": _plain("icon-end", "ended"),
}


# Marks of what changed: arrows, gains and losses of agents, cards turned in an HQ.

_ATTEMPTS = frozenset({"company-taken-over", "takeover-failed", "agents-moved"})


def changes(_: Sight, seen: Sequence[Seen]) -> list[Mark]:
    """Return the marks for the events that a viewer saw."""
    return [
        mark
        for index, each in enumerate(seen)
        if each.name in _MARKS and not pays(seen, index) and not infiltrates(seen, index)
        for mark in _MARKS[each.name](each, index)
    ]


def intended(_: Sight, action: Any) -> list[Mark]:
    """Return the marks of an action for a later turn: where agents go from and to, or where they are added."""
    if isinstance(action, TakeOver):
        return [Mark(kind="move", at=action.target, origin=action.source, count=action.agents)]
    if isinstance(action, Infiltrate):
        return [Mark(kind="gain", at=each.company, count=agents_of(each, action)) for each in action.placements]
    return []


def pays(seen: Sequence[Seen], index: int) -> bool:
    """Return whether an event rotates the cards of a Takeover, which is told with the Takeover itself."""
    following = seen[index + 1].name if index + 1 < len(seen) else ""
    return seen[index].name == "cards-rotated" and following in _ATTEMPTS


def infiltrates(seen: Sequence[Seen], index: int) -> bool:
    """Return whether an event places cards of an Infiltrate, which is told with the agents that follow."""
    following = seen[index + 1].name if index + 1 < len(seen) else ""
    return seen[index].name == "cards-placed" and following in {"cards-placed", "agents-placed"}


def _mark_move(each: Seen, event: int) -> list[Mark]:
    told = each.fields
    fails = each.name == "takeover-failed"
    ends = {"at": told["target"], "origin": told["source"]}
    return [Mark(kind="fails" if fails else "move", **ends, count=told["agents"], actor=each.seat, event=event)]


def _mark_gain(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="gain", at=each.fields["company"], count=each.fields["agents"], actor=each.seat, event=event)]


def _mark_swap(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="swap", at=each.fields["second"], origin=each.fields["first"], actor=each.seat, event=event)]


def _mark_turn(each: Seen, event: int) -> list[Mark]:
    told = each.fields
    count = told["cards"] if each.name == "cards-rotated" else len(told["colours"])
    return [Mark(kind="turn", at=f"@{told['hq']}", count=count, actor=each.seat, event=event)]


def _mark_exchange(each: Seen, event: int) -> list[Mark]:
    ends = (each.fields["seat"], each.fields["hq"])
    return [Mark(kind="turn", at=f"@{seat}", actor=each.seat, event=event) for seat in ends]


def _mark_card_loss(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="loss", at=f"@{each.fields['hq']}", actor=each.seat, event=event)]


def _mark_agent_loss(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="loss", at=each.fields["company"], count=each.fields["agents"], actor=each.seat, event=event)]


def _mark_new(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="new", at=f"@{each.fields['seat']}", actor=each.seat, event=event)]


_MARKS: Mapping[str, Callable[[Seen, int], list[Mark]]] = {
    "company-taken-over": _mark_move,
    "takeover-failed": _mark_move,
    "agents-moved": _mark_move,
    "agents-placed": _mark_gain,
    "agents-exchanged": _mark_swap,
    "cards-rotated": _mark_turn,
    "cards-unrotated": _mark_turn,
    "cards-exchanged": _mark_exchange,
    "card-removed": _mark_card_loss,
    "consultant-taken": _mark_new,
    "cards-placed": _mark_new,
    "agents-withdrawn": _mark_agent_loss,
    "defender-hired": _mark_new,
}
