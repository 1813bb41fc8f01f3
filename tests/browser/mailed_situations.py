"""The pages behind links of mails: to sign in, to confirm addresses, to join, to answer a challenge or a request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from service.handlers import reply_addresses, sign_in
from service.runtime import Runtime
from service.shared import clock
from tests.browser.situation import Situation
from tests.people import Person, register
from tests.people import guest as register_guest
from workers.relay import Relay

MAILED = re.compile(r"/(?:(?:join|confirm|reply-address|sign-in)/[a-z0-9]+|[cf]/[a-z2-7]{26})(?:/never)?\b")
"""No picture in a mail looks like such a path."""
BUTTON = ("main form button",)


def send(runtime: Runtime) -> None:
    """Have all mails sent that are due."""
    relay = Relay(runtime)
    while relay.drain():
        pass


def mailed_situations(runtime: Runtime, mailbox: Path, guest: Person) -> Iterator[Situation]:
    """Yield the pages behind the links of all mails that are due now, and one of the mails."""
    known = set(mailbox.glob("*.eml"))
    sign_in.ask(runtime.games, f"zoe.{uuid4().hex[:6]}@example.org", "Zoë", guest.language, clock.now())
    register_guest(runtime.games, f"new.{uuid4().hex[:6]}@example.org", language=guest.language)
    dana = register(runtime.games, "Dana", f"dana.{uuid4().hex[:6]}@example.org", guest.language)
    reply_addresses.add(runtime.games, dana.id, f"dana.{uuid4().hex[:6]}@example.net", clock.now())
    send(runtime)
    mails = sorted(set(mailbox.glob("*.eml")) - known)
    text = "".join(path.read_text() for path in mails)
    paths = sorted(set(MAILED.findall(text.replace("=\n", "").replace("=2E", "."))))
    # Of several mails of a kind one is enough.
    yield from {each.name: each for path in paths for each in _behind(path, guest)}.values()
    yield Situation("mail", f"/mailbox/{mails[-1].name}")


def _behind(path: str, guest: Person) -> Iterator[Situation]:
    _, name, *_, last = path.split("/")
    if last == "never":
        of = {"confirm": "ask-never", "join": "never"}.get(name, "challenge-never")
        yield Situation(of, path)
        yield Situation(f"{of}-done", path, None, BUTTON)
    elif name == "confirm":
        yield Situation("confirm", path)
        yield Situation("confirm-done", path, None, BUTTON)
    elif name == "reply-address":
        yield Situation("reply-address", path)
        yield Situation("reply-address-confirmed", path, None, BUTTON)
    elif name == "join":
        yield Situation("join-link", path)
        yield Situation("joined-without-cookies", f"{path}?seat=1")
        yield Situation("joined", path, None, BUTTON, "Zoë")
    elif name == "sign-in":
        yield Situation("sign-in-link", path)
        yield Situation("sign-in-keep", path, guest)
    else:
        of = {"c": "challenge", "f": "friend"}[name]
        yield Situation(f"{of}-link", path)
        yield Situation(f"{of}-declining", f"{path}/decline")
        yield Situation(f"{of}-declined", path, None, ("form[action$='/decline'] button",))
