"""Clocks, absences, pauses, take-backs, orders and substitutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from flask import Response

from schemas.pace import (
    AbsenceAnnounced,
    AbsenceChanged,
    Absences,
    AutoAnswers,
    AutoAnswersChosen,
    NewAbsence,
    NewSeatRequest,
    Orders,
    OrdersGiven,
    Pauses,
    PauseUntil,
    SeatRequest,
    SeatRequests,
)
from schemas.play import GivenTime, Idempotency, Played, Table, TakeBackAsked, TakeBackRequest, TakeBackRequests
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.play import read_action, shown
from service.api.viewers import Look, look
from service.handlers import orders as handlers
from service.handlers import pace, take_back
from service.handlers import substitutes as handlers_substitutes
from service.handlers.idempotency import Receipt
from service.handlers.orders import Condition, NewOrder
from service.handlers.pace import AbsencePlan, Announced, give_time, return_to
from service.handlers.pace import announce_absence as announce
from service.handlers.pace import change_absence as change
from service.handlers.pace import end_absence as end
from service.handlers.refusals import BadOrder, NotSeated, UnreadableNotation
from service.handlers.substitutes import Answering, SeatWanted
from service.handlers.take_back import RequestInGame
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.problems import problem_language
from service.http.responses import PRIVATE, as_json, no_content
from service.rules.order_conditions import NOWHERE
from service.shared import clock as shared_clock
from service.shared.refusal import Invalid, json_pointer
from service.store.games import Position
from service.store.lobby import SeatRequest as Asked
from service.texts.catalog import say
from service.views import orders as views_orders
from service.views import pace as views
from service.views.pace import absences_of, shown_absence
from service.views.table import spoken, table

# The clock of a table: time given to others, and coming back after an absence.

clock = Resource("clock", __name__, description="The clock of a table.")
guard(clock)


@clock.operation(
    "/games/<uuid:game_id>/time",
    Answers(status=201, schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=GivenTime,
)
def give_more_time(asked: dict[str, Any], game_id: UUID) -> Response:
    """Give another seat that waits its free time once more.

    Each of the others can do so once while the seat waits. Nobody can take time away.
    """
    me = player()
    played = give_time(runtime().games, game_id, me.id, asked["seat"], "api")
    giver = played.position.seat_of(me.id)
    return as_json(shown(played, giver, spoken(played.position, me.language)), 201)


@clock.operation(
    "/games/<uuid:game_id>/back",
    Answers(schema=Table),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def come_back(game_id: UUID) -> Response:
    """Say that one is back, after one's time has run out three times in a row.

    From then on one's moves are waited for again; any move says so too. For a player who was there it changes nothing.
    """
    me = player()
    position = return_to(runtime().games, game_id, me.id, "api")
    return as_json(table(position, position.seat_of(me.id), me.language))


# A player's absences: announced, listed, changed and ended early.

absences = Resource("absences", __name__, description="When a player is away, and no time of theirs runs.")
guard(absences)


@absences.operation("/me/absences", Answers(schema=Absences), scope="account:read")
def list_absences() -> Response:
    """List one's absences, and how many days are left.

    Others at the tables see only that one is away, and until when.
    """
    with transaction(runtime().games.engine) as db:
        return as_json(absences_of(db, player(), shared_clock.now()))


@absences.operation(
    "/me/absences",
    Answers(status=201, schema=AbsenceAnnounced, headers=REPLAYED),
    method="POST",
    bucket="absences",
    scope="profile:write",
    json=NewAbsence,
    headers=Idempotency,
)
def announce_absence(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Announce an absence: while it lasts no time of one's own runs, and turn mails wait for the return.

    It holds for all games whose terms allow it. One may act all the same; that does not end it. Absences that overlap
    or touch are one. For a player who is away, one that begins at once gives the present absence another last day.
    """
    games, asking, now = runtime().games, player(), shared_clock.now()

    def do(receipt: Receipt[Announced] | None) -> Announced:
        return announce(games, asking.id, AbsencePlan(**posted), now, receipt)

    asked = {name: str(value) for name, value in posted.items()}
    answer, headers = once("announce-absence", header, asked, do, _announced)
    return as_json(answer, 201, {**PRIVATE, **headers})


