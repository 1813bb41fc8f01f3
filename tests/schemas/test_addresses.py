"""What is a mail address, and in which one form it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.runtime import Runtime
from service.shared.addresses import canonical
from tests.letters import PRESSED
from tests.rest import Caller, refused
from tests.signing_in import LINK, address, link_to, mailed

__all__ = ["address"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("ivan@тест.рф", "ivan@xn--e1aybc.xn--p1ai"),
        ("ivan@xn--e1aybc.xn--p1ai", "ivan@xn--e1aybc.xn--p1ai"),
        ("anna@münchen.example", "anna@xn--mnchen-3ya.example"),
        ("anna@MÜNCHEN.Example", "anna@xn--mnchen-3ya.example"),
        ("Anna.B+games@Example.org", "Anna.B+games@example.org"),
        ("o'neil@example.org", "o'neil@example.org"),
        # What was taken before a library was asked.
        ("zoe@mail.local", "zoe@mail.local"),
        ("zoe@ab--cd.example", "zoe@ab--cd.example"),
    ],
)
def test_an_address_has_one_form_whatever_the_spelling_of_its_domain(written: str, kept: str) -> None:
    assert canonical(written) == kept
    assert canonical(kept) == kept


@pytest.mark.parametrize(
    "written",
    [
        "anna",
        "anna@",
        "@example.org",
        "anna@localhost",
        "an na@example.org",
        "anna@exa mple.org",
        "anna..b@example.org",
        "анна@example.org",
        "anna@[127.0.0.1]",
        "anna@example.org\nBcc: all@example.org",
        "anna@-example.org",
        "anna@xn--a.xn--b",
        f"{'a' * 250}@example.org",
    ],
)
def test_what_is_no_address_is_none(written: str) -> None:
    assert canonical(written) is None


def test_an_account_signs_in_with_every_spelling_of_its_domain(
    runtime: Runtime, mailbox: Path, api: Caller, address: str
) -> None:
    # given an account that was made with the letters of a domain
    local = address.partition("@")[0]
    kept = f"{local}@xn--mnchen-3ya.example"
    assert api.post("/sign-in", {"email": f"{local}@münchen.example"}).status_code == 202
    (link,) = LINK.findall(mailed(runtime, mailbox, kept))
    assert api.client.post(link, data=PRESSED).status_code < 400
    # when its player signs in with what a program makes of the domain
    api.client.post(link_to(runtime, mailbox, api, kept), data=PRESSED)
    # then there is one account
    with runtime.engine.connect() as db:
        found = db.exec_driver_sql("select email from player where email like %s", (f"{local}@%",)).scalars().all()
    assert found == [kept]


def test_what_is_no_address_is_told_as_such(api: Caller) -> None:
    body = refused(api.post("/sign-in", {"email": "анна@example.org"}), 422, "validation")
    assert body["errors"] == [{"pointer": "/email", "detail": "Not a mail address."}]
