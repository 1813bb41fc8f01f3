"""What the text of a reply asks for: the lines of it that are, as a whole, a command or an action in notation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, Literal
from unicodedata import normalize

from service.inbound.absence_lines import AbsenceLine, read_absence
from service.inbound.own_text import SAY, own_text, plain_line, signs_off
from service.rules.kernel import AnyRuleset, Unreadable

Word = Literal["help", "show", "undo", "resign", "resign-yes", "mute", "orders", "cancel"]

WORDS: Final[Mapping[Word, tuple[str, ...]]] = {
    "help": ("help", "hilfe", "aide", "?"),
    "show": ("show", "zeige", "zeig", "zeigen", "montre", "montrer", "montrez", "voir"),
    "undo": ("undo", "take back", "zurück", "zurueck", "zurücknehmen", "annuler", "annule", "annulez"),
    "resign": ("resign", "aufgeben", "abandonner", "abandonne"),
    "resign-yes": ("resign yes", "aufgeben ja", "abandonner oui", "abandonne oui"),
    "mute": ("mute", "stumm", "muet"),
    "orders": ("orders", "vormerkungen", "vorgemerkt", "ordres", "coups prévus", "coups d'avance"),
    "cancel": ("cancel", "cancel orders", "streichen", "streiche", "effacer", "effacez", "efface"),
}
"""What players may write for each command, in any of the languages."""

LONGEST_LINE: Final = 300
"""Characters that a command may have."""
_MEANINGS: Final = {word: meaning for meaning, words in WORDS.items() for word in words}
_THEN: Final = re.compile(r"(?:and |und |et )?(?:then|dann|puis|ensuite)\b\s*[:,]?\s*(.+)", re.IGNORECASE)
"""An order: a move for a later turn, each on a line of its own."""
LONGEST_ORDER: Final = 60
"""Characters of a line that begins like an order and is told of if it is none; a longer one is small talk."""
# What telephones make one long dash of, and some programs two short ones of a dash.
_DASHES: Final = re.compile(r"(?<=\w)\s?-{2,3}\s?(?=\w)")


@dataclass(frozen=True, slots=True)
class Act:
    """An action, and its canonical notation."""

    action: Any
    notation: str


@dataclass(frozen=True, slots=True)
class ReplyText:
    """What a reply asks for: at most one command, something to say, or both.

    `found` are the lines that ask for something; more than one different command among them makes `command` None.
    `absences` are the different lines about an absence, which go along with any command.
    `late` are lines that would ask for something, but stand after the beginning of a remark.
    `orders` are the moves for later turns, `misread` the lines that begin like one and cannot be read.
    `unread` is the first line that asks for nothing.
    `signature` are the lines below a remark that were taken for one, `quoted` is the line with which a quote without
    marks was taken to begin, and `cut` tells that there were more lines than are read.
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
    """Return what the text of a reply asks for; `names` are what its writer may sign it with.

    Lines of the form `then P 3` are orders. Commands and orders stand above the first remark, `say:`. From there on
    nothing is one: a mail program that breaks a long remark may leave "P 3" on a line of its own. A remark runs to the
    next one, or to the end of what the player has written; a command on its last lines was meant to be one, and is not
    said either.

    Case, spaces, dashes and quotation marks of any kind, and a full stop at the end make no difference.
    """
    own = own_text(text)
    first = next((number for number, line in enumerate(own.lines) if SAY.fullmatch(line)), len(own.lines))
    found: dict[str, str] = {}
    commands: list[Word | Act] = []
    orders: list[Act] = []
    misread: list[str] = []
    absences: dict[AbsenceLine, None] = {}
    unread = ""
    for line in own.lines[:first]:
        # A ruleset may take `then` for a word without meaning, so orders are looked for first.
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
            if order is not None and len(line.strip()) <= LONGEST_ORDER:
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
    """The remarks, the commands among their lines, and the lines at their end that sign them."""

    words: str
    late: tuple[str, ...]
    signature: tuple[str, ...]


def _said(ruleset: AnyRuleset, lines: Sequence[str], names: Sequence[str]) -> _Said:
    """Return what is said in lines of which the first begins a remark."""
    remarks: list[list[str]] = []
    late: dict[str, str] = {}
    for line in lines:
        if opening := SAY.fullmatch(line):
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
    """Return a remark with a line for each paragraph: mail programs break long lines."""
    paragraphs = (" ".join(group) for is_written, group in groupby(lines, bool) if is_written)
    return "\n".join(paragraphs)


def _folded(name: str) -> str:
    """Return the letters of a name, without accents."""
    return "".join(each for each in normalize("NFKD", name).casefold() if each.isalnum())


def _note(found: dict[str, str], command: Word | Act | AbsenceLine, line: str) -> None:
    """Note a command once, as people read it: the canonical notation of an action, the word as it was written."""
    if isinstance(command, Act):
        found.setdefault(command.notation, command.notation)
    else:
        found.setdefault(command if isinstance(command, str) else plain_line(line), plain_line(line))


def _command(ruleset: AnyRuleset, line: str) -> Word | Act | AbsenceLine | None:
    plain = _DASHES.sub("-", plain_line(line))
    if not plain or len(plain) > LONGEST_LINE:
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
