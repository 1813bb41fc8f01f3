"""One event and more of every class, the secret ones in two versions that differ only in what is hidden."""

from __future__ import annotations

from typing import Any

from service.rules.games.new_corp_order import events as e
from service.rules.games.new_corp_order import events as facts
from service.rules.games.new_corp_order.actions import Card
from service.rules.games.new_corp_order.terms import COLOURS, NAMES
from service.rules.kernel import GameStarted

TILES = tuple(name for names in NAMES.values() for name in names)
RED, BLACK_ROTATED = Card(colour="red", rotated=False), Card(colour="black", rotated=True)

STARTED = GameStarted(ruleset="new-corp-order", revision=1, seats=2, commitment="c0ffee", nonces=("5ec1", "5ec2"))
STARTED_HOUSE = GameStarted(
    ruleset="new-corp-order",
    revision=1,
    seats=3,
    options={"corporate-accountant": True, "deluxe": True},
    commitment="c0ffee",
    nonces=("5ec1", "5ec2", "5ec3"),
)
STARTED_SOLO = GameStarted(ruleset="new-corp-order", revision=1, seats=1, commitment="c0ffee", nonces=("5ec1",))

OPEN: tuple[Any, ...] = (
    STARTED,
    STARTED_HOUSE,
    STARTED_SOLO,
    facts.CompaniesLaid(grid=TILES[:12], boxed=TILES[12:]),
    facts.AgentsScattered(colours=COLOURS * 3),
    facts.ConsultantsDealt(consultants=("dealmaker", "media-advisor")),
    facts.ConglomeratesChosen(player=("red", "black"), ods=("blue", "white")),
    e.TurnBegan(seat=0),
    *(
        e.DecisionReached(seat=1, decision=due)
        for due in ("conglomerates", "second-card", "placement", "ability", "discard")
    ),
    e.TurnPassed(seat=1),
    e.CardTaken(seat=0, source="3", card="red", to="hand"),
    e.CardTaken(seat=0, source="deck", card="red", to="hq"),
    e.CardTaken(seat=0, source="deck", card="red", to="box"),
    e.DisplayRefilled(cards=(("2", "red"), ("5", "white"))),
    e.EndTriggered(seat=0),
    e.ConsultantUsed(seat=0, consultant="dealmaker"),
    e.ConsultantTaken(seat=1, consultant="media-advisor"),
    e.CardsPlaced(seat=0, colour="red", cards=3),
    e.AgentsPlaced(seat=0, company="B2", colour="red", agents=3),
    e.CardsRotated(hq=0, colour="red", cards=1),
    e.CardsUnrotated(hq=1, colours=("red", "black")),
    e.AgentsMoved(source="A1", target="B1", colour="red", agents=1),
    e.TakeoverFailed(seat=0, source="A1", target="B1", colour="red", agents=1),
    e.CompanyTakenOver(seat=0, source="A1", target="B1", colour="red", agents=3, defender="blue", defenders=2),
    e.AbilityLapsed(seat=0, company="B1"),
    e.AbilitySkipped(seat=0, company="B1"),
    e.CardsExchanged(seat=0, gave=RED, hq=1, took=BLACK_ROTATED),
    e.CardRemoved(hq=1, card=BLACK_ROTATED),
    e.AgentsExchanged(first="A1", second="C3"),
    e.MarkerMoved(column=2),
    *(e.PriorityFollowed(priority=each) for each in ("A", "A-2", "A-scan", "B-3", "BB-4", "C-3", "D")),
    e.CardSwept(slot="4", card="red"),
    e.TableFlipped(),
    e.DefenderHired(seat=0, colour="blue"),
    e.AgentsWithdrawn(company="B2", colour="red", agents=2),
    e.GameEnded(scores=(23, 18), winners=(0,)),
    e.GameEnded(scores=(23, 23), winners=(0, 1)),
)

SECRET: tuple[tuple[Any, Any], ...] = (
    (
        facts.ObjectivesDealt(
            objectives=(("print-media", "social-media"), ("online-marketing", "social-media")), returned=((), ())
        ),
        facts.ObjectivesDealt(
            objectives=(("broadcast-network", "social-media"), ("online-marketing", "social-media")),
            returned=(("broadcast-network",), ()),
        ),
    ),
    (
        facts.CardsDealt(hands=(("red",) * 4, ("blue",) * 4), display=("red",) * 5, deck=("white", "black"), boxed=5),
        facts.CardsDealt(hands=(("black",) * 4, ("blue",) * 4), display=("red",) * 5, deck=("red", "red"), boxed=5),
    ),
    (
        e.CardTaken(seat=0, source="deck", card="red", to="hand"),
        e.CardTaken(seat=0, source="deck", card="white", to="hand"),
    ),
    (e.CardsDrawn(seat=0, cards=("red", "black")), e.CardsDrawn(seat=0, cards=("white", "white"))),
    (e.CardsDiscarded(seat=0, cards=("red", "red")), e.CardsDiscarded(seat=0, cards=("blue", "black"))),
)
"""Pairs of events that differ in what only Alice in seat 0 may know, or nobody."""

SECRET_FROM_ALL: tuple[tuple[Any, Any], ...] = (
    (
        facts.ObjectivesLaidOut(objectives=("print-media", "social-media", "online-marketing")),
        facts.ObjectivesLaidOut(objectives=("broadcast-network", "social-media", "online-marketing")),
    ),
    (
        facts.CardsDealt(hands=(), display=("red",) * 4, deck=("red", "white"), boxed=5),
        facts.CardsDealt(hands=(), display=("blue",) * 4, deck=("black", "white"), boxed=5),
    ),
)
"""Pairs of events of a solo game that differ in what nobody may know yet."""

EVENTS: tuple[Any, ...] = OPEN + tuple(event for pair in SECRET + SECRET_FROM_ALL for event in pair)
