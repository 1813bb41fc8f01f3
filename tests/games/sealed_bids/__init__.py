"""Sealed Bids: several seats act at once and secretly, dice fall, a hand has to be managed."""

from __future__ import annotations

from service.rules.kernel import Ruleset, by_name

from .actions import Action, Bid, Hold
from .deal_again import deal_again
from .decide import decide, legal, outcome, start, to_act
from .events import BidSealed, Event, HandDealt, LotAwarded
from .guide import guide
from .imagine import imagine
from .measures import MEASURES
from .meta import LOTS, META
from .notation import notate, parse
from .paint import caption, paint
from .state import State, evolve
from .table import CONTRIBUTIONS
from .view import redact, standings, view
from .words import ask, describe, draw, explain

RULESET: Ruleset[State, Event, Action] = Ruleset(
    meta=META,
    event_types=by_name((HandDealt, BidSealed, LotAwarded)),
    action_types=by_name((Bid, Hold)),
    start=start,
    decide=decide,
    evolve=evolve,
    upcast=lambda name, fields: (name, fields),
    to_act=to_act,
    decision=lambda state: state.lot,
    legal=legal,
    automaton=lambda state: None,
    on_timeout=lambda state, seat: Hold(),
    turn=lambda state: min(state.lot, LOTS),
    outcome=outcome,
    standings=standings,
    explain=explain,
    view=view,
    redact=redact,
    measures=MEASURES,
    imagine=imagine,
    describe=describe,
    ask=ask,
    draw=draw,
    paint=paint,
    caption=caption,
    guide=guide,
    notate=notate,
    parse=parse,
    contributions=CONTRIBUTIONS,
    deal_again=deal_again,
)
