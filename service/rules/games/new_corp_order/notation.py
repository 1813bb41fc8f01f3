"""Notation of actions: one line each, typed into a mail and read in a record (README.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar, cast

from service.rules.games.new_corp_order.actions import (
    Action,
    AddAgents,
    Card,
    ChooseConglomerates,
    Discard,
    ExchangeAgents,
    ExchangeCards,
    Infiltrate,
    Move,
    MoveAgents,
    PlaceAgents,
    PlaceCard,
    Placement,
    PlayOds,
    Plot,
    RemoveCard,
    RotateCards,
    SkipAbility,
    TakeOver,
    UnrotateCards,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.terms import SLOTS, Colour, CompanyType, Consultant, Source, Square
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.kernel import Unreadable

COLOUR_LETTERS: Mapping[Colour, str] = {"red": "R", "black": "K", "blue": "B", "white": "W"}
"""K is black, as in printing; a B with a digit after it is always a square."""

CONSULTANT_LETTERS: Mapping[Consultant, str] = {
    "media-advisor": "M",
    "dealmaker": "D",
    "corporate-lawyer": "L",
    "military-contractor": "C",
    "corporate-accountant": "A",
    "spin-doctor": "S",
    "headhunter": "H",
}

TYPE_LETTERS: Mapping[CompanyType, str] = {
    "online-marketing": "OM",
    "guerrilla-marketing": "GM",
    "broadcast-network": "BN",
    "print-media": "PM",
    "social-media": "SM",
    "ambient-advertising": "AA",
    "viral-marketing": "VM",
    "product-placement": "PP",
    "negative-campaigning": "NC",
}

DECK = "D"
ROTATED = "'"


# The words that `parse` takes for the letters, in any of the languages.

T = TypeVar("T")

UNIFIED: Mapping[int, str] = str.maketrans(
    dict.fromkeys("–—−→>", "-") | dict.fromkeys("’‘′`´", "'") | dict(zip("àäéèêôöü", "aaeeeoou", strict=True))
)
"""Turns dashes and quotation marks of all kinds into those of the notation, and takes accents away; one for one."""

NO_LETTER_AFTER = r"(?![^\W\d_])"


class Lexicon(NamedTuple, Generic[T]):
    """Words for one place of a line: a pattern, and the meaning of each text that it matches."""

    pattern: re.Pattern[str]
    meanings: Mapping[str, T]

    def meaning(self, text: str) -> T:
        """Return what a matched text means."""
        return self.meanings[_normal(text)]


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _plain(word: str) -> str:
    return word.lower().translate(UNIFIED)


def _either(words: Mapping[str, T], ending: str) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") + ending for word in longest_first)


def _lexicon(words: Mapping[str, T], letters: Mapping[str, T], after_letter: str = "") -> Lexicon[T]:
    pattern = f"{_either(words, NO_LETTER_AFTER)}|(?:{_either(letters, '')}){after_letter}"
    return Lexicon(re.compile(pattern), {**words, **letters})


def _colour_forms(word: str) -> list[str]:
    return [word + ending for ending in ("", "s", "e", "en", "es")]


HEAD_WORDS: Mapping[str, tuple[str, ...]] = {
    "P": ("plot", "planen", "plane", "complot", "comploter"),
    "I": ("infiltrate", "infiltrieren", "infiltriere", "infiltration", "infiltrer"),
    "T": ("takeover", "take over", "übernahme", "prise de contrôle"),
    "X": ("discard", "abwerfen", "défausse", "défausser"),
    "C": ("choose", "wählen", "wähle", "choisir"),
    "A": ("place", "einsetzen", "placer"),
    "SKIP": ("skip", "verzichten", "renoncer"),
    "ODS": ("ods", "sod"),
}

_TYPES = {_plain(word): TYPE_LETTERS[kind] for language in LANGUAGES for kind, word in language.types.items()}
_HEADS = {_plain(word): head for head, words in HEAD_WORDS.items() for word in words} | _TYPES
# A single A places agents, and "A A1 .." may be written without its space: it takes an @ to read AA.
_HEAD_LETTERS = {letters.lower(): letters for letters in TYPE_LETTERS.values() if letters != "AA"} | {
    head.lower(): head for head in ("P", "I", "T", "X", "C", "A")
}

HEAD_LEXICON: Lexicon[str] = Lexicon(
    re.compile(rf"{_either(_HEADS, NO_LETTER_AFTER)}|aa(?=\s*@)|{_either(_HEAD_LETTERS, '')}"),
    {**_HEADS, **_HEAD_LETTERS, "aa": "AA"},
)

COLOUR_LEXICON: Lexicon[Colour] = _lexicon(
    {
        form: colour
        for language in LANGUAGES
        for colour, word in language.colours.items()
        for form in _colour_forms(word.lower())
    }
    | {"blanche": "white", "blanches": "white", "weiss": "white"},
    {letter.lower(): colour for colour, letter in COLOUR_LETTERS.items()},
)

_CONSULTANTS: dict[str, Consultant] = {
    _plain(word): consultant for language in LANGUAGES for consultant, word in language.consultants.items()
}
_CONSULTANT_LETTERS = {letter.lower(): consultant for consultant, letter in CONSULTANT_LETTERS.items()}

CONSULTANT_LEXICON: Lexicon[Consultant] = _lexicon(_CONSULTANTS, _CONSULTANT_LETTERS)

# A letter stands for a consultant used only where an Infiltrate or a Takeover follows them.
_ACTION_FOLLOWS = (
    rf"(?=\s*(?:{_either(dict.fromkeys(_plain(word) for word in HEAD_WORDS['I'] + HEAD_WORDS['T']), NO_LETTER_AFTER)}"
    r"|i(?:\s|[0-9rkbw])|t(?:\s|[a-d][0-9])))"
)
USED_CONSULTANT_LEXICON: Lexicon[Consultant] = _lexicon(_CONSULTANTS, _CONSULTANT_LETTERS, _ACTION_FOLLOWS)

_SOURCES: dict[str, Source] = {slot: slot for slot in SLOTS}
SOURCE_LEXICON: Lexicon[Source] = _lexicon(
    {"deck": "deck", "stapel": "deck", "pioche": "deck"}, _SOURCES | {DECK.lower(): "deck"}
)

NOISE = re.compile(
    rf"(?:[\s,;:.]|(?<![^\W\d_])(?:and|und|et|then|dann|puis|the|to|nach|auf|sur|vers|from|von|de|at|on|with|mit|avec"
    rf"|slot|card|cards|karte|karten|carte|cartes|agent|agents|agenten){NO_LETTER_AFTER})*"
)
"""Filler words between the parts of a line."""

Reader = Callable[[], T]


LONGEST_LINE = 200
SPACES = {ord("\t"): " ", ord("\u00a0"): " "}

EXAMPLES = {
    "": "P 2 D | I 3R B2 =D | T A1-B1 3 | X RK | skip",
    "P": "P 2 D",
    "I": "I 3R B2 =D | M I 2R+K B2 | L I 2R B2 1K C3",
    "T": "T A1-B1 3 | D T A1-B1 3",
    "X": "X RRK",
    "BN": "BN A1-B1 A1-C2",
    "GM": "GM @1 2R",
    "PM": "PM R @1 K'",
    "AA": "AA @0 RK",
    "SM": "SM @1 R'",
    "OM": "OM A1 C3",
    "VM": "VM B2 2",
    "PP": "PP R",
    "NC": "NC B2 2",
    "C": "C RK",
    "A": "A B2 C3",
}

_NUMBER = re.compile(r"[0-9]{1,2}")
_SQUARE = re.compile(r"[a-d][1-4]")
_HQ = re.compile(r"(?:@|seat|hq|qg|sitz|siege)\s*([0-9])")
_PLUS = re.compile(r"\+")
_TO = re.compile(r"-")
_ROTATED = re.compile(r"\s*'")
_GLUED = re.compile(r"[^\s\d]+")
_NO_PART = re.compile(r"[^\s\d]")
_TAKE = re.compile(r"=|take(?![^\W\d_])")


class NotedLine:
    """A text and how far it has been read; every method that returns a part reads it, or fails."""

    def __init__(self, text: str) -> None:
        self.original = "".join(each if each.isprintable() else " " for each in text.strip())
        # The one capital whose small letter takes two characters (U+0130) would shift all that follows.
        self.text = self.original.replace("İ", "I").lower().translate(UNIFIED)
        self.at = self.begun = 0
        self.example = EXAMPLES[""]
        if len(text) > LONGEST_LINE or not text.strip().translate(SPACES).isprintable():
            self.fail()

    def used_consultant(self) -> Consultant | None:
        """Read the consultant in front of an Infiltrate or a Takeover, if there is one."""
        return self._word(USED_CONSULTANT_LEXICON)

    def taken_consultant(self) -> Consultant | None:
        """Read `=D`, the consultant taken, if the line goes on with one."""
        if self._match(_TAKE) is None:
            return None
        return self._need(CONSULTANT_LEXICON)

    def head(self) -> str:
        """Read what kind of action the line is."""
        self._skip_noise()
        self.begun = self.at
        head = self._need(HEAD_LEXICON)
        self.example = EXAMPLES.get(head, head)
        return head

    def number(self) -> int | None:
        """Read a number, if there is one."""
        found = self._match(_NUMBER)
        return None if found is None else int(found[0])

    def colour(self) -> Colour:
        """Read a colour."""
        return self._need(COLOUR_LEXICON)

    def colours(self) -> tuple[Colour, ...]:
        """Read all that is left as colours, each with a number before it if need be."""
        found: list[Colour] = []
        while not found or self.goes_on():
            number = self.number()
            found += [self.colour()] * (1 if number is None else number or self.fail())
        return tuple(found)

    def card(self) -> Card:
        """Read a card: a colour, and ' behind it if the card is rotated."""
        colour = self.colour()
        return Card(colour=colour, rotated=self._match(_ROTATED) is not None)

    def source(self) -> Source:
        """Read a display slot or the deck."""
        return self._need(SOURCE_LEXICON)

    def square(self) -> Square:
        """Read a square."""
        return cast("Square", (self._match(_SQUARE) or self.fail())[0].upper())

    def way(self) -> tuple[Square, Square]:
        """Read two squares, usually with a - between them."""
        source = self.square()
        self._match(_TO)
        return source, self.square()

    def hq(self) -> int:
        """Read whose HQ is meant: @ and the seat."""
        return int((self._match(_HQ) or self.fail())[1])

    def plus(self) -> bool:
        """Read a +, if there is one."""
        return self._match(_PLUS) is not None

    def several(self, part: Reader[T]) -> list[T]:
        """Read one or more of a part up to the end of the line."""
        found = [part()]
        while self.goes_on():
            found.append(part())
        return found

    def goes_on(self) -> bool:
        """Return whether there is more, up to a consultant taken."""
        self._skip_noise()
        return self.at < len(self.text) and not _TAKE.match(self.text, self.at)

    def end(self) -> None:
        """Fail if anything is left."""
        self._skip_noise()
        if self.at < len(self.text):
            self.fail()

    def fail(self) -> NoReturn:
        """Raise Unreadable with the part not understood (all of it, if something is missing at the end)."""
        if _GLUED.fullmatch(self.original, self.begun, self.at) and _NO_PART.match(self.original, self.at):
            # The word only begins like an action: `castle` is no C.
            self.at, self.example = self.begun, EXAMPLES[""]
        rest = self.original[self.at :] or self.original
        part = rest if len(rest) <= 40 else rest[:39] + "…"
        raise Unreadable(f'"{part}" ({self.example})')

    def _word(self, lexicon: Lexicon[T]) -> T | None:
        found = self._match(lexicon.pattern)
        return None if found is None else lexicon.meaning(found[0])

    def _need(self, lexicon: Lexicon[T]) -> T:
        found = self._match(lexicon.pattern) or self.fail()
        return lexicon.meaning(found[0])

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip_noise()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def _skip_noise(self) -> None:
        found = NOISE.match(self.text, self.at)
        self.at = found.end() if found else self.at


