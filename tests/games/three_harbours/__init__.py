"""Three Harbours: sealed orders, dice and a hidden contract, built with the kit."""

from __future__ import annotations

from service.rules.kernel import Meta
from service.rules.kit import ruleset

from .records import ROUNDS, ContractsDealt, ContractsOpened, OrderSealed, Sail, ShipsArrived, State, evolve
from .rules import decide, legal, scores, start, to_act
from .texts import TEXTS

META = Meta(
    name="three-harbours",
    revision=1,
    title="Three Harbours",
    summary={language: texts["summary"] for language, texts in TEXTS.items()},
    seats=(2, 3, 4),
    languages=tuple(TEXTS),
    moves=ROUNDS,
)
RULESET = ruleset(
    meta=META,
    state=State,
    events=(ContractsDealt, OrderSealed, ShipsArrived, ContractsOpened),
    actions=(Sail,),
    start=start,
    decide=decide,
    evolve=evolve,
    to_act=to_act,
    decision=lambda state: state.round,
    legal=legal,
    scores=scores,
    texts=TEXTS,
)
