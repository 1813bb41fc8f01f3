"""Sender of a mail, by the fields of Authentication-Results that our own server has put on the mail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.inbound.authentication import Belief, belief, same_mailbox
from service.inbound.headers import address, read

ALICE = "Alice@example.org"
SERVER = "mx.example.net"
PASS = "mx.example.net; dmarc=pass (p=none) header.from=example.org"
NONE = "mx.example.net; dmarc=none header.from=example.org"
RECEIVED = (
    "Received: from out.example.org (out.example.org [192.0.2.1])\n\tby mx.example.net (Postfix) with ESMTPS id 4F9FF3"
)
DKIM = "mx.example.net; dkim=none"
FOREIGN = "Received: from laptop by out.example.org with ESMTPSA"


def believed(*fields: str, sender: str = "alice@example.org", strict: bool = False) -> Belief:
    """Judge whether a mail of Alice's is hers; a field without a name is one of Authentication-Results."""
    named = (each if each.startswith(("Received:", "X-")) else f"Authentication-Results: {each}" for each in fields)
    raw = "".join(f"{each}\n" for each in (*named, f"From: {sender}"))
    return belief(read(f"{raw}\nhold\n".encode()), ALICE, SERVER, own=True, strict=strict)


@pytest.mark.parametrize(
    "fields",
    [
        (PASS, RECEIVED, FOREIGN),
        (RECEIVED, PASS, FOREIGN),
        ("X-Spam: no", RECEIVED, "X-Virus: no", PASS, FOREIGN),
        (PASS,),
        # A filter for each method, each with a field of its own above the server's line of Received.
        ("mx.example.net; spf=pass smtp.mailfrom=other.example", PASS, "mx.example.net; dkim=none", RECEIVED),
        # Within the server the mail may have been handed on, under another of its names.
        ("Received: from localhost by mail.mx.example.net with LMTP", RECEIVED, PASS, FOREIGN),
        # Filters that write beneath it, each by itself, and say for which job.
        (RECEIVED, DKIM, PASS.replace(";", "/4F9FF3;"), FOREIGN),
        (RECEIVED, DKIM, PASS.replace("mx.example.net;", '"mx.example.net/4F9FF3";')),
        (RECEIVED, "mx.example.net; dkim=pass header.d=example.org", NONE.replace(";", "/4f9ff3;")),
        ("MX.Example.NET 1; DMARC=Pass (P=None) Header.From=Example.ORG",),
        ("mx.example.net;dmarc=pass(p=none)header.from=example.org",),
        ("mx.example.net;\n\tspf=pass\n\tsmtp.mailfrom=alice@example.org;\n dmarc=pass\n\theader.from=example.org",),
        ("mx.example.net; dmarc / 1 = pass header . from = example.org",),
        ('"mx.example.net" (by (my) \\) filter); dmarc=pass reason="fine; really" header.from=example.org',),
        ("mx.example.net; dmarc=pass header.from=example.org policy.dmarc=none; spf=fail smtp.mailfrom=x.test",),
        ("mx.example.net; dmarc=pass",),
        ("mx.example.net; spf=fail; dkim=fail; dmarc=pass header.from=alice@example.org",),
    ],
)
def test_a_mail_is_believed_for_which_dmarc_has_passed_at_our_server(fields: tuple[str, ...]) -> None:
    assert believed(*fields) == "believed"


@pytest.mark.parametrize(
    "fields",
    [
        (),
        (RECEIVED, FOREIGN),
        ("mx.example.net; none",),
        ("mx.example.net; spf=pass smtp.mailfrom=example.org; dkim=pass header.d=example.org",),
        # Forged beneath what our server has written, which says nothing of DMARC.
        ("mx.example.net; spf=fail", PASS),
        ("mx.example.net; spf=fail", RECEIVED, PASS),
        (RECEIVED, "mx.example.net; spf=fail", PASS),
        (RECEIVED, DKIM, PASS.replace(";", "/4F9FF2;")),
        (RECEIVED, PASS.replace(";", "/4F9FF2;")),
        (RECEIVED.partition(" id")[0], DKIM, PASS.replace(";", "/;")),
        (RECEIVED, DKIM, RECEIVED, PASS.replace(";", "/4F9FF3;")),
        (RECEIVED, DKIM, FOREIGN, PASS.replace(";", "/4F9FF3;")),
        (RECEIVED, "mx.example.net; spf=fail", PASS, RECEIVED),
        ("mx.example.net; spf=fail", FOREIGN, RECEIVED, PASS),
        # Beneath where another server has received it, everything came along.
        (FOREIGN, PASS, RECEIVED),
        (RECEIVED, FOREIGN, PASS),
        ("Received: from x (by mx.example.net) by evil.test", PASS),
        # Another server's, one of another version, and fields that nobody can read.
        ("mx.evil.test; dmarc=pass", PASS),
        ("mx.evil.test; dmarc=pass", RECEIVED, PASS),
        ("mx.example.net.evil.test; dmarc=pass",),
        ("mx.example.net 2; dmarc=pass", PASS),
        ("mx.example.net; dmarc/2=pass",),
        ("mx.example.net; spf=fail (; dmarc=pass",),
        ('mx.example.net; spf=fail smtp.mailfrom="a; dmarc=pass',),
        ('mx.example.net; spf=fail smtp.mailfrom="a; dmarc=pass"@evil.test',),
        ("mx.example.net; spf=fail (; dmarc=pass; )",),
        ("mx.example.net; spf=fail smtp.mailfrom=a; dmarc=pass@evil.test",),
        ("mx.example.net; spf=fail policy.x=y dmarc=pass",),
    ],
)
def test_a_mail_of_which_our_server_says_nothing_by_dmarc_is_unchecked(fields: tuple[str, ...]) -> None:
    assert believed(*fields) == "unchecked"


