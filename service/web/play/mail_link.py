"""Pages behind the link of a turn mail: GET shows and changes nothing; POST plays.

The link is the only credential: these pages need no cookie, no session and no script. Players may choose that their
links need sign-in too (`player_only`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Final

from flask import Response, g, request, url_for
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.append import Played
from service.handlers.links import Link, holds_fresh_link
from service.handlers.pace import is_absent, return_from_absence
from service.handlers.play import Move, play
from service.handlers.refusals import (
    CannotBeTakenBack,
    NothingToTakeBack,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleDecision,
    TooLateToTakeBack,
)
from service.handlers.take_back import REFUSALS, Wish, take_back, undoable
from service.handlers.transaction import transaction
from service.log.recorded import Recorded
from service.mail.sentences import outcome_lines
from service.rules.kernel import Illegal, Unreadable
from service.rules.shared_events import ActionTakenBack, SharedEvent, TimeLapsed
from service.rules.table_parts import NoSuchChoice
from service.rules.tabletop.table import Table
from service.shared import clock
from service.store.events import since_decision
from service.store.games import Position, is_public
from service.texts.catalog import count, say
from service.texts.games import full_title
from service.texts.when import moment
from service.views.dry_run import reveals
from service.views.history import sentence
from service.views.sentences import sent_action
from service.views.table import choices
from service.web.blueprint import compress_page, web
from service.web.page import admitted, current_runtime, render, unknown_page, visitor_language
from service.web.play.action_picker import (
    MAX_NOTATION_LENGTH,
    Picking,
    begun,
    confirms_reveals,
    explain_refusal,
    picked,
    picked_in_query,
    read_notation,
)
from service.web.play.event_log import event_log
from service.web.play.position_cache import position_cache
from service.web.play.table_page import Addresses, FormTo, TableContent, table_parts
from service.web.play.table_sections import Retractable, seconds_left, take_back_window
from service.web.post_guard import BUTTON_FIELD, requires_form
from service.web.session import Visitor, current_visitor, is_cross_site
from service.web.viewer_context import ViewerContext


@dataclass(frozen=True, slots=True)
class OpenedLink:
    """Link with the current position of its game."""

    link: Link
    position: Position

    @property
    def language(self) -> str:
        return self.position.seats[self.link.seat].language

    @property
    def zone(self) -> str:
        """Return the IANA name of the player's time zone."""
        return self.position.seats[self.link.seat].time_zone

    @property
    def title(self) -> str:
        return full_title(self.position.ruleset.meta, self.position.game.options, self.language)

    @property
    def address(self) -> str:
        """Return the path of the link itself, also for a page below the link."""
        return url_for("web.show_link", token=(request.view_args or {})["token"])

    @property
    def to_act(self) -> bool:
        """Return whether the seat is to act, at any decision."""
        return self.link.seat in self.position.awaited

    @property
    def current(self) -> bool:
        """Return whether the seat still faces the decision of the link."""
        return self.to_act and self.position.decision == self.link.decision

    @property
    def works(self) -> bool:
        """Return whether the link is neither revoked nor expired."""
        return self.link.works(clock.now())

    @property
    def live(self) -> bool:
        """Return whether the link can still play an action."""
        return self.current and self.works

    @property
    def result(self) -> list[str]:
        """Return the sentences about the winner and the scores; empty while the game runs."""
        outcome = self.position.outcome
        return [] if outcome is None else list(outcome_lines(self.position, outcome, self.language))

    def context(self, db: Connection) -> ViewerContext:
        """Return the game for the link's player."""
        return ViewerContext(db, self.position, self.link.seat, self.language, self.zone)


class SignInFirst(Exception):
    """Link needs sign-in by its player's choice, and the request is not by that player."""

    def __init__(self, opened: OpenedLink) -> None:
        super().__init__(opened.link.game_id)
        self.opened = opened


def open_link(db: Connection, token: str) -> OpenedLink | None:
    """Return the link of a token with its game; None if unknown, or its player has left the game.

    Raises SignInFirst, which `player_only` handles.
    """
    link = links.resolve(db, token)
    if link is None:
        return None
    opened = OpenedLink(link, current_runtime().games.open(db, link.game_id))
    if not holds_fresh_link(opened.position, link):
        return None
    if link.needs_sign_in and g.get("owner") != link.player_id:
        raise SignInFirst(opened)
    return opened


