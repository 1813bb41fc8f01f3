"""Operators: the log of their acts, the mode of the service, and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Thread
from typing import Any, Final, Literal
from uuid import UUID

from msgspec.json import Decoder
from msgspec.json import encode as to_json
from sqlalchemy import Connection, Engine, insert, text
from sqlalchemy.exc import SQLAlchemyError

from service.store.engine import first_row
from service.store.fast_path import at_hand
from service.store.mail import SUPPRESSION_OF_PLAYER, suppression_digest
from service.store.tables import operator_event

# Log of operators: each act with its actor, its subject and its reason, written in the transaction of the act.

SubjectKind = Literal["player", "game", "address", "outbox", "keys", "service", "report", "league"]

_EVENT = "select id, at, actor, act, subject_kind, subject, reason, details from operator_event"
_LAST = text(f"{_EVENT} order by id desc limit :limit")
_OF = text(f"{_EVENT} where subject_kind = :kind and subject = :subject order by id")
_CONCERNING = text(f"""
{_EVENT} where (subject_kind = 'player' and subject = cast(:player as text))
   or (subject_kind = 'address'
       and subject = (select encode({SUPPRESSION_OF_PLAYER}, 'hex') from player
                       where id = :player and email is not null))
 order by id
""")  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Operator:
    """Actor of an act, `player:` and an id or `shell:` and a name, and the reason shown to those concerned.

    The reason is empty for operators' acts on their own account.
    """

    actor: str
    reason: str


@dataclass(frozen=True, slots=True)
class OperatorEvent:
    """Act in the log; `act` is a past participle, `details` hold no secret."""

    id: int
    at: datetime
    actor: str
    act: str
    subject_kind: SubjectKind
    subject: str
    reason: str
    details: Mapping[str, Any]


def note_operator_act(
    db: Connection,
    by: Operator,
    act: str,
    kind: SubjectKind,
    subject: object,
    now: datetime,
    /,
    **details: Any,
) -> None:
    """Write an act to the log; it commits with the act itself."""
    values = {"at": now, "actor": by.actor, "act": act, "reason": by.reason, "details": details}
    db.execute(insert(operator_event).values(**values, subject_kind=kind, subject=str(subject)))


def latest_operator_acts(db: Connection, limit: int) -> Sequence[OperatorEvent]:
    """Return the last acts, the newest first."""
    return _events(db.execute(_LAST, {"limit": limit}))


def acts_on(db: Connection, kind: SubjectKind, subject: object) -> Sequence[OperatorEvent]:
    """Return the acts on one subject, the oldest first."""
    return _events(db.execute(_OF, {"kind": kind, "subject": str(subject)}))


def acts_concerning(db: Connection, player: UUID) -> Sequence[OperatorEvent]:
    """Return the acts on a player's account and on its address, the oldest first."""
    return _events(db.execute(_CONCERNING, {"player": player}))


def _events(rows: Iterable[Any]) -> list[OperatorEvent]:
    return [OperatorEvent(*row) for row in rows]


# Modes of the whole service, set by operators: read-only mode, and an announcement of maintenance.
#
# Each process polls the database every 1.5 seconds from a thread of its own, so that no request asks.

MODE_READ_EVERY: Final = 1.5
"""Seconds between two polls: a switch takes effect in every process within two seconds."""

_LOOK = """
select json_build_object(
  'read_only', (select json_build_object('begins', begins, 'ends', ends) from mode where what = 'read-only'),
  'maintenance', (select json_build_object('begins', begins, 'ends', ends, 'texts', texts) from mode
                  where what = 'maintenance' and ends > clock_timestamp()))::text
"""
_PUT = text("""
insert into mode (what, begins, ends, texts) values (:what, :begins, :ends, cast(:texts as jsonb))
on conflict (what) do update set begins = excluded.begins, ends = excluded.ends, texts = excluded.texts
""")
_END = text("delete from mode where what = :what")


