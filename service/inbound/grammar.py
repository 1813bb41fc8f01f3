"""What the text of a reply asks for: the lines of it that are, as a whole, a command or an action in notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Literal
from unicodedata import normalize

from service.inbound.absence_lines import AbsenceLine, read_absence
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

MOST_LINES: Final = 400
LONGEST_LINE: Final = 300
"""Characters that a command may have."""
LONGEST_READ: Final = 2000
"""Characters of a line that are read: more than a remark may have, and to normalize a line may take their square."""
_MEANINGS: Final = {word: meaning for meaning, words in WORDS.items() for word in words}
_UNIFIED: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′´`", "'")
    | dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("‐‑‒–—−", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
)
# As everywhere, words have no control characters: PostgreSQL stores no NUL, and terminals obey an ESC.
_CONTROLS: Final = str.maketrans(dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "") | {ord("\t"): " "})
_SAY: Final = re.compile(r"[\s*_]*(?:say|sage?|dis|dites|dire)[*_]*\s*:[*_]*\s*(.*)", re.IGNORECASE)
_THEN: Final = re.compile(r"(?:and |und |et )?(?:then|dann|puis|ensuite)\b\s*[:,]?\s*(.+)", re.IGNORECASE)
"""An order: a move for a later turn, each on a line of its own."""
LONGEST_ORDER: Final = 60
"""Characters of a line that begins like an order and is told of if it is none; a longer one is small talk."""
_SIGNATURE: Final = "--"
# What telephones make one long dash of, and some programs two short ones of a dash.
_DASHES: Final = re.compile(r"(?<=\w)\s?-{2,3}\s?(?=\w)")
# A line of dashes, of underscores, or with a title between dashes; or the first header of what is quoted.
_QUOTE: Final = re.compile(
    r"-{5,}|_{5,}|-{2,}\s*[^\s-].*-{2,}|(?:from|von|de|absender|expéditeur)\s?:\s?\S.*", re.IGNORECASE
)
# The quoted person wrote it or sent it, or it is one of our own mails.
_ATTRIBUTION: Final = re.compile(
    r".*\b(?:wrote|writes|sent|sends|schrieb|schreibt|sandte|sendete|gesendet|schickte|geschickt|écrit|envoyé|boardroom)\b.*:",
    re.IGNORECASE,
)


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
    """

    command: Word | Act | None = None
    said: str | None = None
    found: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    orders: tuple[Act, ...] = ()
    misread: tuple[str, ...] = ()
    absences: tuple[AbsenceLine, ...] = ()
    unread: str = field(default="", compare=False)


def read_reply(ruleset: AnyRuleset, text: str) -> ReplyText:
    """Return what the text of a reply asks for.

    Lines of the form `then P 3` are orders. Commands and orders stand above the first remark, `say:`. From there on
    nothing is one: a mail program that breaks a long remark may leave "P 3" on a line of its own. A remark ends with
    its paragraph; a command on its last lines was meant to be one, and is not said either.

    Lines that begin with > are skipped, and so is what follows the header of a quote without them, or a signature.
    Case, spaces, dashes and quotation marks of any kind, and a full stop at the end make no difference.
    """
    lines = list(_own_lines(text))
    first = next((number for number, line in enumerate(lines) if _SAY.fullmatch(line)), len(lines))
    found: dict[str, str] = {}
    commands: list[Word | Act] = []
    orders: list[Act] = []
    misread: list[str] = []
    absences: dict[AbsenceLine, None] = {}
    unread = ""
    for line in lines[:first]:
        # A ruleset may take `then` for a word without meaning, so orders are looked for first.
        order = _THEN.fullmatch(_plain(line))
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
    said, late = _said(ruleset, lines[first:])
    command = commands[0] if len(found) == 1 else None
    asked = tuple(found.values())
    return ReplyText(command, said or None, asked, late, tuple(orders), tuple(misread), tuple(absences), unread)


def _said(ruleset: AnyRuleset, lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the remarks in lines of which the first begins one, and the commands among the lines."""
    remarks: list[list[str]] = []
    late: dict[str, str] = {}
    saying = False
    for line in lines:
        opening = _SAY.fullmatch(line)
        command = None if opening else _command(ruleset, line)
        if command is not None:
            _note(late, command, line)
        if opening:
            remarks.append([opening[1].strip()])
        elif saying and line.strip():
            # Mail programs break long lines.
            remarks[-1].append(line.strip())
        saying = opening is not None or (saying and bool(line.strip()))
    for remark in remarks:
        while len(remark) > 1 and _command(ruleset, remark[-1]) is not None:
            remark.pop()
    return "\n".join(filter(None, (" ".join(filter(None, remark)) for remark in remarks))), tuple(late.values())


def _note(found: dict[str, str], command: Word | Act | AbsenceLine, line: str) -> None:
    """Note a command once, as people read it: the canonical notation of an action, the word as it was written."""
    if isinstance(command, Act):
        found.setdefault(command.notation, command.notation)
    else:
        found.setdefault(command if isinstance(command, str) else _plain(line), _plain(line))


def _command(ruleset: AnyRuleset, line: str) -> Word | Act | AbsenceLine | None:
    plain = _DASHES.sub("-", _plain(line))
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


def _own_lines(text: str) -> Iterator[str]:
    """Yield the lines that the player has written, as far as that can be told."""
    lines = [normalize("NFC", line[:LONGEST_READ].translate(_CONTROLS)) for line in text.splitlines()]
    count = 0
    for line, following in pairwise([*_without_stamps(lines), ""]):
        if line.lstrip().startswith(">"):
            continue
        plain = _plain(line).replace("*", "")
        if line.rstrip() == _SIGNATURE or _QUOTE.fullmatch(plain) or count >= MOST_LINES:
            return
        if _ATTRIBUTION.fullmatch(plain):
            if not following.lstrip().startswith(">"):
                return
            continue
        count += 1
        yield line


def _without_stamps(lines: Sequence[str]) -> list[str]:
    """Return the lines, but without the empty ones between an attribution and the quote that it announces."""
    kept: list[str] = []
    for line in lines:
        quoted = line.lstrip().startswith(">")
        while quoted and kept and not kept[-1].strip():
            kept.pop()
        kept.append(line)
    return kept


def _plain(line: str) -> str:
    """Return the line as it is compared: without what mail programs and telephones make of a few letters."""
    text = " ".join(normalize("NFKC", line).translate(_UNIFIED).split())
    text = text.strip('"*_ ').rstrip(".! ").strip('"*_ ')
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text
