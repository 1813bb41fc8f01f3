"""The board of a game before its first move, for readers who do not know the game yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.mail.blocks import BoardPicture
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, begin, fold
from service.rules.tabletop.picture import board_picture
from service.rules.tabletop.table import Table
from service.texts.names import unnamed_seat


def first_board(ruleset: AnyRuleset, seats: int, options: Mapping[str, Any], language: str) -> BoardPicture:
    """Return a board as it may look when a game begins, in a language of the game.

    It is the same for all readers, and no game that is played: its chance is fixed and known.
    """
    state = fold(ruleset, begin(ruleset, seats, options, Chance(bytes(32)), "", [""] * seats))
    names = [unnamed_seat(seat, language) for seat in range(seats)]
    drawn = Table(ruleset, state, seats, None, language, names).board()
    return BoardPicture("", board_picture(drawn), f"{ruleset.meta.title}: {drawn.label}")
