"""Headlines of a turn for the subjects of mails: the weightiest event, in the present tense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from service.rules.bidi import isolated, short
from service.rules.games.new_corp_order.tabletop.story import infiltrates, pays
from service.rules.games.new_corp_order.tabletop.words import LONGEST_NAME, word
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.language import Voice
from service.rules.kernel import Json
from service.rules.table_parts import Headline, Seat, Seen
from service.rules.table_plugin import Sight

Fields = Mapping[str, Any]


class _Entry(NamedTuple):
    """The weight of an event, also `upon` the HQ of the reader, the key of its text, and the fields of that.

    Sentences of the log serve where they are short enough.
    """

    weight: int
    key: str
    fields: Callable[[Voice, Json], Fields] = lambda _, told: told
    upon: int = 0


def headlines(sight: Sight, seen: Sequence[Seen], reader: Seat) -> list[Headline]:
    """Return the headlines for a seat: public deeds of others, with their weights."""
    names = [isolated(short(name, LONGEST_NAME)) for name in sight.names]
    return list(_headlines(sight, Voice(speak(sight.language), reader, names), seen))


def _headlines(sight: Sight, voice: Voice, seen: Sequence[Seen]) -> Iterator[Headline]:
    for index, each in enumerate(seen):
        made = _ENTRIES.get(each.name)
        if made is None or each.seat is None or each.seat == voice.viewer:
            continue
        if pays(seen, index) or infiltrates(seen, index):
            continue
        taken = _cards_of_plot(seen, index) if each.name == "card-taken" else ()
        fields = {"cards": _cards_taken(sight, voice, taken)} if taken else made.fields(voice, each.fields)
        weight = made.upon if made.upon and each.fields["hq"] == voice.viewer else made.weight
        sentence = word(sight, made.key, who=_actor(sight, voice, each.seat), **fields)
        yield Headline(index, weight, sentence.removesuffix("."))


def _actor(sight: Sight, voice: Voice, seat: Seat) -> str:
    return voice.name(seat) if seat < len(sight.names) else word(sight, "headline.ods")


def _cards_of_plot(seen: Sequence[Seen], index: int) -> Sequence[Seen]:
    """Return the events of one Plot up to the last card that it took."""
    first = index
    while first and (seen[first - 1].name, seen[first - 1].seat) == ("card-taken", seen[index].seat):
        first -= 1
    return seen[first : index + 1]


def _cards_taken(sight: Sight, voice: Voice, taken: Sequence[Seen]) -> str:
    known = [each.fields["card"] for each in taken if each.fields["card"] is not None]
    hidden = len(taken) - len(known)
    parts = [voice.cards(known)] if len(known) > 1 and len(set(known)) == 1 else [voice.card(each) for each in known]
    return voice.all_of([*parts, *([word(sight, "hidden.two" if hidden > 1 else "hidden")] if hidden else [])])


def _company(kind: str) -> Callable[[Voice, Json], Fields]:
    """Agents of a colour on a company, or between two, in the form that the sentence needs."""

    def fields(voice: Voice, told: Json) -> Fields:
        places = {each: told[each] for each in ("source", "target", "company") if each in told}
        return {**places, "agents": voice.coloured(kind, told["agents"], told["colour"])}

    return fields


def _in_hq(voice: Voice, told: Json) -> Fields:
    colours = told["colours"] if "colours" in told else [told["colour"]] * told["cards"]
    return {"cards": voice.cards(colours), "in_hq": voice.person("in-hq", told["hq"])}


def _from_hq(voice: Voice, told: Json) -> Fields:
    card = told["took"] if "took" in told else told["card"]
    return {"card": voice.card(**card), "from_hq": voice.person("from-hq", told["hq"])}


def _of_a_hand(voice: Voice, told: Json) -> Fields:
    return {"cards": voice.number("cards", told["count"])}


_ENTRIES: Mapping[str, _Entry] = {
    "end-triggered": _Entry(90, "headline.end"),
    "company-taken-over": _Entry(70, "headline.took-over", _company("agents-with")),
    "cards-exchanged": _Entry(45, "headline.exchanged", _from_hq, upon=60),
    "card-removed": _Entry(45, "removed", _from_hq, upon=60),
    "agents-exchanged": _Entry(45, "swapped"),
    "agents-withdrawn": _Entry(40, "withdrew", _company("agents")),
    "agents-moved": _Entry(35, "moved", _company("agents")),
    "agents-placed": _Entry(30, "adds", _company("agents")),
    "takeover-failed": _Entry(28, "headline.tried", _company("agents-with")),
    "consultant-taken": _Entry(25, "gets", lambda voice, told: {"consultant": voice.consultant(told["consultant"])}),
    "cards-rotated": _Entry(20, "rotated", _in_hq, upon=55),
    "cards-unrotated": _Entry(20, "unrotated", _in_hq),
    "cards-placed": _Entry(
        15, "placed", lambda voice, told: {"cards": voice.coloured("cards", told["cards"], told["colour"])}
    ),
    "card-taken": _Entry(12, "takes"),
    "card-swept": _Entry(10, "boxes", lambda voice, told: {"card": voice.card(told["card"]), "slot": told["slot"]}),
    "cards-drawn": _Entry(8, "drew", _of_a_hand),
    "turn-passed": _Entry(6, "passes", lambda *_: {}),
    "cards-discarded": _Entry(4, "discarded", _of_a_hand),
}
"""The events that are told, by their stored names. Whose turn it is and what cards were laid out is nobody's doing."""