def next_address(db: Connection, opened: OpenedLink) -> str:
    """Return the path of a new link to the seat's open decision, so that its player need not wait for a mail."""
    position, link = opened.position, opened.link
    token = links.issue(db, link.game_id, link.seat, position.decision, clock.now())
    return url_for("web.show_link", token=token)


def link_take_back(db: Connection, opened: OpenedLink) -> Retractable | None:
    """Return the part of the answer to the link's decision that can be taken back; None if there is none."""
    if not opened.works:
        return None
    now = clock.now()
    try:
        deed = undoable(db, opened.position, take_back_wish(opened), take_back_window(), now).deed
    except REFUSALS:
        return None
    return Retractable(opened.link.decision, seconds_left(deed[0].at, now))


def take_back_wish(opened: OpenedLink) -> Wish:
    """Return the request to take back the answer to the link's decision."""
    return Wish(opened.link.game_id, opened.link.seat, opened.link.decision, "link")


# Links that need sign-in.


def player_only(view: Callable[..., Response]) -> Callable[..., Response]:
    """Answer a link that needs sign-in with 403 and a sign-in page, until its player has signed in.

    The session is looked up only for these links; for others no cookie is read.
    """

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Response:
        try:
            return view(*args, **kwargs)
        except SignInFirst as locked:
            opened = locked.opened
        visitor = current_visitor()
        if visitor is None or visitor.id != opened.link.player_id:
            return _sign_in_page(opened, visitor)
        if request.method == "POST" and is_cross_site():
            return render("notice.html", opened.language, 403, notice="form-refused")
        g.owner = visitor.id
        return view(*args, **kwargs)

    return guarded


def _sign_in_page(opened: OpenedLink, visitor: Visitor | None) -> Response:
    looked = request.method == "GET"
    back = request.full_path.removesuffix("?") if looked else opened.address
    name = None if visitor is None else visitor.name
    return render(
        "play/link/sign_in_first.html",
        opened.language,
        403,
        title=opened.title,
        back=back,
        name=name,
        refused=not looked,
    )


# Table of a link's player: with the action picked, or with the action just played.

Pick = Callable[[ViewerContext, Table, str], Picking]
"""Function that returns the picks at a table whose page has this path; NoSuchChoice, Illegal, Unreadable."""
_REFUSED: Final = (NoSuchChoice, Illegal, Unreadable)


@dataclass(frozen=True, slots=True)
class Done:
    """Result of an act by a link, in words; `onward` is the path of the player's next link, if any.

    `notation` is that of the action played; empty if none was.
    """

    headline: str
    sentence: str
    more: str
    notation: str = ""
    onward: str | None = None


def choice_page(db: Connection, opened: OpenedLink, pick: Pick) -> Response:
    """Return the table with the picks; on a refusal, with no picks and the reason."""
    context = opened.context(db)
    try:
        return _page(opened, context, picked=pick(context, position_cache(context).table, opened.address))
    except _REFUSED as refusal:
        return refusal_page(db, opened, refusal)


def refusal_page(db: Connection, opened: OpenedLink, refusal: Exception) -> Response:
    """Return the table with the reason why an action cannot be played: 400 unreadable, 404 unknown, 409 any other."""
    context = opened.context(db)
    status, why = 409, say(context.language, "other-decision")
    if isinstance(refusal, NoSuchChoice):
        status, why = 404, say(context.language, "ahead-impossible")
    elif isinstance(refusal, Illegal | Unreadable):
        status, why = 400 if isinstance(refusal, Unreadable) else 409, explain_refusal(context, refusal)
    picked = begun(context, position_cache(context).table, page=opened.address)
    written = request.values.get("notation", "")[:MAX_NOTATION_LENGTH]
    return _page(opened, context, status, picked=picked, refusal=why, written=written)


def all_actions_page(db: Connection, opened: OpenedLink, number: int) -> Response | None:
    """Return the table with all actions of one kind as buttons. Kinds count from 1; 0 is all; None if out of range."""
    context = opened.context(db)
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for choice in choices(opened.position, opened.link.seat, context.rules_language):
        groups.setdefault(choice["kind"], []).append(choice)
    if not 0 <= number <= len(groups):
        return None
    shown = groups if number == 0 else dict([list(groups.items())[number - 1]])
    return _page(opened, context, template="play/link/all.html", groups=shown, decision=opened.link.decision)


