"""Absences announced by answering a mail, in three languages; the answer says what was understood (T-18)."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.inbound import replies
from service.runtime import Runtime
from service.shared import clock
from service.store import pace
from service.store.pace import AbsenceRow
from service.texts.when import day
from tests.builders import now_at
from tests.letters import Letter
from tests.replying import answer, move_in, outcomes, reply, take

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"
ADDRESSES = (ALICE, BOB, CAROL)


def in_days(days: int) -> date:
    return clock.now().date() + timedelta(days=days)


def kept(runtime: Runtime, game: UUID, seat: int) -> list[AbsenceRow]:
    player = now_at(runtime.games, game).seats[seat].player_id
    with runtime.engine.connect() as db:
        return pace.absences_of_player(db, player)


@pytest.mark.parametrize(
    ("seat", "words", "language", "back", "welcome"),
    [
        (0, "away until {}", "en", "back", "Welcome back"),
        (1, "abwesend bis {}", "de", "wieder da", "Willkommen"),
        (2, "absente jusqu’au {}", "fr", "de retour", "Bon retour"),
    ],
)
def test_t18_an_absence_is_announced_and_ended_by_mail(
    runtime: Runtime,
    mailbox: Path,
    game: UUID,
    mails: dict[str, Letter],
    seat: int,
    words: str,
    language: str,
    back: str,
    welcome: str,
) -> None:
    written = day(in_days(4), language).partition(" ")[2]
    take(runtime, reply(mails[ADDRESSES[seat]], words.format(written)))
    told = " ".join(answer(runtime, mailbox, game, ADDRESSES[seat]).split())
    assert day(in_days(0), language) in told and day(in_days(4), language) in told and "37" in told and "42" in told
    (row,) = kept(runtime, game, seat)
    assert row.begins <= clock.now() < row.ends
    take(runtime, reply(mails[ADDRESSES[seat]], back))
    assert welcome in answer(runtime, mailbox, game, ADDRESSES[seat])
    assert outcomes(runtime, game) == ["away", "back"]
    assert kept(runtime, game, seat)[0].ends <= clock.now()


def test_t18_a_move_and_an_absence_go_in_one_mail(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    take(runtime, reply(mails[ALICE], f"{move_in(mails[ALICE])}\naway until {in_days(3)}"))
    told = answer(runtime, mailbox, game, ALICE)
    assert "You are away from" in told and move_in(mails[ALICE]) in told
    assert outcomes(runtime, game) == ["played"]
    assert len(kept(runtime, game, 0)) == 1


@pytest.mark.parametrize(
    ("line", "outcome", "says"),
    [
        ("away until 3/4", "away-ambiguous", '"3/4" can be two days'),
        ("away until next Monday", "away-unread", "is not readable"),
        ("away from 31 February until {soon}", "away-unread", "is not readable"),
        ("away until {soon}\naway until {later}", "away-several", "more than once"),
        ("away until {late}", "away-refused", "at most 21 days in a row"),
        ("away from {late} until {later}", "away-refused", "before the first"),
        ("back", "back-before", "announced no absence"),
    ],
)
def test_t18_what_cannot_be_understood_or_allowed_is_asked_back(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], line: str, outcome: str, says: str
) -> None:
    days = {"soon": in_days(2), "later": in_days(4), "late": in_days(25)}
    take(runtime, reply(mails[ALICE], line.format(**days)))
    assert says in " ".join(answer(runtime, mailbox, game, ALICE).split())
    assert outcomes(runtime, game) == [outcome]
    assert kept(runtime, game, 0) == []


def test_t18_what_is_carried_out_twice_after_a_crash_says_the_same(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for line, told in (("away until {}", "You are away from"), ("back", "Your absence is over")):
        take(runtime, reply(mails[ALICE], line.format(in_days(3))))
        with monkeypatch.context() as patched:
            patched.setattr(replies, "send_receipt", killed)
            with pytest.raises(KeyboardInterrupt):
                answer(runtime, mailbox, game, ALICE)
        with runtime.engine.begin() as db:
            db.execute(
                text("update outbox set not_before = now(), failures = 0 where state = 'pending' and kind = 'reply'")
            )
        assert told in answer(runtime, mailbox, game, ALICE)
    assert len(kept(runtime, game, 0)) == 1
