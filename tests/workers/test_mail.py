"""A turn mail is sent at least once, and where nothing breaks exactly once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import Connection, event, text

from service.local.servers import MailSink
from service.mail.smtp import Mailer
from service.runtime import Runtime
from tests.builders import sealed_bids
from tests.workers.solo import state_of
from workers.jobs import carry_out


class RefusingSink(MailSink):
    """A mail server that knows no recipient."""

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse the recipient for good."""
        return "550 no such mailbox"


@pytest.fixture
def row_id(runtime: Runtime) -> int:
    """The row of a mail that is due to Alice."""
    position = sealed_bids(runtime.games)
    with runtime.engine.connect() as db:
        found = text("select id from outbox where game_id = :game and payload ->> 'seat' = '0'")
        row: int = db.execute(found, {"game": position.game.id}).scalar_one()
        return row


def mails(mailbox: Path) -> int:
    return len(list(mailbox.glob("*.eml")))


def test_workers_that_got_the_same_row_at_once_send_one_mail(runtime: Runtime, row_id: int, mailbox: Path) -> None:
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: carry_out(runtime, row_id), range(12)))
    assert state_of(runtime, row_id)[0] == "done"
    assert mails(mailbox) == 1


def test_a_mail_waits_for_the_disk_where_its_link_is_stored_and_not_where_the_row_is_counted_and_settled(
    runtime: Runtime, row_id: int, mailbox: Path
) -> None:
    waits: list[bool] = []

    def note(db: Connection) -> None:
        asked = "select source from pg_settings where name = 'synchronous_commit'"
        waits.append(db.exec_driver_sql(asked).scalar() != "session")

    event.listen(runtime.engine, "commit", note)
    carry_out(runtime, row_id)

    counted, planned, stored, settled = waits
    assert (counted, planned, stored, settled) == (False, True, True, False)
    assert mails(mailbox) == 1


def test_a_worker_that_dies_after_sending_leaves_a_mail_that_is_sent_again(
    runtime: Runtime, row_id: int, mailbox: Path
) -> None:
    class Died(BaseException):
        pass

    def die(*call: object) -> None:
        if "done_at" in str(call[2]):
            raise Died

    event.listen(runtime.engine, "before_cursor_execute", die)
    with pytest.raises(Died):
        carry_out(runtime, row_id)
    event.remove(runtime.engine, "before_cursor_execute", die)
    assert state_of(runtime, row_id) == ("pending", 1)
    carry_out(runtime, row_id)
    assert state_of(runtime, row_id) == ("done", 2)
    ids = [line for mail in mailbox.glob("*.eml") for line in mail.read_text().splitlines() if "Message-ID" in line]
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_a_mail_server_out_of_reach_leaves_the_mail_for_later(runtime: Runtime, row_id: int, mailbox: Path) -> None:
    carry_out(replace(runtime, mailer=Mailer("smtp://127.0.0.1:1", "boardroom@example.org")), row_id)
    assert state_of(runtime, row_id) == ("pending", 1)
    carry_out(runtime, row_id)
    assert state_of(runtime, row_id) == ("done", 2)
    assert mails(mailbox) == 1


def test_an_address_refused_for_good_makes_the_mail_dead(runtime: Runtime, row_id: int, tmp_path: Path) -> None:
    with RefusingSink(tmp_path) as sink:
        carry_out(replace(runtime, mailer=Mailer(sink.url, "boardroom@example.org")), row_id)
    assert state_of(runtime, row_id) == ("dead", 1)
    with runtime.engine.connect() as db:
        found = text("select last_error from outbox where id = :id")
        assert db.execute(found, {"id": row_id}).scalar() == "address 550"
