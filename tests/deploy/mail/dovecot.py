"""The mailboxes of people elsewhere: Dovecot, which takes mails in by LMTP and hands them out by IMAP."""

from __future__ import annotations

import imaplib
import re
import shutil
import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final, cast

from service.local.supervisor import Child, Program
from tests.ports import free_port
from tests.serving import PATIENCE, wait_for

PASSWORD: Final = "secret"
_CONFIGURATION: Final = """
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = /dev/stderr
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/home/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """The ports of a Dovecot that has a mailbox for whomever a mail comes."""

    lmtp: int
    imap: int

    def deliver(self, sender: str, recipients: list[str], raw: bytes) -> None:
        """Put a mail into the mailboxes of its recipients."""
        with smtplib.LMTP("127.0.0.1", self.lmtp, timeout=PATIENCE) as server:
            server.sendmail(sender, recipients, raw)

    def fetched(self, address: str) -> list[EmailMessage]:
        """Return all mails of an inbox, the oldest first, as a mail program fetches them."""
        with imaplib.IMAP4("127.0.0.1", self.imap, timeout=PATIENCE) as server:
            server.login(address, PASSWORD)
            server.select(readonly=True)
            (numbers,) = server.search(None, "ALL")[1]
            raws = [server.fetch(each.decode(), "(RFC822)")[1][0] for each in numbers.split()]
        return [
            cast("EmailMessage", message_from_bytes(raw[1], policy=policy.default))
            for raw in raws
            if isinstance(raw, tuple)
        ]


def missing() -> str:
    """Return why Dovecot cannot be tried here, '' where it can."""
    absent = shutil.which("dovecot") is None or not any(Path("/usr/lib/dovecot").glob("lmtp"))
    return "not here: dovecot-imapd dovecot-lmtpd (packages of Debian)" if absent else ""


@contextmanager
def mailboxes(folder: Path) -> Iterator[Mailboxes]:
    """Run Dovecot in a folder with a short name that every account can enter."""
    ports = {name: free_port() for name in ("imap", "lmtp")}
    for name in ("mail", "home"):
        (folder / name).mkdir(parents=True)
        shutil.chown(folder / name, "nobody", "nogroup")
    configuration = folder / "dovecot.conf"
    configuration.write_text(_CONFIGURATION.format(folder=folder, password=PASSWORD, **ports))
    program = Program(name="dovecot", command=["dovecot", "-F", "-c", str(configuration)], log=folder / "dovecot.log")
    child = Child(program)
    try:
        wait_for(child, lambda: all(map(_greets, ports.values())), PATIENCE)
        yield Mailboxes(ports["lmtp"], ports["imap"])
    finally:
        child.stop()


def _greets(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 2) as spoken:
            return re.match(rb"\* OK|220 ", spoken.recv(100)) is not None
    except OSError:
        return False
