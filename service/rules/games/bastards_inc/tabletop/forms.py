"""How each kind of action is picked: its parts in order, those that are asked, its icon, the part with numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from service.rules.games.bastards_inc import actions as a

Parts = Mapping[str, Any]
VPS: Final = ("vp1", "vp2", "vp3", "vp4")
"""The parts of a collection: whether each VP comes home (`home`) or stays."""
HOME, STAYS = "home", "stays"
_WARS: Final = ("first", "second", "third")


class Form(NamedTuple):
    """A kind of action: icon, parts of an action, the order of parts, those that have to be picked, the stepper's."""

    icon: str
    parts: Callable[[Any], Parts]
    order: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()
    amount: str | None = None


def partner_named(partner: a.Delegate | None) -> str | None:
    """Return a VP of another seat as in notation, such as `s2.3`."""
    return None if partner is None else f"s{partner.seat + 1}.{partner.vp}"


def seat_and_vp(named: str) -> tuple[int, int]:
    """Return the seat and the number of a VP that is named as in notation."""
    seat, vp = named[1:].split(".")
    return int(seat) - 1, int(vp)


def _fields(*names: str) -> Callable[[Any], Parts]:
    return lambda action: {name: getattr(action, name) for name in names}


def _collect(action: a.Collect) -> Parts:
    return {part: HOME if number in action.vps else STAYS for number, part in enumerate(VPS, 1)}


def _wars(action: a.OrderWars) -> Parts:
    return dict(zip(_WARS, action.regions, strict=False))


def _deal(action: a.Deal) -> Parts:
    second: str | None = str(action.vps[1]) if len(action.vps) > 1 else partner_named(action.partner)
    return {"card": action.card, "vp": action.vps[0], "with": second, "pay": action.pay, "replaces": action.replaces}


def _play(action: a.Play) -> Parts:
    return {
        **_fields("card", "vp", "seat", "score", "field", "business")(action),
        "target": partner_named(action.target),
    }


def _invite(action: a.Invite) -> Parts:
    return {"card": action.card, "vp": action.vp, "partner": partner_named(action.partner), "pay": action.pay}


def _form(icon: str, *order: str, asked: str = "", amount: str | None = None) -> Form:
    return Form(icon, _fields(*order), order, frozenset(asked.split()), amount)


_PLAY: Final = ("card", "vp", "seat", "target", "score", "field", "business")
FORMS: Final[Mapping[type[Any], Form]] = {
    a.Draw: _form("icon-draw", "bonus", amount="bonus"),
    a.Keep: _form("icon-pass"),
    a.Drop: _form("icon-drop", "card", asked="card"),
    a.Collect: Form("icon-collect", _collect, VPS),
    a.Place: _form("icon-place", "to", "by", asked="to"),
    a.Let: _form("icon-let"),
    a.Fight: _form("icon-fight", "influence", amount="influence"),
    a.Push: _form("icon-push"),
    a.Yield: _form("icon-yield"),
    a.OrderWars: Form("war", _wars, _WARS, frozenset(_WARS)),
    a.Agree: _form("icon-agree", "seat", asked="seat"),
    a.Deal: Form("black-money", _deal, ("card", "vp", "with", "pay", "replaces"), frozenset({"card"})),
    a.Launder: _form("icon-launder", "vp", asked="vp"),
    a.Sell: _form("stuff", "vp", asked="vp"),
    a.Pass: _form("icon-pass"),
    a.Play: Form("icon-play", _play, _PLAY, frozenset(_PLAY)),
    a.Campaign: _form("score-med", "vp", asked="vp"),
    a.Done: _form("icon-done"),
    a.Hire: _form("icon-hire"),
    a.BuyPrize: _form("prize"),
    a.Invite: Form("icon-invite", _invite, ("card", "vp", "partner", "pay"), frozenset({"card", "partner"})),
    a.Withdraw: _form("icon-decline"),
    a.Decline: _form("icon-decline", "seat", asked="seat"),
    a.Give: _form("icon-give", "seat", "billions", asked="seat", amount="billions"),
    a.Expose: _form("icon-expose"),
    a.KeepSilent: _form("icon-pass"),
    a.Instruct: _form("icon-instruct", "instruction", "setting", asked="instruction setting"),
}
"""The kinds of action in the order in which they are offered; four are in sight, the others behind them."""