@pytest.mark.parametrize(
    "fields",
    [
        ("mx.example.net; dmarc=fail header.from=example.org",),
        ("mx.example.net; dmarc=temperror header.from=example.org", PASS, RECEIVED),
        ("mx.example.net; dmarc=fail", PASS, RECEIVED),
        (RECEIVED, "mx.example.net; dmarc=fail", PASS.replace(";", "/4F9FF3;")),
        ("mx.example.net; dmarc=pass header.from=evil.test",),
        ("mx.example.net; dmarc=pass header.from=example.org header.from=evil.test",),
        ("mx.example.net; dmarc=pass header.from=sub.example.org",),
        ("mx.example.net; dmarc=pass header.from=example.org; dmarc=pass header.from=evil.test",),
    ],
)
def test_a_mail_is_not_believed_for_which_dmarc_has_failed_or_passed_for_somebody_else(fields: tuple[str, ...]) -> None:
    assert believed(*fields) == "not-believed"


@pytest.mark.parametrize(
    ("results", "outcome"),
    [
        ("", "not-believed"),
        ("; spf=pass smtp.mailfrom=alice@example.org", "believed"),
        ("; spf=pass smtp.mailfrom=bounces.example.org", "believed"),
        ('; spf=pass smtp.mailfrom="Alice A"@example.org', "believed"),
        ("; spf=pass smtp.mailfrom=evil.test", "not-believed"),
        ("; spf=pass smtp.mailfrom=org", "not-believed"),
        ("; spf=pass smtp.mailfrom=badexample.org", "not-believed"),
        ("; spf=pass smtp.helo=example.org", "not-believed"),
        ("; spf=pass", "not-believed"),
        ("; spf=softfail smtp.mailfrom=example.org", "not-believed"),
        ("; dkim=pass header.d=example.org header.s=a header.b=abc/+=", "believed"),
        ("; dkim=pass header.i=@example.org", "believed"),
        ("; dkim=fail header.d=example.org; dkim=pass header.d=list.test", "not-believed"),
        ("; dkim=pass header.d=list.test; dkim=pass header.d=example.org", "believed"),
        ("; dkim=pass header.d=list.test header.i=@example.org", "not-believed"),
        ('; spf=fail smtp.mailfrom="a dkim=pass header.d=example.org"@evil.test', "not-believed"),
    ],
)
def test_where_a_domain_has_no_policy_spf_or_dkim_has_to_pass_for_it(results: str, outcome: Belief) -> None:
    assert believed(NONE + results) == outcome
    assert believed(f"mx.example.net; dmarc=bestguesspass{results}") == outcome
    assert believed(NONE + results, strict=True) == "not-believed"


def test_who_wants_links_to_work_signed_in_is_believed_by_dmarc_for_their_own_domain_alone() -> None:
    assert believed(PASS, strict=True) == "believed"
    assert believed("mx.example.net; dmarc=pass", strict=True) == "not-believed"
    own = read(b"From: alice@example.org\n\nhold\n")
    assert belief(own, ALICE, None, own=True) == "believed"
    assert belief(own, ALICE, None, own=True, strict=True) == "not-believed"
    assert belief(own, ALICE, None, own=False) == "not-believed"


@given(st.lists(st.sampled_from([*"a;=.@ \t/1", "dmarc=pass", "header.from=example.org", "; "])).map("".join))
def test_nothing_that_a_stranger_gets_into_quotes_or_comments_is_a_result(words: str) -> None:
    assert believed(f'mx.example.net; spf=fail smtp.mailfrom="{words}"@evil.test') == "unchecked"
    assert believed(f"mx.example.net; spf=fail ({words}); dmarc=fail header.from=example.org") == "not-believed"


