"""The table as text for a mail or a terminal (at most 72 columns), and its caption; drawn from a view alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from service.rules.bidi import short
from service.rules.games.bastards_inc.describe import card_text, lasting_effects, side_payment
from service.rules.games.bastards_inc.edition import MAX_STUFF
from service.rules.games.bastards_inc.notation import seat_name
from service.rules.games.bastards_inc.terms import LOUNGE, SCORES
from service.rules.games.bastards_inc.words import voice_for
from service.rules.games.bastards_inc.words.language import Voice, fill
from service.rules.kernel import Json
from service.rules.typography import LINE_COLUMNS, break_lines

PLACE_COLUMNS = 27
NUMBER_COLUMNS = 6
MAX_VP_NAME_CHARS = 12
INDENT = "    "


def draw(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows, in a language (English, if unknown): state of play, board, companies, own hand.

    `names` are the players' display names by seat.
    """
    voice = voice_for(view, language, names)
    parts: list[list[str]] = [
        [line for sentence in state_of_play(voice, view) for line in break_lines(sentence)],
        [*_regions(voice, view), *_squares(voice, view)],
        break_lines(_piles(voice, view)),
        *([*_company(voice, view, each)] for each in view["companies"]),
        [*_own(voice, view)],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _regions(voice: Voice, view: Json) -> Iterator[str]:
    heads = [table_text(voice, key) for key in ("cor", "cri", "tec", "income")]
    yield (
        " " * PLACE_COLUMNS + "".join(f"{head:>{NUMBER_COLUMNS}}" for head in heads) + f"  {table_text(voice, 'stuff')}"
    )
    for region in view["regions"]:
        place = short(f"{region['id']} {voice.thing(region['id'])}", PLACE_COLUMNS)
        numbers = "".join(f"{region[key]:>{NUMBER_COLUMNS}}" for key in ("cor", "cri", "tec", "income"))
        war = f"  {table_text(voice, 'war')}" if region["war"] else ""
        yield f"{place:<{PLACE_COLUMNS}}{numbers}  {_bar(region)}{war}"
        yield from _there(voice, view, region["id"], INDENT)


def _bar(region: Json) -> str:
    """Return Stuff as `#`, room for legal sales as `-`, for illegal ones as `!`."""
    free = ("-" if n <= region["legal_up_to"] else "!" for n in range(region["stuff"] + 1, MAX_STUFF + 1))
    return f"{'#' * region['stuff']}{''.join(free)}"


def _squares(voice: Voice, view: Json) -> Iterator[str]:
    for square in view["squares"]:
        needed = f"{table_text(voice, 'med')} {square['med']}"
        yield f"{square['id']} {voice.thing(square['id'])} ({needed})"
        yield from _there(voice, view, square["id"], INDENT)
    yield f"{LOUNGE} {voice.thing(LOUNGE)}"
    yield from _there(voice, view, LOUNGE, INDENT)


def _there(voice: Voice, view: Json, place: str, indent: str) -> list[str]:
    """Return the VPs on a place, with their owners and black money."""
    found = [
        _vp(voice, company["seat"], vp) for company in view["companies"] for vp in company["vps"] if vp["at"] == place
    ]
    return break_lines(", ".join(found), indent, indent) if found else []


def _vp(voice: Voice, seat: int, vp: Json) -> str:
    # No line may begin like an action, whatever a player is called.
    name = f"{short(voice.name(seat), MAX_VP_NAME_CHARS)} #{vp['vp']}"
    return f"{name} ({table_text(voice, 'black')} {vp['black']})" if vp["black"] else name


def _piles(voice: Voice, view: Json) -> str:
    counts = {"cards": view["cards"], "events": view["events"], "discards": len(view["discards"])}
    kinds = {"cards": "cards", "events": "events", "discards": "cards"}
    return table_text(voice, "piles", **{name: voice.number(kinds[name], n) for name, n in counts.items()})


def _company(voice: Voice, view: Json, company: Json) -> Iterator[str]:
    seat = company["seat"]
    mark = ">" if seat in view["asked"] else " "
    you = f" ({table_text(voice, 'you')})" if seat == voice.viewer else ""
    yield short(f"{mark} {seat_name(seat)} {voice.name(seat)}{you} - {voice.thing(company['plan'])}", LINE_COLUMNS)
    scores = ", ".join(f"{table_text(voice, score)} {company['scores'][score]}" for score in SCORES)
    money = voice.price(company["billions"], company["influence"])
    yield from _indented(f"{scores}, {money}, {table_text(voice, 'worth', worth=company['worth'])}")
    yield from _indented(", ".join(_standing(voice, view, company)))
    if company["portfolio"]:
        folders = (_folder(voice, folder) for folder in company["portfolio"])
        what = ", ".join(folders)
        yield from _indented(voice.phrase("held-by", name=table_text(voice, "businesses"), what=what))
    if company["invitation"] is not None:
        yield from _indented(_invitation(voice, company["invitation"]))


def _standing(voice: Voice, view: Json, company: Json) -> Iterator[str]:
    """Yield cards in hand, prize, Bunker and instructions; after the end only what still counts."""
    running = view["result"] is None
    if running:
        yield table_text(voice, "hand", cards=voice.number("cards", company["cards"]))
    for key in ("laureate", "bunker"):
        if view[key] == company["seat"]:
            yield table_text(voice, key)
    if not running:
        return
    for key in ("done", "immune"):
        if company[key]:
            yield table_text(voice, key)
    if company["venture"] != "ask":
        yield table_text(voice, f"venture.{company['venture']}")


def _folder(voice: Voice, folder: Json) -> str:
    name = f"{folder['card']} {voice.thing(folder['card'])}"
    return f"{name} ({table_text(voice, 'turned')})" if folder["turned"] else name


def _invitation(voice: Voice, invitation: Json) -> str:
    told = table_text(
        voice,
        f"invites{side_payment(invitation['pay'])}",
        partner_vp=voice.vp_of(invitation["partner"]),
        card=voice.card(invitation["card"]),
        vp=voice.vp(invitation["vp"]),
        paid=voice.number("billions", abs(invitation["pay"])),
    )
    return f"{told} ({table_text(voice, 'agreed')})" if invitation["agreed"] else told


def _own(voice: Voice, view: Json) -> Iterator[str]:
    own = view["own"]
    # When the game is over, cards count nothing and there is nothing left to instruct.
    if own is None or view["result"] is not None:
        return
    hand = view["companies"][own["seat"]]["hand"]
    yield table_text(voice, "own-hand" if hand else "no-cards")
    for card in hand:
        dropped = f" ({table_text(voice, 'dropped')})" if card in own["dropped"] else ""
        text = voice.phrase("held-by", name=f"{card} {voice.thing(card)}{dropped}", what=card_text(voice, card))
        yield from break_lines(text, "- ", "  ")
    settings = {name: own[name] for name in ("guard", "watch")}
    settings["venture"] = view["companies"][own["seat"]]["venture"]
    told = ", ".join(voice.language.settings[f"{name}.{setting}"] for name, setting in settings.items())
    yield from break_lines(table_text(voice, "instructions", settings=told), "", "  ")


def _indented(text: str) -> Iterable[str]:
    return break_lines(text, INDENT, INDENT + "  ")


# The state of play in sentences; the caption shares them.


def table_text(voice: Voice, key: str, **fields: Any) -> str:
    """Return a text of the table with its fields filled in."""
    return fill(voice.language.table[key], fields)


def state_of_play(voice: Voice, view: Json) -> Iterator[str]:
    """Yield the winner; or the round, the seats asked, the event in force, the arrival and the act announced."""
    if view["result"] is not None:
        yield _over(voice, view["result"]["winners"])
        return
    start = voice.name(view["start_player"])
    yield table_text(voice, "round", round=view["round"], rounds=view["rounds"], target=view["target"], name=start)
    yield table_text(voice, "due", names=names_of_asked(voice, view), phase=voice.language.phases[view["phase"]])
    if view["event"] is not None:
        lasting = ", ".join(lasting_effects(voice, view["event"]))
        event = voice.card(view["event"]["event"])
        yield table_text(voice, "event.lasting" if lasting else "event", event=event, lasting=lasting)
    if view["arrival"] is not None:
        yield _arrival(voice, view["arrival"])
    if view["act"] is not None:
        yield _act(voice, view["act"])


def names_of_asked(voice: Voice, view: Json) -> str:
    return voice.all_of(voice.person("name", seat) for seat in view["asked"])


def _over(voice: Voice, winners: Sequence[int]) -> str:
    names = voice.all_of(voice.name(seat) for seat in winners)
    key = "shared" if len(winners) > 1 else "over" if winners else "nobody"
    # The dots of a shortened name end the sentence as well.
    return table_text(voice, key, winners=names).replace("….", "…")


def _arrival(voice: Voice, arrival: Json) -> str:
    fields = {"vp": voice.vp_of(arrival), "at": voice.at(arrival["field"])}
    if arrival["bids"] is None:
        return table_text(voice, "arrival", **fields)
    return table_text(voice, "arrival.bids", influence=voice.number("influence", arrival["bids"]), **fields)


def _act(voice: Voice, act: Json) -> str:
    name = voice.name(act["seat"])
    if act["sell"] is not None:
        return table_text(voice, "act.sell", name=name, vp=voice.vp(act["sell"]["vp"]))
    return table_text(voice, "act.card", name=name, card=voice.card((act["deal"] or act["play"])["card"]))


# The position in one sentence, for readers without pictures.

MAX_CAPTION_CHARS = 250
CAPTION_NAME_CHARS = (24, 12, 6, 3)
"""Most characters of players' names: the first that lets the caption fit."""


def caption(view: Json, language: str, names: Sequence[str]) -> str:
    """Return one sentence of at most 250 characters on what a view shows."""
    sentences = (_said(voice_for(view, language, names, longest), view) for longest in CAPTION_NAME_CHARS)
    return next(sentence for sentence in sentences if len(sentence) <= MAX_CAPTION_CHARS)


def _said(voice: Voice, view: Json) -> str:
    result = view["result"]
    if result is None:
        return table_text(
            voice,
            "caption",
            round=view["round"],
            rounds=view["rounds"],
            names=names_of_asked(voice, view),
            phase=voice.language.phases[view["phase"]],
            worths=_worths(voice, [each["worth"] for each in view["companies"]]),
            wars=", ".join(map(voice.place, view["wars"])) or "–",
        )
    if not result["winners"]:
        return table_text(voice, "caption.nobody")
    winners = voice.all_of(voice.name(seat) for seat in result["winners"])
    return table_text(voice, "caption.over", winners=winners, worths=_worths(voice, result["worths"]))


def _worths(voice: Voice, worths: Sequence[int]) -> str:
    return ", ".join(f"{voice.name(seat)} {worth}" for seat, worth in enumerate(worths))