# Writing and reading each action.


def notate(action: Action) -> str:
    """Return the action's one canonical line, such as `D T A1-B1 3`; no two actions share a line."""
    return _WRITE[type(action)](action)


def parse(text: str) -> Action:
    """Return the action that a line means: canonical, in short forms, or with the words of any of the languages.

    Raises Unreadable, naming the part not understood and an example of what is expected.
    """
    line = NotedLine(text)
    use = line.used_consultant()
    head = line.head()
    if head == "I":
        action = _infiltrate(line, use)
    elif head == "T":
        action = _take_over(line, use)
    else:
        action = _READ[head](line)
    line.end()
    return action


def _cards(colours: tuple[Colour, ...]) -> str:
    return "".join(COLOUR_LETTERS[colour] for colour in colours)


def _card(card: Card) -> str:
    return COLOUR_LETTERS[card.colour] + (ROTATED if card.rotated else "")


def _with(use: Consultant | None, line: str) -> str:
    return line if use is None else f"{CONSULTANT_LETTERS[use]} {line}"


def _write_plot(action: Plot) -> str:
    return " ".join(["P", *(DECK if source == "deck" else source for source in action.sources)])


def _write_infiltrate(action: Infiltrate) -> str:
    parts = ["I"]
    joker = "" if action.joker is None else f"+{COLOUR_LETTERS[action.joker]}"
    for placement in action.placements:
        parts += [f"{placement.cards}{COLOUR_LETTERS[placement.colour]}{joker}", placement.company]
        joker = ""
    if action.take is not None:
        parts.append(f"={CONSULTANT_LETTERS[action.take]}")
    return _with(action.use, " ".join(parts))


