"""Records, proofs, replays and analyses of games."""

from __future__ import annotations

from datetime import timedelta
from operator import itemgetter
from typing import Any
from uuid import UUID

import structlog
from flask import Blueprint, Response

from schemas.play import InLanguage
from schemas.proof import (
    Analysis,
    Moment,
    Proof,
    RecordsWanted,
    RecordWanted,
    Replay,
    ReplayViewer,
    SealDays,
    SealDaysWanted,
    SealKeys,
)
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.viewers import Look, look, look_begun
from service.audit.log import Altered, NoChain
from service.handlers.analysis import ask_for_analysis
from service.handlers.refusals import NoRecord, NoSuchEvent, NotOver, NotRunning, Unavailable
from service.handlers.transaction import transaction
from service.http.problems import problem
from service.http.responses import PRIVATE, as_json, as_text, paged
from service.shared import clock
from service.shared.refusal import Internal, NotFound
from service.store import proof as store_proof
from service.texts.catalog import languages
from service.texts.games import full_title
from service.views import replay as views
from service.views.analysis import as_json as in_json
from service.views.analysis import shown, state_of
from service.views.charts import measure_named, plot
from service.views.listing import listing
from service.views.proof import days, proof, published_keys
from service.views.record import record_text, records_of, view_text

# The records of games, and what proves them.

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


# A game looked at again, step by step.

replay = Resource("replay", __name__, description="Games looked at again.")
guard(replay)

_LANGUAGE = {"Content-Language": "The language of the texts."}


@replay.operation(
    "/games/<uuid:game_id>/replay",
    Answers(schema=Replay, headers=_LANGUAGE, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    query=ReplayViewer,
)
def list_steps(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List the steps of a game from its beginning, what was taken back among them.

    While it runs one sees what one's own seat may know. When it is over, everybody who may see the game may look
    through the eyes of every seat, as that seat saw it then.
    """
    with look_begun(game_id) as looking:
        viewer, language = _viewer(looking, wanted), looking.language(wanted.get("language"))
        unrolled = runtime().games.timeline(looking.db, looking.position)
    shown = views.replay(looking.position, unrolled, viewer, language)
    return as_json(shown, headers={**PRIVATE, "Content-Language": language})


@replay.operation(
    "/games/<uuid:game_id>/replay/<int:seq>",
    Answers(schema=Moment, headers=_LANGUAGE, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    query=ReplayViewer,
)
def get_moment(wanted: dict[str, Any], game_id: UUID, seq: int) -> Response:
    """Show the table as it was after an event, through the eyes of a seat; `seq` is the event's number, from 1."""
    with look_begun(game_id) as looking:
        viewer, language = _viewer(looking, wanted), looking.language(wanted.get("language"))
        if not 0 < seq <= looking.position.version:
            raise NoSuchEvent(looking.position.version)
        unrolled = runtime().games.timeline(looking.db, looking.position)
    shown = views.moment(looking.position, unrolled, seq, viewer, language)
    return as_json(shown, headers={**PRIVATE, "Content-Language": language})


@replay.operation(
    "/games/<uuid:game_id>/listing",
    Answers(schema={"type": "string"}, content_type="text/plain", headers=_LANGUAGE, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    query=ReplayViewer,
)
def list_game(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Show the whole game as a text: what was done in each turn, in the notation and in words.

    While it runs the notation tells one's own actions only; when it is over, all of them.
    """
    with look_begun(game_id) as looking:
        viewer, language = _viewer(looking, wanted), looking.language(wanted.get("language"))
        position, unrolled = looking.position, runtime().games.timeline(looking.db, looking.position)
    titled = full_title(position.ruleset.meta, position.game.options, language)
    title, names = position.game.terms.name or titled, position.names_in(language)
    over = position.game.status == "finished"
    return as_text(listing(unrolled, title, names, viewer, language, everything=over), language)


@replay.operation(
    "/games/<uuid:game_id>/plots/<name>.svg",
    Answers(schema={"type": "string"}, content_type="image/svg+xml", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_plot(wanted: dict[str, Any], game_id: UUID, name: str) -> Response:
    """Draw something that is counted over a finished game, turn by turn, as SVG.

    `name` is one of those that the list of steps names in `plots`.
    """
    drawn, language = _plotted(wanted, game_id, name)
    return Response(drawn, headers={**PRIVATE, "Content-Language": language}, mimetype="image/svg+xml")


@replay.operation(
    "/games/<uuid:game_id>/plots/<name>.png",
    Answers(schema={"type": "string", "format": "binary"}, content_type="image/png", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_plot_as_png(wanted: dict[str, Any], game_id: UUID, name: str) -> Response:
    """Draw something that is counted over a finished game, turn by turn, as PNG."""
    # Imported here, because a web server that draws none goes without 4 MB of painters.
    from service.mail.picture import png

    drawn, language = _plotted(wanted, game_id, name)
    return Response(png(drawn), headers={**PRIVATE, "Content-Language": language}, mimetype="image/png")


def _plotted(wanted: dict[str, Any], game_id: UUID, name: str) -> tuple[str, str]:
    """Return a plot as SVG, and its language; NotFound, NotOver."""
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        measure = measure_named(position.ruleset, name)
        if measure is None:
            raise NotFound("plot")
        if position.game.status != "finished":
            raise NotOver
        unrolled = runtime().games.timeline(looking.db, position)
    return plot(unrolled, measure, language, position.everybody_in(language)), language


def _viewer(looking: Look, wanted: dict[str, Any]) -> int | None:
    """Return the seat that is asked for, None for a spectator; NotFound, NotOver."""
    asked = wanted.get("seat")
    if asked is None:
        return looking.seat
    viewer = None if asked == "spectator" else int(asked)
    if viewer is not None and viewer >= looking.position.game.seats:
        raise NotFound("seat")
    if viewer not in views.allowed_viewers(looking.position, looking.seat):
        raise NotOver
    return viewer


# The analysis of a finished game: asked for once, then there for all who may see the game.

analysis = Resource("analysis", __name__, description="Estimates of how a finished game went.")
guard(analysis)


@analysis.operation(
    "/games/<uuid:game_id>/analysis",
    Answers(status=202, schema=Analysis),
    method="POST",
    refuses=(404, 409),
    scope="games:read",
)
def analyse_game(game_id: UUID) -> Response:
    """Have a finished game analysed, which takes some seconds.

    Anybody may ask who may see the game. It is made once: asking again changes nothing.
    """
    state = ask_for_analysis(runtime().games, game_id, player().id)
    return as_json({"state": state}, 202)


@analysis.operation(
    "/games/<uuid:game_id>/analysis",
    Answers(schema=Analysis, headers={"Content-Language": "The language of the texts."}),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def get_analysis(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Show everybody's chance to win over a finished game, its turning points, and the moves that lost most.

    All figures are estimates of a computer player that looks one move ahead.
    """
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        if position.game.status != "finished":
            raise NotOver
        stored = store_proof.find_analysis(looking.db, game_id)
    ruleset, answer = position.ruleset, {"state": state_of(position, stored)}
    if stored is not None and answer["state"] == "ready":
        made = shown(ruleset, position.game.seats, stored.found)
        answer |= in_json(ruleset, made, position.names_in(language), language)
    return as_json(answer, headers={**PRIVATE, "Content-Language": language})
