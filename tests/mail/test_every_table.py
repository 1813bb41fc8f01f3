"""Mails of every kind, language, game and number of players, with short names and with long ones, are well built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from service.mail import play
from service.mail.blocks import Content
from service.mail.message import Addressee, Kind, address_game_mail
from service.mail.pace import AfterLapse, PlayedFor, lapsed_mail
from service.mail.play import ReplyOutcome, TurnPrompt
from service.mail.sentences import times_of
from tests.clocked_games import clocked
from tests.mail.test_goldens import LARGEST_HTML, LARGEST_MAIL
from tests.mail_goldens import read
from tests.mail_tree import URL, Html, body, tree, unsaid
from tests.sample_games import GAME, LANGUAGES, LONG, NAMES, NOW, STAMP, WAY, WAYS, Sample, later, sample

TABLES = [*product(["new-corp-order"], (1, 2, 3, 4), (NAMES, LONG)), *product(["sealed-bids"], (3,), (NAMES, LONG))]
TABLES += product(["bastards-inc"], (4, 6), (NAMES, LONG))
STEPS = {"new-corp-order": 31, "sealed-bids": 4, "bastards-inc": 150}
PICTURED = ("multipart/alternative", "text/plain", ("multipart/related", "text/html", "image/png"))


def contents(found: Sample, over: Sample) -> Iterator[tuple[Kind, Sample, int, Content]]:
    """Yield what each kind of mail of a game says."""
    position, seat = found.position, found.seat
    yield "turn", found, seat, found.turn()
    yield "turn", found, seat, found.turn(turn=TurnPrompt(goes_on=True))
    timed = clocked(found)
    times = times_of(timed.position, seat, NOW)
    yield "reminder", timed, seat, timed.turn(turn=TurnPrompt(reminds=True, times=times), way=WAYS["reminder"])
    for then in get_args(AfterLapse):
        played = PlayedFor(NOW, ("Ok.",), then)
        yield "lapsed", timed, seat, lapsed_mail(timed.position, seat, played, WAYS["lapsed"], times)
    receipt = play.receipt_mail(position, seat, ReplyOutcome("Ok", ("Ok.",), f"{WAY.page}/undo"), WAY)
    yield "receipt", found, seat, receipt
    for waiting in {*range(len(position.seats))} - position.awaited:
        yield "started", found, waiting, play.started_mail(position, waiting, found.lately(waiting), WAY)
    for each in range(len(position.seats)):
        ended = play.game_over_mail(over.position, each, over.lately(each), replace(WAY, token=None))
        yield "over", over, each, ended


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "seats", "people"), TABLES)
def test_a_mail_is_built_and_says_in_both_its_parts_the_same(
    name: str, seats: int, people: tuple[str, ...], language: str
) -> None:
    found = later(name, seats, STEPS[name], language, people=people)
    over = sample(name, seats, 3_000, language, people=people)
    kinds = set()
    for kind, told, seat, content in contents(found, over):
        kinds.add(kind)
        raw = address_game_mail(content, kind, Addressee(GAME, told.position.seats[seat]), STAMP).as_bytes()
        message = read(raw)
        text, html = body(message, "plain"), Html(body(message, "html"))
        assert tree(message) == PICTURED
        assert URL.findall(text) == html.addresses
        assert unsaid(html, text) == []
        assert [given["lang"] for tag, given in html.tags if tag == "html"] == [language]
        assert len(body(message, "html").encode()) <= LARGEST_HTML and len(raw) <= LARGEST_MAIL
        header = raw.split(b"\r\n\r\n")[0].decode("ascii")
        assert not re.search(r"^(Message-ID|In-Reply-To|References|List-\S+):.*=\?", header, re.MULTILINE)
        assert max(map(len, header.splitlines())) <= 78 and max(map(len, raw.splitlines())) <= 998
        assert "Friday night" in str(message["Subject"]).replace("\N{NO-BREAK SPACE}", " ")
    assert kinds >= {"turn", "reminder", "lapsed", "receipt", "over"}
