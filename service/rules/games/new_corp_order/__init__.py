"""New Corp Order, a game about marketing and manipulation for 1 to 4 players (README.md)."""

from typing import Any

from service.rules.games.new_corp_order.actions import ACTION_TYPES, Action
from service.rules.games.new_corp_order.deal_again import deal_again, imagine
from service.rules.games.new_corp_order.decide import automaton, decide, on_timeout, to_act
from service.rules.games.new_corp_order.describe import address, ask, describe
from service.rules.games.new_corp_order.events import EVENT_TYPES, Event
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.explain import explain
from service.rules.games.new_corp_order.guide import guide
from service.rules.games.new_corp_order.legal import ahead, legal
from service.rules.games.new_corp_order.meta import META
from service.rules.games.new_corp_order.notation import notate, parse
from service.rules.games.new_corp_order.orders import AUTO_ANSWERS, relies_on
from service.rules.games.new_corp_order.redact import redact
from service.rules.games.new_corp_order.scoring import MEASURES, outcome, standings
from service.rules.games.new_corp_order.setup import start
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop import CONTRIBUTIONS
from service.rules.games.new_corp_order.tabletop.draw import caption, draw
from service.rules.games.new_corp_order.tabletop.paint import paint
from service.rules.games.new_corp_order.valuation import VALUATION, candidates
from service.rules.games.new_corp_order.view import view
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
    automaton=automaton,
    on_timeout=on_timeout,
    turn=lambda state: state.turn,
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
    deal_again=deal_again,
    valuation=VALUATION,
    candidates=candidates,
    contributions=CONTRIBUTIONS,
)
