"""A game by mail through the mail server of deploy/mail, and what strangers send to it."""

from __future__ import annotations

import asyncio
import re
import shutil
import smtplib
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import make_msgid
from pathlib import Path
from uuid import UUID

import dkim
import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import text

from service.inbound.headers import IncomingMail, read
from service.inbound.ingest import opened
from service.local.servers import MailSink
from service.local.supervisor import wait_until
from service.runtime import Runtime
from service.settings import Settings
from service.store.mail import find_suppression
from tests.builders import started
from tests.deploy.mail import dovecot
from tests.deploy.mail.dovecot import Mailboxes
from tests.deploy.mail.mail_servers import MailServers, SigningKey, mail_servers, missing
from tests.house import forget_outages, forget_what_is_due
from tests.letters import Letter, letters
from tests.name_server import name_server
from tests.people import alice, bob, carol
from tests.replying import NOTATION, by_reply, move_in, outcomes, place, reply
from workers.inbox import Inbox
from workers.relay import Relay

HOME, ELSEWHERE = "192.0.2.10", "203.0.113.66"
"""Sending addresses of Alice's provider and of a stranger."""
ALICE, GONE = "alice@example.net", "gone@example.com"
FORGED = "mx.example.org; dmarc=pass header.from=example.net; spf=pass smtp.mailfrom=example.net"
PATIENCE = 60

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing() or "all is here")]


class World(MailSink):
    """The mail server of everybody else, where one address does not exist any more; `senders` has the envelopes'."""

    def __init__(self, mailbox: Path) -> None:
        super().__init__(mailbox)
        self.senders: list[str] = []
        self.mailboxes: Mailboxes | None = None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Write one mail, and put it into the mailboxes of those who have one."""
        answer = await super().handle_DATA(server, session, envelope)
        raw = envelope.content or b""
        if self.mailboxes is not None and isinstance(raw, bytes):
            sender, recipients = envelope.mail_from or "", list(envelope.rcpt_tos)
            await asyncio.get_running_loop().run_in_executor(None, self.mailboxes.deliver, sender, recipients, raw)
        return answer

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse the one address."""
        if address == GONE:
            return "550 5.1.1 nobody here has this address"
        self.senders.append(envelope.mail_from or "")
        envelope.rcpt_tos.append(address)
        return "250 OK"


@dataclass(frozen=True, slots=True)
class House:
    """Boardroom behind its mail server, the rest of the world, and the key of Alice's provider."""

    runtime: Runtime
    servers: MailServers
    world: World
    theirs: SigningKey

    def letters(self, game: UUID, recipient: str, number: int) -> list[Letter]:
        """Have everything carried out that is due, and return the mails to somebody when there are so many."""
        found: list[Letter] = []

        def all_there() -> bool:
            relay = Relay(replace(self.runtime, redis=None))
            while relay.drain():
                pass
            found[:] = [each for each in letters(self.world.mailbox, game) if each.recipient == recipient]
            return len(found) >= number

        assert wait_until(all_there, PATIENCE), self.servers.log.read_text()
        return found