@pytest.mark.parametrize(
    "sender",
    [
        "alice@example.org",
        "<alice@example.org>",
        "Alice <ALICE@Example.org>",
        '"Alice, at home" <alice@example.org>',
        "alice@example.org (Alice Adler)",
        "Alice (at home; (really), <yes>) <alice@example.org>",
        "Alice <alice@example.org> (at home)",
        "(Alice) alice@example.org",
        '"Alice \\"Ace\\" Adler" <alice@example.org>',
        '"mallory@evil.test" <alice@example.org>',
        "Alice @ home <alice@example.org>",
        "alice@example.org <alice@example.org>",
        "alice@work.test <alice@example.org>",
        "=?utf-8?q?Al=C3=AFce=2C_at_home?= <alice@example.org>",
        "=?utf-8?b?bWFsbG9yeUBldmlsLnRlc3Q=?= <alice@example.org>",
        '"alice"@example.org',
        "alice(really)@example.org",
        "Friends: alice@example.org;",
        "Friends: Alice <alice@example.org>;",
        "Alice\n <alice@example.org>",
    ],
)
def test_the_sender_is_read_however_a_mail_program_writes_it(sender: str) -> None:
    assert believed(PASS, sender=sender) == "believed"


@pytest.mark.parametrize(
    "sender",
    [
        "mallory@evil.test",
        # DMARC has passed for the domain of this one.
        "mallory@example.org",
        "",
        "Alice",
        "alice@example.org, mallory@evil.test",
        "Alice <alice@example.org>, Mallory <mallory@evil.test>",
        "alice@example.org <mallory@evil.test>",
        "alice@example.org]<mallory@evil.test>",
        '"Alice <alice@example.org>" <mallory@evil.test>',
        "mallory@evil.test (Alice <alice@example.org>)",
        "<mallory@evil.test> <alice@example.org>",
        "Alice <alice@example.org> mallory@evil.test",
        "Friends: alice@example.org, mallory@evil.test;",
        "Friends:;",
        "Alice (at home <alice@example.org>",
        '"Alice <alice@example.org>',
        '"alice@example.org, x"@evil.test',
        "=?utf-8?q?alice=40example=2Eorg?= <mallory@evil.test>",
        "=?utf-8?q?Alice_=3Calice=40example=2Eorg=3E?=",
        "alice@example.org.evil.test",
        "alice@example.org\nFrom: mallory@evil.test",
    ],
)
def test_a_sender_who_is_somebody_else_or_more_than_one_is_not_believed(sender: str) -> None:
    assert believed(PASS, sender=sender) == "not-believed"


def test_a_server_that_does_not_name_the_domain_is_not_believed_where_two_stand_in_from() -> None:
    assert believed("mx.example.net; dmarc=pass", sender="mallory@evil.test <alice@example.org>") == "not-believed"
    assert believed("mx.example.net; dmarc=pass", sender="alice@example.org <alice@example.org>") == "believed"


@given(st.text(st.sampled_from('ab@.<>(),;:"\\ []') | st.characters(codec="utf-8"), max_size=40))
def test_any_text_is_one_address_or_none(text: str) -> None:
    found = address(text)
    assert found is None or (found.count("@") == 1 and not set(found) & set('<>(),;:"\\ '))


ONE_MAILBOX = [
    ("zoe@x.example", "zoe+bg@x.example"),
    ("ZOE@x.example", "Zoe+bg+2@X.example"),
    ("zoe.m@gmail.com", "zoem+bg@googlemail.com"),
    ("zoem@googlemail.com", "zoe.m@gmail.com"),
    ("zoe+other@gmail.com", "zoe@gmail.com"),
]
TWO_MAILBOXES = [
    # Anybody may have registered an address with a + at a provider that means nothing by it.
    ("zoe+bg@x.example", "zoe@x.example"),
    ("zoe+one@x.example", "zoe+two@x.example"),
    ("zoe@y.example", "zoe+bg@x.example"),
    ("bg@x.example", "zoe+bg@x.example"),
    ("zo.e@x.example", "zoe@x.example"),
    ("zoe@gmail.com.x.example", "zoe@gmail.com"),
    ("zoe@x.example", "+bg@x.example"),
    ("@gmail.com", "zoe@gmail.com"),
]


@pytest.mark.parametrize(("sender", "registered"), [*ONE_MAILBOX, *TWO_MAILBOXES])
def test_a_mailbox_is_known_by_its_other_spelling(sender: str, registered: str) -> None:
    assert same_mailbox(sender, registered) == ((sender, registered) in ONE_MAILBOX)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("mx.example.net; dmarc=pass header.from=example.org", "believed"),
        ("mx.example.net; dmarc=pass header.from=other.example", "not-believed"),
        ("mx.example.net; dmarc=pass", "not-believed"),
        ("mx.example.net; dmarc=none header.from=example.org; spf=pass smtp.mailfrom=example.org", "not-believed"),
        ("mx.example.net; dmarc=fail header.from=example.org", "not-believed"),
    ],
)
def test_the_other_spelling_is_believed_only_if_dmarc_has_passed(verdict: str, expected: Belief) -> None:
    raw = f"Authentication-Results: {verdict}\nFrom: alice@example.org\n\nhold\n".encode()
    assert belief(read(raw), "alice+bg@example.org", SERVER, own=True) == expected
    assert belief(read(raw), "alice+bg@example.org", None, own=True) == "not-believed"
