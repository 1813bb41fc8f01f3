"""Names and remarks of players for mails, without links and addresses."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Final

from service.rules.bidi import isolated
from service.store.game_row import SeatRow
from service.store.games import Position
from service.texts.catalog import say
from service.texts.names import display_name, is_unnamed

_LINK: Final = re.compile(r"://|www\.", re.IGNORECASE)
_JOINT: Final = re.compile(r"(?<=\S)[.](?=\S)|@")


def strip_links(name: str) -> str:
    """Return a line, such as a name, without parts that mail programs show as links or addresses."""
    words = unicodedata.normalize("NFKC", name).replace("\u3002", ".").split()
    return " ".join(" ".join(_JOINT.sub(" ", word) for word in words if not _LINK.search(word)).split())


def strip_links_by_line(words: str) -> str:
    """Return a text of several lines without links; empty lines are dropped."""
    return "\n".join(filter(None, map(strip_links, words.splitlines())))


def with_safe_names(position: Position, language: str) -> Position:
    """Return the game with links stripped from its players' names; an empty rest becomes "somebody"."""
    somebody = say(language, "somebody")
    # The stored names of deleted accounts, which are empty, and of computer players have texts of their own.
    named = (
        replace(seat, name=seat.name and (strip_links(seat.name) or somebody)) if seat.computer is None else seat
        for seat in position.seats
    )
    return replace(position, seats=tuple(named))


def host_of(position: Position) -> SeatRow:
    """Return the seat of the host."""
    return next(seat for seat in position.seats if seat.player_id == position.game.host)


def sender_name(name: str, language: str) -> str:
    """Return the stored name of a sender as strangers may read it; "somebody" for one without a name."""
    somebody = say(language, "somebody")
    return isolated(somebody if is_unnamed(name) else strip_links(display_name(name, language)) or somebody)


def host_name(position: Position, language: str) -> str:
    """Return the host's name as `sender_name`."""
    return sender_name(host_of(position).name, language)


def table_name(position: Position) -> str:
    """Return the name of a table without links, '' if it has none."""
    return isolated(strip_links(position.game.terms.name or ""))
