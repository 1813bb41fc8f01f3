"""What others have chosen to be called, as it may stand in a mail."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Final

from service.rules.isolation import isolated
from service.store.game_row import SeatRow
from service.store.position import Position
from service.texts.catalog import say

_ADDRESSES: Final = re.compile(r"\S*(://|www\.)\S*|(?<=\S)[.](?=\S)|@", re.IGNORECASE)


def harmless(name: str) -> str:
    """Return a line, such as a name, as it may stand in a mail: nothing in it can be followed or written to."""
    return " ".join(_ADDRESSES.sub(" ", unicodedata.normalize("NFKC", name).replace("\u3002", ".")).split())


def harmless_lines(words: str) -> str:
    """Return what somebody has said as it may stand in a mail, line by line as a name."""
    return "\n".join(filter(None, map(harmless, words.splitlines())))


def harmless_names(position: Position, language: str) -> Position:
    """Return the game with its players called by harmless names; whoever has none is somebody."""
    somebody = say(language, "somebody")
    # The name that is stored of somebody who has gone is none, and is shown as it should be.
    named = (replace(seat, name=seat.name and (harmless(seat.name) or somebody)) for seat in position.seats)
    return replace(position, seats=tuple(named))


def host_of(position: Position) -> SeatRow:
    """Return the seat of the host."""
    return next(seat for seat in position.seats if seat.player_id == position.game.host)


def host_name(position: Position, language: str) -> str:
    """Return the host's name for strangers."""
    return isolated(harmless(host_of(position).name)) or say(language, "somebody")


def table_name(position: Position) -> str:
    """Return what a table is called, '' if nothing, as it may stand in a mail."""
    return isolated(harmless(position.game.terms.name or ""))
