"""Grammar of replies: whole lines that are a command, an absence or an action in notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final, Literal
from unicodedata import normalize

from service.inbound.own_text import REMARK, own_text, plain_line, signs_off
from service.rules.kernel import AnyRuleset, Unreadable
from service.texts.when import month_number

_HALF_A_YEAR: Final = timedelta(days=182)
BACK_WORDS: Final = (
    "back",
    "i'm back",
    "i am back",
    "wieder da",
    "ich bin wieder da",
    "de retour",
    "je suis de retour",
)
"""Phrases for the end of an absence, in all languages."""
_DAY: Final = r"(\S.*?)"
_AWAY: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"away (?:from {_DAY} )?(?:until|till|to|through) {_DAY}",
        rf"abwesend (?:(?:von|vom|ab) (?:dem )?{_DAY} )?bis (?:zum )?{_DAY}",
        rf"absente? (?:(?:du|de|dès) (?:le )?{_DAY} )?(?:jusqu'(?:au|à|a)|au) (?:le )?{_DAY}",
    )
)
_ISO: Final = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
_DOTS: Final = re.compile(r"(\d\d?)\. ?(\d\d?)\.?(?: ?(\d{4}))?")
_SLASHES: Final = re.compile(r"(\d\d?)/(\d\d?)(?:/(\d{4}))?")
_DAY_FIRST: Final = re.compile(
    r"(?:the )?(\d\d?)(?:\.|st|nd|rd|th|er)? ?(?:of )?([^\W\d]+)\.?,?(?: (\d{4}))?", re.IGNORECASE
)
_MONTH_FIRST: Final = re.compile(r"([^\W\d]+)\.? (?:the )?(\d\d?)(?:st|nd|rd|th)?,?(?: (\d{4}))?", re.IGNORECASE)
COMMAND_WORDS: Final[Mapping[Word, tuple[str, ...]]] = {
    "help": ("help", "hilfe", "aide", "?"),
    "show": ("show", "zeige", "zeig", "zeigen", "montre", "montrer", "montrez", "voir"),
    "undo": ("undo", "take back", "zurück", "zurueck", "zurücknehmen", "annuler", "annule", "annulez"),
    "resign": ("resign", "aufgeben", "abandonner", "abandonne"),
    "resign-yes": ("resign yes", "aufgeben ja", "abandonner oui", "abandonne oui"),
    "mute": ("mute", "stumm", "muet"),
    "orders": ("orders", "vormerkungen", "vorgemerkt", "ordres", "coups prévus", "coups d'avance"),
    "cancel": ("cancel", "cancel orders", "streichen", "streiche", "effacer", "effacez", "efface"),
}
"""Phrases for each command, in all languages."""
MAX_COMMAND_LENGTH: Final = 300
"""Maximum characters of a command."""
_MEANINGS: Final = {word: meaning for meaning, words in COMMAND_WORDS.items() for word in words}
_THEN: Final = re.compile(r"(?:and |und |et )?(?:then|dann|puis|ensuite)\b\s*[:,]?\s*(.+)", re.IGNORECASE)
"""Pattern of an order: a move for a later turn, on a line of its own."""
MAX_ORDER_LENGTH: Final = 60
"""Maximum characters of a misread order that is reported; a longer line is small talk."""
# Two or three hyphens, into which some programs turn a dash; phones join them to a long dash.
_DASHES: Final = re.compile(r"(?<=\w)\s?-{2,3}\s?(?=\w)")


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """Day as written; without a year (None), it is this year's or, if that is over half a year ago, next year's."""

    day: int
    month: int
    year: int | None = None

    def near(self, today: date) -> date | None:
        """Return the date; None if it does not exist."""
        for year in (today.year, today.year + 1) if self.year is None else (self.year,):
            with suppress(ValueError):
                found = date(year, self.month, self.day)
                if self.year is not None or today - found <= _HALF_A_YEAR:
                    return found
        return None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Day with two readings, such as 3/4."""

    said: str
    one: WrittenDay
    other: WrittenDay


Reading = WrittenDay | Ambiguous | None


