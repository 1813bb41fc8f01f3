"""Hidden information stays out of every mail to the player: text, HTML, picture, caption, subject.

A mail is a function of its `Content`, so two states that are alike for the player have to give equal contents.
"""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.handlers.talk import Said
from service.mail import play
from service.mail.blocks import Content
from service.mail.compose import MailReader, text_part
from service.mail.digest import Digest, digest_mail
from service.mail.html_part import html_part
from service.mail.lobby import Invited, invitation_mail
from service.views.lobby import UsualLengths
from tests.rules.playouts import RULESETS, times
from tests.sample_games import BASE_URL, NOW, WAY, Sample, later, sample

TABLES = [("new-corp-order", seats) for seats in (1, 2, 3, 4)] + [("sealed-bids", 3), ("bastards-inc", 4)]
drawn = given(seed=st.integers(1, 3), steps=st.integers(0, 60))
FEW = 3
"""So many of the states that a player cannot tell apart are looked at, at each place."""


def others_dreams(found: Sample, seat: int | None) -> list[Sample]:
    """The same game as it may stand for all that the seat, or a spectator, knows."""
    ruleset, state = RULESETS[found.position.game.ruleset], found.position.state
    return [found.with_state(each) for each in list(ruleset.imagine(state, seat))[:FEW]]


def daily(found: Sample, seat: int) -> Content:
    """The daily mail to the seat's player, for whom the game waits."""
    row = found.position.seats[seat]
    reader = MailReader(row.name, str(row.email), row.language, "Europe/Berlin")
    return digest_mail(Digest(reader, NOW, [(found.position, seat, WAY)], 1), BASE_URL)


def answered(found: Sample, seat: int) -> Content:
    """The answer to a mail of the seat's player."""
    return play.receipt_mail(found.position, seat, play.ReplyOutcome("Zeig mal"), WAY)


def heard(found: Sample, seat: int) -> Content:
    """Return the mail about a remark, with the table."""
    return play.said_mail(found.position, seat, [Said(1, 0, NOW, "Na?")], WAY)


def parts(mail: EmailMessage) -> list[object]:
    """The subject of a mail, its text, its HTML and its pictures."""
    return [mail["Subject"], *(part.get_content() for part in mail.walk() if not part.is_multipart())]


@pytest.mark.parametrize(("name", "seats"), TABLES)
@example(seed=2, steps=60)
@drawn
@times(4)
def test_a_mail_is_the_same_whatever_is_hidden_from_its_reader(name: str, seats: int, seed: int, steps: int) -> None:
    found = later(name, seats, steps % 8 if name == "sealed-bids" else steps, "de", seed=seed)
    reader = found.seat
    mail = found.turn(reader)
    dreams = others_dreams(found, reader)
    assert dreams
    receipt, digest, said = answered(found, reader), daily(found, reader), heard(found, reader)
    for dream in dreams:
        assert dream.turn(reader) == mail
        assert answered(dream, reader) == receipt
        assert daily(dream, reader) == digest
        assert heard(dream, reader) == said
    for seat in {*range(seats)} - found.position.awaited:
        started = play.started_mail(found.position, seat, found.lately(seat), WAY)
        for dream in others_dreams(found, seat):
            assert play.started_mail(dream.position, seat, found.lately(seat), WAY) == started


@pytest.mark.parametrize(("name", "seats"), TABLES)
@drawn
@times(2)
def test_an_invitation_to_take_a_seat_over_is_the_same_whatever_is_hidden_from_all_who_look_on(
    name: str, seats: int, seed: int, steps: int
) -> None:
    found = later(name, seats, steps % 8 if name == "sealed-bids" else steps, "de", seed=seed)
    whom = Invited("eve@example.org", "de", NOW, known=False, seat=0)
    mail, dreams = parts(invitation_mail(found.position, whom, BASE_URL, UsualLengths({}))), others_dreams(found, None)
    assert dreams
    for dream in dreams:
        assert parts(invitation_mail(dream.position, whom, BASE_URL, UsualLengths({}))) == mail


def test_what_the_reader_holds_changes_the_mail() -> None:
    found = later("new-corp-order", 3, 7)
    stranger = next(seat for seat in range(3) if seat != found.seat)
    dreams = others_dreams(found, stranger)
    assert any(dream.turn(found.seat) != found.turn() for dream in dreams)
    assert any(daily(dream, found.seat) != daily(found, found.seat) for dream in dreams)


def test_a_name_cannot_break_out_of_the_mail() -> None:
    evil = ("<script>alert(1)</script>", '"><img src=x>', "Zoë & Söhne\r\nBcc: all@example.org")
    content = sample("new-corp-order", 3, 0, people=evil).turn()
    html = html_part(content, dict.fromkeys((block.svg for block in content.blocks if hasattr(block, "svg")), "cid:x"))
    assert "<script" not in html
    assert "<img src=x" not in html
    assert "\nBcc" not in content.subject
    assert "\nBcc" not in text_part(replace(content, blocks=()))
