"""Ba$tard$ Inc., a game about honest business, played by the other kind, for 2 to 6 companies (README.md)."""

from dataclasses import replace
from typing import Any

from service.rules.games.bastards_inc.actions import ACTION_TYPES, Action
from service.rules.games.bastards_inc.deal_again import deal_again, imagine
from service.rules.games.bastards_inc.decide import decide, on_timeout, to_act
from service.rules.games.bastards_inc.describe import address, ask, describe
from service.rules.games.bastards_inc.events import EVENT_TYPES, Event
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.explain import explain
from service.rules.games.bastards_inc.guide import guide
from service.rules.games.bastards_inc.legal import ahead, legal
from service.rules.games.bastards_inc.meta import META
from service.rules.games.bastards_inc.notation import notate, parse
from service.rules.games.bastards_inc.orders import AUTO_ANSWERS, relies_on
from service.rules.games.bastards_inc.redact import redact
from service.rules.games.bastards_inc.scoring import MEASURES, outcome, standings
from service.rules.games.bastards_inc.setup import start
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.tabletop import CONTRIBUTIONS
from service.rules.games.bastards_inc.tabletop.draw import caption, draw
from service.rules.games.bastards_inc.tabletop.paint import paint
from service.rules.games.bastards_inc.valuation import VALUATION
from service.rules.games.bastards_inc.view import view
from service.rules.kernel import Ruleset


def upcast(name: str, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a stored event in today's shape; so far no shape has changed."""
    return name, fields


RULESET: Ruleset[State, Event, Action] = Ruleset(
    meta=META,
    event_types=EVENT_TYPES,
    action_types=ACTION_TYPES,
    start=start,
    decide=decide,
    evolve=evolve,
    upcast=upcast,
    to_act=to_act,
    decision=lambda state: state.decision,
    legal=legal,
    automaton=lambda _: None,
    on_timeout=on_timeout,
    absence_ruled=True,
    valuation=VALUATION,
    turn=lambda state: state.round,
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
    auto_answers=AUTO_ANSWERS,
    ahead=ahead,
    relies_on=relies_on,
    address=address,
    contributions=CONTRIBUTIONS,
    deal_again=deal_again,
)
RULESET = replace(RULESET, earlier={1: replace(RULESET, meta=replace(META, revision=1))})
