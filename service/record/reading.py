"""Read records line by line without trusting them; find the records in a file."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, ValidationError, convert

from service.log.codec import stored_name
from service.log.recorded import Door, Recorded, instant
from service.record.canonical import Malformed, canonical, read_line

FORMATS: Final = (2, 3, 4, 5, 6, 7, 8)
"""Formats that are read. Each adds to the header: from 3 on the lobby, from 4 on the origin of a fork; 5 is for games
with a clock, 6 for games that began with computer players, 7 for games of a daily deal, 8 for all games since moments
never fall."""
MONOTONE: Final = 8
"""First format in which no moment is before that of the line before it."""
LONGEST_LINE: Final = 4_000_000
_YEAR_10000: Final = 253_402_300_800_000
# Milliseconds since 1970, as far as Python has dates.
_Moment = Annotated[int, Meta(ge=0, lt=_YEAR_10000)]


class Faulty(Exception):
    """Fault in a record: the number of the line, from 1, and a description."""

    def __init__(self, line: int, wrong: str) -> None:
        super().__init__(f"line {line}: {wrong}")
        self.line = line
        self.wrong = wrong


class Unchecked(Exception):
    """Check that is impossible here, without any fault of the record; the message says why."""


class RulesMissing(Unchecked):
    """Rules of a game, or the time zone of its clock, that are not installed here."""


class FormatUnknown(RulesMissing):
    """Record of a newer version; the message names the format."""


class _Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Schema of a line, or of a part; unknown fields are forbidden."""


class _Header(_Shape, frozen=True):
    kind: str
    format: int
    game: str
    ruleset: str
    revision: int
    seats: int
    options: dict[str, Any]
    commitment: str


class _HeaderOfLobby(_Header, frozen=True):
    lobby: str


class _Origin(_Shape, frozen=True):
    game: str
    seq: int
    head: str | None


class _HeaderOfFork(_HeaderOfLobby, frozen=True):
    origin: _Origin


class _Pace(_Shape, frozen=True):
    free: int
    bank: int
    credit: int
    cap: int
    weekdays: str | None
    on_lapse: str
    away: bool
    take_back: bool


class _HeaderOfClock(_HeaderOfLobby, frozen=True):
    origin: _Origin | None
    pace: _Pace


class _Computer(_Shape, frozen=True):
    seat: int
    level: str
    version: int


class _HeaderOfComputers(_HeaderOfLobby, frozen=True):
    origin: _Origin | None
    pace: _Pace | None
    computers: Annotated[list[_Computer], Meta(min_length=1)]


class _HeaderOfDeal(_HeaderOfLobby, frozen=True):
    origin: None
    pace: None
    computers: Annotated[list[_Computer], Meta(max_length=0)]
    deal: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class _HeaderOfAny(_HeaderOfLobby, frozen=True):
    origin: _Origin | None
    pace: _Pace | None
    computers: list[_Computer]
    deal: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")] | None


class _Event(_Shape, frozen=True):
    type: str
    data: dict[str, Any]


class _Lobby(_Shape, frozen=True):
    kind: str
    seq: int
    at: _Moment
    seat: int | None
    event: _Event


class _Step(_Shape, frozen=True):
    kind: str
    seq: Annotated[int, Meta(ge=1)]
    at: _Moment
    seat: int | None
    door: Door
    decision: int
    action: dict[str, Any] | None
    events: list[_Event]


class _Reveal(_Shape, frozen=True):
    kind: str
    seed: str


class _Draws(_Shape, frozen=True):
    kind: str
    seq: int
    draws: list[dict[str, Any]]


class _Asked(_Shape, frozen=True):
    kind: str
    seq: int
    seats: list[int]


class _Result(_Shape, frozen=True):
    kind: str
    outcome: dict[str, Any] | None
    standings: dict[str, Any] | None


class _Seal(_Shape, frozen=True):
    kind: str
    algorithm: str
    at: _Moment
    head: str
    key: str
    public: str
    signature: str


