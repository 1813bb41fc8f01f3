"""An erased person has left no word behind, in whichever column it stood."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import import_module
from pkgutil import iter_modules
from typing import Final
from uuid import uuid4

from sqlalchemy import ARRAY, JSON, Text, text
from sqlalchemy.dialects.postgresql import JSONB

from service import store
from service.handlers import invitations, lobby, operators, people, talk, tokens
from service.handlers.invitations import ByMail, Words, rematch
from service.rules.pace import PACES
from service.shared import clock
from service.store import outbox
from service.store.access import SCOPES
from service.store.game_row import Terms
from service.store.games import Games
from service.store.tables import metadata
from tests.builders import finished, now_at, table_for
from tests.operating import ZOE, nothing_in_force
from tests.people import bob, carol, new_address, register

__all__ = ["nothing_in_force"]

MARK: Final = "Quillmark"
"""A word that nobody else writes."""
REMOVED: Final = {
    "app": ["name", "redirect_uris"],
    "challenge": ["options", "terms"],
    "channel": ["cause", "error", "instead", "label", "messages"],
    "channel_message": ["message"],
    "competition": ["title"],
    "game": ["name"],
    "idempotency": ["answer"],
    "invitation": ["email", "message"],
    "move_order": ["action", "conditions", "dropped"],
    "note": ["text"],
    "passkey": ["name", "transports"],
    "player": ["blocked", "email", "handle", "handle_skeleton", "name", "time_zone"],
    "reply_address": ["email"],
    "report": ["answer", "quoted", "words"],
    "sign_in": ["email", "name"],
    "talk": ["text"],
    "token": ["label"],
    "webhook": ["disabled", "url"],
    "webhook_delivery": ["body", "error"],
}
"""The columns that may hold a word of a person: erasure, or the deletion of the account within it, empties them."""
OTHER: Final = {
    "action_link": ["revoked_for"],
    "analysis": ["found"],
    "app_code": ["challenge", "redirect_uri", "scopes"],
    "app_grant": ["scopes"],
    "blocked_address": ["reason"],
    "challenge": ["ruleset", "state"],
    "channel": ["kind", "state"],
    "competition": ["options", "pace", "ruleset", "state", "system"],
    "deal": ["best", "commitment", "options", "ruleset"],
    "deal_standing": ["period"],
    "entrant": ["state"],
    "event": ["action", "data", "name"],
    "friendship": ["state"],
    "game": ["awaited", "commitment", "deadlines", "options", "ordered", "pace", "ruleset"],
    "game_length": ["options", "pace", "ruleset"],
    "heartbeat": ["host", "part"],
    "idempotency": ["operation"],
    "inbound_mail": ["outcome"],
    "invitation": ["language"],
    "last_seen": ["what"],
    "league": ["options", "pace", "ruleset", "slug", "title"],
    "lobby_event": ["data", "name"],
    "mail_request": ["cause"],
    "mail_trouble": ["cause", "status"],
    "mail_wishes": ["unwanted"],
    "mode": ["texts", "what"],
    "operator_event": ["act", "actor", "details", "reason", "subject", "subject_kind"],
    "outage": ["what"],
    "outbox": ["dedupe_key", "kind", "last_error", "payload"],
    "pairing": ["players", "points"],
    "passkey_challenge": ["ceremony"],
    "played_game": ["ruleset", "scores", "sources", "waits"],
    "player": ["computer", "language", "visibility"],
    "rating": ["ruleset"],
    "rating_step": ["ruleset"],
    "ready_bot": ["rulesets", "seats"],
    "report": ["about"],
    "result": ["ruleset", "uncounted"],
    "seal_key": ["id"],
    "seat": ["auto_answers", "drawn_by", "nonce"],
    "seat_request": ["answer"],
    "sign_in": ["language"],
    "take_back_request": ["agreed"],
    "token": ["kind", "last_four", "scopes"],
    "webhook": ["events"],
    "webhook_delivery": ["type"],
}
"""The columns that hold words out of a list, what follows from the rules, keys, or what operators have written."""
KEPT: Final = {"former_handle": ["skeleton"]}
"""A given-back handle stays reserved for a year, without its player; then pruning removes it (docs/players.md)."""


def columns(*kinds: type) -> dict[str, list[str]]:
    """The columns of all tables that can hold text, by table: without keys, digests and words out of a list."""
    for module in iter_modules(store.__path__):
        import_module(f"service.store.{module.name}")
    found: dict[str, list[str]] = {}
    for table in metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, kinds) and not column.foreign_keys:
                found.setdefault(table.name, []).append(column.name)
    return {name: sorted(each) for name, each in found.items()}


def left_behind(games: Games) -> list[str]:
    """The tables in which the mark stands somewhere."""
    with games.engine.connect() as db:
        return [
            name
            for name in sorted(metadata.tables)
            if db.execute(text(f"select exists (select from {name} t where t::text ilike '%{MARK}%')")).scalar_one()
        ]


def execute(games: Games, statement: str, **values: object) -> None:
    with games.engine.begin() as db:
        db.execute(text(statement), values)


def test_each_column_of_the_schema_is_told_whether_erasure_empties_it() -> None:
    told: dict[str, list[str]] = {}
    for kind in (REMOVED, OTHER, KEPT):
        for table, names in kind.items():
            told[table] = sorted([*told.get(table, []), *names])
    assert columns(Text, JSON, JSONB, ARRAY) == told


def test_an_erased_person_leaves_no_word_in_any_table(games: Games) -> None:
    # given a person who has written wherever one can write
    now, other, third = clock.now(), bob(games, None), carol(games, None)
    person = register(games, f"{MARK} Smith", f"{MARK.lower()}.{uuid4().hex}@example.org", "en")
    people.take_handle(games, person.id, f"{MARK.lower()}{uuid4().hex[:6]}", now)
    begun = table_for(games, "sealed-bids", person, 3, Terms(name=f"{MARK}'s table", start="full", access="public"))

    for each in (other, third):
        lobby.join(games, begun, each.id, now)
    talk.say(games, begun, person.id, f"{MARK} was here", "api", clock.now())
    talk.note(games, begun, person.id, f"{MARK}: bid low", now)
    finished(games, now_at(games, begun))
    again = rematch(games, begun, other.id, now).game.id
    waiting = table_for(games, "sealed-bids", person, 3, Terms(name=f"{MARK}'s next table", access="public"))
    lobby.join(games, waiting, other.id, now)
    words = Words(message=f"{MARK} asks you to come")
    invitations.invite(games, waiting, person.id, ByMail(f"{MARK}.friend.{new_address()}"), now, None, words)
    bot = uuid4()
    execute(
        games,
        "insert into player (id, name, owner, language, created_at) values (:bot, :name, :owner, 'en', :now)",
        bot=bot,
        name=f"{MARK} robot",
        owner=person.id,
        now=now,
    )
    with games.engine.begin() as db:
        for whom in (person.id, bot):
            tokens.issue(db, whom, f"{MARK}'s script", SCOPES, None, now)
    execute(
        games,
        "insert into competition (id, host, title, ruleset, seats, options, pace, system, state, created_at)"
        " values (gen_random_uuid(), :host, :title, 'new-corp-order', 2, '{}', cast(:pace as jsonb), 'swiss', 'over',"
        " :now)",
        host=person.id,
        pace=json.dumps(asdict(PACES["brisk"])),
        title=f"{MARK} Cup",
        now=now,
    )
    execute(
        games,
        "insert into app (id, owner, name, redirect_uris, created_at)"
        " values (gen_random_uuid(), :owner, :name, :uris, :now)",
        owner=person.id,
        name=f"{MARK} board",
        uris=[f"https://{MARK}.example/"],
        now=now,
    )
    execute(
        games,
        "insert into challenge (id, sender, recipient, ruleset, seats, options, terms, created_at, expires_at)"
        " values (gen_random_uuid(), :sender, :recipient, 'new-corp-order', 2, '{}', :terms, :now, :now)",
        sender=person.id,
        recipient=other.id,
        terms=f'{{"name": "{MARK}"}}',
        now=now,
    )
    execute(
        games,
        "insert into report (id, reporter, reported, about, quoted, words, created_at)"
        " values (gen_random_uuid(), :reporter, :reported, 'profile', 'Bob', :words, :now)",
        reporter=person.id,
        reported=other.id,
        words=f"{MARK} complains",
        now=now,
    )
    before = left_behind(games)
    assert {"player", "game", "talk", "note", "invitation", "token", "competition", "app"} <= set(before)
    # when they are erased
    operators.erase_account(games, person.id, ZOE, now)
    # then no table has a word of theirs, and the tables of others go on
    # (the mail that says goodbye is on its way until then)
    with games.engine.begin() as db:
        goodbye = text("select id from outbox where kind = 'account-changed' and payload ->> 'player' = :player")
        outbox.finish(db, db.execute(goodbye, {"player": str(person.id)}).scalar_one(), "done")
    assert left_behind(games) == []
    assert [now_at(games, game).game.terms.name for game in (begun, again, waiting)] == [None] * 3
    assert now_at(games, waiting).game.host == other.id
