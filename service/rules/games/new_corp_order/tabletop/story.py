"""The log in lines: what each step of a turn comes to, and for ODS why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.tabletop.changes import infiltrates, pays
from service.rules.games.new_corp_order.tabletop.words import card, speaker, word
from service.rules.kernel import Json
from service.rules.shapes import Line, Seen

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
            lines.append(_line(sight, told, each.seat, (min(first, begin), index), reasons))
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
    return None if made is None else made(sight, each.fields)


def _goes_on(seen: Sequence[Seen], index: int) -> bool:
    """Return whether the next event takes another card of the same Plot."""
    return index + 1 < len(seen) and seen[index + 1].name == "card-taken" and seen[index + 1].seat == seen[index].seat


def _first_card(seen: Sequence[Seen], index: int) -> int:
    while index and seen[index - 1].name == "card-taken" and seen[index - 1].seat == seen[index].seat:
        index -= 1
    return index


def _takes(sight: Sight, taken: Sequence[Seen]) -> str:
    kept = [card(sight, each.fields["source"], each.fields["card"]) for each in taken if each.fields["to"] != "box"]
    if kept == [word(sight, "hidden")] * 2:
        kept = [word(sight, "hidden.two")]
    boxed = [card(sight, each.fields["source"], each.fields["card"]) for each in taken if each.fields["to"] == "box"]
    return " ".join(_takings(sight, kept, boxed))


def _takings(sight: Sight, kept: Sequence[str], boxed: Sequence[str]) -> Iterator[str]:
    voice = speaker(sight)
    if kept:
        yield word(sight, "takes", cards=voice.all_of(kept))
    if boxed:
        told = word(sight, "boxes-taken", cards=voice.all_of(boxed))
        yield told[:1].upper() + told[1:]


def _plain(icon: str, key: str) -> Callable[[Sight, Json], Told]:
    return lambda sight, _: (icon, word(sight, key))


def _chose(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    return "icon-turn", word(sight, "chose", player=voice.pair(told["player"]), ods=voice.pair(told["ods"]))


def _adds(sight: Sight, told: Json) -> Told:
    agents = speaker(sight).coloured("agents", told["agents"], told["colour"])
    return "icon-infiltrate", word(sight, "adds", agents=agents, company=told["company"])


def _moves(icon: str, key: str) -> Callable[[Sight, Json], Told]:
    def tell(sight: Sight, told: Json) -> Told:
        voice = speaker(sight)
        form = "agents" if key == "moved" else "agents-with"
        fields: dict[str, Any] = {"agents": voice.coloured(form, told["agents"], told["colour"])}
        if key == "took-over":
            fields["defender"] = voice.coloured("agents", 1, told["defender"])
        return icon, word(sight, key, source=told["source"], target=told["target"], **fields)

    return tell


def _consultant(key: str) -> Callable[[Sight, Json], Told]:
    return lambda sight, told: (
        "icon-ability",
        word(sight, key, consultant=speaker(sight).consultant(told["consultant"])),
    )


def _rotated(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    cards = voice.coloured("cards", told["cards"], told["colour"])
    return "icon-ability", word(sight, "rotated", cards=cards, in_hq=voice.person("in-hq", told["hq"]))


def _unrotated(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    cards = voice.cards(told["colours"])
    return "icon-ability", word(sight, "unrotated", cards=cards, in_hq=voice.person("in-hq", told["hq"]))


def _exchanged(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    fields = {"gave": voice.card(**told["gave"]), "took": voice.card(**told["took"])}
    return "icon-ability", word(sight, "exchanged", **fields, from_hq=voice.person("from-hq", told["hq"]))


def _removed(sight: Sight, told: Json) -> Told:
    voice = speaker(sight)
    card = voice.card(**told["card"])
    return "icon-ability", word(sight, "removed", card=card, from_hq=voice.person("from-hq", told["hq"]))


def _placed(sight: Sight, told: Json) -> Told:
    return "icon-ability", word(sight, "placed", cards=speaker(sight).coloured("cards", told["cards"], told["colour"]))


def _withdrew(sight: Sight, told: Json) -> Told:
    agents = speaker(sight).coloured("agents-listed", told["agents"], told["colour"])
    return "icon-ability", word(sight, "withdrew", agents=agents, company=told["company"])


def _hired(sight: Sight, told: Json) -> Told:
    return "icon-ability", word(sight, "hired", agents=speaker(sight).coloured("agents", 1, told["colour"]))


def _swept(sight: Sight, told: Json) -> Told:
    card = speaker(sight).card(told["card"])
    return "icon-discard", word(sight, "boxes", card=card, slot=told["slot"])


def _cards(icon: str, key: str) -> Callable[[Sight, Json], Told]:
    def tell(sight: Sight, told: Json) -> Told:
        voice = speaker(sight)
        known, n = told["cards"], told["count"]
        return icon, word(sight, key, cards=voice.number("cards", n) if known is None else voice.cards(known))

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
        word(sight, "swapped", first=told["first"], second=told["second"]),
    ),
    "card-swept": _swept,
    "cards-drawn": _cards("icon-plot", "drew"),
    "cards-discarded": _cards("icon-discard", "discarded"),
    "table-flipped": _plain("icon-end", "flipped"),
    "game-ended": _plain("icon-end", "ended"),
}
