"""The records of games, and what proves them."""

from __future__ import annotations

from datetime import timedelta
from operator import itemgetter
from typing import Any
from uuid import UUID

import structlog
from flask import Blueprint, Response

from schemas.proof import Proof, RecordsWanted, RecordWanted, SealDays, SealDaysWanted, SealKeys
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.viewers import look
from service.audit.log import Altered, NoChain
from service.handlers.refusals import NoRecord, NotOver, NotRunning, Unavailable
from service.handlers.transaction import transaction
from service.http.problems import problem
from service.http.responses import PRIVATE, as_json, paged
from service.shared import clock
from service.shared.refusal import Internal, NotFound
from service.texts.catalog import languages
from service.views.proof import days, proof, published_keys
from service.views.record import record_text, records_of, view_text

LINES = "application/jsonl"
DAYS = 100
RECORDS = 10
_GOOD_FOR = timedelta(days=180)
_RECORD = {"type": "string", "description": "JSON Lines; the first line is of the kind `header`, or `view`."}

_RECORDS = {"type": "string", "description": "JSON Lines: records, one after the other."}

records = Resource("records", __name__, description="Games as files, which anybody can check.")
proofs = Resource("proofs", __name__, description="The keys and roots that records are checked against.")
well_known = Blueprint("well_known", __name__)
guard(records)
guard(proofs)
log = structlog.get_logger()


@records.operation(
    "/games/<uuid:game_id>/record",
    Answers(schema=_RECORD, content_type=LINES, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    bucket="records",
    query=RecordWanted,
)
def get_record(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Get a game as a file of JSON lines.

    Of a game that is over, or was called off, it is all, with the secret seed and a seal: `boardroom verify` checks it.
    Of one that goes on, and with `seat`, it is what one seat knew: a line of the kind `view`, and one of the kind
    `view-step` for each step, without what is hidden from that seat, and with the head of the hash chain after it.
    So it is with a day's deal until that day is over.
    """
    with look(game_id) as looking:
        position, seat = looking.position, wanted.get("seat")
        called_off = position.game.status == "cancelled" and seat is None
        if position.state is None and not called_off:
            raise NotRunning(position.game.status)
        if seat is not None and seat >= position.game.seats:
            raise NotFound("seat")
        over = position.game.status == "finished"
        if seat not in (None, looking.seat) and not over:
            raise NotOver("seat")
        if (over and seat is None and not position.game.sealed_up(clock.now())) or called_off:
            text = record_text(looking.db, runtime().games, game_id)
        else:
            text = view_text(looking.db, position, looking.seat if seat is None else seat)
    named = {"Content-Disposition": f'attachment; filename="{game_id}.jsonl"'}
    return Response(text, headers={**PRIVATE, **named}, content_type=LINES)


@records.operation(
    "/me/records",
    Answers(schema=_RECORDS, content_type=LINES, compressed=True),
    scope="games:read",
    bucket="records",
    query=RecordsWanted,
)
def list_records(wanted: dict[str, Any]) -> Response:
    """Get the records of one's own games that are over or were called off, one after the other, the oldest game first.

    Each begins with its line of the kind `header`. Ask again with `after`, the game of the last header, until the
    answer is empty.
    """
    games, limit = runtime().games, wanted.get("limit", RECORDS)
    with transaction(games.engine) as db:
        text = b"".join(records_of(db, games, player().id, wanted.get("after"), limit, clock.now()))
    return Response(text, headers=PRIVATE, content_type=LINES)


@records.operation("/games/<uuid:game_id>/proof", Answers(schema=Proof), refuses=(404,), scope="games:read")
def get_proof(game_id: UUID) -> Response:
    """Show what proves a game: the head of its hash chain, the commitment to its seed, its seal, and the day's root.

    `lobby` tells what happened at the table before the game, event by event, with a hash chain of its own: each seat
    that was taken with the commitment to its own value of chance, and who left, was kicked, or let the game begin.
    The seed itself, and the seats' own values of chance, are shown when the game is over or called off; those of a
    day's deal when that day is over, too.
    """
    with look(game_id) as looking:
        return as_json(proof(looking.db, looking.position, clock.now()))


@proofs.operation("/seal-keys", Answers(schema=SealKeys), public=True)
def list_seal_keys() -> Response:
    """List the public keys that records are sealed with, and when each was in use.

    The same list is at /.well-known/boardroom-keys.json; `boardroom verify --keys` reads it.
    """
    with transaction(runtime().engine) as db:
        return as_json(published_keys(db))


@proofs.operation("/seal-days", Answers(schema=SealDays), public=True, query=SealDaysWanted)
def list_seal_days(wanted: dict[str, Any]) -> Response:
    """List the days on which games were sealed, the newest first, each with the root of the tree over its seals."""
    limit = wanted.get("limit", DAYS)
    with transaction(runtime().engine) as db:
        found = days(db, wanted.get("after"), limit + 1)
    return as_json(paged(found, limit, itemgetter("day")))


@well_known.get("/.well-known/boardroom-keys.json")
def keys() -> Response:
    """Show the same list at an address that does not depend on the version of the API."""
    return list_seal_keys()


def _altered(altered: Altered) -> Response:
    log.error("a game was altered and has no record", seq=altered.seq)
    return problem(Internal("record"))


def _no_chain(_: NoChain) -> Response:
    return problem(NoRecord())


records.register_error_handler(Altered, _altered)
records.register_error_handler(NoChain, _no_chain)


@well_known.get("/.well-known/security.txt")
def show_security_contact() -> Response:
    """Show whom to write to about a hole (RFC 9116); NotFound where the service has named nobody."""
    settings = runtime().settings
    if settings.security_email is None:
        return problem(NotFound())
    # The same for a month, and never good for longer than the year that is recommended.
    expires = clock.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0) + _GOOD_FOR
    lines = [
        f"Contact: mailto:{settings.security_email}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(languages())}",
        f"Canonical: {settings.base_url}/.well-known/security.txt",
    ]
    return Response("\n".join(lines) + "\n", headers={"Cache-Control": "max-age=86400"}, mimetype="text/plain")


well_known.register_error_handler(Unavailable, problem)
