"""No mail looks like spam: SpamAssassin, without the network, gives none of them as much as a point."""

from __future__ import annotations

import re
import subprocess
from email.message import EmailMessage
from pathlib import Path
from shutil import which

import pytest

from tests.mail_goldens import mails

MOST = 1.0
SPAM = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"
ENVELOPE = b"From boardroom@boardroom.example Fri Nov 20 17:45:00 2026\n"

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


def judged(raws: list[bytes], home: Path) -> list[tuple[float, set[str]]]:
    """The points of each mail, and the rules that it has met; one process reads them all."""
    plain = (re.sub(rb"^(>*From )", rb">\1", raw.replace(b"\r\n", b"\n"), flags=re.MULTILINE) for raw in raws)
    mailbox = home / "mails.mbox"
    mailbox.write_bytes(b"".join(ENVELOPE + raw + b"\n" for raw in plain))
    # What is spam would otherwise be wrapped up, and its report be there twice.
    command = ["spamassassin", "-L", "-t", "--nocreate-prefs", "--cf=report_safe 0", "--mbox", str(mailbox)]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()
    _, *reports = re.split(r"^Content analysis details:", done.stdout.decode("utf-8", "replace"), flags=re.MULTILINE)
    return [(_points(report), set(re.findall(r"^ *-?[\d.]+ ([A-Z]\w+) ", report, re.MULTILINE))) for report in reports]


def _points(report: str) -> float:
    found = re.match(r" *\((-?[\d.]+) points", report)
    assert found is not None, report[:200]
    return float(found[1])


def test_no_mail_looks_like_spam_and_spam_does(tmp_path: Path) -> None:
    names = sorted(mails())
    *points, (spam, met) = judged([*(mails()[name] for name in names), planted()], tmp_path)
    assert len(points) == len(names)
    assert {name: each for name, each in zip(names, points, strict=True) if each[0] > MOST} == {}
    assert all("HTML_MESSAGE" in rules for _, rules in points)
    assert spam > 100 and "GTUBE" in met