_SHAPES: Final[Mapping[str, type[Any]]] = {
    "header": _Header,
    "lobby": _Lobby,
    "step": _Step,
    "reveal": _Reveal,
    "draws": _Draws,
    "asked": _Asked,
    "result": _Result,
    "seal": _Seal,
}
_HEADERS: Final[Mapping[Any, type[Any]]] = {
    3: _HeaderOfLobby,
    4: _HeaderOfFork,
    5: _HeaderOfClock,
    6: _HeaderOfComputers,
    7: _HeaderOfDeal,
    8: _HeaderOfAny,
}
# Kinds of lines, each with the kinds that may follow.
_NEXT: Final = {
    None: {"header"},
    "header": {"lobby", "step"},
    "lobby": {"lobby", "step", "reveal"},
    "step": {"step", "reveal"},
    "reveal": {"draws", "asked", "result"},
    "draws": {"draws", "asked", "result"},
    "asked": {"asked", "result"},
    "result": {"seal"},
    "seal": set[str](),
}
_LAST: Final = {"result", "seal"}


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Line with the form of its kind: its number, its fields without the check, their bytes, and the check."""

    number: int
    fields: Mapping[str, Any]
    body: bytes
    check: str | None

    @property
    def kind(self) -> str:
        return str(self.fields["kind"])

    @property
    def last(self) -> int:
        """Return the number of a step's last event."""
        return int(self.fields["seq"]) + len(self.fields["events"]) - 1


def read(data: bytes) -> list[RecordLine]:
    """Return the lines of a record, each of the right form; Faulty at the first that is not, FormatUnknown.

    A header, a line of the lobby or a step, and a reveal are among them; `in_order` checks the order of all.
    """
    *ended, rest = data.split(b"\n")
    lines = read_lines(ended)
    if rest or not ended:
        raise Faulty(len(ended) + 1, "the file does not end with a line feed; its end is missing")
    begin = [line.kind for line in lines[:2]]
    if begin not in (["header", "step"], ["header", "lobby"]) or all(line.kind != "reveal" for line in lines):
        in_order(lines)
    return lines


def read_lines(raw: Iterable[bytes]) -> list[RecordLine]:
    """Parse lines without line feeds, each of the right form; Faulty, FormatUnknown."""
    return [_line(number, line) for number, line in enumerate(raw, 1)]


def recorded(line: RecordLine, happened: Iterable[Any]) -> list[Recorded]:
    """Return the events of a step, given as `happened`, as the log had them."""
    fields, at = line.fields, instant(line.fields["at"])
    first, seat, door, decision, action = (fields[name] for name in ("seq", "seat", "door", "decision", "action"))
    return [
        Recorded(
            seq, event, seat, door, decision, None if seq > fields["seq"] else action, at, stored_name(type(event))
        )
        for seq, event in enumerate(happened, first)
    ]


def in_order(lines: Sequence[RecordLine]) -> None:
    """Raise Faulty for lines out of order, and for events that are not numbered from 1 without a gap.

    The lobby's events are numbered separately.
    """
    before, expected, in_lobby = None, 1, 1
    for line in lines:
        if line.kind not in _NEXT[before]:
            raise Faulty(line.number, f"a line of kind {line.kind} cannot stand here")
        if line.kind == "step":
            if line.fields["seq"] != expected or not line.fields["events"]:
                raise Faulty(line.number, f"event {expected} is missing; here stands event {line.fields['seq']}")
            expected = line.last + 1
        if line.kind == "lobby":
            if line.fields["seq"] != in_lobby:
                raise Faulty(line.number, f"event {in_lobby} of the lobby is missing")
            in_lobby += 1
        before = line.kind
    if before not in _LAST:
        raise Faulty(len(lines) + 1, "the record is not finished: its end is missing")


