"""What players wished about turn mails before there were reminders holds for these."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from alembic import command
from sqlalchemy import create_engine, text

from service.store.migrations import configuration, upgrade

_PLAYER = text("insert into player (id, name, language, created_at) values (:id, :name, 'en', now())")
_WISH = text("insert into mail_wishes (player_id, unwanted) values (:id, :unwanted)")
_CHOSEN = text("select p.name, w.reminders from mail_wishes w join player p on p.id = w.player_id order by p.name")


def test_t08_a_player_who_wanted_no_turn_mails_gets_no_reminders_unasked(
    empty_database: Callable[[], tuple[str, str]],
) -> None:
    owner, _ = empty_database()
    engine = create_engine(owner)
    with engine.begin() as db:
        command.upgrade(configuration(db), "0031")
        for name, unwanted in (("Alice", ["turn", "over"]), ("Bob", ["over"])):
            player = uuid4()
            db.execute(_PLAYER, {"id": player, "name": name})
            db.execute(_WISH, {"id": player, "unwanted": unwanted})
    engine.dispose()
    upgrade(owner)
    engine = create_engine(owner)
    with engine.connect() as db:
        assert [tuple(row) for row in db.execute(_CHOSEN)] == [("Alice", 0), ("Bob", None)]
    engine.dispose()
