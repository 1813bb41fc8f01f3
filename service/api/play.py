"""Games in play: the table, actions, hints, talk and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zlib import crc32

from flask import Response, current_app, request
from marshmallow import ValidationError

from schemas.actions import Actions, PostedAction
from schemas.play import (
    Acting,
    Choices,
    ChoicesWanted,
    Forecast,
    Hints,
    Idempotency,
    InLanguage,
    NewNotes,
    NewRemark,
    Notes,
    Played,
    Rehearsal,
    Remark,
    Resignation,
    Retractable,
    Standings,
    Table,
    TakenBack,
    Talk,
    TalkAfter,
)
from service.api.auth import guard, identity, player, runtime
from service.api.conditional import APPLIED, MINIMAL, prefers_minimal
from service.api.contract import Answers, Resource
from service.api.idempotency import REPEATED, REPLAYED, once
from service.api.viewers import Look, look, look_begun
from service.handlers import talk as handlers
from service.handlers.append import Played as PlayedMove
from service.handlers.authentication import Authenticated
from service.handlers.idempotency import Receipt
from service.handlers.play import Move, check, resign, take_hint
from service.handlers.play import play as play_move
from service.handlers.refusals import (
    IllegalAction,
    NotSeated,
    StaleDecision,
    TimeHasLapsed,
    UnreadableNotation,
)
from service.handlers.take_back import Wish, last_undoable, take_back
from service.handlers.talk import Said
from service.handlers.transaction import statements, transaction
from service.http.limits import admit, budget, refuse_if_exhausted
from service.http.problems import faults, problem_language
from service.http.request import current_request
from service.http.responses import PRIVATE, as_json, as_text
from service.log.codec import action_json
from service.rules.kernel import Illegal, Unreadable
from service.shared import clock
from service.shared.refusal import Invalid
from service.store.access import PlayerRow
from service.store.games import Games, Position, require_known
from service.store.idempotency import IdempotencyKey
from service.texts.games import only_in
from service.views import table as views
from service.views.action_picker import picker
from service.views.dry_run import dry_run
from service.views.history import visible_events
from service.views.pace import away_until
from service.views.sentences import sent_action
from service.views.table import (
    choices,
    described_hint,
    hint_reasons,
    shown_seats,
    spoken,
    standings,
    table,
    table_at_present,
)

# A game in play: the table, what may be done, what is done, what has happened.

play = Resource("play", __name__, description="Games in play.")
guard(play)

ACTION_RULE = "/games/<uuid:game_id>/actions"
_ETAG = {"ETag": "Changes with the game, and differs by viewer."}
_LANGUAGE = {"Content-Language": "The language of the texts."}


@play.operation(
    "/games/<uuid:game_id>",
    Answers(schema=Table, headers=_ETAG),
    refuses=(404,),
    scope="games:read",
)
def get_game(game_id: UUID) -> Response:
    """Show the table as one may see it: from one's seat, or as somebody who looks on."""
    # A client asks this over and over again, so its tag is known before the table is written.
    with look(game_id) as looking:
        absent = away_until(looking.db, looking.position, looking.seat, clock.now())
        tag = _tag(looking, absent)
        if request.if_none_match.contains(tag):
            answer = Response(status=304, headers=PRIVATE)
        else:
            answer = as_json(table_at_present(looking.position, looking.seat, absent, player().language))
    answer.set_etag(tag)
    return answer


