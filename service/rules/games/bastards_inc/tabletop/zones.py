"""The pieces beside the board: piles and the event in force, the reader's hand and instructions, portfolios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.tabletop.effects import lasting, named
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.games.bastards_inc.terms import SETTINGS
from service.rules.kernel import Json
from service.rules.shapes import Piece, Zone


def zones(sight: Sight) -> Sequence[Zone]:
    """Return all zones that have something in them."""
    made = [
        _piles(sight),
        _event(sight),
        *_hand(sight),
        *_portfolios(sight),
        *_shown_hands(sight),
        *_instructions(sight),
    ]
    return [zone for zone in made if zone.pieces]


def portfolio_place(sight: Sight, seat: int, card: str) -> str:
    """Return the name of the place of a business in a portfolio; the reader's own goes by its id, as in notation."""
    return card if seat == sight.viewer else f"@{seat}-{card}"


def _piles(sight: Sight) -> Zone:
    told, view = speaker(sight), sight.view
    piles = (("cards", "card-back", view["cards"]), ("events", "event-back", view["events"]))
    pieces = [
        Piece(symbol=symbol, label=told.counted(f"pile.{name}", n), count=n, states=("back", "pile"))
        for name, symbol, n in piles
    ]
    if view["discards"]:
        last = view["discards"][-1]
        label = told.counted("pile.discards", len(view["discards"]), card=told.name(last))
        pieces.append(Piece(symbol=f"card-{last}", label=label, count=len(view["discards"]), states=("pile",)))
    return Zone(id="piles", title=told.word("piles"), owner="shared", pieces=tuple(pieces))


def _event(sight: Sight) -> Zone:
    """The event in force, and what lasts of it."""
    told, event = speaker(sight), sight.view["event"]
    pieces = () if event is None else tuple(Piece(symbol=icon, label=said) for icon, said in lasting(told, event))
    return Zone(id="event", title=told.word("event"), owner="shared", pieces=pieces)


def _shown_hands(sight: Sight) -> Iterator[Zone]:
    """Yield the hands of the others, which are shown when the game is over."""
    told = speaker(sight)
    for company in sight.view["companies"] if sight.outcome is not None else ():
        seat = company["seat"]
        if seat != sight.viewer:
            pieces = tuple(Piece(symbol=f"card-{card}", label=named(told, card)) for card in company["hand"] or ())
            title = told.word("hand-of", name=told.player(seat))
            yield Zone(id=f"hand-{seat}", title=title, owner="seat", pieces=pieces, seat=seat)


def _hand(sight: Sight) -> Iterator[Zone]:
    if sight.viewer is None or sight.view["own"] is None:
        return
    told, dropped = speaker(sight), sight.view["own"]["dropped"]
    pieces = tuple(
        Piece(symbol=f"card-{card}", label=named(told, card), place=card, states=("used",) if card in dropped else ())
        for card in sight.view["companies"][sight.viewer]["hand"] or ()
    )
    yield Zone(id="hand", title=told.word("hand"), owner="own", pieces=pieces)


def _portfolios(sight: Sight) -> Iterator[Zone]:
    told = speaker(sight)
    for company in sight.view["companies"]:
        seat = company["seat"]
        mine = seat == sight.viewer
        title = told.word("own-portfolio") if mine else told.word("portfolio", name=told.player(seat))
        pieces = tuple(_folder(sight, told, seat, each) for each in company["portfolio"])
        yield Zone(id=f"portfolio-{seat}", title=title, owner="own" if mine else "seat", pieces=pieces, seat=seat)


def _folder(sight: Sight, told: Speaker, seat: int, folder: Json) -> Piece:
    card, place = folder["card"], portfolio_place(sight, seat, folder["card"])
    label = named(told, card)
    if not folder["turned"]:
        return Piece(symbol=f"card-{card}", label=label, place=place)
    return Piece(symbol=f"card-{card}", label=told.word("turned", card=label), place=place, states=("rotated", "used"))


def _instructions(sight: Sight) -> Iterator[Zone]:
    own = sight.view["own"]
    if own is None or sight.viewer is None or sight.outcome is not None:
        return
    told = speaker(sight)
    now = {**own, "venture": sight.view["companies"][sight.viewer]["venture"]}
    icons = {"guard": "icon-fight", "watch": "place-nws", "venture": "icon-invite"}
    pieces = tuple(Piece(symbol=icons[each], label=told.word(f"set.{each}.{now[each]}")) for each in SETTINGS)
    yield Zone(id="instructions", title=told.word("instructions"), owner="own", pieces=pieces)