@dataclass(frozen=True, slots=True)
class AbsenceLine:
    """Line about an absence, with its last and first day; None for an unreadable day.

    `begins` is "now" if the line names no first day. `back` is true if the line ends the absence.
    """

    until: Reading = None
    begins: Reading | Literal["now"] = "now"
    back: bool = False


def read_absence(plain: str) -> AbsenceLine | None:
    """Parse a line about an absence, with quotation marks and dashes already plain; None for any other line."""
    if plain.casefold() in BACK_WORDS:
        return AbsenceLine(back=True)
    for pattern in _AWAY:
        found = pattern.fullmatch(plain)
        if found is not None:
            last = read_day(found[2])
            return AbsenceLine(last) if found[1] is None else AbsenceLine(last, read_day(found[1]))
    return None


def read_day(text: str) -> Reading:
    """Parse a day: `2026-03-03`, `3 March`, `March 3, 2026`, `3. März`, `1er mars`, `3.3.`, `25/3`."""
    for form, read in _FORMS:
        found = form.fullmatch(text.strip())
        if found is not None:
            return read(found)
    return None


def _iso(found: re.Match[str]) -> Reading:
    return WrittenDay(int(found[3]), int(found[2]), int(found[1]))


def _dots(found: re.Match[str]) -> Reading:
    return WrittenDay(int(found[1]), int(found[2]), _year(found[3]))


def _slashes(found: re.Match[str]) -> Reading:
    one = WrittenDay(int(found[1]), int(found[2]), _year(found[3]))
    other = WrittenDay(one.month, one.day, one.year)
    if one == other or one.day > 12:
        return one
    return other if one.month > 12 else Ambiguous(found[0], one, other)


def _day_first(found: re.Match[str]) -> Reading:
    number = month_number(found[2])
    return None if number is None else WrittenDay(int(found[1]), number, _year(found[3]))


def _month_first(found: re.Match[str]) -> Reading:
    number = month_number(found[1])
    return None if number is None else WrittenDay(int(found[2]), number, _year(found[3]))


def _year(said: str | None) -> int | None:
    return None if said is None else int(said)


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Reading]], ...]] = (
    (_ISO, _iso),
    (_DOTS, _dots),
    (_SLASHES, _slashes),
    (_DAY_FIRST, _day_first),
    (_MONTH_FIRST, _month_first),
)


Word = Literal["help", "show", "undo", "resign", "resign-yes", "mute", "orders", "cancel"]


@dataclass(frozen=True, slots=True)
class Act:
    """Action with its canonical notation."""

    action: Any
    notation: str


@dataclass(frozen=True, slots=True)
class ReplyText:
    """Parsed reply: at most one command, a remark, or both.

    `found` lists the lines with commands; with several different commands, `command` is None. `absences` are the
    different lines about an absence, which combine with any command. `late` are commands below the beginning of a
    remark. `orders` are the moves for later turns; `misread` are lines that begin like an order and cannot be read.
    `unread` is the first line that is no command. `signature` are the lines below a remark that were taken for a
    signature. `quoted` is the line that was taken for the beginning of an unmarked quote. `cut` is true if lines beyond
    the limit were not read.
    """

    command: Word | Act | None = None
    said: str | None = None
    found: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    orders: tuple[Act, ...] = ()
    misread: tuple[str, ...] = ()
    absences: tuple[AbsenceLine, ...] = ()
    unread: str = field(default="", compare=False)
    signature: tuple[str, ...] = ()
    quoted: str = field(default="", compare=False)
    cut: bool = False


