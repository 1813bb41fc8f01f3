"""People, and what belongs to them: profiles, tokens, bots."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import select, update

from service.handlers import apps, sign_in
from service.runtime import Runtime
from service.shared import clock
from service.store import tables
from tests.recording.scribe import Scribe

UNHEARD_OF = "abcdefghijklmnopqrstuvwxyz"
"""A secret that no link has."""


def the_players(house: Runtime, nobody: Scribe) -> list[Scribe]:
    """Alice, Bob and Carol make themselves known, and say by mail that they want our mails."""
    people = [("Alice", "en"), ("Bob", "de"), ("Carol", "fr")]
    profiles = [{"name": name, "email": f"{name.lower()}@example.org", "language": each} for name, each in people]
    seats = [nobody.by(nobody.post("/players", profile)["token"]) for profile in profiles]
    with house.engine.begin() as db:
        db.execute(update(tables.player).where(tables.player.c.email.is_not(None)).values(email_confirmed=True))
    seats[0].get("/me")
    nobody.get("/limits")
    return seats


def the_accounts(house: Runtime, nobody: Scribe, alice: Scribe) -> None:
    """Alice makes a token and a bot; Dora signs in by mail, and goes for good; a guest gets an address."""
    alice.call("PATCH", "/me", {"time_zone": "Europe/Berlin"})
    alice.call("PATCH", "/me", {"handle": "alice"})
    alice.get("/players/alice")
    nobody.by(nobody.post("/players", {"name": "Alice"})["token"]).call("PATCH", "/me", {"handle": "al1ce"})
    for handle in ("alice-a", "alice-b", "alice-c", "alice-d"):
        alice.call("PATCH", "/me", {"handle": handle})
    wanted = {"label": "a board on the wall", "scopes": ["games:read", "profile:read"], "expires_in_days": 30}
    made = alice.post("/tokens", wanted, Idempotency_Key="board-on-the-wall")
    alice.post("/tokens", wanted, Idempotency_Key="board-on-the-wall")
    alice.get("/tokens")
    the_tokens_that_do_not_work(house, alice, made)
    bot = alice.post("/bots", {"name": "Alice's bot"})
    alice.get("/bots")
    another = alice.post(f"/bots/{bot['id']}/tokens", {"label": "on the new machine", "scopes": ["games:play"]})
    alice.get(f"/bots/{bot['id']}/tokens")
    alice.call("DELETE", f"/bots/{bot['id']}/tokens/{another['id']}")
    alice.by(bot["token"]).post("/bots", {"name": "A bot's bot"})
    while "id" in (more := alice.post("/bots", {"name": "One more"})):
        last = more["id"]
    alice.call("DELETE", f"/bots/{last}")
    the_apps(house, alice)
    nobody.post("/sign-in", {"email": "dora@example.org", "name": "Dora", "language": "en"})
    dora = nobody.by(nobody.post("/sign-in/token", {"sign_in": mailed(house, "dora@example.org")})["token"])
    nobody.post("/sign-in/token", {"sign_in": UNHEARD_OF})
    the_guest_who_stays(house, nobody)
    dora.call("DELETE", "/me", {"confirm": "Dora"})


def the_apps(house: Runtime, alice: Scribe) -> None:
    """Alice writes an app, lets it act for her, and takes that back; then it goes."""
    address = "https://boards.example/back"
    wanted = {"name": "Boards on the wall", "redirect_uris": [address], "confidential": True}
    made = alice.post("/apps", wanted, Idempotency_Key="boards-on-the-wall")
    alice.get("/apps")
    with house.engine.begin() as db:
        app = apps.find_app(db, made["id"])
        assert app is not None
        asked = apps.AuthorizationRequest(["games:read", "games:play"], address, "c" * 43)
        apps.grant(db, app, app.owner, asked, UNHEARD_OF, clock.now())
    alice.call("PATCH", f"/apps/{made['id']}", {"name": "Boards", "redirect_uris": [f"{address}-here"]})
    (granted,) = alice.get("/grants")["items"]
    alice.call("DELETE", f"/grants/{granted['id']}")
    alice.call("DELETE", f"/apps/{made['id']}")


def the_guest_who_stays(house: Runtime, nobody: Scribe) -> None:
    """Gil, a guest, cannot have the address of Dora, then has one of his own, and no second one."""
    gil = nobody.by(nobody.post("/players", {"name": "Gil"})["token"])
    for each in ("dora", "gil", "gil.too"):
        email = f"{each}@example.org"
        nobody.post("/sign-in", {"email": email})
        gil.post("/me/email", {"sign_in": mailed(house, email)})


def the_tokens_that_do_not_work(house: Runtime, alice: Scribe, made: dict[str, str]) -> None:
    """One that is not good enough, then one that is too old, then one that is revoked."""
    reader = alice.by(made["token"])
    reader.post("/games", {"ruleset": "new-corp-order", "seats": 1})
    with house.engine.begin() as db:
        mine = tables.token.c.id == made["id"]
        db.execute(update(tables.token).where(mine).values(expires_at=clock.now()))
    reader.get("/games")
    alice.call("DELETE", f"/tokens/{made['id']}")
    reader.get("/games")
    alice.call("DELETE", f"/tokens/{uuid4()}")


def mailed(house: Runtime, email: str) -> str:
    """Return the secret of the link that the mail to the address has."""
    with house.engine.begin() as db:
        asked = db.execute(select(tables.sign_in.c.id).where(tables.sign_in.c.email == email)).scalar_one()
        prepared = sign_in.prepare(db, asked, clock.now())
    assert prepared is not None
    return prepared.secret
