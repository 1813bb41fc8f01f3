"""Headers of ids and URLs stay readable for machines, however long they are."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from service.mail.header_policy import POLICY, VERBATIM_HEADERS, join_encoded_words

LONG = "x" * 90


def written(name: str, value: str) -> bytes:
    """The message with this header, as it goes over the wire."""
    message = EmailMessage(policy=POLICY)
    message[name] = value
    message.set_content("hello")
    return message.as_bytes()


@pytest.mark.parametrize("name", ["Message-ID", "In-Reply-To", "References", "List-Unsubscribe", "List-Id"])
def test_a_long_id_is_not_turned_into_an_encoded_word(name: str) -> None:
    raw = written(name, f"<{LONG}@example.org>")
    assert b"=?" not in raw
    assert f"{name}: <{LONG}@example.org>\r\n".encode() in raw


def test_many_references_are_folded_at_their_spaces_only() -> None:
    ids = [f"<{number:040}@example.org>" for number in range(30)]
    raw = written("References", " ".join(ids))
    header = raw.split(b"MIME-Version")[0].split(b"Content-")[0].decode()
    assert max(map(len, header.splitlines())) <= 78
    assert re.findall(r"<[^>]+>", header) == ids


def test_a_folded_header_reads_back_as_it_was_written() -> None:
    ids = " ".join(f"<{LONG}{number}@example.org>" for number in range(5))
    assert message_from_bytes(written("References", ids), policy=policy.default)["References"] == ids


def test_other_headers_are_still_encoded_where_they_need_it() -> None:
    raw = written("Subject", "Zug für Zoë " * 20)
    assert b"=?utf-8?" in raw
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert "subject" not in VERBATIM_HEADERS


def test_a_line_break_cannot_be_smuggled_into_a_header() -> None:
    with pytest.raises(ValueError, match="linefeed"):
        EmailMessage(policy=POLICY)["References"] = "<a@b>\r\nBcc: eve@example.org"


@pytest.mark.parametrize(
    "subject",
    [
        "Alice – Jürgen",
        "Zoë – Þórbjörg O'Ñandú-Łęczycka – Jürgen von Hohenstaufen",
        "Alice – Bob",
        "Dit à la table : #0000a1 Alice, Bob (n° 1)",
        "Your move: Friday night (Dave took a black card from slot 5) · 3 days left",
        "À vous : Freitagsrunde bei Jürgen (Dörte a pris une carte noire de l’emplacement 5) · encore 3 jours",
    ],
)
def test_no_space_of_a_subject_is_lost_or_doubled(subject: str) -> None:
    message = EmailMessage(policy=POLICY)
    message["Subject"] = join_encoded_words(subject)
    raw = message.as_bytes()
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    read = message_from_bytes(raw, policy=policy.default)
    assert str(read["Subject"]).replace("\N{NO-BREAK SPACE}", " ") == subject
