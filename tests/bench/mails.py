"""Measure a turn mail without its picture: CPU time from a position to bytes, and the size of its HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import median

from service.mail.blocks import BoardPicture, Content
from service.mail.compose import Addressee, address_game_mail
from service.mail.play import turn_mail
from tests.bench.figures import cpu_seconds, figure
from tests.mail_tree import body
from tests.sample_games import FRESH, GAME, STAMP, WAY, Sample, later

STEPS = (40, 61, 90)


def main() -> None:
    """Print the figures of mails."""
    tables = [later("new-corp-order", 4, steps) for steps in STEPS]
    composing = median(cpu_seconds(_composing(table)) for table in tables)
    writing = median(cpu_seconds(_writing(table, table.turn())) for table in tables)
    mails = [address_game_mail(table.turn(), "turn", _player(table), STAMP) for table in tables]
    html = max(len(body(mail, "html").encode()) for mail in mails)
    figure("mail_ms", (composing + writing) * 1000, "ms", 10, 8, composing_ms=composing * 1000)
    figure("mail_html_kb", html / 1000, "kB", 60, 30)


def _player(table: Sample) -> Addressee:
    return Addressee(GAME, table.position.seats[table.seat])


def _composing(table: Sample) -> Callable[[], object]:
    """Choose what the mail says, its painted picture among it."""
    seat, lately = table.seat, table.lately(table.seat)
    return lambda: turn_mail(table.position, seat, lately, WAY, FRESH)


def _writing(table: Sample, content: Content) -> Callable[[], object]:
    """Write the bytes of the mail, but for the picture's."""
    words = replace(content, blocks=tuple(block for block in content.blocks if not isinstance(block, BoardPicture)))
    return lambda: address_game_mail(words, "turn", _player(table), STAMP).as_bytes()
