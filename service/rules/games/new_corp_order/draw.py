"""The table as text for a mail or a terminal: at most 72 columns, drawn from a view alone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.letters import COLOUR_LETTERS, CONSULTANT_LETTERS, TYPE_LETTERS
from service.rules.games.new_corp_order.terms import COLOURS, CONSULTANTS, SLOTS, Counts
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.kernel import Json

WIDTH = 72
CELL = 16
LABEL = 13
LONGEST_NAME = 24
UNBROKEN = "\u00a0"
"""Stands for a space where no line may end, until all lines are made."""


def draw(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows, in a language (English, if unknown): state of play, grid, cards, players, own hand.

    `names` are the players' display names by seat.
    """
    you = view["you"]
    voice = Voice(speak(language), you and you["seat"], [_short(name, LONGEST_NAME) for name in names])
    parts = [
        _state_of_play(voice, view),
        _grid(voice, view),
        _cards(voice, view),
        *(_player(voice, view, player) for player in view["players"]),
        _own(voice, view),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part).replace(UNBROKEN, " ") + "\n"


def _label(voice: Voice, key: str) -> str:
    return voice.language.table[key]


def _after(voice: Voice, key: str, text: str) -> str:
    return voice.phrase("held-by", name=_label(voice, key), what=text)


def _line(label: str, text: str) -> list[str]:
    """A labelled line, continued below its own beginning."""
    indent = " " * LABEL
    first = f"{label}: " if len(label) + 2 > LABEL else f"{label:<{LABEL}}"
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)


def _state_of_play(voice: Voice, view: Json) -> list[str]:
    turn, result = view["turn"], view["result"]
    if result is not None:
        key = "shared" if len(result["winners"]) > 1 else "over"
        scores = [_score(voice, seat, score) for seat, score in enumerate(result["scores"])]
        winners = voice.all_of(voice.name(seat) for seat in result["winners"])
        return _paragraph([fill(_label(voice, key), {"winners": winners}), ", ".join(scores)])
    said = [_who_is_to_do_what(voice, view)]
    if turn["phase"] == "ability" and turn["taken_over"]:
        kind = next(each["type"] for each in view["grid"]["companies"] if each["square"] == turn["taken_over"])
        what = {"square": turn["taken_over"], "type": f"{voice.type(kind)} ({TYPE_LETTERS[kind]})"}
        said.append(fill(_label(voice, "ability"), what))
    if turn["phase"] == "placement":
        said.append(_after(voice, "to-place", voice.colours(turn["to_place"])))
    if turn["used"]:
        said.append(fill(_label(voice, "used"), {"consultant": voice.consultant(turn["used"])}))
    left = turn["final_turns"]
    if left is not None:
        notice = fill(_label(voice, "final"), {"turns": voice.number("turns", left)})
        said.append(notice if left else _label(voice, "last"))
    return _paragraph(said)


def _score(voice: Voice, seat: int, score: int) -> str:
    return voice.phrase("held-by", name=voice.name(seat), what=voice.number("points", score)).replace(" ", UNBROKEN)


def _who_is_to_do_what(voice: Voice, view: Json) -> str:
    turn = view["turn"]
    phase = "turn.solo" if view["solo"] and turn["phase"] == "turn" else turn["phase"]
    key = "turn" if turn["number"] else "before"
    fields = {"turn": turn["number"], "name": _named(voice, turn["seat"]), "phase": voice.language.phases[phase]}
    return fill(_label(voice, key), fields)


def _named(voice: Voice, seat: int) -> str:
    return voice.name(seat) + (f" ({_label(voice, 'you')})" if seat == voice.viewer else "")


def _paragraph(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH)]


def _grid(voice: Voice, view: Json) -> list[str]:
    companies = view["grid"]["companies"]
    scored = set(_objectives(view) or ())
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
    letter = COLOUR_LETTERS[colour]
    cubes = letter * agents if agents <= 5 else f"{letter * 4}.."
    return (
        f"{title:<{CELL - 2}}{TYPE_LETTERS[kind]}",
        _company_name(company["name"]),
        f"{agents} {_short(voice.colour(colour), 7):<7} {cubes:>6}",
    )


