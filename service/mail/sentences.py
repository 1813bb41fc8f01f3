"""Sentences about a game that its mails and its pages share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.rules.bidi import isolated
from service.store.position import Position
from service.texts.catalog import say
from service.texts.locales import listed
from service.texts.names import display_name
from service.views.who_played import lines_of


def result(position: Position, outcome: Mapping[str, Any], language: str) -> Iterator[str]:
    """Yield the lines of an outcome: who won, each player's score, and who has not played a seat to the end."""
    names = position.everybody_in(language)
    winners = [names[seat] for seat in outcome.get("winners", ())]
    yield say(language, "winner", names=", ".join(winners)) if winners else say(language, "no-winner")
    for name, score in zip(names, outcome.get("scores") or (), strict=False):
        yield say(language, "score", name=name, score=score)
    yield from lines_of(position, language)


def greeting(position: Position, seat: int, key: str = "greeting") -> str:
    """Return the sentence that greets the seat's player and names the game and the opponents."""
    row = position.seats[seat]
    names = position.names_in(row.language)
    rivals = listed([one_line(name) for index, name in enumerate(names) if index != seat], row.language)
    key = key if rivals else f"{key}-alone"
    return say(
        row.language,
        key,
        name=isolated(called(row.name, row.language)),
        title=position.ruleset.meta.title,
        others=rivals,
    )


def game_line(position: Position, seat: int | None, language: str) -> str:
    """Return the title of a game, the end of its id, and the players but for the seat."""
    title, mark = position.ruleset.meta.title, position.game.id.hex[-6:]
    others = listed([name for at, name in enumerate(position.names_in(language)) if at != seat], language)
    return say(language, "digest-game" if others else "digest-game-alone", title=title, mark=mark, others=others)


def called(name: str, language: str) -> str:
    """Return a player's stored name as it stands in a mail to readers of the language, in one line."""
    return one_line(display_name(name, language))


def one_line(text: str) -> str:
    """Return the text without line breaks."""
    return " ".join(text.split())
