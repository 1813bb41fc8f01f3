"""Draw the table as text for a mail or a terminal: at most 72 columns, from a view alone.

Things have their words, not the letters of the notation: `parse` takes both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from service.rules.bidi import short
from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.notation import TYPE_LETTERS
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS, Counts
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.language import Voice, fill
from service.rules.kernel import Json
from service.rules.typography import LINE_COLUMNS, break_lines

LONGEST_NAME = 24
UNBROKEN = "\u00a0"
"""Stands for a space at which no line may end."""


def listener(view: Json, language: str, names: Sequence[str], longest: int = LONGEST_NAME) -> Voice:
    """Return the voice that speaks to a view's viewer, with the players' names shortened."""
    you = view["you"]
    return Voice(speak(language), you and you["seat"], [short(name, longest) for name in names])


def state_of_play(voice: Voice, view: Json) -> list[str]:
    """Return the result, or whose turn it is, the task, and the turn's special conditions."""
    turn, result = view["turn"], view["result"]
    if result is not None:
        unbroken = (each.replace(" ", UNBROKEN) for each in scores(voice, result["scores"]))
        return [_winners(voice, result["winners"]), ", ".join(unbroken)]
    said = [_who_is_to_do_what(voice, view)]
    if turn["phase"] == "ability" and turn["taken_over"]:
        kind = next(each["type"] for each in view["grid"]["companies"] if each["square"] == turn["taken_over"])
        what = {"square": turn["taken_over"], "type": f"{voice.type(kind)} ({TYPE_LETTERS[kind]})"}
        said.append(fill(label(voice, "ability"), what))
    if turn["phase"] == "placement":
        said.append(after(voice, "to-place", voice.colours(turn["to_place"])))
    if turn["used"]:
        said.append(fill(label(voice, "used"), {"consultant": voice.consultant(turn["used"])}))
    left = final_round(voice, view)
    return [*said, left] if left else said


def final_round(voice: Voice, view: Json) -> str | None:
    """Return how many turns are left once the end is triggered."""
    left = view["turn"]["final_turns"]
    if left is None or view["result"] is not None:
        return None
    notice = fill(label(voice, "final"), {"turns": voice.number("turns", left)})
    return notice if left else label(voice, "last")


def scores(voice: Voice, points: Sequence[int]) -> list[str]:
    """Return each seat's victory points."""
    return [after_name(voice, voice.name(seat), voice.number("points", score)) for seat, score in enumerate(points)]


def phase(voice: Voice, view: Json) -> str:
    """Return the task of the turn."""
    return voice.language.phases[view["turn"]["phase"]]


def objectives(view: Json) -> Sequence[str] | None:
    """Return the objectives that count for the reader, None if they are unknown."""
    own: Sequence[str] | None = (view["solo"] or view["you"] or {"objectives": None})["objectives"]
    return own


def label(voice: Voice, key: str) -> str:
    """Return a heading or pattern of the table."""
    return voice.language.table[key]


def after(voice: Voice, key: str, text: str) -> str:
    """Return a text after its heading."""
    return after_name(voice, label(voice, key), text)


def after_name(voice: Voice, name: str, text: str) -> str:
    """Return a text after the name of the thing to which it belongs."""
    return voice.phrase("held-by", name=name, what=text)


def named(voice: Voice, seat: int, longest: int = LONGEST_NAME) -> str:
    """Return the name of the seat's player, marked if it is the reader."""
    return short(voice.name(seat), longest) + (f" ({label(voice, 'you')})" if seat == voice.viewer else "")


def _winners(voice: Voice, winners: Sequence[int]) -> str:
    key = "shared" if len(winners) > 1 else "over"
    told = fill(label(voice, key), {"winners": voice.all_of(voice.name(seat) for seat in winners)})
    # The dots of a shortened name end the sentence as well.
    return told.replace("….", "…")


def _who_is_to_do_what(voice: Voice, view: Json) -> str:
    turn = view["turn"]
    key = "turn" if turn["number"] else "before"
    fields = {"turn": turn["number"], "name": named(voice, turn["seat"]), "phase": phase(voice, view)}
    return fill(label(voice, key), fields)


# The table as text.

CELL_WIDTH = 16
LABEL_WIDTH = 13
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