def _company_name(name: str) -> str:
    """A company's name without the words at its end that do not fit."""
    words = name.split()
    while len(" ".join(words)) > CELL and len(words) > 1:
        words.pop()
    return _short(" ".join(words).removesuffix(" &"), CELL)


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _cards(voice: Voice, view: Json) -> list[str]:
    display = view["display"]
    if display is None:
        shown = _label(voice, "hidden")
    else:
        slots = zip(SLOTS, display, strict=False)
        shown = "   ".join(f"{slot} {voice.colour(card) if card else '-'}" for slot, card in slots)
    supply = view["supply"]
    return [
        *_line(_label(voice, "display"), shown),
        *_line(_label(voice, "deck"), voice.number("cards", view["deck"])),
        *_line(_label(voice, "supply"), _agents(voice, supply["agents"])),
        *([] if view["solo"] else _line("", _consultants(voice, supply["consultants"]))),
    ]


def _agents(voice: Voice, counts: Counts) -> str:
    return _after(voice, "agents", _counted(voice, counts))


def _consultants(voice: Voice, counts: Json) -> str:
    held = [
        f"{counts[each]} {voice.consultant(each)} ({CONSULTANT_LETTERS[each]})".replace(" ", UNBROKEN)
        for each in CONSULTANTS
        if counts[each]
    ]
    return _after(voice, "consultants", ", ".join(held) or "-")


def _player(voice: Voice, view: Json, player: Json) -> list[str]:
    seat, hq, solo = player["seat"], player["hq"], view["solo"]
    mark = ">" if view["turn"]["seat"] == seat and view["result"] is None else " "
    title = [f"{mark} @{seat} {_named(voice, seat)}"]
    if solo is None:
        title.append(fill(_label(voice, "in-hand"), {"cards": voice.number("cards", player["hand"])}))
    elif solo["colours"]:
        title.append(fill(_label(voice, "plays"), {"colours": voice.pair(solo["colours"][seat])}))
    cards, rotated = (_counted(voice, hq[pile]) for pile in ("cards", "rotated"))
    lines = [
        _short(" - ".join(title), WIDTH),
        *_indented(f"{_after(voice, 'cards', cards)}   {_after(voice, 'rotated', rotated)}"),
        *_indented(_agents(voice, hq["agents"])),
    ]
    if solo is None:
        lines += _indented(_consultants(voice, hq["consultants"]))
    if solo is None and seat != voice.viewer and player["objectives"] is not None:
        lines += _indented(_after(voice, "others-objectives", _types(voice, player["objectives"])))
    return lines


def _counted(voice: Voice, counts: Counts) -> str:
    held = [f"{counts[colour]}{UNBROKEN}{voice.colour(colour)}" for colour in COLOURS if counts[colour]]
    return ", ".join(held) or "-"


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False)


def _own(voice: Voice, view: Json) -> list[str]:
    you, solo = view["you"], view["solo"]
    if solo is not None:
        known = solo["objectives"]
        return _line(_label(voice, "shared-objectives"), _types(voice, known) if known else _label(voice, "hidden"))
    if you is None:
        return []
    hand = [
        f"{you['hand'][colour]} {voice.colour(colour)} ({COLOUR_LETTERS[colour]})".replace(" ", UNBROKEN)
        for colour in COLOURS
        if you["hand"][colour]
    ]
    return [
        *_line(_label(voice, "hand"), ", ".join(hand) or "-"),
        *_line(_label(voice, "objectives"), _types(voice, you["objectives"])),
    ]


def _types(voice: Voice, kinds: Iterable[str]) -> str:
    return ", ".join(voice.type(kind).replace(" ", UNBROKEN) for kind in kinds)


def _objectives(view: Json) -> Sequence[str] | None:
    own: Sequence[str] | None = (view["solo"] or view["you"] or {"objectives": None})["objectives"]
    return own
