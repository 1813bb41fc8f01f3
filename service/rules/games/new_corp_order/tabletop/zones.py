"""The pieces beside the board: display, supply, objectives, HQs, the reader's hand and consultants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.letters import DECK
from service.rules.games.new_corp_order.state_of_play import objectives
from service.rules.games.new_corp_order.tabletop.words import speaker, word
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS
from service.rules.kernel import Json
from service.rules.shapes import Piece, Zone


def zones(sight: Sight) -> Sequence[Zone]:
    """Return all zones that have something in them; HQs are named by their seats."""
    made = [_display(sight), _supply(sight), _objectives(sight), *_hqs(sight), _hand(sight), _consultants(sight)]
    return [zone for zone in made if zone is not None and zone.pieces]


def hand_place(colour: str) -> str:
    """Return the name of the place of the cards of a colour in the reader's hand."""
    return f"hand-{colour}"


def hq_place(seat: int, colour: str, rotated: bool = False) -> str:
    """Return the name of the place of cards of a colour in an HQ."""
    return f"@{seat}-{colour}{'-rotated' if rotated else ''}"


def _display(sight: Sight) -> Zone:
    voice, shown = speaker(sight), sight.view["display"]
    pieces = []
    for slot, card in zip(SLOTS, shown or (), strict=False):
        told = word(sight, "slot", slot=slot, card=voice.colour(card)) if card else word(sight, "slot.empty", slot=slot)
        states = () if card else ("gap",)
        pieces.append(Piece(symbol=f"card-{card or 'gap'}", label=told, place=slot, states=states))
    cards = sight.view["deck"]
    deck = word(sight, "deck", cards=voice.number("cards", cards))
    pieces.append(Piece(symbol="card-back", label=deck, place=DECK, count=cards, states=("back", "pile")))
    return Zone(id="display", title=word(sight, "display"), owner="shared", pieces=tuple(pieces))


def _supply(sight: Sight) -> Zone:
    voice, supply = speaker(sight), sight.view["supply"]
    agents = [
        Piece(symbol=f"agent-{each}", label=voice.coloured("agents-listed", n, each), count=n, states=("pile",))
        for each, n in supply["agents"].items()
    ]
    consultants = [
        Piece(symbol=f"consultant-{each}", label=voice.consultant(each), place=f"supply-{each}", count=n)
        for each, n in supply["consultants"].items()
        if n and not sight.view["solo"]
    ]
    return Zone(id="supply", title=word(sight, "supply"), owner="shared", pieces=(*agents, *consultants))


def _objectives(sight: Sight) -> Zone:
    voice, solo = speaker(sight), sight.view["solo"] is not None
    pieces = tuple(Piece(symbol=f"type-{kind}", label=voice.type(kind)) for kind in objectives(sight.view) or ())
    title = word(sight, "objectives" if solo else "own-objectives")
    # Alone against ODS, the objectives of the table are those of its one player.
    return Zone(id="objectives", title=title, owner="shared" if sight.viewer is None else "own", pieces=pieces)


def _hqs(sight: Sight) -> Iterator[Zone]:
    for player in sight.view["players"]:
        seat, mine = player["seat"], player["seat"] == sight.viewer
        title = word(sight, "own-hq") if mine else word(sight, "hq", name=speaker(sight).name(seat))
        pieces = tuple(_lying(sight, seat, player["hq"]))
        yield Zone(id=f"hq-{seat}", title=title, owner="own" if mine else "seat", pieces=pieces, seat=seat)


def _lying(sight: Sight, seat: int, hq: Json) -> Iterator[Piece]:
    voice = speaker(sight)
    for colour in COLOURS:
        symbol = f"card-{colour}"
        for pile, rotated in (("cards", False), ("rotated", True)):
            if n := hq[pile][colour]:
                told, turned = voice.coloured("cards", n, colour), ("rotated", "used") if rotated else ()
                note = word(sight, "used.one" if n == 1 else "used.many") if rotated else ""
                place = hq_place(seat, colour, rotated)
                yield Piece(symbol=symbol, label=told, place=place, count=n, note=note, states=("pile", *turned))
        if n := hq["agents"][colour]:
            told = voice.coloured("agents-listed", n, colour)
            yield Piece(symbol=f"agent-{colour}", label=told, count=n, states=("pile",))


def _hand(sight: Sight) -> Zone | None:
    you = sight.view["you"]
    if you is None or sight.view["solo"]:
        return None
    voice = speaker(sight)
    pieces = tuple(
        Piece(
            symbol=f"card-{each}",
            label=voice.coloured("cards", n, each),
            place=hand_place(each),
            count=n,
            states=("fan",),
        )
        for each in COLOURS
        if (n := you["hand"][each])
    )
    return Zone(id="hand", title=word(sight, "hand"), owner="own", pieces=pieces)


def _consultants(sight: Sight) -> Zone | None:
    if sight.viewer is None or sight.view["solo"]:
        return None
    held = sight.view["players"][sight.viewer]["hq"]["consultants"]
    pieces = tuple(
        Piece(
            symbol=f"consultant-{each}",
            label=speaker(sight).consultant(each),
            place=f"consultant-{each}",
            count=held[each],
            note=word(sight, f"effect.{each}"),
        )
        for each in ALL_CONSULTANTS
        if held.get(each)
    )
    return Zone(id="consultants", title=word(sight, "consultants"), owner="own", pieces=pieces)
