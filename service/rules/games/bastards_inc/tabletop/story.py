"""The log in lines, and changes of the table as marks on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.edition import BUSINESS_DATA
from service.rules.games.bastards_inc.tabletop.words import Speaker, announced, lasting, speaker
from service.rules.games.bastards_inc.terms import LOUNGE
from service.rules.kernel import Json
from service.rules.table_parts import Line, Mark, Seat, Seen
from service.rules.table_plugin import Sight
from service.rules.tabletop.default_words import all_of
from service.rules.tabletop.story import begun

_LEADING = frozenset({"price-paid", "card-played", "papers-used", "bids-revealed"})
"""Events that are told at the beginning of the line that follows, if that is about the same seat or they about none."""


class _Told(NamedTuple):
    at: int
    seat: Seat | None
    icon: str
    sentence: str


def story(sight: Sight, seen: Sequence[Seen]) -> list[Line]:
    """Return the lines of the log for events seen; events without a line belong to the next line."""
    told = [each for index in range(len(seen)) if (each := _told(sight, seen, index)) is not None]
    lines: list[Line] = []
    begin, leading = 0, list[_Told]()
    for number, each in enumerate(told):
        following = told[number + 1] if number + 1 < len(told) else None
        leads = seen[each.at].name in _LEADING and following is not None and each.seat in {None, following.seat}
        leading.append(each)
        if leads or _together(seen, each, following):
            continue
        lines.append(_line(sight, seen, leading, begin))
        begin, leading = each.at + 1, []
    return lines


def _together(seen: Sequence[Seen], each: _Told, following: _Told | None) -> bool:
    """Say whether two seats in a row pass unasked: one line tells both."""
    return following is not None and all(_unasked(seen[one.at]) for one in (each, following))


def _unasked(each: Seen) -> bool:
    return each.name == "turn-passed" and not each.fields["asked"]


def _line(sight: Sight, seen: Sequence[Seen], told: Sequence[_Told], first: int) -> Line:
    last = told[-1]
    if len(told) > 1 and _unasked(seen[last.at]):
        speaking = speaker(sight)
        names = [speaking.player(seat) for seat in dict.fromkeys(each.seat for each in told) if seat is not None]
        sentence = speaking.word("pass-unasked", names=speaking.all_of(names))
        return Line(icon=last.icon, sentence=sentence, seat=None, first=first, last=last.at)
    speaking = speaker(sight)
    name = "" if last.seat is None else speaking.player(last.seat)
    sentence = begun(name, *(each.sentence for each in told), joint=all_of(speaking.code, ["", ""]))
    return Line(icon=told[0].icon, sentence=sentence, seat=last.seat, first=first, last=last.at)


def _told(sight: Sight, seen: Sequence[Seen], index: int) -> _Told | None:
    each = seen[index]
    made = SENTENCES.get(each.name)
    if made is None or (each.name == "vice-president-arrived" and _decided(seen, index)):
        return None
    icon, sentence = made.icon, made.tell(speaker(sight), each.fields)
    return None if not sentence else _Told(index, each.fields.get(made.seat), icon, sentence)


def _decided(seen: Sequence[Seen], index: int) -> bool:
    """Say whether an arrival was not fought: its outcome tells of it."""
    return index + 1 < len(seen) and seen[index + 1].name == "vice-president-placed"


# The sentence of each event.


class Sentence(NamedTuple):
    """Icon, sentence (none if empty) and the field with the seat of an event."""

    icon: str
    tell: Callable[[Speaker, Json], str]
    seat: str = "seat"


NO_SEAT = ""
"""No field: it happens to the world."""


def _plain(key: str, *things: str, at: str = "", to: str = "", **amounts: str) -> Callable[[Speaker, Json], str]:
    """Return a teller for a text whose fields are names of things, players, and amounts by their kind.

    `at` and `to` name the field with the place where something happens, or where somebody goes.
    """

    def tell(told: Speaker, fields: Json) -> str:
        filled: dict[str, Any] = {each: _thing(told, each, fields[each]) for each in things}
        filled |= {"at": told.at(fields[at])} if at else {}
        filled |= {"to": told.to(fields[to])} if to else {}
        filled |= {each: told.counted(kind, fields[each]) for each, kind in amounts.items()}
        return told.word(key, **filled)

    return tell


def _thing(told: Speaker, field: str, value: Any) -> str:
    if field in {"to", "host", "victim", "journalist", "former", "start_player"}:
        return told.player(value)
    return told.name(value) if isinstance(value, str) else str(value)


def _home(told: Speaker, home: Any) -> str:
    """The seats whose VPs went to the Lounge."""
    return told.all_of(told.player(seat) for seat in dict.fromkeys(each["seat"] for each in home))


def _instruction(told: Speaker, fields: Json) -> str:
    if fields["instruction"] is None:
        return ""
    return told.word("log.instruction", setting=told.word(f"set.{fields['instruction']}.{fields['setting']}"))


def _price(told: Speaker, fields: Json) -> str:
    kinds = [each for each in ("billions", "influence") if fields[each]]
    return told.word("log.pays", what=told.all_of(told.counted(each, fields[each]) for each in kinds)) if kinds else ""


def _drawn(told: Speaker, fields: Json) -> str:
    if fields["cards"] is None:
        return told.counted("log.drawn", fields["count"])
    return told.word("log.draws", cards=told.these(fields["cards"])) if fields["cards"] else ""


def _discarded(told: Speaker, fields: Json) -> str:
    return told.word("log.discards", cards=told.these(fields["cards"])) if fields["cards"] else ""


def _set_aside(told: Speaker, fields: Json) -> str:
    return "" if fields["card"] is None else told.word("log.sets-aside", card=told.name(fields["card"]))


def _bids(told: Speaker, fields: Json) -> str:
    fought = [each for each in fields["bids"] if each["influence"] is not None]
    if not fought:
        return told.word("log.no-fight")
    bids = [told.word("log.bid", name=told.player(each["seat"]), n=each["influence"]) for each in fought]
    return told.word("log.fight", bids=told.all_of(bids))


def _forced(told: Speaker, fields: Json) -> str:
    paid = told.counted("influence", fields["influence"])
    return told.word("log.forced", price=paid, at=told.at(fields["field"]), names=_home(told, fields["home"]))


def _repelled(told: Speaker, fields: Json) -> str:
    return told.word("log.repelled" if fields["asked"] else "log.repelled.unasked", at=told.at(fields["field"]))


def _event(told: Speaker, fields: Json) -> str:
    (_, name), *effects = lasting(told, fields)
    said = told.word("log.event", event=name)
    if not effects:
        return said
    return f"{said} {told.word('log.lasting', what='; '.join(effect for _, effect in effects))}"


def _stuff(told: Speaker, fields: Json) -> str:
    key = "log.stuff.more" if fields["change"] > 0 else "log.stuff.less"
    return told.word(key, region=told.name(fields["region"]), n=abs(fields["change"]))


def _order(told: Speaker, fields: Json) -> str:
    several = len(fields["regions"]) > 1
    return told.word("log.order", regions=told.these(fields["regions"])) if several else ""


def _war(told: Speaker, fields: Json) -> str:
    names = {"at": told.at(fields["region"]), "row": told.name(fields["row"])}
    fought = told.word("log.war", die=fields["die"], total=fields["total"], **names)
    return " ".join(
        [fought, told.word("log.flown-out", names=_home(told, fields["home"]))] if fields["home"] else [fought]
    )


def _passed(told: Speaker, fields: Json) -> str:
    if not fields["asked"]:
        return told.word("log.pass.unasked")
    return told.word("log.done" if fields["done"] else "log.pass")


def _announced(told: Speaker, fields: Json) -> str:
    return told.word("log.announced", what=announced(told, fields))


def _deal(told: Speaker, fields: Json) -> str:
    income = BUSINESS_DATA[fields["card"]].income if fields["income"] is None else fields["income"]
    card, partner = told.name(fields["card"]), fields["partner"]
    if partner is None:
        return told.counted("log.deal", len(fields["vps"]), card=card, n_black=income)
    return told.word("log.venture", card=card, n=income, name=told.player(partner["seat"]))


def _laundered(told: Speaker, fields: Json) -> str:
    key = "log.cashed" if fields["stays"] else "log.laundered"
    return told.word(key, billions=told.counted("billions", fields["billions"]))


def _offered(told: Speaker, fields: Json) -> str:
    return told.word("log.offered", name=told.player(fields["partner"]["seat"]), card=told.name(fields["card"]))


def _lapsed(told: Speaker, fields: Json) -> str:
    return told.word("log.lapsed", name=told.player(fields["seat"]))


def _bought(told: Speaker, fields: Json) -> str:
    former = fields["former"]
    return told.word("log.prize") if former is None else told.word("log.prize.from", name=told.player(former))


def _played(told: Speaker, fields: Json) -> str:
    return told.word("log.plays", card=told.name(fields["play"]["card"]))


def _black(told: Speaker, fields: Json) -> str:
    return told.word("log.extorted", n=fields["billions"], name=told.player(fields["victim"]["seat"]))


def _score(told: Speaker, fields: Json) -> str:
    key = "log.score.more" if fields["change"] > 0 else "log.score.less"
    return told.word(key, score=told.name(fields["score"]), n=abs(fields["change"]))


SENTENCES: Mapping[str, Sentence] = {
    "round-begun": Sentence("icon-round", _plain("log.round", "round", "start_player"), NO_SEAT),
    "instruction-given": Sentence("icon-instruct", _instruction),
    "discard-chosen": Sentence("icon-drop", _set_aside),
    "price-paid": Sentence("billions", _price),
    "cards-discarded": Sentence("icon-drop", _discarded),
    "cards-drawn": Sentence("icon-draw", _drawn),
    "cards-reshuffled": Sentence("icon-draw", lambda told, _: told.word("log.reshuffled"), NO_SEAT),
    "vice-presidents-collected": Sentence(
        "icon-collect", lambda told, fields: told.counted("log.collected", len(fields["vps"]))
    ),
    "vice-president-rested": Sentence("place-vip", _plain("log.rests")),
    "vice-president-arrived": Sentence("icon-place", _plain("log.arrives", to="field")),
    "bids-revealed": Sentence("icon-fight", _bids, NO_SEAT),
    "arrival-forced": Sentence("icon-push", _forced),
    "arrival-repelled": Sentence("icon-yield", _repelled),
    "vice-president-placed": Sentence("icon-place", _plain("log.placed", at="field")),
    "event-revealed": Sentence("icon-event", _event, NO_SEAT),
    "money-taxed": Sentence("billions", _plain("log.taxed", billions="billions")),
    "subsidy-paid": Sentence("billions", _plain("log.subsidy", billions="billions")),
    "award-given": Sentence("influence", _plain("log.award", influence="influence")),
    "war-broke-out": Sentence("war", _plain("log.war-begins", at="region"), NO_SEAT),
    "war-ended": Sentence("icon-yield", _plain("log.war-ends", at="region"), NO_SEAT),
    "stuff-changed": Sentence("stuff", _stuff, NO_SEAT),
    "wars-ordered": Sentence("war", _order),
    "war-fought": Sentence("war", _war, NO_SEAT),
    "fee-paid": Sentence("prize", _plain("log.fee", influence="influence")),
    "turn-passed": Sentence("icon-pass", _passed),
    "act-announced": Sentence("score-cri", _announced),
    "act-exposed": Sentence("icon-expose", _plain("log.exposed", influence="influence"), "journalist"),
    "deal-made": Sentence("black-money", _deal),
    "money-laundered": Sentence("icon-launder", _laundered),
    "stuff-sold": Sentence("stuff", _plain("log.sold", at="region", billions="billions")),
    "campaign-run": Sentence("score-med", _plain("log.campaign", at="square", influence="influence")),
    "vice-president-hired": Sentence("icon-hire", _plain("log.hired")),
    "prize-bought": Sentence("prize", _bought),
    "prize-returned": Sentence("prize", _plain("log.prize-returned")),
    "money-given": Sentence("icon-give", _plain("log.given", "to", billions="billions")),
    "venture-offered": Sentence("icon-invite", _offered),
    "venture-agreed": Sentence("icon-agree", _plain("log.agreed", "host")),
    "venture-declined": Sentence("icon-decline", _plain("log.declined", "host")),
    "venture-withdrawn": Sentence("icon-decline", _plain("log.withdrawn")),
    "invitation-lapsed": Sentence(
        "icon-decline", lambda told, fields: told.word("log.lapsed", name=told.player(fields["seat"]))
    ),
    "card-played": Sentence("icon-play", _played),
    "papers-used": Sentence("icon-play", _plain("log.plays", "card")),
    "billions-gained": Sentence("billions", _plain("log.gains.billions", billions="billions")),
    "influence-gained": Sentence("influence", _plain("log.gains.influence", influence="influence")),
    "billions-taken": Sentence("icon-give", _plain("log.sued", "victim", billions="billions")),
    "black-money-taken": Sentence("black-money", _black),
    "score-changed": Sentence("icon-agree", _score),
    "vice-president-sent-home": Sentence("icon-push", _plain("log.sent-home")),
    "vice-president-flown": Sentence("icon-place", _plain("log.flown", to="field")),
    "business-righted": Sentence("icon-done", _plain("log.righted", "card")),
    "bunker-taken": Sentence("bunker", _plain("log.bunker")),
    "immunity-taken": Sentence("icon-fight", _plain("log.immune")),
    "game-ended": Sentence("icon-end", lambda told, _: told.word("log.ended"), NO_SEAT),
}


# Changes as marks on the board: arrows of vice presidents, gains and losses, wars.


def changes(_: Sight, seen: Sequence[Seen]) -> list[Mark]:
    """Return the marks for events seen; events unknown in a preview have none."""
    return [mark for index, each in enumerate(seen) if each.name in _MARKS for mark in _MARKS[each.name](each, index)]


def intended(sight: Sight, action: Any) -> list[Mark]:
    """Return the marks of an order: the VPs that it needs, and where they go."""
    seat = sight.viewer
    if seat is None:
        return []
    if isinstance(action, a.Place):
        return [Mark(kind="move", at=action.to, origin=LOUNGE, actor=seat)] if action.to != LOUNGE else []
    numbers = _needed(action)
    vps = sight.view["companies"][seat]["vps"]
    places = dict.fromkeys(vp["at"] for vp in vps if vp["vp"] in numbers)
    return [Mark(kind="new", at=place, actor=seat) for place in places]


def _needed(action: Any) -> tuple[int, ...]:
    if isinstance(action, a.Deal):
        return action.vps
    return (action.vp,) if isinstance(action, a.Launder | a.Sell | a.Campaign) else ()


def _moved(kind: str) -> Callable[[Seen, int], list[Mark]]:
    return lambda each, event: _at(each, event, kind, "field", origin=LOUNGE)


def _at(each: Seen, event: int, kind: Any, field: str, **more: Any) -> list[Mark]:
    """Return a mark at the place that a field of the event names, if it is known."""
    place = each.fields.get(field)
    return [] if place is None else [Mark(kind=kind, at=place, actor=each.seat, event=event, **more)]


def _panel(kind: Any, amount: str | None = None, field: str = "seat") -> Callable[[Seen, int], list[Mark]]:
    def mark(each: Seen, event: int) -> list[Mark]:
        seat, count = each.fields.get(field), 1 if amount is None else each.fields.get(amount)
        if seat is None or not count:
            return []
        return [Mark(kind=kind, at=f"@{seat}", count=abs(count), actor=each.seat, event=event)]

    return mark


def _war_marks(each: Seen, event: int) -> list[Mark]:
    return _at(each, event, "new", "region")


def _stuff_marks(each: Seen, event: int) -> list[Mark]:
    change = each.fields.get("change")
    return _at(each, event, "gain" if change > 0 else "loss", "region", count=abs(change)) if change else []


def _sold(each: Seen, event: int) -> list[Mark]:
    return [*_at(each, event, "gain", "region"), *_panel("gain", "billions")(each, event)]


def _taken(each: Seen, event: int) -> list[Mark]:
    return [*_panel("gain", "billions")(each, event), *_panel("loss", "billions", "victim")(each, event)]


def _given(each: Seen, event: int) -> list[Mark]:
    return [*_panel("loss", "billions")(each, event), *_panel("gain", "billions", "to")(each, event)]


def _bought_marks(each: Seen, event: int) -> list[Mark]:
    return [*_panel("new")(each, event), *_panel("loss", None, "former")(each, event)]


_MARKS: Mapping[str, Callable[[Seen, int], list[Mark]]] = {
    "vice-president-placed": _moved("move"),
    "arrival-forced": _moved("move"),
    "arrival-repelled": _moved("fails"),
    "vice-president-flown": _moved("move"),
    "vice-presidents-collected": _panel("turn"),
    "vice-president-sent-home": _panel("loss"),
    "war-broke-out": _war_marks,
    "war-ended": _war_marks,
    "war-fought": _war_marks,
    "stuff-changed": _stuff_marks,
    "stuff-sold": _sold,
    "money-taxed": _panel("loss", "billions"),
    "subsidy-paid": _panel("gain", "billions"),
    "award-given": _panel("gain", "influence"),
    "fee-paid": _panel("gain", "influence"),
    "deal-made": _panel("new"),
    "money-laundered": _panel("gain", "billions"),
    "campaign-run": _panel("gain", "influence"),
    "vice-president-hired": _panel("new"),
    "prize-bought": _bought_marks,
    "prize-returned": _panel("loss"),
    "money-given": _given,
    "act-exposed": _panel("gain", "influence", "journalist"),
    "billions-gained": _panel("gain", "billions"),
    "influence-gained": _panel("gain", "influence"),
    "billions-taken": _taken,
    "black-money-taken": _panel("new"),
    "score-changed": _panel("turn"),
    "bunker-taken": _panel("new"),
}