@absences.operation(
    "/me/absences/<uuid:absence_id>",
    Answers(schema=AbsenceAnnounced),
    method="PATCH",
    bucket="absences",
    refuses=(404,),
    scope="profile:write",
    json=AbsenceChanged,
)
def change_absence(posted: dict[str, Any], absence_id: UUID) -> Response:
    """Give an absence that is not over another last day."""
    plan = AbsencePlan(**posted)
    return as_json(_announced(change(runtime().games, player().id, absence_id, plan, shared_clock.now())))


@absences.operation(
    "/me/absences/<uuid:absence_id>",
    Answers(status=204),
    method="DELETE",
    bucket="absences",
    refuses=(404,),
    scope="profile:write",
)
def end_absence(absence_id: UUID) -> Response:
    """End an absence now, or call it off if it has not begun; one that is over stays as it is."""
    end(runtime().games, player().id, absence_id, shared_clock.now())
    return no_content()


def _announced(announced: Announced) -> dict[str, Any]:
    return {**shown_absence(announced.row, announced.zone, shared_clock.now()), "days_left": announced.days_left}


# What the players agree to: pauses, and taking actions back.

agreement = Resource("agreement", __name__, description="Pauses, and taking actions back by consent.")
guard(agreement)


@agreement.operation("/games/<uuid:game_id>/pause", Answers(schema=Pauses), refuses=(404,), scope="games:read")
def get_pause(game_id: UUID) -> Response:
    """Show the pause that is proposed, and the one that the game is in."""
    with look(game_id) as looking:
        return as_json(views.pause_state(looking.position, shared_clock.now()))


