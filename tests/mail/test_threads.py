"""Mail programs put the mails of a game together, show what is new in each, and never mix two games."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from uuid import UUID

import pytest
from msgspec import structs

from service.mail.message import Addressee, Stamp, address_game_mail, text_part
from tests.letters import threads
from tests.sample_games import LANGUAGES, NOW, Sample, later

OTHER_GAME = UUID(int=77)


def arrived(
    found: Sample, row: int, seat: int | None = None, game: UUID | None = None, *, apart: bool = False
) -> EmailMessage:
    """A turn mail as it arrives: read from its bytes."""
    seat = found.seat if seat is None else seat
    position = replace(found.position, game=structs.replace(found.position.game, id=game or found.position.game.id))
    content = replace(found, position=position).turn(seat)
    stamp = Stamp(row, "Boardroom <b@boardroom.example>", NOW)
    whom = Addressee(position.game.id, position.seats[seat], apart=apart)
    raw = address_game_mail(content, "turn", whom, stamp).as_bytes()
    return message_from_bytes(raw, policy=policy.default)  # type: ignore[return-value]


def rewritten(mail: EmailMessage, number: int) -> EmailMessage:
    """The mail with a Message-ID of its relay's own, as Amazon SES gives it."""
    del mail["Message-ID"]
    mail["Message-ID"] = f"<0100{number:04x}@eu-west-1.amazonses.com>"
    return mail


def test_the_mails_of_a_game_are_one_thread_even_after_a_relay_gave_them_other_ids() -> None:
    mails = [arrived(later("new-corp-order", 2, steps), row) for row, steps in enumerate((0, 4, 8, 12))]
    alices = [mail for mail in mails if mail["To"].addresses[0].addr_spec == mails[0]["To"].addresses[0].addr_spec]
    assert len(alices) > 1
    assert len(threads(alices)) == 1
    assert len(threads([rewritten(mail, number) for number, mail in enumerate(alices)])) == 1
    assert len({str(mail["Subject"]) for mail in mails}) > 1


def test_two_games_and_two_players_are_never_one_thread() -> None:
    found = later("sealed-bids", 3, 0)
    mails = [arrived(found, 1, 0), arrived(found, 2, 1), arrived(found, 3, 0, OTHER_GAME)]
    assert threads(mails) == [{0}, {1}, {2}]


def test_who_wants_each_turn_as_a_mail_of_its_own_gets_no_thread_and_no_subject_twice() -> None:
    places = [later("new-corp-order", 2, steps) for steps in range(12)]
    turns = [*{found.position.decision: found for found in places if 0 in found.position.awaited}.values()]
    own = [arrived(found, row, 0, apart=True) for row, found in enumerate(turns)]
    assert len(threads(own)) == len(own) > 1
    numbers = [f"(no. {found.position.decision})" for found in turns]
    assert all(str(mail["Subject"]).endswith(number) for mail, number in zip(own, numbers, strict=True))
    others = [arrived(found, row, 0) for row, found in enumerate(turns)]
    assert len(threads(others)) == 1
    assert not any("(no. " in str(mail["Subject"]) for mail in others)
    assert [mail["Message-ID"] for mail in others] == [mail["Message-ID"] for mail in own]


@pytest.mark.parametrize(("name", "seats"), [("new-corp-order", 1), ("new-corp-order", 4), ("sealed-bids", 3)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_new_stands_first_and_on_the_button(name: str, seats: int, language: str) -> None:
    places = [later(name, seats, steps, language) for steps in range(12)]
    # Backwards, so that of each decision the beginning is kept, which is when the mail goes out.
    turns = {found.position.decision: found for found in reversed(places) if 0 in found.position.awaited}
    contents = [found.turn(0) for found in turns.values()]
    begins = [text_part(content)[:200] for content in contents]
    assert len(begins) > 1
    assert len(set(begins)) == len(begins)
    buttons = [block.label for content in contents for block in content.blocks if type(block).__name__ == "Button"]
    assert len(set(buttons)) == len(contents)
