"""No mail looks like spam: SpamAssassin, without the network, gives none of them more than half a point."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from shutil import which

import pytest

from tests.mail_goldens import mails

MOST = 0.5
SPAM = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"
ARRIVED = "Fri Nov 20 17:45:00 2026"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(which("spamassassin") is None, reason="spamassassin is not installed: it is a Debian package"),
]


def planted() -> bytes:
    """A mail that every spam filter has to find."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "boardroom@boardroom.example", "a@example.org", "Hello"
    message.set_content(SPAM)
    return message.as_bytes()


def judged(raws: Mapping[str, bytes], home: Path) -> dict[str, tuple[float, set[str]]]:
    """The points of each mail, and the rules that it has met; one process reads them all, in an order of its own."""
    plain = {name: re.sub(rb"^(>*From )", rb">\1", raw, flags=re.MULTILINE) for name, raw in raws.items()}
    parts = [f"From {name} {ARRIVED}\n".encode() + raw.replace(b"\r\n", b"\n") for name, raw in plain.items()]
    mailbox = home / "mails.mbox"
    mailbox.write_bytes(b"\n".join(parts))
    # What is spam would otherwise be wrapped up in a report.
    command = ["spamassassin", "-L", "--nocreate-prefs", "--cf=report_safe 0", "--mbox", str(mailbox)]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found = re.findall(rb"^From (\S+) .*\n((?:.+\n)+)", done.stdout, re.MULTILINE)
    return {name.decode(): _verdict(header) for name, header in found}


def _verdict(header: bytes) -> tuple[float, set[str]]:
    words = str(message_from_bytes(header, policy=policy.default)["X-Spam-Status"])
    points, rules = re.search(r"score=(-?[\d.]+)", words), re.search(r"tests=(\w+(?:,\s*\w+)*)", words)
    assert points and rules, words
    return float(points[1]), set(re.split(r",\s*", rules[1]))


def test_no_mail_looks_like_spam_and_spam_does(tmp_path: Path) -> None:
    verdicts = judged({**mails(), "planted": planted()}, tmp_path)
    points, met = verdicts.pop("planted")
    assert points > 100 and "GTUBE" in met
    assert set(verdicts) == set(mails())
    assert {name: verdict for name, verdict in verdicts.items() if verdict[0] > MOST} == {}
    assert all("HTML_MESSAGE" in rules for _, rules in verdicts.values())
