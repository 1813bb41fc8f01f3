"""The log in lines: what each event comes to; prices and cards are told with what they were for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.tabletop.sentences import TOLD
from service.rules.games.bastards_inc.tabletop.words import speaker
from service.rules.shapes import Line, Seat, Seen
from service.rules.tabletop.plain_words import all_of
from service.rules.tabletop.telling import begun

_LEADING = frozenset({"price-paid", "card-played", "papers-used", "bids-revealed"})
"""Events that are told at the beginning of the line that follows, if that is about the same seat or they about none."""


class _Told(NamedTuple):
    at: int
    seat: Seat | None
    icon: str
    sentence: str


def story(sight: Sight, seen: Sequence[Seen]) -> list[Line]:
    """Return the lines for what a viewer saw happen; the events between them belong to the line that follows."""
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
    """Return whether two seats in a row pass unasked, which is told in one line."""
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
    made = TOLD.get(each.name)
    if made is None or (each.name == "vice-president-arrived" and _decided(seen, index)):
        return None
    icon, sentence = made.icon, made.tell(speaker(sight), each.fields)
    return None if not sentence else _Told(index, each.fields.get(made.seat), icon, sentence)


def _decided(seen: Sequence[Seen], index: int) -> bool:
    """Return whether an arrival was not asked about: then it is told with what came of it."""
    return index + 1 < len(seen) and seen[index + 1].name == "vice-president-placed"
