"""What action cards may be aimed at in the business phase (B-14, B-75, B-76)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from service.rules.games.bastards_inc.actions import Delegate, Play
from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA, Kind
from service.rules.games.bastards_inc.edition.numbers import MOST_SCORE, MOST_STUFF, MOST_VPS
from service.rules.games.bastards_inc.paying import can_pay
from service.rules.games.bastards_inc.state import Company, State
from service.rules.games.bastards_inc.stuff import may_break_out
from service.rules.games.bastards_inc.terms import FIELDS, LOUNGE, REGIONS, SCORES, SQUARES, ActionCard
from service.rules.games.bastards_inc.values import may_leave, stuff_of

Numbers = Callable[[Company], Sequence[int]]


class Held(NamedTuple):
    """A card in the hand of a seat; `numbers` are those of the VPs of a company that are told apart."""

    state: State
    seat: int
    card: ActionCard
    numbers: Numbers

    @property
    def own(self) -> Company:
        """The company of the seat."""
        return self.state.companies[self.seat]

    @property
    def others(self) -> Iterator[tuple[int, Company]]:
        """The other seats and their companies."""
        return ((seat, each) for seat, each in enumerate(self.state.companies) if seat != self.seat)


def all_vps(company: Company) -> Sequence[int]:
    """Return the numbers of all VPs of a company."""
    return range(1, len(company.vps) + 1)


def unlike_vps(company: Company) -> Sequence[int]:
    """Return the lowest numbers of VPs in the same place with the same black money (B-14)."""
    vps = company.vps
    return [number for number, vp in enumerate(vps, start=1) if vps.index(vp) == number - 1]


def plays(state: State, seat: int, card: ActionCard, numbers: Numbers = all_vps) -> Iterator[Play]:
    """Return every way to play a card of the hand in the business phase, if its price can be paid (B-76)."""
    data = CARD_DATA[card]
    if data.timing != "placement" and can_pay(state.companies[seat], data.cost):
        yield from _PLAYS[data.kind](Held(state, seat, card, numbers))


def _always(held: Held) -> Iterator[Play]:
    yield Play(card=held.card)


def _haven(held: Held) -> Iterator[Play]:
    vps = held.own.vps
    return (Play(card=held.card, vp=number) for number in held.numbers(held.own) if vps[number - 1].black)


def _improve(held: Held) -> Iterator[Play]:
    score, scores = CARD_DATA[held.card].score, held.own.scores
    if score == "any":
        below = [each for each in SCORES if getattr(scores, each) < MOST_SCORE]
        yield from (Play(card=held.card, score=each) for each in below)
    elif score is not None and getattr(scores, score) < MOST_SCORE:
        yield Play(card=held.card)


def _smear(held: Held) -> Iterator[Play]:
    for seat, other in held.others:
        above = [score for score in SCORES if getattr(other.scores, score)]
        yield from (Play(card=held.card, seat=seat, score=score) for score in above)


def _war(held: Held) -> Iterator[Play]:
    regions = (region for region in REGIONS if may_break_out(held.state, region))
    return (Play(card=held.card, field=region) for region in regions)


def _peace(held: Held) -> Iterator[Play]:
    return (Play(card=held.card, field=region) for region in REGIONS if region in held.state.wars)


def _stuff(held: Held) -> Iterator[Play]:
    more = CARD_DATA[held.card].number > 0
    for region in REGIONS:
        stuff = stuff_of(held.state, region)
        if stuff < MOST_STUFF if more else stuff > 0:
            yield Play(card=held.card, field=region)


def _evict(held: Held) -> Iterator[Play]:
    for seat, other in held.others:
        for number in held.numbers(other):
            if other.vps[number - 1].at != LOUNGE:
                yield Play(card=held.card, target=Delegate(seat=seat, vp=number))


def _sue(held: Held) -> Iterator[Play]:
    return (Play(card=held.card, seat=seat) for seat, other in held.others if other.billions)


def _extort(held: Held) -> Iterator[Play]:
    for own in held.numbers(held.own):
        place = held.own.vps[own - 1].at
        for seat, other in held.others if place in REGIONS else ():
            for number in held.numbers(other):
                vp = other.vps[number - 1]
                if vp.at == place and vp.black:
                    yield Play(card=held.card, vp=own, target=Delegate(seat=seat, vp=number))


def _draw(held: Held) -> Iterator[Play]:
    if held.state.cards or held.state.discards:
        yield Play(card=held.card)


def _skeleton(held: Held) -> Iterator[Play]:
    if held.state.laureate not in (None, held.seat):
        yield Play(card=held.card)


def _nepotism(held: Held) -> Iterator[Play]:
    if len(held.own.vps) < MOST_VPS:
        yield Play(card=held.card)


def _again(held: Held) -> Iterator[Play]:
    return (Play(card=held.card, business=folder.card) for folder in held.own.portfolio if folder.turned)


def _telethon(held: Held) -> Iterator[Play]:
    if any(vp.at in SQUARES for vp in held.own.vps):
        yield Play(card=held.card)


def _jet(held: Held) -> Iterator[Play]:
    state, seat = held.state, held.seat
    fields = [field for field in FIELDS if field not in state.wars or state.laureate == seat]
    for number in held.numbers(held.own):
        place = held.own.vps[number - 1].at
        if place == LOUNGE or may_leave(state, seat, place):
            yield from (Play(card=held.card, vp=number, field=field) for field in fields if field != place)


_PLAYS: Mapping[Kind, Callable[[Held], Iterator[Play]]] = {
    "haven": _haven,
    "money": _always,
    "influence": _always,
    "improve": _improve,
    "smear": _smear,
    "war": _war,
    "peace": _peace,
    "stuff": _stuff,
    "evict": _evict,
    "sue": _sue,
    "extort": _extort,
    "draw": _draw,
    "bunker": _always,
    "skeleton": _skeleton,
    "nepotism": _nepotism,
    "again": _again,
    "telethon": _telethon,
    "jet": _jet,
    "immunity": _always,
}