def _write_take_over(action: TakeOver) -> str:
    return _with(action.use, f"T {action.source}-{action.target} {action.agents}")


def _write_agents(kind: str) -> Callable[[Any], str]:
    return lambda action: f"{kind} {action.company} {action.agents}"


def _write_move_agents(action: MoveAgents) -> str:
    return " ".join([_BROADCAST, *(f"{move.source}-{move.target}" for move in action.moves)])


_BROADCAST = TYPE_LETTERS["broadcast-network"]
_GUERRILLA = TYPE_LETTERS["guerrilla-marketing"]
_PRINT = TYPE_LETTERS["print-media"]
_AMBIENT = TYPE_LETTERS["ambient-advertising"]
_SOCIAL = TYPE_LETTERS["social-media"]
_ONLINE = TYPE_LETTERS["online-marketing"]
_VIRAL = TYPE_LETTERS["viral-marketing"]
_PLACEMENT = TYPE_LETTERS["product-placement"]
_NEGATIVE = TYPE_LETTERS["negative-campaigning"]

_WRITE: dict[type[Any], Callable[[Any], str]] = {
    Plot: _write_plot,
    Infiltrate: _write_infiltrate,
    TakeOver: _write_take_over,
    Discard: lambda action: f"X {_cards(action.cards)}",
    MoveAgents: _write_move_agents,
    RotateCards: lambda action: f"{_GUERRILLA} @{action.hq} {action.cards}{COLOUR_LETTERS[action.colour]}",
    ExchangeCards: lambda action: f"{_PRINT} {_card(action.give)} @{action.hq} {_card(action.take)}",
    UnrotateCards: lambda action: f"{_AMBIENT} @{action.hq} {_cards(action.colours)}",
    RemoveCard: lambda action: f"{_SOCIAL} @{action.hq} {_card(action.card)}",
    ExchangeAgents: lambda action: f"{_ONLINE} {action.first} {action.second}",
    AddAgents: _write_agents(_VIRAL),
    PlaceCard: lambda action: f"{_PLACEMENT} {COLOUR_LETTERS[action.colour]}",
    WithdrawAgents: _write_agents(_NEGATIVE),
    SkipAbility: lambda _: "skip",
    ChooseConglomerates: lambda action: f"C {_cards(action.colours)}",
    PlaceAgents: lambda action: " ".join(["A", *action.companies]),
    PlayOds: lambda _: "ODS",
}


