"""Headlines of a turn for the subjects of mails: the weightiest event, in the present, spoken to the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from service.rules.games.bastards_inc.edition import BUSINESS_DATA
from service.rules.games.bastards_inc.tabletop.story import SENTENCES
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.games.bastards_inc.words import speak
from service.rules.games.bastards_inc.words.language import Voice
from service.rules.kernel import Json
from service.rules.table_parts import Headline, Seat, Seen
from service.rules.table_plugin import Sight
from service.rules.tabletop.story import begun

_ASKING = frozenset({"vice-president-arrived", "act-announced", "bids-revealed"})
"""Events that are told while nothing has come of them: then they are what somebody is asked about."""
_ANSWERING = frozenset({"decision-reached", "challenge-answered", "exposure-answered", "instruction-given"})
"""Events by which nothing comes of the one before."""


class _Teller(NamedTuple):
    """The words of the page, and the voice of the game's sentences, which has places in all forms."""

    page: Speaker
    voice: Voice


Fields = Callable[[_Teller, Json], Mapping[str, Any]]


def _nothing(*_: Any) -> Mapping[str, Any]:
    return {}


class _Entry(NamedTuple):
    """The weight of an event, the key of its text and the fields of that; without a key it is the sentence of the log.

    `actor` is the field with who did it, CAUSE the seat whose action caused it, NOBODY that it happens to the world.
    `other` is the field with those whom it concerns. If the reader is one of them, the text is that of the key `you`,
    and the event weighs `yours`.
    """

    weight: int
    key: str = ""
    fields: Fields = _nothing
    actor: str = "seat"
    other: str = ""
    you: str = ""
    yours: int = 0


CAUSE, NOBODY = "", "nobody"


def headlines(sight: Sight, seen: Sequence[Seen], reader: Seat) -> list[Headline]:
    """Return the headlines for a seat of events that all saw: events that concern it weigh most."""
    teller = _Teller(speaker(sight), Voice(speak(sight.language), reader, sight.names))
    return list(_headlines(teller, seen, reader))


def _headlines(teller: _Teller, seen: Sequence[Seen], reader: Seat) -> Iterator[Headline]:
    for index, each in enumerate(seen):
        made = _ENTRIES.get(_kind(each))
        if made is None or _comes_to_nothing(seen, index):
            continue
        actor = None if made.actor == NOBODY else each.fields.get(made.actor, each.seat)
        others = _seats(each.fields.get(made.other))
        if actor == reader or actor in others or (actor is None and made.actor != NOBODY):
            continue
        who = "" if actor is None else teller.page.player(actor)
        upon = reader in others
        if made.key or upon:
            people = {"who": who, "other": teller.page.player(others[0]) if others else ""}
            key = made.you if upon else made.key
            sentence = teller.page.word(key, **people, **made.fields(teller, each.fields))
        else:
            log = SENTENCES[each.name]
            subject = teller.page.player(each.fields[log.seat]) if log.seat else ""
            sentence = begun(subject, log.tell(teller.page, each.fields))
        yield Headline(index, made.yours if upon else made.weight, sentence.removesuffix("."))


def _kind(each: Seen) -> str:
    """Return the stored name of an event, with a variant where several sentences are possible."""
    told = each.fields
    variant = (
        (each.name == "score-changed" and told["change"] < 0 and ".less")
        or (each.name == "deal-made" and told["partner"] is not None and ".venture")
        or (each.name == "war-fought" and told["row"] == "skirmish" and not told["home"] and ".skirmish")
        or (each.name == "prize-bought" and told["former"] is not None and ".from")
    )
    return f"{each.name}{variant or ''}"


def _comes_to_nothing(seen: Sequence[Seen], index: int) -> bool:
    each = seen[index]
    if each.name in _ASKING:
        return any(later.name not in _ANSWERING for later in seen[index + 1 :])
    return each.name == "turn-passed" and not each.fields["asked"]


def _seats(value: Any) -> list[Seat]:
    """Return the seats in a field: a seat, a VP with its seat, or several of those."""
    if value is None:
        return []
    if isinstance(value, list):
        return list(dict.fromkeys(seat for each in value for seat in _seats(each)))
    return [value["seat"] if isinstance(value, Mapping) else value]


