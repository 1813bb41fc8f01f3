"""Read heads that are known outside the database: from records, views, proofs, and lists of heads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder

from service.record.reading import lines_in

_HEAD: Final = re.compile("[0-9a-f]{16}([0-9a-f]{48})?")


@dataclass(frozen=True, slots=True)
class ExternalHead:
    """Head of a game after the event number `version`, in hex, and the place where it was read.

    It has 32 bytes, or, as in the lines of a record and in mails, only the first 8.
    """

    game: UUID
    version: int
    head: str
    place: str


class _Line(Struct):
    """Line of a record or a view, with the game in the first line, or a line that names game, version and head."""

    kind: str | None = None
    game: str | None = None
    version: int | None = None
    seq: int = 0
    events: list[Raw] = []
    head: str | None = None
    check: str | None = None


_DECODER: Final = Decoder(_Line)


def read_external_heads(path: Path) -> Iterator[ExternalHead]:
    """Yield the heads in a file, compressed or not; OSError if unreadable, ValueError if malformed.

    The file has records, views of running games by players, responses of `/games/{id}/proof`, or lines `{"game": ..,
    "version": .., "head": ..}`. Entries without a chain are skipped.
    """
    game: str | None = None
    for number, raw in enumerate(lines_in(path), 1):
        place = f"line {number} of {path}"
        try:
            line = _DECODER.decode(raw)
        except (DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{place} is none of a record, a view, a proof or a list of heads: {error}") from error
        if line.kind in ("header", "view"):
            game = line.game
        elif line.kind in ("step", "view-step"):
            yield from _known(game, line.seq + len(line.events) - 1, line.head or line.check, place)
        elif line.kind is None:
            yield from _known(line.game, line.version, line.head, place)


def _known(game: str | None, version: int | None, head: str | None, place: str) -> Iterator[ExternalHead]:
    try:
        named = UUID(game or "")
    except ValueError:
        raise ValueError(f"{place} names no game") from None
    if version is None or not 0 <= version < 2**31:
        raise ValueError(f"{place} names no event after which the head is known")
    if head is None:
        return
    if not _HEAD.fullmatch(head):
        raise ValueError(f"{place} has a head that is not 32 or 8 bytes in lower-case hex")
    yield ExternalHead(named, version, head, place)