def _plot(line: NotedLine) -> Action:
    return Plot(sources=tuple(line.several(line.source)))


def _infiltrate(line: NotedLine, use: Consultant | None) -> Action:
    placements: list[Placement] = []
    joker: Colour | None = None
    while not placements or line.goes_on():
        number, colour = line.number(), line.colour()
        if line.plus():
            joker = line.colour() if not placements else line.fail()
        placements.append(Placement(colour=colour, cards=1 if number is None else number, company=line.square()))
    return Infiltrate(placements=tuple(placements), use=use, joker=joker, take=line.taken_consultant())


def _take_over(line: NotedLine, use: Consultant | None) -> Action:
    source, target = line.way()
    agents = line.number()
    return TakeOver(source=source, target=target, agents=line.fail() if agents is None else agents, use=use)


def _move_agents(line: NotedLine) -> Action:
    ways = line.several(line.way)
    return MoveAgents(moves=tuple(Move(source=source, target=target) for source, target in ways))


def _rotate_cards(line: NotedLine) -> Action:
    hq, number, colour = line.hq(), line.number(), line.colour()
    return RotateCards(hq=hq, colour=colour, cards=1 if number is None else number)


def _exchange_cards(line: NotedLine) -> Action:
    give, hq, take = line.card(), line.hq(), line.card()
    return ExchangeCards(give=give, hq=hq, take=take)