def _billions(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {"billions": teller.page.counted("billions", told["billions"])}


def _influence(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {"influence": teller.page.counted("influence", told["influence"])}


def _campaign(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {**_influence(teller, told), **_place("square")(teller, told)}


def _cards(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {"cards": teller.page.counted("cards", len(told["cards"]))}


def _black(_: _Teller, told: Json) -> Mapping[str, Any]:
    return {"n": told["billions"]}


def _event(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {"event": teller.voice.card(told["event"])}


def _place(field: str) -> Fields:
    """A place in all its forms."""
    return lambda teller, told: {
        "to": teller.voice.to(told[field]),
        "at": teller.voice.at(told[field]),
    }


def _war(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {**_place("region")(teller, told), "row": teller.page.name(told["row"])}


def _card(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {"card": teller.voice.card(told["card"])}


def _deal(teller: _Teller, told: Json) -> Mapping[str, Any]:
    income = BUSINESS_DATA[told["card"]].income if told["income"] is None else told["income"]
    return {"n": income * len(told["vps"]), "card": teller.voice.card(told["card"])}


def _score(teller: _Teller, told: Json) -> Mapping[str, Any]:
    return {"score": teller.page.name(told["score"]), "n": abs(told["change"])}


def _bids(teller: _Teller, told: Json) -> Mapping[str, Any]:
    fought = [each for each in told["bids"] if each["influence"] is not None]
    bids = [teller.page.word("log.bid", name=teller.page.player(at), n=n) for at, n in map(dict.values, fought)]
    return {"bids": teller.page.all_of(bids)}


_ENTRIES: Mapping[str, _Entry] = {
    # What is asked.
    "vice-president-arrived": _Entry(90, "headline.arrives", _place("field")),
    "bids-revealed": _Entry(90, "headline.resistance", _bids, NOBODY),
    "act-announced": _Entry(90),
    "venture-offered": _Entry(15, fields=_card, other="partner", you="headline.offered.you", yours=85),
    # What others do to the reader, or to each other.
    "prize-bought.from": _Entry(50, other="former", you="headline.prize.from.you", yours=80),
    "act-exposed": _Entry(55, "headline.exposed", _nothing, "journalist", "seat", "headline.exposed.you", 80),
    "billions-taken": _Entry(45, fields=_billions, other="victim", you="headline.sued.you", yours=75),
    "black-money-taken": _Entry(45, fields=_black, other="victim", you="headline.extorted.you", yours=75),
    "vice-president-sent-home": _Entry(40, "headline.sent-home", _nothing, CAUSE, "seat", "headline.sent-home.you", 72),
    "score-changed.less": _Entry(45, "headline.smeared", _score, CAUSE, "seat", "headline.smeared.you", 72),
    "arrival-forced": _Entry(40, "headline.forced", _place("field"), other="home", you="headline.forced.you", yours=72),
    "venture-agreed": _Entry(20, other="host", you="headline.agreed.you", yours=66),
    "money-given": _Entry(30, fields=_billions, other="to", you="headline.given.you", yours=65),
    "deal-made.venture": _Entry(36, "headline.venture", _deal, "seat", "partner", "headline.venture.you", 64),
    "venture-declined": _Entry(10, other="host", you="headline.declined.you", yours=60),
    # What happens to the world.
    "war-fought": _Entry(60, "headline.war", _war, NOBODY, "home", "headline.war.you", 74),
    "war-fought.skirmish": _Entry(32, "headline.war", _war, NOBODY),
    "war-broke-out": _Entry(52, actor=NOBODY),
    "event-revealed": _Entry(48, "log.event", _event, NOBODY),
    "war-ended": _Entry(31, actor=NOBODY),
    "money-taxed": _Entry(25, "", _billions, NOBODY, "seat", "headline.taxed.you", 62),
    "subsidy-paid": _Entry(25, "", _billions, NOBODY, "seat", "headline.subsidy.you", 49),
    "award-given": _Entry(25, "", _influence, NOBODY, "seat", "headline.award.you", 49),
    "round-begun": _Entry(9, actor=NOBODY),
    # What others gain.
    "bunker-taken": _Entry(50),
    "prize-bought": _Entry(47),
    "money-laundered": _Entry(43),
    "stuff-sold": _Entry(42),
    "campaign-run": _Entry(38, "headline.campaign", _campaign),
    "deal-made": _Entry(35, "headline.deal", _deal),
    "score-changed": _Entry(34),
    "billions-gained": _Entry(33),
    "influence-gained": _Entry(31),
    "vice-president-hired": _Entry(30),
    # What others try, and what all do.
    "arrival-repelled": _Entry(37, "headline.repelled", _place("field")),
    "prize-returned": _Entry(26),
    "immunity-taken": _Entry(24),
    "vice-president-flown": _Entry(22),
    "card-played": _Entry(18),
    "venture-withdrawn": _Entry(16),
    "vice-president-placed": _Entry(12),
    "vice-presidents-collected": _Entry(8),
    "vice-president-rested": _Entry(7),
    "cards-drawn": _Entry(5),
    "cards-discarded": _Entry(4, "log.discards", _cards),
    "turn-passed": _Entry(3),
}
"""The events that are told, by their stored names and variants. Whose turn it is, prices and settings are no news."""