@dataclass(frozen=True, slots=True)
class Validity:
    """Time span of a mode; without an end it lasts until it is switched off. `texts` by language."""

    begins: datetime
    ends: datetime | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InForce:
    """Modes in force; a read-only service writes nothing but heartbeats and operators' acts."""

    read_only: Validity | None = None
    maintenance: Validity | None = None


NOTHING_IN_FORCE: Final = InForce()
_DECODER = Decoder(InForce)


class Mode:
    """Modes as last read by this process; a database that does not answer changes nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.now = NOTHING_IN_FORCE

    @property
    def read_only(self) -> bool:
        """Return whether writes are forbidden."""
        return self.now.read_only is not None

    def look(self) -> None:
        """Read the modes from the database now."""
        with suppress(SQLAlchemyError), at_hand(self._engine) as db:
            self.now = read_mode(db)

    def watch(self) -> None:
        """Read the modes now, and poll them for as long as the process lives."""
        self.look()
        Thread(target=self._run, name="mode", daemon=True).start()

    def _run(self) -> None:
        pause = Event()
        while not pause.wait(MODE_READ_EVERY):
            self.look()


def read_mode(db: Connection) -> InForce:
    row = first_row(db, _LOOK, {})
    return NOTHING_IN_FORCE if row is None else _DECODER.decode(row[0])


def put_mode(db: Connection, what: str, span: Validity) -> None:
    """Set a mode, replacing its earlier span."""
    db.execute(_PUT, {"what": what, "begins": span.begins, "ends": span.ends, "texts": to_json(span.texts).decode()})


def end_mode(db: Connection, what: str) -> bool:
    """End a mode; return whether it was in force."""
    return db.execute(_END, {"what": what}).rowcount == 1


# Blocks by operators: addresses, as digests, and accounts, by a column of the player.

_OF_ADDRESS = text("select reason from blocked_address where address_hash = :hash")
_BLOCK_ADDRESS = text("""
insert into blocked_address (address_hash, reason, blocked_at) values (:hash, :reason, :now)
on conflict (address_hash) do update set reason = excluded.reason, blocked_at = excluded.blocked_at
""")
_UNBLOCK_ADDRESS = text("delete from blocked_address where address_hash = :hash")
_BLOCK_PLAYER = text("update player set blocked = :reason where id = :player")
_OF_PLAYER = text("select blocked from player where id = :player")
_OF_ACCOUNT = text("""
select coalesce(p.blocked, o.blocked, (select reason from blocked_address where address_hash = address_digest(p.email)))
  from player p left join player o on o.id = p.owner where p.id = :player
""")
IS_MAIL_BLOCKED = (
    f"(blocked is not null or exists (select from blocked_address where address_hash = {SUPPRESSION_OF_PLAYER}))"
)
"""Condition that no mail goes to a player, in SQL with the columns of `player`."""


def address_block_reason(db: Connection, address: str) -> str | None:
    """Return the reason for blocking an address, or None."""
    reason: str | None = db.execute(_OF_ADDRESS, {"hash": suppression_digest(address)}).scalar()
    return reason


def account_block_reason(db: Connection, player: UUID) -> str | None:
    """Return the reason why nobody may act for an account: a block of it, its bot's owner or its address; or None."""
    reason: str | None = db.execute(_OF_ACCOUNT, {"player": player}).scalar()
    return reason


def player_block_reason(db: Connection, player: UUID) -> str | None:
    """Return the reason for blocking an account, or None."""
    reason: str | None = db.execute(_OF_PLAYER, {"player": player}).scalar()
    return reason


def block_address(db: Connection, address: str, reason: str, now: datetime) -> None:
    db.execute(_BLOCK_ADDRESS, {"hash": suppression_digest(address), "reason": reason, "now": now})


def unblock_address(db: Connection, address: str) -> bool:
    """Unblock an address; return whether it was blocked."""
    return db.execute(_UNBLOCK_ADDRESS, {"hash": suppression_digest(address)}).rowcount == 1


def block_player(db: Connection, player: UUID, reason: str | None) -> None:
    """Block an account for a reason; without a reason unblock it."""
    db.execute(_BLOCK_PLAYER, {"player": player, "reason": reason})