def played_page(db: Connection, before: OpenedLink, action: Any, played: Played) -> Response:
    """Return the table after an action, with the marks of its effects, and the next step."""
    opened = replace(before, position=played.position)
    context, language = opened.context(db), opened.language
    done = Done(
        headline=say(language, "played"),
        sentence=context.described(action),
        more=f"{say(language, 'go-on')}." if opened.to_act else say(language, "wait"),
        notation=opened.position.ruleset.notate(action),
        onward=next_address(db, opened) if opened.to_act else None,
    )
    undo = link_take_back(db, opened)
    return _page(opened, context, since=played.events[0].seq - 1, done=done, retractable=undo)


def taken_back_page(db: Connection, opened: OpenedLink) -> Response:
    """Return the table after an action was taken back."""
    language = opened.language
    done = Done("", say(language, "back-done"), say(language, "back-done-text"), onward=next_address(db, opened))
    return _page(opened, opened.context(db), done=done)


def _page(
    opened: OpenedLink,
    context: ViewerContext,
    status: int = 200,
    *,
    picked: Picking | None = None,
    since: int | None = None,
    template: str = "play/link/table.html",
    **more: Any,
) -> Response:
    """Return the table of the link's player.

    The log marks events after number `since`; by default those after the player's own last action.
    """
    cache = position_cache(context)
    content = TableContent(picked=picked, log=event_log(context, cache, since))
    address, position = opened.address, opened.position
    addresses = Addresses(address, FormTo(address), FormTo(f"{address}/link/back", {BUTTON_FIELD: "yes"}))
    at_table = url_for("web.show_game", game_id=position.game.id)
    public = is_public(position)
    response = render(
        template,
        opened.language,
        status,
        whole_width=True,
        public=public,
        at_table=at_table if public else url_for("web.ask_sign_in", back=at_table),
        part_of=lambda _, caller: caller(),
        **table_parts(context, cache, content, addresses),
        **more,
    )
    compress_page(response)
    return response


# Links that cannot play any more.

DONE: Final = frozenset({"past-over", "past-waiting", "past-newest"})
"""Reasons of links that have served their purpose; all other links were revoked or expired."""


def inactive_page(db: Connection, opened: OpenedLink, status: int) -> Response:
    """Return the page of a dead link; only a finished game shows its table, and only to a link that works."""
    language = opened.language
    later = since_decision(db, opened.position.codec, opened.link.game_id, opened.link.decision)
    answers = _answers(opened, later)
    reason = _reason(opened, later)
    past: dict[str, Any] = {
        "meta": opened.position.ruleset.meta,
        "played": answers[0] if answers else None,
        "caused": _caused(opened.context(db), answers),
        "undone": any(_takes_back(each.event, answers) for each in later),
        "heading": say(language, "past" if reason in DONE else "past-dead"),
        "refused": request.method == "POST",
        "reason": say(language, reason, reason=opened.link.blocked),
    }
    if opened.works and opened.position.outcome is not None:
        return _page(opened, opened.context(db), status, **past)
    running = opened.position.game.status == "running" and opened.link.seat not in opened.position.resigned
    return render(
        "play/link/past.html",
        language,
        status,
        title=opened.title,
        game_id=opened.link.game_id,
        retractable=link_take_back(db, opened),
        fresh_link=running and opened.link.blocked is None,
        absent=opened.works and is_absent(opened.position, opened.link.seat),
        base=opened.address,
        result=opened.result,
        count=partial(count, language),
        instant=lambda at: moment(at, language, opened.zone),
        **past,
    )


def _answers(opened: OpenedLink, later: Sequence[Recorded]) -> list[Recorded]:
    """Return the events of the seat's last action in answer to the link's decision."""
    link = opened.link
    answers = [
        each
        for each in later
        if (each.seat, each.decision) == (link.seat, link.decision) and not isinstance(each.event, SharedEvent)
    ]
    return [each for each in answers if each.at == answers[-1].at]


def _takes_back(event: Any, answers: Sequence[Recorded]) -> bool:
    return isinstance(event, ActionTakenBack) and any(event.first <= each.seq <= event.last for each in answers)


def _caused(context: ViewerContext, answers: Sequence[Recorded]) -> list[str]:
    """Return the sentences for the action and its effects, as the player may know them."""
    position, language = context.position, context.rules_language
    actions = (sent_action(position.ruleset, each) for each in answers)
    told = (sentence(position, each.event, context.seat, language) for each in answers)
    acted = [context.described(action) for action in actions if action is not None][:1]
    return [*acted, *filter(None, told)]


