"""Mails of games of Ba$tard$ Inc. that stand nowhere, for the goldens: one for each question that a turn mail asks."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from typing import Final

from service.mail import play
from service.mail.compose import Addressee, address_game_mail
from tests.sample_games import GAME, REPLY_TO, STAMP, WAY, WAYS, sample

Write = Callable[[str], EmailMessage]
RULESET: Final = "bastards-inc@1"
"""Games of the first revision, so that the recorded mails stay as they are when rules are added."""


def _turn(seats: int, steps: int) -> Write:
    def write(language: str) -> EmailMessage:
        found = sample(RULESET, seats, steps, language)
        return address_game_mail(
            found.turn(), "turn", Addressee(GAME, found.position.seats[found.seat], REPLY_TO, WAY.fewer), STAMP
        )

    return write


def _over(language: str) -> EmailMessage:
    found, way = sample(RULESET, 3, 3_000, language), WAYS["over"]
    links = play.MailLinks(way.base_url, way.game, None, way.fewer)
    content = play.game_over_mail(found.position, 0, found.lately(0), links)
    return address_game_mail(content, "over", Addressee(GAME, found.position.seats[0], None, WAY.fewer), STAMP)


VARIANTS: dict[str, tuple[str, Write]] = {
    "turn-bastards-draw": ("en", _turn(3, 0)),
    "turn-bastards-collect": ("fr", _turn(3, 107)),
    "turn-bastards-place": ("de", _turn(3, 39)),
    "turn-bastards-challenge": ("fr", _turn(3, 80)),
    "turn-bastards-push": ("en", _turn(3, 9)),
    "turn-bastards-wars": ("de", _turn(3, 84)),
    "turn-bastards-business": ("en", _turn(3, 20)),
    "turn-bastards-invited": ("de", _turn(3, 215)),
    "turn-bastards-expose": ("fr", _turn(4, 84)),
    "over-bastards": ("de", _over),
}