def never_falling(lines: Sequence[RecordLine]) -> None:
    """Raise Faulty for a moment before that of the line before it, if the record's format forbids that."""
    if lines[0].fields["format"] < MONOTONE:
        return
    last = 0
    for line in lines:
        at = line.fields.get("at", last)
        if at < last:
            raise Faulty(line.number, "its moment is before that of the line before it")
        last = at


def _line(number: int, raw: bytes) -> RecordLine:
    if len(raw) > LONGEST_LINE:
        raise Faulty(number, "it is too long for a line")
    try:
        told = read_line(raw)
    except Malformed as malformed:
        raise Faulty(number, str(malformed)) from None
    kind = told.get("kind")
    if kind == "view":
        raise Faulty(number, "this is what one seat may see of a game; the record is made when the game is over")
    if not isinstance(kind, str) or kind not in _SHAPES:
        raise Faulty(number, "nobody knows this kind of line")
    check = told.pop("check", None)
    if (check is None) != (kind == "seal") or not isinstance(check, str | None):
        raise Faulty(number, "its check is missing, or one too many")
    form = told.get("format")
    if number == 1 and kind == "header" and isinstance(form, int) and form > FORMATS[-1]:
        raise FormatUnknown(f"its format is {form}, and this version reads the formats up to {FORMATS[-1]}")
    shape = _HEADERS.get(form, _Header) if kind == "header" and isinstance(form, int) else _SHAPES[kind]
    try:
        convert(told, shape)
    except ValidationError as error:
        raise Faulty(number, f"its fields are not those of a {kind}: {error}") from None
    if kind == "header" and told["format"] not in FORMATS:
        raise Faulty(number, f"its format is {form}, and this reads the formats {FORMATS[0]} to {FORMATS[-1]}")
    if kind == "header" and told.get("deal") and (told["origin"] or told["pace"] or told["computers"]):
        raise Faulty(number, "a game of a day's deal has no origin, no clock and no computer players")
    return RecordLine(number, told, canonical(told), check)


# Files: one record, or many in a row as exports write them, compressed or not.

LONGEST_RECORD: Final = 8_000_000
"""Maximum bytes of a record: forty times the longest game so far."""
_COMPRESSED: Final = b"\x1f\x8b"
# The fields of a line are sorted by name, and no other line begins with these two.
_HEADER: Final = re.compile(rb'\{"check":"[0-9a-f]*","commitment":')


def records_in(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each record with the number of its first line in the file, from 1; OSError if unreadable.

    Lines before the second header belong to the first record, so that nothing is left unread. At most one record is in
    memory at a time, however large a compressed file is.
    """
    begin, length, lines = 1, 0, list[bytes]()
    for number, line in enumerate(lines_in(path), 1):
        if lines and _HEADER.match(line):
            yield begin, b"".join(lines)
            begin, length, lines = number, 0, []
        length += len(line)
        if length > LONGEST_RECORD:
            raise _too_long(path, f"the record from line {begin} on")
        lines.append(line)
    yield begin, b"".join(lines)


def lines_in(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, compressed or not, with their line feeds; OSError if unreadable."""
    try:
        for number, line in enumerate(_lines(path), 1):
            if len(line) > LONGEST_LINE + 1:
                raise OSError(f"{path}: line {number} has more than the {LONGEST_LINE:,} bytes that a line may have")
            yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise OSError(f"{path} is cut off, or no gzip file: {error}") from error


def read_bounded_file(path: Path) -> bytes:
    """Return the raw bytes of a file no longer than a record; OSError."""
    with path.open("rb") as file:
        found = file.read(LONGEST_RECORD + 1)
    if len(found) > LONGEST_RECORD:
        raise _too_long(path, "it")
    return found


def _too_long(path: Path, what: str) -> OSError:
    return OSError(f"{path}: {what} has more than the {LONGEST_RECORD:,} bytes that a record may have")


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        compressed = file.peek(len(_COMPRESSED)).startswith(_COMPRESSED)
        source = gzip.GzipFile(fileobj=file) if compressed else file
        while line := source.readline(LONGEST_LINE + 2):
            yield line