def read_reply(ruleset: AnyRuleset, text: str, names: Sequence[str] = ()) -> ReplyText:
    """Parse the text of a reply; `names` are the names with which its author may sign.

    Lines of the form `then P 3` are orders. Commands and orders stand above the first remark, `say:`. Below it no line
    is a command: a mail program that breaks a long remark may leave "P 3" on a line of its own. A remark ends at the
    next remark, or at the end of the author's text; a command on its last lines was meant as a command, and is left out
    of the remark.
    Case, spaces, dashes and quotation marks of any kind, and a full stop at the end make no difference.
    """
    own = own_text(text)
    first = next((number for number, line in enumerate(own.lines) if REMARK.fullmatch(line)), len(own.lines))
    found: dict[str, str] = {}
    commands: list[Word | Act] = []
    orders: list[Act] = []
    misread: list[str] = []
    absences: dict[AbsenceLine, None] = {}
    unread = ""
    for line in own.lines[:first]:
        # A ruleset may skip `then` as a filler word, so orders are matched first.
        order = _THEN.fullmatch(plain_line(line))
        command = _command(ruleset, line if order is None else order[1])
        if order is not None and isinstance(command, Act):
            orders.append(command)
        elif order is None and isinstance(command, AbsenceLine):
            absences[command] = None
        elif order is None and command is not None and not isinstance(command, AbsenceLine):
            commands.append(command)
            _note(found, command, line)
        else:
            unread = unread or line.strip()
            if order is not None and len(line.strip()) <= MAX_ORDER_LENGTH:
                misread.append(line.strip())
    said = _said(ruleset, own.lines[first:], names)
    return ReplyText(
        command=commands[0] if len(found) == 1 else None,
        said=said.words or None,
        found=tuple(found.values()),
        late=said.late,
        orders=tuple(orders),
        misread=tuple(misread),
        absences=tuple(absences),
        unread=unread,
        signature=(*said.signature, *own.signature) if said.words else (),
        quoted=own.quoted,
        cut=own.cut,
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """Remarks, the commands among their lines, and the signature at their end."""

    words: str
    late: tuple[str, ...]
    signature: tuple[str, ...]


def _said(ruleset: AnyRuleset, lines: Sequence[str], names: Sequence[str]) -> _Said:
    """Parse lines that begin with a remark."""
    remarks: list[list[str]] = []
    late: dict[str, str] = {}
    for line in lines:
        if opening := REMARK.fullmatch(line):
            remarks.append([opening[1].strip()])
            continue
        command = _command(ruleset, line)
        if command is not None:
            _note(late, command, line)
        remarks[-1].append(line.strip())
    signature: list[str] = []
    signers = {_folded(part) for name in names for part in (name, *name.split()) if len(part) > 1}
    for remark in remarks:
        while len(remark) > 1 and any(remark[:-1]):
            last = remark[-1]
            signs = remark is remarks[-1] and bool(last) and (_folded(last) in signers or signs_off(last))
            if last and not signs and _command(ruleset, last) is None:
                break
            remark.pop()
            if signs:
                signature.insert(0, last)
        if len(remark) > 1 and _command(ruleset, remark[-1]) is not None:
            remark.pop()
    return _Said("\n".join(filter(None, map(_in_paragraphs, remarks))), tuple(late.values()), tuple(signature))


def _in_paragraphs(lines: Sequence[str]) -> str:
    """Return a remark with a line for each paragraph, since mail programs break long lines."""
    paragraphs = (" ".join(group) for is_written, group in groupby(lines, bool) if is_written)
    return "\n".join(paragraphs)


def _folded(name: str) -> str:
    """Return the letters of a name, without accents."""
    return "".join(each for each in normalize("NFKD", name).casefold() if each.isalnum())


def _note(found: dict[str, str], command: Word | Act | AbsenceLine, line: str) -> None:
    """Record a command once, in readable form: the canonical notation of an action, or the word as written."""
    if isinstance(command, Act):
        found.setdefault(command.notation, command.notation)
    else:
        found.setdefault(command if isinstance(command, str) else plain_line(line), plain_line(line))


def _command(ruleset: AnyRuleset, line: str) -> Word | Act | AbsenceLine | None:
    plain = _DASHES.sub("-", plain_line(line))
    if not plain or len(plain) > MAX_COMMAND_LENGTH:
        return None
    word = _MEANINGS.get(plain.casefold())
    found = word or read_absence(plain)
    if found is not None:
        return found
    try:
        action = ruleset.parse(plain)
    except Unreadable:
        return None
    return Act(action, ruleset.notate(action))
