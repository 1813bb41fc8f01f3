"""Orders given ahead (B-92), and answers that a player leaves to the game for all its turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.actions import Action, Draw, OrderWars
from service.rules.games.bastards_inc.edition import CARD_DATA, MAX_VPS
from service.rules.games.bastards_inc.terms import REGIONS
from service.rules.kernel import AutoAnswer, Illegal, Json
from service.rules.typography import typeset

Places = Callable[[Json, Any, Json], list[str]]


def relies_on(view: Json, action: a.Action) -> Sequence[str]:
    """Return JSON pointers to the places of the seat's view that the action rests on.

    Of its own company these are the VPs and the business that the action names, and the money that it pays with; of
    the board the regions that it names or in which those VPs stand. So orders given one after the other do not upset
    each other. Raises Illegal for what names a VP or a seat that is not there.
    """
    own = view["companies"][view["own"]["seat"]]
    found = _PLACES[type(action)](view, action, own) if type(action) in _PLACES else []
    return list(dict.fromkeys(found))


def _money(own: Json) -> list[str]:
    return [f"/companies/{own['seat']}/{name}" for name in ("billions", "influence")]


def _vp(view: Json, seat: int, vp: int) -> list[str]:
    """Return the place of a VP, and the region where it stands; nothing of one that is yet to be hired."""
    _check_seat(view, seat)
    if not 1 <= vp <= MAX_VPS:
        raise Illegal("no-such-vp", seat=seat, vp=vp)
    vps = view["companies"][seat]["vps"]
    if vp > len(vps):
        return []
    return [f"/companies/{seat}/vps/{vp - 1}", *_region(vps[vp - 1]["at"])]


def _region(field: str | None) -> list[str]:
    return [f"/regions/{REGIONS.index(each)}" for each in REGIONS if each == field]


def _folder(own: Json, card: str | None) -> list[str]:
    """Return the place of a business in the portfolio, if it is there."""
    cards = [folder["card"] for folder in own["portfolio"]]
    return [f"/companies/{own['seat']}/portfolio/{cards.index(card)}"] if card in cards else []


def _deal(view: Json, action: a.Deal, own: Json) -> list[str]:
    mine = [place for vp in action.vps for place in _vp(view, own["seat"], vp)]
    theirs = [] if action.partner is None else _vp(view, action.partner.seat, action.partner.vp)
    return [*mine, *theirs, *_folder(own, action.card), *_folder(own, action.replaces)]


def _invite(view: Json, action: a.Invite, own: Json) -> list[str]:
    partner = _vp(view, action.partner.seat, action.partner.vp)
    return [*_vp(view, own["seat"], action.vp), *partner, *_folder(own, action.card)]


def _moves(view: Json, action: a.Launder | a.Sell | a.Campaign, own: Json) -> list[str]:
    return _vp(view, own["seat"], action.vp)


def _play(view: Json, action: a.Play, own: Json) -> list[str]:
    mine = [] if action.vp is None else _vp(view, own["seat"], action.vp)
    theirs = [] if action.target is None else _vp(view, action.target.seat, action.target.vp)
    paid = _money(own) if CARD_DATA[action.card].cost else []
    return [*mine, *theirs, *_region(action.field), *_folder(own, action.business), *paid]


def _answer(view: Json, action: a.Agree | a.Decline, own: Json) -> list[str]:
    _check_seat(view, action.seat)
    return [f"/companies/{action.seat}/invitation"]


def _check_seat(view: Json, seat: int) -> None:
    if not 0 <= seat < len(view["companies"]):
        raise Illegal("no-such-seat", seat=seat)


_PLACES: Mapping[type[Any], Places] = {
    a.Deal: _deal,
    a.Invite: _invite,
    a.Launder: _moves,
    a.Sell: _moves,
    a.Campaign: _moves,
    a.Play: _play,
    a.Agree: _answer,
    a.Decline: _answer,
    a.Hire: lambda view, action, own: _money(own),
    a.BuyPrize: lambda view, action, own: _money(own),
    a.Give: lambda view, action, own: _money(own),
    a.Place: lambda view, action, own: _region(action.to),
}


# Answers for a whole game: draw at once; fight the wars in the order of the board.


def draw_at_once(_: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the draw without a bonus, where cards are drawn (B-20)."""
    return next((each for each in legal if each == Draw(bonus=0)), None)


def wars_in_order(view: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the order of the board, where the order of the wars is asked for (B-42)."""
    in_order = OrderWars(regions=tuple(region for region in REGIONS if region in view["wars"]))
    return next((each for each in legal if each == in_order), None)


AUTO_ANSWERS = (
    AutoAnswer(
        name="draw-at-once",
        describe={
            "en": "Always draw without discarding and without a bonus",
            "de": "Immer ziehen, ohne abzuwerfen und ohne Bonus",
            "fr": typeset("Toujours piocher, sans défausser et sans bonus"),
        },
        answer=draw_at_once,
    ),
    AutoAnswer(
        name="wars-in-order",
        describe={
            "en": "Always fight the wars from the top of the pyramid to its foot",
            "de": "Kriege immer von der Spitze der Pyramide nach unten führen",
            "fr": typeset("Toujours mener les guerres du sommet de la pyramide à sa base"),
        },
        answer=wars_in_order,
    ),
)