@pytest.fixture(scope="module")
def house(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    theirs = SigningKey.made()
    zone = {
        ("example.net", "TXT"): [f'"v=spf1 ip4:{HOME} -all"'],
        ("_dmarc.example.net", "TXT"): ['"v=DMARC1; p=reject"'],
        ("mail._domainkey.example.net", "TXT"): [theirs.record],
    }
    behind = replace(
        settings,
        smtp_url=None,
        mail_from="Boardroom <games@example.org>",
        reply_domain="play.example.org",
        bounce_domain="bounces.example.org",
        inbound_server="mx.example.org",
        mailbox=None,
    )
    with ExitStack() as stack:
        folder = stack.enter_context(folder_of_servers())
        dns = stack.enter_context(name_server(zone))
        world = World(folder / "world")
        taking_in = Runtime.build(behind)
        stack.callback(taking_in.engine.dispose)
        inbox = Inbox(taking_in, "lmtp://127.0.0.1:0")
        for each in (world, inbox):
            stack.enter_context(each)
        ports = place(inbox.url)[1], place(world.url)[1]
        servers = stack.enter_context(mail_servers(folder, *ports, dns))
        runtime = Runtime.build(replace(behind, smtp_url=f"smtp://127.0.0.1:{servers.submission}"))
        stack.callback(runtime.engine.dispose)
        yield House(runtime, servers, world, theirs)


@contextmanager
def folder_of_servers() -> Iterator[Path]:
    """Make a folder with a short name, as sockets need it, that every account can enter."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-mail-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def nothing_due(house: House) -> None:
    forget_what_is_due(house.runtime)
    forget_outages(house.runtime.engine)


@dataclass(frozen=True, slots=True)
class Turn:
    """A game, and the mail that asks Alice for her first move in it."""

    game: UUID
    letter: Letter


@pytest.fixture
def turn(house: House) -> Turn:
    games = house.runtime.games
    game = started(games, "sealed-bids", [alice(games, ALICE), bob(games), carol(games)]).game.id
    return Turn(game, house.letters(game, ALICE, 1)[0])


def signed(house: House, message: EmailMessage) -> bytes:
    """Return the bytes of a mail that Alice's provider has signed."""
    raw = message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return bytes(dkim.sign(raw, b"mail", b"example.net", house.theirs.pem)) + raw


def received(house: House, game: UUID) -> IncomingMail:
    """Return the one mail to the game as the inbox has got it."""
    with house.runtime.engine.connect() as db:
        sealed = db.execute(text("select sealed from inbound_mail where game_id = :game"), {"game": game}).scalar_one()
    return read(opened(house.runtime, sealed))


def answered(house: House, game: UUID) -> str | None:
    """Have the one mail to the game read, and return what came of it."""

    def read() -> bool:
        relay = Relay(replace(house.runtime, redis=None))
        while relay.drain():
            pass
        return outcomes(house.runtime, game) not in ([], [None])

    assert wait_until(read, PATIENCE), house.servers.log.read_text()
    (outcome,) = outcomes(house.runtime, game)
    return outcome


def test_a_reply_from_its_player_plays(house: House, turn: Turn) -> None:
    game = turn.game
    house.servers.send(HOME, ALICE, answer := reply(turn.letter, move_in(turn.letter)), signed(house, answer))
    assert answered(house, game) == "played"
    assert by_reply(house.runtime, game) > 0


@pytest.mark.parametrize("way", ["signature", "sender"])
def test_one_of_spf_and_dkim_is_enough(house: House, turn: Turn, way: str) -> None:
    answer = reply(turn.letter, move_in(turn.letter))
    # A forwarded mail comes from elsewhere, and keeps its signature.
    if way == "signature":
        house.servers.send(ELSEWHERE, "forwarder@example.com", answer, signed(house, answer))
    else:
        house.servers.send(HOME, ALICE, answer, answer.as_bytes())
    assert answered(house, turn.game) == "played"


@pytest.mark.parametrize("field", ["Authentication-Results", "authentication-results ", "Authentication-Results\t"])
def test_a_forged_sender_does_not_play_and_its_player_gets_a_fresh_link(house: House, turn: Turn, field: str) -> None:
    # given a stranger who knows the address of the reply, and the name of the server
    game, answer = turn.game, reply(turn.letter, move_in(turn.letter))
    house.servers.send(ELSEWHERE, ALICE, answer, f"{field}: {FORGED}\r\n".encode() + answer.as_bytes())
    # then nothing is played, and Alice gets a link
    assert answered(house, game) == "not-believed"
    assert by_reply(house.runtime, game) == 0
    fresh = house.letters(game, ALICE, 2)[-1]
    assert fresh.message["Auto-Submitted"] == "auto-replied" and fresh.asks
    # and what the stranger wrote is gone, and the server's own verdict stands on top
    stated = received(house, turn.game).every("authentication-results")
    assert len(stated) == 1 and stated[0].startswith("mx.example.org;") and "dmarc=fail" in stated[0]
    # and the stranger gets nothing
    assert house.servers.queued() == ""


def test_an_address_that_nobody_has_is_refused_while_the_sender_is_there(house: House) -> None:
    arrived = len(list(house.world.mailbox.iterdir()))
    with house.servers.talk(ELSEWHERE) as server:
        server.mail("zoe@example.com")
        for local in ("z+abcdefghijklmnopqrstuvwxyz", "b+abcdefghijklmnopqrstuvwxyz", "postmaster", "games"):
            code, said = server.rcpt(f"{local}@play.example.org")
            assert (code, b"5.1.1" in said) == (550, True), said
        assert server.rcpt("zoe@example.com")[0] == 554
        # and a program that answers the sender of the mails is told where answers go
        code, said = server.rcpt("games@example.org")
        assert (code, b"Reply-To" in said and b"links" in said) == (550, True), said
        assert server.rcpt("root@mx.example.org")[0] in (550, 554)
    assert house.servers.queued() == ""
    assert len(list(house.world.mailbox.iterdir())) == arrived


def test_mails_that_leave_are_signed_with_their_fields_to_unsubscribe(house: House, turn: Turn) -> None:
    def key_of(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"boardroom._domainkey.example.org."
        return "".join(re.findall(r'"([^"]*)"', house.servers.key.record)).encode()

    assert turn.letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert dkim.verify(turn.letter.raw, dnsfunc=key_of)
    fields = re.findall(r"\bh=([^;]+);", str(turn.letter.message["DKIM-Signature"]))[0].lower()
    of_signature = [each.strip() for each in fields.split(":")]
    assert {"from", "to", "subject", "date", "message-id", "reply-to"} <= set(of_signature)
    # Named once more than they are there, so that nobody can add one (RFC 6376, 5.4).
    for name in ("from", "list-unsubscribe", "list-unsubscribe-post"):
        assert of_signature.count(name) == 2, fields
    # and they come from an address for bounces
    # but for automatic answers, which have none
    assert {re.sub(r"^b\+[a-z2-7]+@", "b+...@", each) for each in house.world.senders} - {"<>"} == {
        "b+...@bounces.example.org"
    }


def test_a_bounce_comes_back_and_the_address_gets_no_more_mails(house: House) -> None:
    games = house.runtime.games
    started(games, "sealed-bids", [alice(games, GONE), bob(games), carol(games)])

    def noted() -> bool:
        relay = Relay(replace(house.runtime, redis=None))
        while relay.drain():
            pass
        with house.runtime.engine.connect() as db:
            return find_suppression(db, GONE) is not None

    assert wait_until(noted, PATIENCE), house.servers.log.read_text()
    assert wait_until(lambda: house.servers.queued() == "", PATIENCE)


def test_nothing_is_taken_in_while_nothing_can_be_checked(house: House, turn: Turn) -> None:
    answer = reply(turn.letter, move_in(turn.letter))
    with house.servers.without_checks(), pytest.raises(smtplib.SMTPResponseException) as refused:
        house.servers.send(HOME, ALICE, answer, signed(house, answer))
    # The sender's server keeps it and tries again.
    assert refused.value.smtp_code == 451
    assert outcomes(house.runtime, turn.game) == []


# Nobody else has this mailbox: what an account has confirmed is no other account's.
MAILBOX, TAGGED = "ada@example.net", "ada+games@example.net"


@pytest.fixture
def inbox(house: House) -> Iterator[Mailboxes]:
    """The mailboxes of everybody else."""
    if why := dovecot.missing():
        pytest.skip(why)
    with folder_of_servers() as folder, dovecot.mailboxes(folder) as boxes:
        house.world.mailboxes = boxes
        yield boxes
        house.world.mailboxes = None


def answered_by_program(asking: EmailMessage, *parts: MIMEBase) -> MIMEMultipart:
    """Return an answer as Apple Mail makes one with a picture in front of the text."""
    mail = MIMEMultipart("mixed")
    for part in parts:
        mail.attach(part)
    mail["From"], mail["To"] = f"Alice <{MAILBOX}>", str(asking["Reply-To"])
    mail["Subject"], mail["In-Reply-To"] = f"Re: {asking['Subject']}", str(asking["Message-ID"])
    mail["Message-ID"] = make_msgid(domain="example.net")
    return mail


def words_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def in_charset(words: str, charset: str) -> MIMEText:
    return MIMEText(words, "plain", charset)


def test_what_a_mail_program_sends_is_read_whole_and_its_answer_fetched(house: House, inbox: Mailboxes) -> None:
    # given an account whose address has a tag, which her provider puts into her one mailbox
    games = house.runtime.games
    game = started(games, "sealed-bids", [alice(games, TAGGED), bob(games), carol(games)]).game.id
    house.letters(game, TAGGED, 1)
    (asking,) = inbox.fetched(MAILBOX)
    # when her program answers from the mailbox: a picture, the move below it, and a remark in Chinese
    pixels = MIMEImage(b"\x89PNG\r\n\x1a\n" + b"\0" * 9_000, "png")
    pixels.add_header("Content-Disposition", "inline", filename="cat.png")
    move = NOTATION.findall(words_of(asking))[0]
    words = in_charset(f"{move}\n\nsay: \u795d\u4f60\u597d\u8fd0\n\n\u661f\u671f\u5929\u89c1\n-- \nAlice\n", "gb2312")
    answer = answered_by_program(asking, MIMEText("\n"), pixels, words)
    raw = answer.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    signature = bytes(dkim.sign(raw, b"mail", b"example.net", house.theirs.pem))
    with house.servers.talk(HOME) as server:
        server.sendmail(MAILBOX, [str(asking["Reply-To"].addresses[0].addr_spec)], signature + raw)
    # then it is believed, played, said whole, and told so
    assert answered(house, game) == "played"
    with house.runtime.engine.connect() as db:
        said = db.execute(text("select text from talk where game_id = :game"), {"game": game}).scalar_one()
    assert said == "\u795d\u4f60\u597d\u8fd0\n\u661f\u671f\u5929\u89c1"
    house.letters(game, TAGGED, 2)
    receipt = inbox.fetched(MAILBOX)[-1]
    told = words_of(receipt)
    assert receipt["Auto-Submitted"] == "auto-replied" and f'You played "{move}"' in told
    assert "| \u795d\u4f60\u597d\u8fd0\n| \u661f\u671f\u5929\u89c1\n" in told and "signature:\n| Alice\n" in told
