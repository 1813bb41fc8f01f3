"""Chooses an action: any legal one. A better bot begins here."""

from __future__ import annotations

from random import Random

from example_bot.generated.models import Choice, Table


def choose(table: Table, choices: list[Choice], dice: Random) -> Choice:
    """Return one of the legal actions; `table` is the game as the bot may see it.

    The kind of action is drawn first, since some kinds have many more actions than others.
    """
    if table.seat is None:
        raise LookupError("the bot has no seat in this game")
    kinds: dict[str, list[Choice]] = {}
    for each in choices:
        kinds.setdefault(each.kind, []).append(each)
    return dice.choice(kinds[dice.choice(sorted(kinds))])