def _reason(opened: OpenedLink, later: Sequence[Recorded]) -> str:
    if opened.position.game.status == "cancelled":
        return "cancelled"
    if opened.position.game.status == "finished":
        return "past-over"
    if opened.link.seat in opened.position.resigned:
        return "past-resigned"
    if opened.link.blocked is not None:
        return "past-blocked"
    if opened.link.revoked_for is not None:
        return f"past-{opened.link.revoked_for}"
    if _is_undone(opened, later):
        return "past-taken-back" if opened.to_act else "past-withdrawn"
    if any(_is_lapse(opened, each) for each in later):
        return "past-time-lapsed"
    if not opened.to_act:
        return "past-waiting"
    return "expired" if opened.current else "past-newest"


def _is_lapse(opened: OpenedLink, recorded: Recorded) -> bool:
    """Return whether the event is the lapse of the link's decision."""
    return isinstance(recorded.event, TimeLapsed) and (recorded.seat, recorded.decision) == (
        opened.link.seat,
        opened.link.decision,
    )


def _is_undone(opened: OpenedLink, later: Sequence[Recorded]) -> bool:
    """Return whether the link's decision went unanswered because another player took back the action before."""
    link, facing = opened.link, [each for each in later if each.decision == opened.link.decision]
    undone = [each for each in facing if isinstance(each.event, ActionTakenBack) and each.seat != link.seat]
    return bool(undone) and not _answers(opened, later) and opened.position.decision != link.decision


# Views that show the table, and that play.

MOVE_REFUSALS: Final = (StaleDecision, NotYourTurn, NotRunning, Unreadable, Illegal)
_Page = Callable[[Connection, OpenedLink], Response]


@web.get("/t/<token>")
@player_only
def show_link(token: str) -> Response:
    """Show the table with the picks of the query, or why the link cannot play any more.

    The query has picks as on the page of a table, or a whole action (`notation`).
    """
    return _show(token, lambda db, opened: choice_page(db, opened, picked_in_query))


@web.get("/t/<token>/<code>")
@player_only
def show_move(token: str, code: str) -> Response:
    """Show the table with the preview of an action; `code` is its notation as `links.code` writes it."""

    def pick(context: ViewerContext, table: Table, page: str) -> Picking:
        action = None if context.seat is None else links.meant(context.position, context.seat, code)
        if action is None:
            raise NoSuchChoice(code)
        return picked(context, table, page, action=action)

    return _show(token, lambda db, opened: choice_page(db, opened, pick))


@web.get("/t/<token>/all/<int:number>")
@player_only
def show_kind(token: str, number: int) -> Response:
    """Show all actions of a kind as buttons; `number` counts the kinds from 1, and 0 is all kinds, as in mails."""
    return _show(
        token,
        lambda db, opened: all_actions_page(db, opened, number) or refusal_page(db, opened, NoSuchChoice(number)),
    )


@web.post("/t/<token>")
@requires_form(show_link, "decision")
@player_only
def play_link(token: str) -> Response:
    """Play the action of the form (`notation`, `decision`), and show its effects.

    Where reveals are confirmed (`confirms_reveals`), an action that reveals something is played only with `sure` in the
    form; else the page asks once more.
    """
    return _play(token, _by_notation)


@web.post("/t/<token>/<code>")
@requires_form(show_move, "decision")
@player_only
def play_move(token: str, code: str) -> Response:
    """Play the action of `code` in answer to the form's `decision`, as `play_link` does."""
    return _play(token, partial(_by_code, code))


def _show(token: str, shown: _Page) -> Response:
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.live:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
        return shown(db, opened)


def _play(token: str, read: Callable[[OpenedLink], Any]) -> Response:
    games, opened = current_runtime().games, _opened_by_its_player(token)
    if opened is None:
        return unknown_page()
    if not opened.live:
        with transaction(games.engine) as db:
            return inactive_page(db, opened, 409)
    link = opened.link
    try:
        if request.form.get("decision", type=int) != link.decision:
            raise StaleDecision(opened.position, [])
        action = read(opened)
        if _asks(opened, action):
            with transaction(games.engine) as db:
                return choice_page(db, opened, partial(picked, action=action, asked=True))
        move = Move(
            game=link.game_id, seat=link.seat, decision=link.decision, action=action, door="link", player=link.player_id
        )
        played = play(games, move)
    except MOVE_REFUSALS as refusal:
        return _refused(opened, refusal)
    except NotSeated:
        # Another person has just taken over the seat.
        return unknown_page()
    with transaction(games.engine) as db:
        return played_page(db, opened, action, played)


