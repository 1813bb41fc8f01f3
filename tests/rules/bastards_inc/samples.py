"""Events of every class with all kinds of values, and pairs of events that differ in nothing but a secret."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from random import Random
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc.actions import ACTION_TYPES, Deal, Delegate, Instruct, Play, Sell
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, PLANS, SETTINGS, Scores
from service.rules.kernel import GameStarted

STARTED = GameStarted(ruleset="bastards-inc", revision=1, seats=2, commitment="", nonces=("", ""))
EACH = 25
"""Samples of each class: enough for every variant of its sentence."""

_LENGTHS = {"stuff": 6, "companies": 2, "worths": 2}
_NUMBERS = {"vp": (1, 4), "vps": (1, 4), "home": (1, 4), "bonus": (0, 3), "pay": (-2, 2)}
_SEATS = {"seat", "host", "to", "former", "journalist", "start_player", "winners", "seats"}


def drawn(hint: Any, lots: Random, name: str = "") -> Any:
    """Return some value of a type; `name` is the field in which it stands."""
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields")):
        return _record(hint, lots)
    if origin is Literal:
        return lots.choice(arguments)
    if origin in {Union, UnionType}:
        return drawn(lots.choice(arguments), lots, name)
    if origin is tuple:
        length = _LENGTHS.get(name, lots.randint(0, 3))
        return tuple(drawn(arguments[0], lots, name) for _ in range(length))
    if hint is int:
        return _number(name, lots)
    return None if hint is type(None) else lots.random() < 0.5


def _number(name: str, lots: Random) -> int:
    if name == "change":
        return lots.choice((-2, -1, 1, 2))
    return lots.randint(0, 1) if name in _SEATS else lots.randint(*_NUMBERS.get(name, (0, 9)))


def _record(kind: type[Any], lots: Random) -> Any:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(hints)
    made = {name: drawn(hints[name], lots, name) for name in names}
    if kind in {e.InstructionGiven, Instruct}:
        made["setting"] = lots.choice(SETTINGS[made["instruction"]])
    if kind is e.ActAnnounced:
        made = {"seat": made["seat"], **_act(lots)}
    return kind(**made)


def _act(lots: Random) -> dict[str, Any]:
    return lots.choice(
        [
            {"sell": Sell(vp=1)},
            {"deal": Deal(card="b14", vps=(1,), partner=Delegate(seat=1, vp=2))},
            {"play": Play(card="a18", target=Delegate(seat=1, vp=1))},
        ]
    )


_REASONS: tuple[Literal["last-round", "target"], ...] = ("last-round", "target")

EVENTS: tuple[Any, ...] = (
    STARTED,
    *(
        _record(kind, Random(f"{name} {n}"))
        for name, kind in e.EVENT_TYPES.items()
        for n in range(EACH)
        if kind is not e.GameEnded
    ),
    *(
        e.GameEnded(reason=reason, winners=winners, worths=(30, 30))
        for reason in _REASONS
        for winners in ((0,), (0, 1))
    ),
    *(e.GameEnded(reason="nuclear-war", winners=winners, worths=(0, 0)) for winners in ((), (1,))),
    e.CardPlayed(seat=0, play=Play(card="a03")),
    e.PlansDealt(
        companies=tuple(e.Dealt(plan=plan, scores=Scores(1, 2, 3, 4), billions=9, influence=4) for plan in PLANS[:2]),
        vps=2,
        rounds=7,
        target=130,
    ),
)
ACTIONS: tuple[Any, ...] = tuple(
    _record(kind, Random(f"{name} {n}")) for name, kind in ACTION_TYPES.items() for n in range(EACH)
)

SECRET: tuple[tuple[Any, Any], ...] = (
    (
        e.InstructionGiven(seat=0, instruction="guard", setting="open"),
        e.InstructionGiven(seat=0, instruction="watch", setting="always"),
    ),
    (e.DiscardChosen(seat=0, card="a01"), e.DiscardChosen(seat=0, card="b02")),
    (e.DrawChosen(seat=0, bonus=0), e.DrawChosen(seat=0, bonus=2)),
    (e.CardsDrawn(seat=0, cards=("a01", "b01")), e.CardsDrawn(seat=0, cards=("a02", "b02"))),
    (e.CollectionChosen(seat=0, vps=()), e.CollectionChosen(seat=0, vps=(1, 2))),
    (e.ChallengeAnswered(seat=0, influence=None), e.ChallengeAnswered(seat=0, influence=0)),
    (e.ChallengeAnswered(seat=0, influence=1), e.ChallengeAnswered(seat=0, influence=4)),
    (e.ExposureAnswered(seat=0, expose=True), e.ExposureAnswered(seat=0, expose=False)),
)
"""Secrets of Alice's."""

SECRET_FROM_ALL: tuple[tuple[Any, Any], ...] = (
    (e.PilesShuffled(cards=CARDS, events=EVENT_CARDS), e.PilesShuffled(cards=CARDS[::-1], events=EVENT_CARDS[::-1])),
    (e.CardsReshuffled(cards=("a01", "b01")), e.CardsReshuffled(cards=("b01", "a01"))),
    (e.EventsReshuffled(events=("e01", "e02")), e.EventsReshuffled(events=("e02", "e01"))),
)
