"""Tables of the tests of joint ventures: Alice and Bob could make business b20 together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.rules.games.bastards_inc.actions import Agree, Deal, Invite, Pass
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, play, table, take

BOBS = Vp(seat=BOB, vp=1)
INVITE = Invite(card="b20", vp=1, partner=BOBS)
DEAL = Deal(card="b20", vps=(1,), partner=BOBS)


def two(alice: Mapping[str, Any] = {}, bob: Mapping[str, Any] = {}, **changes: Any) -> State:
    """Return a table at which Alice in the Have-Nots and Bob in Corruptistan could make business b20 together."""
    companies = {
        ALICE: {"vps": ("POO", "TLK"), "hand": ("b20",), **alice},
        BOB: {"vps": ("KOR", "TLK"), **bob},
        CAROL: {"vps": ("TLK", "TLK")},
    }
    return table(companies=companies, **changes)


def invited(pay: Any = 0, **more: Any) -> State:
    """Return a table at which Alice has invited Bob."""
    return take(two(**more), ALICE, Invite(card="b20", vp=1, partner=BOBS, pay=pay)).state


def agreed(pay: Any = 0, **more: Any) -> State:
    """Return a table at which Bob has agreed to Alice's invitation, and it is her turn again."""
    return play(invited(pay, **more), (ALICE, Pass()), (BOB, Agree(seat=ALICE)), (BOB, Pass()), (CAROL, Pass()))


def of(state: State, seat: int, kind: type[Any]) -> list[Any]:
    """Return the legal actions of a class."""
    return [action for action in legal(state, seat) if isinstance(action, kind)]