def _labelled_line(label: str, text: str) -> list[str]:
    """Return a labelled line, continued below its own beginning."""
    indent = " " * LABEL_WIDTH
    first = f"{label.removesuffix(':')}: " if len(label) + 2 > LABEL_WIDTH else f"{label:<{LABEL_WIDTH}}"
    return break_lines(text, first, indent)


def _paragraph(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in break_lines(sentence)]


def _grid(voice: Voice, view: Json) -> list[str]:
    companies = view["grid"]["companies"]
    scored = set(objectives(view) or ()) if view["solo"] or view["result"] is None else set()
    edge = "+" + ("-" * CELL_WIDTH + "+") * len(COLUMNS)
    lines = [_marker_line(voice, view["solo"]["marker"])] if view["solo"] else []
    for start in range(0, len(companies), len(COLUMNS)):
        cells = [_cell(voice, each, scored) for each in companies[start : start + len(COLUMNS)]]
        lines += [edge, *("|" + "".join(f"{part:<{CELL_WIDTH}}|" for part in row) for row in zip(*cells, strict=True))]
    return [*lines, edge]


def _marker_line(voice: Voice, column: str) -> str:
    return (
        " " * (1 + COLUMNS.index(column) * (CELL_WIDTH + 1))
        + f"{'v ' + voice.language.ods + ' v':^{CELL_WIDTH}}".rstrip()
    )


def _cell(voice: Voice, company: Json, scored: set[str]) -> tuple[str, str, str]:
    kind, colour, agents = company["type"], company["colour"], company["agents"]
    title = f"{company['square']} {voice.language.short_types[kind]}{'*' if kind in scored else ''}"
    return title, _company_name(company["name"]), f"{agents} {voice.colour(colour)}"


def _company_name(name: str) -> str:
    """A company's name without the words at its end that do not fit."""
    words = name.split()
    while len(" ".join(words)) > CELL_WIDTH and len(words) > 1:
        words.pop()
    return short(" ".join(words).removesuffix(" &"), CELL_WIDTH)


def _cards(voice: Voice, view: Json) -> list[str]:
    display = view["display"]
    if display is None:
        shown = label(voice, "hidden")
    else:
        slots = zip(SLOTS, display, strict=False)
        shown = "   ".join(f"{slot} {voice.colour(card) if card else '-'}" for slot, card in slots)
    supply = view["supply"]
    return [
        *_labelled_line(label(voice, "display"), shown),
        *_labelled_line(label(voice, "deck"), voice.number("cards", view["deck"])),
        *_labelled_line(label(voice, "supply"), _agents(voice, supply["agents"])),
        *([] if view["solo"] else _labelled_line("", _consultants(voice, supply["consultants"]))),
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
        short(" - ".join(title), LINE_COLUMNS),
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
    return break_lines(text, "    ", "      ")


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
    return break_lines(text, f"{after(voice, key, ''):<{LABEL_WIDTH}}", " " * LABEL_WIDTH)


def _types(voice: Voice, kinds: Iterable[str]) -> str:
    return ", ".join(voice.type(kind).replace(" ", UNBROKEN) for kind in kinds)


# The position in one sentence, for readers without pictures.

LONGEST_CAPTION = 250
CAPTION_NAME_LENGTHS = (24, 12, 6)
"""Longest names of players, tried from the first on until the sentence fits."""


def caption(view: Json, language: str, names: Sequence[str]) -> str:
    """Return one sentence of at most 250 characters on what a view shows."""
    said = (_caption(listener(view, language, names, longest), view) for longest in CAPTION_NAME_LENGTHS)
    return next(sentence for sentence in said if len(sentence) <= LONGEST_CAPTION)


def _caption(voice: Voice, view: Json) -> str:
    turn, result = view["turn"], view["result"]
    if result is not None:
        winners = voice.all_of(voice.name(seat) for seat in result["winners"])
        fields = {"winners": winners, "scores": ", ".join(scores(voice, result["scores"]))}
        return fill(label(voice, "caption.over"), fields)
    held = [company["colour"] for company in view["grid"]["companies"]]
    fields = {
        "turn": turn["number"],
        "name": voice.name(turn["seat"]),
        "phase": phase(voice, view),
        "companies": ", ".join(f"{voice.colour(colour)} {held.count(colour)}" for colour in COLOURS),
        "cards": voice.number("cards", view["deck"]),
    }
    return fill(label(voice, "caption" if turn["number"] else "caption.before"), fields)