def _asks(opened: OpenedLink, action: Any) -> bool:
    """Return whether the player has to confirm the action."""
    position, seat = opened.position, opened.link.seat
    asks = "sure" not in request.form and confirms_reveals(position, seat)
    return asks and reveals(position, seat, action)


def _opened_by_its_player(token: str) -> OpenedLink | None:
    """Return the link of a submitted form; ends the player's absence, if any."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        opened = open_link(db, token)
    if opened is None or not opened.works or not is_absent(opened.position, opened.link.seat):
        return opened
    link = opened.link
    try:
        return OpenedLink(link, return_from_absence(games, link.game_id, link.seat, link.player_id, "link"))
    except NotSeated:
        # Another person has just taken over the seat.
        return None


def _by_notation(opened: OpenedLink) -> Any:
    return read_notation(opened.position, request.form.get("notation", ""))


def _by_code(code: str, opened: OpenedLink) -> Any:
    action = links.meant(opened.position, opened.link.seat, code)
    if action is None:
        raise Unreadable(code[:40])
    return action


def _refused(opened: OpenedLink, refusal: Exception) -> Response:
    games = current_runtime().games
    with transaction(games.engine) as db:
        now = OpenedLink(opened.link, games.open(db, opened.link.game_id))
        return refusal_page(db, now, refusal) if now.live else inactive_page(db, now, 409)


# Views that play nothing: a fresh link, other links replaced, an action taken back, the end of an absence.

WHY_NOT: Final[Mapping[type[Exception], str]] = {
    NothingToTakeBack: "back-nothing",
    NotRunning: "back-nothing",
    CannotBeTakenBack: "back-shown",
}


@web.post("/t/<token>/link/fresh")
@requires_form(show_link, BUTTON_FIELD)
def request_fresh_link(token: str) -> Response:
    """Mail a fresh link; the answer does not reveal whether the token was ever valid."""
    language = visitor_language()
    if not admitted("fresh-link"):
        return render("notice.html", language, 429, notice="too-often")
    links.ask_fresh_link(current_runtime().games, token, clock.now())
    return render("notice.html", language, notice="fresh-done")


@web.get("/t/<token>/link/others")
@player_only
def offer_replacement(token: str) -> Response:
    """Show the button that replaces all links of the player to this game."""
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
    return render("play/link/replace_links.html", opened.language, title=opened.title, base=opened.address)


@web.post("/t/<token>/link/others")
@requires_form(offer_replacement, BUTTON_FIELD)
@player_only
def replace_links(token: str) -> Response:
    """Revoke all links of the player to this game, and mail a new link."""
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 409)
    links.replace_link(current_runtime().games, opened.link.game_id, opened.link.player_id, clock.now())
    return render("notice.html", opened.language, notice="seen-done")


@web.post("/t/<token>/link/back")
@requires_form(show_link, BUTTON_FIELD)
@player_only
def take_back_answer(token: str) -> Response:
    """Take back the seat's answer to the link's decision, and show a link to the open decision."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 409)
    try:
        after = take_back(games, take_back_wish(opened), take_back_window(), clock.now()).position
    except REFUSALS as refusal:
        return render(
            "play/link/not_back.html", opened.language, 409, title=opened.title, why=_why(refusal), base=opened.address
        )
    with transaction(games.engine) as db:
        return taken_back_page(db, OpenedLink(opened.link, after))


def _why(refusal: Exception) -> str:
    if isinstance(refusal, TooLateToTakeBack):
        return f"back-{refusal.reason}"
    return WHY_NOT[type(refusal)]


@web.post("/t/<token>/link/back-again")
@requires_form(show_link, BUTTON_FIELD)
@player_only
def say_back_by_link(token: str) -> Response:
    """End the absence of the link's player."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 409)
    link = opened.link
    try:
        return_from_absence(games, link.game_id, link.seat, link.player_id, "link")
    except NotSeated:
        # Another person has just taken over the seat.
        return unknown_page()
    return render("notice.html", opened.language, notice="absent-done")