def _unrotate_cards(line: NotedLine) -> Action:
    hq, colours = line.hq(), line.colours()
    return UnrotateCards(hq=hq, colours=colours)


def _remove_card(line: NotedLine) -> Action:
    hq, card = line.hq(), line.card()
    return RemoveCard(hq=hq, card=card)


def _exchange_agents(line: NotedLine) -> Action:
    first, second = line.way()
    return ExchangeAgents(first=first, second=second)


def _agents_of(line: NotedLine) -> tuple[Square, int]:
    """Read a company and a number of its agents; without a number it is one."""
    company, agents = line.square(), line.number()
    return company, 1 if agents is None else agents


def _add_agents(line: NotedLine) -> Action:
    company, agents = _agents_of(line)
    return AddAgents(company=company, agents=agents)


def _withdraw_agents(line: NotedLine) -> Action:
    company, agents = _agents_of(line)
    return WithdrawAgents(company=company, agents=agents)


def _choose_conglomerates(line: NotedLine) -> Action:
    colours = line.colours()
    if len(colours) != 2:
        line.fail()
    return ChooseConglomerates(colours=colours)


_READ: dict[str, Callable[[NotedLine], Action]] = {
    "P": _plot,
    "X": lambda line: Discard(cards=line.colours()),
    _BROADCAST: _move_agents,
    _GUERRILLA: _rotate_cards,
    _PRINT: _exchange_cards,
    _AMBIENT: _unrotate_cards,
    _SOCIAL: _remove_card,
    _ONLINE: _exchange_agents,
    _VIRAL: _add_agents,
    _PLACEMENT: lambda line: PlaceCard(colour=line.colour()),
    _NEGATIVE: _withdraw_agents,
    "SKIP": lambda _: SkipAbility(),
    "C": _choose_conglomerates,
    "A": lambda line: PlaceAgents(companies=tuple(line.several(line.square))),
    "ODS": lambda _: PlayOds(),
}