@play.operation(
    "/games/<uuid:game_id>/legal-actions",
    Answers(schema=Choices, headers=_LANGUAGE, compressed=True),
    refuses=(404,),
    scope="games:read",
    query=ChoicesWanted,
)
def list_legal_actions(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List every action that one may take now; none when it is not one's turn.

    The compact form is a tree for a picker: each step names a part of the action, its values, and how many actions lie
    behind each. Setting the parts along a way from the root to its end makes the action, beginning with `{}`.
    """
    with look(game_id) as looking:
        language = looking.language(wanted.get("language"))
        position, state = looking.position, looking.position.state
        items = choices(position, looking.seat, language)
    compact = wanted.get("form") == "compact"
    listed = {
        "decision": None if state is None else position.decision,
        "count": len(items),
        "items": [] if compact else items,
        "tree": picker(items) if compact else None,
    }
    return as_json(listed, headers={**PRIVATE, "Content-Language": language})


@play.operation(
    ACTION_RULE,
    Answers(status=201, schema=Played, headers=REPLAYED | APPLIED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    bucket="actions",
    json=PostedAction,
    query=Rehearsal,
    headers=Acting,
    instead=Answers(schema=Forecast),
    rests_on="/games/<uuid:game_id>",
)
def post_action(posted: dict[str, Any], how: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Answer a decision with an action, as JSON or in the game's notation.

    A decision that is not the current one is refused with what has happened since and the legal actions now. A dry run
    is answered with 200, tells nothing that one could not know before acting, and changes nothing. A program that reads
    the events anyway may prefer a minimal answer.
    """
    if how.get("dry_run"):
        return as_json(rehearse(game_id, posted))
    told, headers = submit(game_id, posted, header)
    return as_json(told, 201, {**PRIVATE, **headers})


@play.operation(
    "/games/<uuid:game_id>/resignation",
    Answers(status=201, schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=Resignation,
)
def resign_game(_: dict[str, Any], game_id: UUID) -> Response:
    """Give the game up.

    As the table has it, the game ends, or the others play on and the service makes the plainest moves in one's seat. It
    always ends when no two players are left.
    """
    played = resign(runtime().games, game_id, player().id, "api", clock.now())
    seat = played.events[0].event.seat
    return as_json(shown(played, seat, spoken(played.position, player().language)), 201)


@play.operation(
    "/games/<uuid:game_id>/take-back",
    Answers(status=201, schema=Played, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=TakenBack,
    headers=Idempotency,
)
def take_back_action(asked: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Take back what one has played in answer to a decision, as long as nothing has come of it.

    That is for a short time (10 minutes, unless the service is set otherwise), while nobody has acted since, and where
    it showed nobody anything that one could not know before. The same decision is then faced again, under a new number
    where the action had led on to another. The log keeps the action, and tells that it was taken back. What can be
    taken back, GET shows.
    """
    told, headers = retract(game_id, asked["decision"], header.get("key"))
    return as_json(told, 201, {**PRIVATE, **headers})


@play.operation("/games/<uuid:game_id>/take-back", Answers(schema=Retractable), refuses=(404,), scope="games:read")
def show_take_back(game_id: UUID) -> Response:
    """Show which decision's answer one could take back now, and until when, if nobody acts before.

    Both are null where there is nothing, and for whoever looks on. Nobody is shown what others could take back.
    """
    return as_json(retractable(game_id))


@play.operation("/games/<uuid:game_id>/standings", Answers(schema=Standings), refuses=(404, 409), scope="games:read")
def get_standings(game_id: UUID) -> Response:
    """Show the scores if the game ended now, or as it has ended, with their derivation."""
    with look_begun(game_id) as looking:
        return as_json(standings(looking.position, looking.seat))


@play.operation(
    "/games/<uuid:game_id>/board",
    Answers(schema={"type": "string"}, content_type="text/plain", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_board(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Draw the table as text of at most 72 columns."""
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        view = position.ruleset.view(position.state, looking.seat)
        return as_text(position.ruleset.draw(view, language, position.names_in(language)), language)


@play.operation(
    "/games/<uuid:game_id>/board.svg",
    Answers(schema={"type": "string"}, content_type="image/svg+xml", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_board_as_svg(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Draw the whole table as a picture, as one may see it: the board, and what lies beside it, as SVG."""
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        view = position.ruleset.view(position.state, looking.seat)
        drawn = position.ruleset.paint(view, language, position.names_in(language))
    return Response(drawn, headers={**PRIVATE, "Content-Language": language}, mimetype="image/svg+xml")


def _tag(looking: Look, absent: Mapping[int, datetime]) -> str:
    # Each view has a tag of its own, or a viewer would be told that another's view is unchanged. Joining a game
    # and leaving it, or changing one's name, are no events, so the people count as well.
    position = looking.position
    viewer = "x" if looking.seat is None else f"s{looking.seat}"
    people = (position.game.host, [seat.player_id for seat in position.seats], shown_seats(position, player().language))
    told = repr(people) + (repr(absent) if absent else "")
    return f"{position.version}-{position.game.status}-{crc32(told.encode()):x}-{viewer}"


# Posted actions: played, tried in a dry run, taken back; and the explanation of refusals.

ACTIONS = "actions"
"""Key of the app's extension with the schemas of actions, by ruleset."""
RAISED = "boardroom.raised"
"""Key in a request's environment of the error raised when its action was tried ahead of Flask."""


def submit(
    game_id: UUID, posted: Mapping[str, Any], header: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Play the posted action for the asking player; return the answer and its headers. Raises Refusal.

    `header` are the headers of the request, as the schema Acting has them.
    """
    raised: Exception | None = current_request().environ.get(RAISED)
    if raised is not None:
        raise raised
    return answer_to(_play(game_id, posted, header.get("key")), player().id, header.get("prefer"))


def answer_to(played: PlayedMove, me: UUID, prefer: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the player of an action is answered, as the header Prefer asks for it, and the headers of that."""
    position = played.position
    seat = _seat(position, me)
    # The position is as new as the action; what is known of the player may be older.
    minimal = prefers_minimal(prefer)
    told = shown(played, seat, spoken(position, position.seats[seat].language), minimal)
    return told, (REPEATED if played.again else {}) | (MINIMAL if minimal else {})


def _play(game_id: UUID, posted: Mapping[str, Any], key: str | None) -> PlayedMove:
    games, asking = runtime().games, identity()
    position = _position(games, asking, game_id)
    seat = _seat(position, asking.player.id)
    if not is_due(position, seat, posted["decision"]):
        refuse_if_exhausted()
    move = _move(position, asking.player, posted)
    with _explaining(position, move, spoken(position, asking.player.language)):
        return play_move(games, move, _key(asking.player, key), position)


def retract(game_id: UUID, decision: int, key: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Take back the asking player's answer to the decision; return the answer and its headers."""
    games, asking = runtime().games, identity()
    me, position = asking.player, _position(games, asking, game_id)
    wish = Wish(game_id, _seat(position, me.id), decision, "api")
    played = take_back(games, wish, _window(), clock.now(), _key(me, key))
    return shown(played, wish.seat, spoken(played.position, me.language)), REPEATED if played.again else {}


def retractable(game_id: UUID) -> dict[str, Any]:
    """Return the decision whose answer the asking player can take back, and until when; null for both if none."""
    with look(game_id) as looking:
        position, seat, window = looking.position, looking.seat, _window()
        first = None
        if seat is not None and position.game.status == "running":
            first = last_undoable(looking.db, position, seat, window, clock.now())
    if first is None:
        return {"decision": None, "until": None}
    return {"decision": first.decision, "until": (first.at + window).isoformat()}


def rehearse(game_id: UUID, posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the posted action would cause, and play nothing; raises what `submit` raises.

    It counts as reading, not as a refused action, since it costs no more than a view.
    """
    games, me = runtime().games, player()
    admit("reading", me.id)
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, me.id)
        move, language = _move(position, me, posted), spoken(position, me.language)
        with _explaining(position, move, language):
            check(db, position, move)
            return dry_run(position, move.seat, move.action, language)


def shown(played: PlayedMove, seat: int | None, language: str, minimal: bool = False) -> dict[str, Any]:
    """Return what was played as the seat may know it: the events, and the table after them.

    The minimal answer has neither the events nor the table's view: they take most of its time and of its bytes.
    """
    position = played.position
    return {
        "version": position.version,
        "decision": position.decision,
        "events": [] if minimal else visible_events(position, played.events, seat, language),
        "table": table(position, seat, language, with_view=not minimal),
    }


def _window() -> timedelta:
    return timedelta(seconds=runtime().settings.take_back_seconds)


def _position(games: Games, asking: Authenticated, game_id: UUID) -> Position:
    """Return the game that was read with the token, usually without another statement."""
    me, opened = asking.player.id, asking.opened
    position = None if opened is None else games.at_hand(opened)
    if position is not None and position.seat_of(me) is not None:
        return position
    with statements(games.engine) as db:
        position = games.open(db, game_id, opened)
        require_known(db, position, me)
        return position


def _seat(position: Position, me: UUID) -> int:
    seat = position.seat_of(me)
    if seat is None:
        raise NotSeated
    return seat


def _key(me: PlayerRow, key: str | None) -> IdempotencyKey | None:
    return None if key is None else IdempotencyKey(me.id, key)


def _move(position: Position, me: PlayerRow, posted: Mapping[str, Any]) -> Move:
    seat, action = _seat(position, me.id), read_action(position, posted)
    return Move(position.game.id, seat, posted["decision"], action, "api", player=me.id)


@contextmanager
def _explaining(position: Position, move: Move, language: str) -> Iterator[None]:
    """Context manager that adds to StaleDecision the events since, in the language, and to Illegal the reason."""
    try:
        yield
    except StaleDecision as stale:
        now = stale.position
        stale.members = {
            "decision": now.decision,
            "version": now.version,
            "since": visible_events(now, stale.since, move.seat, language),
            "legal_actions": choices(now, move.seat, language),
        }
        if isinstance(stale, TimeHasLapsed):
            stale.members["played"] = _played_instead(stale, move.seat, language)
        raise
    except Illegal as illegal:
        asked_in = problem_language()
        said_in = spoken(position, asked_in)
        reason = position.ruleset.describe(illegal, move.seat, said_in, position.names_in(said_in))
        detail = " ".join(filter(None, [only_in(position.ruleset.meta, asked_in), reason]))
        raise IllegalAction(detail=detail, code=illegal.code, rule=illegal.rule, language=said_in) from illegal


def _played_instead(lapsed: TimeHasLapsed, seat: int, language: str) -> dict[str, Any] | None:
    """Return the action that the service has played in a seat whose time had lapsed; None if it has not yet."""
    ruleset, names = lapsed.position.ruleset, lapsed.position.names_in(language)
    action = None if lapsed.played is None else sent_action(ruleset, lapsed.played)
    if action is None:
        return None
    text = ruleset.describe(action, seat, language, names)
    return {"action": action_json(action), "notation": ruleset.notate(action), "text": text}


def is_due(position: Position, seat: int, decision: int) -> bool:
    """Return whether the seat is to answer the decision."""
    return seat in position.awaited and decision == position.decision


def read_action(position: Position, posted: Mapping[str, Any]) -> Any:
    """Return the posted action (`action` or `notation`); UnreadableNotation, Invalid."""
    return action_in(current_app.extensions[ACTIONS], position, posted)


def action_in(schemas: Mapping[str, Actions], position: Position, posted: Mapping[str, Any]) -> Any:
    """Return the posted action as `read_action`, by the schemas of the rulesets' actions."""
    if "notation" in posted:
        try:
            return position.ruleset.parse(posted["notation"])
        except Unreadable as error:
            raise UnreadableNotation(str(error)) from error
    try:
        return schemas[position.game.ruleset].read(posted["action"])
    except ValidationError as error:
        raise Invalid(errors=faults({"json": {"action": error.messages}})) from error


# Hints for a player who is to act.

hints = Resource("hints", __name__, description="Hints for a player who is to act.")
guard(hints)


@hints.operation(
    "/games/<uuid:game_id>/hints",
    Answers(schema=Hints, headers={"Content-Language": "The language of the texts."}),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def take_hints(game_id: UUID) -> Response:
    """Take a hint: up to three moves, and what speaks for each of them.

    Only in training games, and in games alone against the computer. The record counts one hint for each decision.
    Asking again gives the same.
    """
    me = player()
    position, seat, found = take_hint(runtime().games, game_id, me.id, "api")
    ruleset, language = position.ruleset, spoken(position, me.language)
    names = position.names_in(language)
    others = [name for at, name in enumerate(position.everybody_in(language)) if at != seat]
    items = [
        {
            "notation": ruleset.notate(each.action),
            "text": described_hint(ruleset, each, seat, language, names),
            "reasons": hint_reasons(ruleset, position.game.seats, each, language, others),
        }
        for each in found
    ]
    answer = {"decision": position.decision, "items": items}
    return as_json(answer, headers={**PRIVATE, "Content-Language": language})


# Talk at the table, and private notes.

PAGE = 100

talk = Resource("talk", __name__, description="Table talk, and private notes.")
guard(talk)


@talk.operation(
    "/games/<uuid:game_id>/talk",
    Answers(status=201, schema=Remark, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=NewRemark,
    headers=Idempotency,
)
def post_remark(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Say something to those who sit at the table.

    The events of the game only tell that one has said something. Mails tell the others, as many as one may cause in a
    day (`mails` in GET /limits), and quote it to those with whom one has finished a game.
    """
    games, asking, now, words = runtime().games, player().id, clock.now(), posted["text"]
    spending = budget()

    def say(receipt: Receipt[Said] | None) -> Said:
        return handlers.say(games, game_id, asking, words, "api", now, receipt, spending)

    def show(said: Said) -> dict[str, Any]:
        return {"number": said.number, "seat": said.seat, "former": False, "at": said.at.isoformat(), "text": said.text}

    shown, headers = once("say", header, [str(game_id), words], say, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@talk.operation("/games/<uuid:game_id>/talk", Answers(schema=Talk), refuses=(404,), scope="games:read", query=TalkAfter)
def list_talk(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List what was said at the table; only for those who sit there."""
    with look(game_id) as looking:
        _seated(looking)
        items = views.talk(looking.db, game_id, player().id, wanted.get("after", 0), wanted.get("limit", PAGE))
    return as_json({"items": items})


@talk.operation("/games/<uuid:game_id>/notes", Answers(schema=Notes), refuses=(404,), scope="games:read")
def get_notes(game_id: UUID) -> Response:
    """Show one's own notes on the game, which nobody else can read."""
    with look(game_id) as looking:
        _seated(looking)
        return as_json(views.notes(looking.db, game_id, player().id))


@talk.operation(
    "/games/<uuid:game_id>/notes",
    Answers(schema=Notes),
    method="PUT",
    refuses=(404,),
    scope="games:play",
    json=NewNotes,
)
def put_notes(posted: dict[str, Any], game_id: UUID) -> Response:
    """Keep these notes in the place of earlier ones; an empty text clears them."""
    now = clock.now()
    handlers.note(runtime().games, game_id, player().id, posted["text"], now)
    return as_json({"text": posted["text"], "at": now.isoformat()})


def _seated(looking: Look) -> None:
    if looking.seat is None:
        raise NotSeated