@agreement.operation(
    "/games/<uuid:game_id>/pause",
    Answers(status=201, schema=Pauses, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=PauseUntil,
    headers=Idempotency,
)
def propose_pause(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Propose a pause of a game with a clock, in place of any other proposal.

    The game is paused when all players have agreed who are there, neither absent nor resigned. In a pause nobody's time
    runs, and everybody may act all the same. It ends at `until`, at most 30 days from now, or when a player ends it.
    Mails tell the others, as many as one may cause in a day (`mails` in GET /limits). A player proposes at most 6
    pauses of a game in a day, and 60 in all.
    """
    asking, until, spending = player().id, posted["until"], budget()

    def propose(receipt: Receipt[Position] | None) -> Position:
        return pace.propose_pause(runtime().games, game_id, asking, until, "api", shared_clock.now(), receipt, spending)

    told, headers = once("propose-pause", header, [str(game_id), until.isoformat()], propose, _pauses)
    return as_json(told, 201, {**PRIVATE, **headers})


@agreement.operation(
    "/games/<uuid:game_id>/pause/agreement",
    Answers(schema=Pauses),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=PauseUntil,
)
def agree_to_pause(posted: dict[str, Any], game_id: UUID) -> Response:
    """Agree to the pause that is proposed `until` then; with the last consent the game is paused.

    Agreeing again changes nothing.
    """
    return as_json(
        _pauses(pace.agree_to_pause(runtime().games, game_id, player().id, posted["until"], "api", shared_clock.now()))
    )


@agreement.operation(
    "/games/<uuid:game_id>/pause", Answers(schema=Pauses), method="DELETE", refuses=(404, 409), scope="games:play"
)
def end_pause(game_id: UUID) -> Response:
    """End the pause that the game is in, as each of its players may: the time runs again from now on.

    While no pause goes on, the player's own proposal is withdrawn.
    """
    return as_json(_pauses(pace.stop_pause(runtime().games, game_id, player().id, "api", shared_clock.now())))


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests", Answers(schema=TakeBackRequests), refuses=(404,), scope="games:read"
)
def list_take_back_requests(game_id: UUID) -> Response:
    """Show the request to take an action back that stands, if there is one; only to those who sit there."""
    with look(game_id) as looking:
        if looking.seat is None:
            raise NotSeated
        asked = views.standing_request(looking.db, looking.position, shared_clock.now())
    return as_json({"items": [] if asked is None else [asked]})


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests",
    Answers(status=201, schema=TakeBackRequest, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=TakeBackAsked,
    headers=Idempotency,
)
def request_take_back(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Ask the others to have one's last action taken back, which cannot be taken back alone any more.

    All other players have to agree who are there, within the free time of the table's pace (5 minutes where it is
    shorter); any action ends the request. What they have done since the action does not count any more then either, and
    what was seen stays seen. It needs a game with a clock whose terms allow it. Mails tell the others, as many as one
    may cause in a day (`mails` in GET /limits).
    """
    asking, decision, spending = player().id, posted["decision"], budget()

    def ask(receipt: Receipt[RequestInGame] | None) -> RequestInGame:
        return take_back.ask_to_take_back(
            runtime().games, game_id, asking, decision, "api", shared_clock.now(), receipt, spending
        )

    def show(asked: RequestInGame) -> dict[str, Any]:
        return views.take_back_request(asked.position, asked.request, decision)

    told, headers = once("ask-take-back", header, [str(game_id), decision], ask, show)
    return as_json(told, 201, {**PRIVATE, **headers})


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests/<int:first>/agreement",
    Answers(schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def agree_to_take_back(game_id: UUID, first: int) -> Response:
    """Agree to the request for the action whose first event has this number.

    With the last consent the action is taken back: `events` tells of it, and has nothing before.
    """
    me = player()
    played = take_back.agree_to_take_back(runtime().games, game_id, me.id, first, "api", shared_clock.now())
    seat = played.position.seat_of(me.id)
    if seat is None:
        raise NotSeated
    return as_json(shown(played, seat, spoken(played.position, me.language)))


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests/<int:first>",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:play",
)
def decline_take_back(game_id: UUID, first: int) -> Response:
    """Decline the request for the action whose first event has this number, or withdraw one's own."""
    take_back.decline_take_back(runtime().games, game_id, player().id, first, shared_clock.now())
    return Response(status=204)


def _pauses(position: Position) -> dict[str, Any]:
    return views.pause_state(position, shared_clock.now())


# Orders, moves that a player gives ahead, and auto-answers.

orders = Resource("orders", __name__, description="Moves given ahead, and answers that the game gives for a player.")
guard(orders)


@orders.operation("/games/<uuid:game_id>/orders", Answers(schema=Orders), refuses=(404,), scope="games:read")
def get_orders(game_id: UUID) -> Response:
    """Show one's own orders, which nobody else can see before they are played.

    Those that were dropped, since they did not fit when their turn came, are shown until others are.
    """
    with look(game_id) as looking:
        return as_json(views_orders.orders_of(looking.db, looking.position, _seat(looking), player().language))


@orders.operation(
    "/games/<uuid:game_id>/orders",
    Answers(schema=Orders),
    method="PUT",
    refuses=(404, 409),
    scope="games:play",
    json=OrdersGiven,
)
def put_orders(posted: dict[str, Any], game_id: UUID) -> Response:
    """Keep these orders in the place of all earlier ones.

    When one's seat is asked, the first order is played, if it is legal and its conditions hold, and the others stay. If
    it does not fit, it is dropped with all that follow, and one is asked as usual. So that nobody can tell an order
    from a quick move, it is played no sooner than a random 5 to 60 seconds after the seat was asked, unless one plays
    alone. An order that is given when it is one's turn already is tried at that turn.
    """
    with look(game_id) as looking:
        position, seat = looking.position, _seat(looking)
    with _explaining(position, seat):
        given = [_order(position, number, each) for number, each in enumerate(posted["orders"])]
        handlers.give(runtime().games, game_id, player().id, given, shared_clock.now())
    return get_orders(game_id)


@orders.operation(
    "/games/<uuid:game_id>/orders",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:play",
)
def cancel_orders(game_id: UUID) -> Response:
    """Forget one's orders in the game; auto-answers stay."""
    handlers.cancel(runtime().games, game_id, player().id, shared_clock.now())
    return Response(status=204)


@orders.operation(
    "/games/<uuid:game_id>/orders/auto-answers", Answers(schema=AutoAnswers), refuses=(404,), scope="games:read"
)
def list_auto_answers(game_id: UUID) -> Response:
    """List the kinds of answers that the game offers to give, and which of them one has chosen."""
    with look(game_id) as looking:
        return as_json({"items": views_orders.auto_answers(looking.position, _seat(looking), player().language)})


@orders.operation(
    "/games/<uuid:game_id>/orders/auto-answers",
    Answers(schema=AutoAnswers),
    method="PUT",
    refuses=(404, 409),
    scope="games:play",
    json=AutoAnswersChosen,
)
def put_auto_answers(posted: dict[str, Any], game_id: UUID) -> Response:
    """Have decisions of these kinds answered for oneself, in this game, until it ends; everybody at the table sees it.

    An order goes before an auto-answer, where it fits.
    """
    with look(game_id) as looking:
        position, seat = looking.position, _seat(looking)
    with _explaining(position, seat):
        handlers.choose_auto_answers(runtime().games, game_id, player().id, posted["chosen"], shared_clock.now())
    return list_auto_answers(game_id)


def _seat(looking: Look) -> int:
    if looking.seat is None:
        raise NotSeated
    return looking.seat


def _order(position: Position, number: int, posted: Mapping[str, Any]) -> NewOrder:
    """Return the order at a place of the list that was sent; BadOrder, Invalid."""
    try:
        action = read_action(position, posted)
    except UnreadableNotation as unreadable:
        raise BadOrder("unreadable", "orders", number, "notation") from unreadable
    except Invalid as invalid:
        begin = json_pointer("orders", str(number))
        errors = [{**each, "pointer": begin + each["pointer"]} for each in invalid.members["errors"]]
        raise Invalid(errors=errors) from invalid
    conditions = posted.get("conditions")
    if conditions is None:
        return NewOrder(action)
    return NewOrder(action, [Condition(each["pointer"], each.get("value", NOWHERE)) for each in conditions])


@contextmanager
def _explaining(position: Position, seat: int) -> Iterator[None]:
    """Context manager: an order that makes no sense is refused with a sentence in the language of the request."""
    try:
        yield
    except BadOrder as bad:
        language = problem_language()
        rules_language = spoken(position, language)
        if bad.illegal is None:
            detail = say(language, f"order-fault-{bad.why}")
        else:
            names = position.names_in(rules_language)
            detail = position.ruleset.describe(bad.illegal, seat, rules_language, names)
        bad.members["errors"] = [{"pointer": bad.pointer, "detail": detail}]
        raise


# Requests for seats of running games: anybody asks for one at a public table, the players who are there answer.

substitutes = Resource("substitutes", __name__, description="Seats of running games that other persons take over.")
guard(substitutes)

_REQUESTS = "/games/<uuid:game_id>/seat-requests"
_ASKED = Answers(status=201, schema=SeatRequest, headers=REPLAYED)


@substitutes.operation(
    _REQUESTS,
    _ASKED,
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=NewSeatRequest,
    headers=Idempotency,
)
def request_seat(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Ask the players of a running public game for a seat whose player has resigned or is absent.

    `unattended` of the game lists these seats. One of the players who are there agrees or declines; mails tell them of
    the request, as many as one may cause in a day (`mails` in GET /limits). One request is open at a time, and a seat
    that was declined cannot be asked for again. Until somebody agrees one sees what a spectator sees; from then on one
    sees what the seat may see, from the first event on. At a private table the host invites.
    """
    games, asking, now, spending, seat = runtime().games, player(), shared_clock.now(), budget(), posted["seat"]

    def ask(receipt: Receipt[Asked] | None) -> Asked:
        return handlers_substitutes.ask_for_seat(games, SeatWanted(game_id, seat, asking.id), now, receipt, spending)

    def show(asked: Asked) -> dict[str, Any]:
        return views.seat_request(asked, asking.name)

    shown, headers = once("request-seat", header, [str(game_id), seat], ask, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@substitutes.operation(_REQUESTS, Answers(schema=SeatRequests), refuses=(404,), scope="games:read")
def list_seat_requests(game_id: UUID) -> Response:
    """List the open requests for seats of a game: all of them for its players, one's own for anybody else."""
    with look(game_id) as looking:
        return as_json({"items": views.seat_requests(looking.db, looking.position, player())})


@substitutes.operation(
    f"{_REQUESTS}/<uuid:request_id>/agreement",
    Answers(status=204),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def agree_to_seat_request(game_id: UUID, request_id: UUID) -> Response:
    """Agree to a request: the person takes the seat over at once.

    Any player of the game who is there may, once or again. The former player's links no longer work, and the former
    player sees of the game what a spectator sees.
    """
    handlers_substitutes.agree_to_seat_request(
        runtime().games, Answering(game_id, request_id, player().id, "api"), shared_clock.now()
    )
    return no_content()


@substitutes.operation(
    f"{_REQUESTS}/<uuid:request_id>", Answers(status=204), method="DELETE", refuses=(404, 409), scope="games:play"
)
def delete_seat_request(game_id: UUID, request_id: UUID) -> Response:
    """Withdraw one's own request, or decline that of somebody else as a player of the game who is there."""
    games, asking = runtime().games, player().id
    if not handlers_substitutes.withdraw_seat_request(games, game_id, request_id, asking):
        handlers_substitutes.decline_seat_request(games, Answering(game_id, request_id, asking, "api"))
    return no_content()
