"""Sealed Bids: several seats act at once and secretly, dice fall, a hand has to be managed."""

from __future__ import annotations

from service.rules.kernel import Ruleset, by_name
from tests.games.sealed_bids.actions import Action, Bid, Hold
from tests.games.sealed_bids.decide import decide, legal, outcome, start, to_act
from tests.games.sealed_bids.events import BidSealed, Event, HandDealt, LotAwarded
from tests.games.sealed_bids.guide import guide
from tests.games.sealed_bids.measures import MEASURES
from tests.games.sealed_bids.meta import LOTS, META
from tests.games.sealed_bids.notation import notate, parse
from tests.games.sealed_bids.paint import caption, paint
from tests.games.sealed_bids.state import State, evolve
from tests.games.sealed_bids.view import imagine, redact, standings, view
from tests.games.sealed_bids.words import ask, describe, draw, explain

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
)
