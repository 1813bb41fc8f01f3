"""Apps: the page that asks whether one may act for the visitor, and the settings of somebody who has written one."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from service.handlers import apps
from service.handlers.apps import AppTerms
from service.shared import clock
from service.store.games import Games
from tests.oauth import BACK
from tests.people import Person

Row = tuple[str, str, Person | None]
_SCOPES = "games:read games:play games:create profile:read"


def app_situations(games: Games, writer: Person, reader: Person) -> Iterator[Row]:
    """Yield name, path and visitor of each page; the writer has an app, which asks the reader."""
    made = apps.register(games, writer.id, AppTerms("Boards on the wall", [BACK], confidential=False), clock.now())
    asked = {
        "response_type": "code",
        "client_id": str(made.id),
        "redirect_uri": BACK,
        "scope": _SCOPES,
        "state": "1",
        "code_challenge": "c" * 43,
        "code_challenge_method": "S256",
    }
    yield "app-asks", f"/oauth/authorize?{urlencode(asked)}", reader
    yield "app-asks-wrongly", f"/oauth/authorize?{urlencode(asked | {'scope': 'all'})}", reader
    yield "apps-written", "/settings/apps", writer
