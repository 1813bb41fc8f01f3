"""The log in lines: what each step of a turn comes to, in whole sentences, and for ODS why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.tabletop.changes import infiltrates, pays
from service.rules.games.new_corp_order.tabletop.words import card, speaker, word
from service.rules.kernel import Json
from service.rules.shapes import Line, Seen
from service.rules.tabletop.telling import WHO, begun

Told = tuple[str, str]
"""An icon, and a sentence."""


def story(sight: Sight, seen: Sequence[Seen]) -> list[Line]:
    """Return the lines for what a viewer saw happen; the events between them belong to the line that follows."""
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
    """Why ODS did something, said to its opponent; others read what the rules call it."""
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
    """Return the seat that did something: who has to pass may be told in the step of another player."""
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
