"""The table as text for a mail or a terminal: at most 72 columns, drawn from a view alone.

Things are called by their words, not by the letters of the notation: `parse` takes both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.state_of_play import (
    UNBROKEN,
    after,
    label,
    listener,
    named,
    objectives,
    state_of_play,
)
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS, Counts
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.isolation import short
from service.rules.kernel import Json
from service.rules.lines import WIDTH, broken

CELL = 16
LABEL = 13
_OURS = re.compile(f"(?<!«){UNBROKEN}(?![:;!?»])")
"""The unbreakable spaces that were put in here, without those of French typesetting."""


def draw(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows, in a language (English, if unknown): state of play, grid, cards, players, own hand.

    `names` are the players' display names by seat. When the game is over, there is nothing left to take or to play.
    """
    voice = listener(view, language, names)
    parts = [
        _paragraph(state_of_play(voice, view)),
        _grid(voice, view),
        _cards(voice, view) if view["result"] is None else [],
        *(_player(voice, view, player) for player in view["players"]),
        _own(voice, view),
    ]
    return _OURS.sub(" ", "\n\n".join("\n".join(part) for part in parts if part)) + "\n"


def _line(label: str, text: str) -> list[str]:
    """A labelled line, continued below its own beginning."""
    indent = " " * LABEL
    first = f"{label.removesuffix(':')}: " if len(label) + 2 > LABEL else f"{label:<{LABEL}}"
    return broken(text, first, indent)


def _paragraph(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in broken(sentence)]


def _grid(voice: Voice, view: Json) -> list[str]:
    companies = view["grid"]["companies"]
    scored = set(objectives(view) or ()) if view["solo"] or view["result"] is None else set()
    edge = "+" + ("-" * CELL + "+") * len(COLUMNS)
    lines = [_marker_line(voice, view["solo"]["marker"])] if view["solo"] else []
    for start in range(0, len(companies), len(COLUMNS)):
        cells = [_cell(voice, each, scored) for each in companies[start : start + len(COLUMNS)]]
        lines += [edge, *("|" + "".join(f"{part:<{CELL}}|" for part in row) for row in zip(*cells, strict=True))]
    return [*lines, edge]


def _marker_line(voice: Voice, column: str) -> str:
    return " " * (1 + COLUMNS.index(column) * (CELL + 1)) + f"{'v ' + voice.language.ods + ' v':^{CELL}}".rstrip()


def _cell(voice: Voice, company: Json, scored: set[str]) -> tuple[str, str, str]:
    kind, colour, agents = company["type"], company["colour"], company["agents"]
    title = f"{company['square']} {voice.language.short_types[kind]}{'*' if kind in scored else ''}"
    return title, _company_name(company["name"]), f"{agents} {voice.colour(colour)}"


def _company_name(name: str) -> str:
    """A company's name without the words at its end that do not fit."""
    words = name.split()
    while len(" ".join(words)) > CELL and len(words) > 1:
        words.pop()
    return short(" ".join(words).removesuffix(" &"), CELL)


def _cards(voice: Voice, view: Json) -> list[str]:
    display = view["display"]
    if display is None:
        shown = label(voice, "hidden")
    else:
        slots = zip(SLOTS, display, strict=False)
        shown = "   ".join(f"{slot} {voice.colour(card) if card else '-'}" for slot, card in slots)
    supply = view["supply"]
    return [
        *_line(label(voice, "display"), shown),
        *_line(label(voice, "deck"), voice.number("cards", view["deck"])),
        *_line(label(voice, "supply"), _agents(voice, supply["agents"])),
        *([] if view["solo"] else _line("", _consultants(voice, supply["consultants"]))),
    ]


def _agents(voice: Voice, counts: Counts) -> str:
    return after(voice, "agents", _counted(voice, counts))


def _consultants(voice: Voice, counts: Json) -> str:
    """Name each consultant once: a number before the name would need its plural."""
    held = [
        f"{voice.consultant(each)}{f' ×{counts[each]}' if counts[each] > 1 else ''}"
        for each in ALL_CONSULTANTS
        if counts.get(each)
    ]
    return after(voice, "consultants", ", ".join(each.replace(" ", UNBROKEN) for each in held) or "-")


def _player(voice: Voice, view: Json, player: Json) -> list[str]:
    seat, hq, solo = player["seat"], player["hq"], view["solo"]
    mark = ">" if view["turn"]["seat"] == seat and view["result"] is None else " "
    title = [f"{mark} {named(voice, seat)}"]
    if solo is None and view["result"] is None:
        title.append(fill(label(voice, "in-hand"), {"cards": voice.number("cards", player["hand"])}))
    if solo is not None and solo["colours"]:
        title.append(fill(label(voice, "plays"), {"colours": voice.pair(solo["colours"][seat])}))
    elif solo is not None:
        # The name of the automaton alone would be one of its moves in a reply that quotes the line.
        title.append(label(voice, "chooses"))
    cards, rotated = (_counted(voice, hq[pile]) for pile in ("cards", "rotated"))
    lines = [
        short(" - ".join(title), WIDTH),
        *_indented(f"{after(voice, 'cards', cards)}   {after(voice, 'rotated', rotated)}"),
        *_indented(_agents(voice, hq["agents"])),
    ]
    if solo is None:
        lines += _indented(_consultants(voice, hq["consultants"]))
    own = seat == voice.viewer and view["result"] is None
    if solo is None and not own and player["objectives"] is not None:
        lines += _indented(after(voice, "others-objectives", _types(voice, player["objectives"])))
    return lines


def _counted(voice: Voice, counts: Counts) -> str:
    held = [f"{counts[colour]}{UNBROKEN}{voice.colour(colour)}" for colour in COLOURS if counts[colour]]
    return ", ".join(held) or "-"


def _indented(text: str) -> list[str]:
    return broken(text, "    ", "      ")


def _own(voice: Voice, view: Json) -> list[str]:
    you, solo = view["you"], view["solo"]
    if solo is not None:
        known = solo["objectives"]
        return _titled(voice, "shared-objectives", _types(voice, known) if known else label(voice, "hidden"))
    # When the game is over, hands count nothing, and everybody's objectives are told.
    if you is None or view["result"] is not None:
        return []
    return [
        *_titled(voice, "own-hand", _counted(voice, you["hand"])),
        *_titled(voice, "objectives", _types(voice, you["objectives"])),
    ]


def _titled(voice: Voice, key: str, text: str) -> list[str]:
    """A line with its title and a colon, as it stands outside of the drawing too."""
    return broken(text, f"{after(voice, key, ''):<{LABEL}}", " " * LABEL)


def _types(voice: Voice, kinds: Iterable[str]) -> str:
    return ", ".join(voice.type(kind).replace(" ", UNBROKEN) for kind in kinds)
