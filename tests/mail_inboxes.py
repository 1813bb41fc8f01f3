"""Recorded inboxes: what a mail program lists of the mails of one player's whole game, a line for each mail.

A line is the subject and the first line. The table has no name, so that subjects name the game and the opponents.
`make goldens` records those that are missing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from service.handlers.talk import Said
from service.mail import play
from service.mail.blocks import Content
from service.mail.game_blocks import MailLinks
from service.mail.play import TurnPrompt
from service.mail.sentences import times_of
from tests.clocked_games import clocked
from tests.sample_games import LANGUAGES, NOW, WAY, WAYS, Sample, sample

FOLDER = Path(__file__).parent / "golden" / "inboxes"
GAMES: Final = {"new-corp-order": (2, 5), "new-corp-order-3p": (3, 8), "bastards-inc": (3, 1)}
"""The players of each game, and the seed of its deal. Bob and Carol are the opponents of Alice, whose inbox it is."""
READER: Final = 0
REMARKS: Final = {"en": "Nicely done!", "de": "Gut gemacht!", "fr": "Bien joué !"}
ASKED_H: Final = (0, 7, 31, 50, 66)
"""So many hours ago the turn was asked, of the 72 that there are."""


@dataclass(frozen=True, slots=True)
class Mailed:
    """A mail of a game, the game as it was then, and the events since the reader's last action."""

    kind: str
    content: Content
    found: Sample
    recorded: Any

    @property
    def line(self) -> str:
        """Line of the mail in an inbox."""
        return f"{self.content.subject} | {self.content.summary}"


@cache
def mails(game: str, language: str) -> tuple[Mailed, ...]:
    """The mails of a whole game to the reader, in their order."""
    return tuple(_mails(game, language))


def _mails(game: str, language: str) -> Iterator[Mailed]:
    steps = _at(game, language, 0).played.steps
    asked = 0
    for at in range(len(steps)):
        found = _at(game, language, at)
        recap = found.lately(READER)
        if READER not in found.position.awaited:
            if not at:
                yield Mailed("started", play.started_mail(found.position, READER, recap, WAY), found, recap.recorded)
            continue
        if at and steps[at - 1].seat == READER:
            # The reader is at the table. Once they leave it in the middle of a turn.
            if asked == 2:
                yield _turn("goes-on", found, TurnPrompt(goes_on=True))
                asked += 1
            continue
        if at and not _newly_asked(found, at):
            continue
        asked += 1
        due = clocked(found, ASKED_H[asked % len(ASKED_H)] if asked % 3 else 0)
        times = times_of(due.position, READER, NOW)
        yield _turn("turn", due, TurnPrompt(times=times))
        if asked % 9 == 5:
            late = clocked(found, 66)
            prompt = TurnPrompt(reminds=True, times=times_of(late.position, READER, NOW))
            yield _turn("reminder", late, prompt)
        if asked % 11 == 7:
            said = play.said_mail(found.position, READER, [Said(1, 1, NOW, REMARKS[language])], WAY)
            yield Mailed("message", said, found, ())
    over = _at(game, language, len(steps))
    recap, way = over.lately(READER), WAYS["over"]
    links = MailLinks(way.base_url, way.game, None, way.fewer)
    yield Mailed("over", play.game_over_mail(over.position, READER, recap, links), over, recap.recorded)


def _turn(kind: str, found: Sample, prompt: TurnPrompt) -> Mailed:
    way = WAYS["reminder"] if prompt.reminds else WAY
    return Mailed(kind, found.turn(READER, prompt, way), found, found.lately(READER).recorded)


def _newly_asked(found: Sample, at: int) -> bool:
    """Return whether the step before made it the reader's move, or asked the reader something new."""
    before, ruleset = found.played.states[at - 1], found.position.ruleset
    return READER not in ruleset.to_act(before) or ruleset.decision(before) != ruleset.decision(found.position.state)


def _at(game: str, language: str, steps: int) -> Sample:
    seats, seed = GAMES[game]
    found = sample(game.removesuffix("-3p"), seats, steps, language, seed=seed)
    row = found.position.game
    unnamed = structs.replace(row, terms=replace(row.terms, name=None))
    return replace(found, position=replace(found.position, game=unnamed))


def text(game: str, language: str) -> str:
    """The inbox as it is listed."""
    return "".join(f"{each.line}\n" for each in mails(game, language))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        for spoken in LANGUAGES:
            path = FOLDER / f"{name}.{spoken}.txt"
            if not path.exists():
                path.write_text(text(name, spoken))
                print(f"recorded {path.name}, {path.stat().st_size} bytes", file=sys.stderr, flush=True)
