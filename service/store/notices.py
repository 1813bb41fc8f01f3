"""Notices of the outbox, one function for each kind of effect."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from service.log.recorded import milliseconds
from service.store.outbox import HALF_WAY, SETTLED, TALK, Notice

PAUSE = 2
"""Seconds after which a computer player answers, the same for all levels and positions, so that it reveals nothing."""


def turn_mail(game: UUID, decision: int, seat: int, goes_on: bool = False) -> Notice:
    """Notice to mail a seat its decision.

    If its turn only `goes_on`, the seat knows already, and is mailed after HALF_WAY seconds without an answer.
    """
    payload = {"decision": decision, "seat": seat, **({"goes_on": True} if goes_on else {})}
    return Notice("turn-mail", f"turn-mail:{game}:{decision}:{seat}", payload, HALF_WAY if goes_on else 0)


def still_asked(game: UUID, decision: int, seat: int, version: int) -> Notice:
    """Notice to mail a seat that has taken a step of its answer, at a version, that the rest is due.

    The next step of the seat voids the notice.
    """
    payload = {"decision": decision, "seat": seat, "goes_on": True, "step": version}
    return Notice("turn-mail", f"turn-mail:{game}:{decision}:{seat}:step-{version}", payload, HALF_WAY)


def order(game: UUID, decision: int, seat: int, after: int, goes_on: bool = False, again: str = "") -> Notice:
    """Notice to try a seat's orders at the decision, before its player is mailed.

    `goes_on` is passed on to the turn mail. An order given at the decision itself has a key of its own.
    """
    payload = {"decision": decision, "seat": seat, **({"goes_on": True} if goes_on else {})}
    return Notice("order", f"order:{game}:{decision}:{seat}{again and ':'}{again}", payload, after)


def started(game: UUID, seat: int) -> Notice:
    """Notice to mail a seat that need not act yet that the game has begun."""
    return Notice("started", f"started:{game}:{seat}", {"seat": seat})


def message(game: UUID, seat: int, now: datetime) -> Notice:
    """Notice to mail a seat the talk of the current ten minutes (`since`, `until`: seconds).

    It is due when they are over, and all talk in them is committed.
    """
    since = int(now.timestamp()) // TALK * TALK
    payload = {"seat": seat, "since": since, "until": since + TALK}
    return Notice("message", f"message:{game}:{seat}:{since}", payload, since + TALK + SETTLED - int(now.timestamp()))


def turn_mail_again(
    game: UUID, decision: int, seat: int, why: str, asked: bool = False, at: int | None = None
) -> Notice:
    """Notice to mail a seat its decision again, with a new link; once for each `why`.

    A player who has `asked` gets the mail whatever their preferences. It is due `at` a moment (ms since 1970), or at
    once.
    """
    payload = {"decision": decision, "seat": seat, **({"asked": True} if asked else {})}
    return Notice("turn-mail", f"turn-mail:{game}:{decision}:{seat}:{why}", payload, at=at)


def remind(game: UUID, seat: int, asked: int, number: int, at: int) -> Notice:
    """Notice to check whether a reminder of the wait that began at `asked` is due; moments are milliseconds."""
    payload = {"seat": seat, "asked": asked, "number": number}
    return Notice("remind", f"remind:{game}:{seat}:{asked}:{number}", payload, at=at)


def reminder(game: UUID, seat: int, asked: int, number: int, told: Mapping[str, Any]) -> Notice:
    """Notice to remind a seat of its wait; `told` has its decision, the deadline and the moment."""
    return Notice("reminder", f"reminder:{game}:{seat}:{asked}:{number}", {"seat": seat, "number": number, **told})


def turn_withdrawn(game: UUID, decision: int, seat: int, by: int) -> Notice:
    """Notice to tell a seat that its decision is withdrawn, since `by` has taken an action back."""
    payload = {"decision": decision, "seat": seat, "by": by}
    return Notice("turn-withdrawn", f"turn-withdrawn:{game}:{decision}:{seat}", payload)


def lapsed(game: UUID, seat: int, version: int) -> Notice:
    """Notice to mail a seat what was played for it, up to a version, after its time lapsed."""
    return Notice("lapsed", f"lapsed:{game}:{seat}:{version}", {"seat": seat, "version": version})


def game_over(game: UUID, seat: int) -> Notice:
    """Notice to mail a seat how the game ended."""
    return Notice("game-over", f"game-over:{game}:{seat}", {"seat": seat})


def removed(game: UUID, player: UUID, arrival: int) -> Notice:
    """Notice to tell a player that the host has freed their seat, identified by its arrival."""
    return Notice("problem", f"removed:{game}:{arrival}", {"player": str(player), "what": "removed"})


def called_off(game: UUID, player: UUID) -> Notice:
    """Notice to tell a seated player that the host has cancelled the table."""
    return Notice("problem", f"called-off:{game}:{player}", {"player": str(player), "what": "called-off"})


def seal(game: UUID) -> Notice:
    """Notice to seal the record of a finished game."""
    return Notice("seal", f"seal:{game}", {})


def result(game: UUID) -> Notice:
    """Notice to write the result of a finished rated game into the log of results."""
    return Notice("result", f"result:{game}", {})


def deal_result(game: UUID, version: int) -> Notice:
    """Notice to count a try of a daily deal that ended with the event numbered `version`."""
    return Notice("deal-result", f"deal-result:{game}", {"version": version})


def deal_best(day: date) -> Notice:
    """Notice to let computer players try the deal of a day."""
    return Notice("deal-best", f"deal-best:{day}", {"day": day.isoformat()})


def night(day: date) -> Notice:
    """Notice to check the games of the day before `day`."""
    return Notice("night", f"night:{day}", {"day": day.isoformat()})


def canary(day: date) -> Notice:
    """Notice to mail the operator, to show that mails leave the server."""
    return Notice("canary", f"canary:{day}", {"day": day.isoformat()})


def automaton(game: UUID, decision: int) -> Notice:
    """Notice to let the automaton answer the decision."""
    return Notice("automaton", f"automaton:{game}:{decision}", {"decision": decision})


def stand_in(game: UUID, decision: int, seat: int) -> Notice:
    """Notice to answer the decision for a seat that the service plays."""
    return Notice("automaton", f"automaton:{game}:{decision}:{seat}", {"decision": decision, "seat": seat})


def computer(game: UUID, seat: int, version: int) -> Notice:
    """Notice to let a computer player act after PAUSE seconds; once for each version."""
    return Notice("computer", f"computer:{game}:{version}:{seat}", {"seat": seat}, PAUSE)


def timer(game: UUID, at: int) -> Notice:
    """Notice to check the deadlines of a game `at` a moment (ms since 1970; store/pace.py)."""
    return Notice("timer", f"timer:{game}:{at}", {}, at=at)


def deadline_near(game: UUID, seat: int, deadline: int, at: int) -> Notice:
    """Notice to tell webhooks `at` a moment of a seat's near deadline; both in milliseconds."""
    return Notice(
        "deadline-near", f"deadline-near:{game}:{seat}:{deadline}", {"seat": seat, "deadline": deadline}, at=at
    )


def pause_mail(game: UUID, seat: int, what: Literal["proposed", "begun", "ended"], until: int, version: int) -> Notice:
    """Notice to mail a seat about a pause until a moment, in milliseconds since 1970.

    `version` is that of the game after the event that the mail is about.
    """
    return Notice("pause", f"pause:{game}:{version}:{seat}", {"seat": seat, "what": what, "until": until})


def pause_end(game: UUID, until: int) -> Notice:
    """Notice to end the pause of a game at a moment, in milliseconds since 1970."""
    return Notice("pause-end", f"pause-end:{game}:{until}", {"until": until}, at=until)


def take_back_mail(game: UUID, seat: int, first: int, version: int) -> Notice:
    """Notice to mail a seat a request to take back the action that begins with event `first`.

    `version` is that of the game when the request was made.
    """
    return Notice("take-back", f"take-back:{game}:{first}:{version}:{seat}", {"seat": seat, "first": first})


def absence(player: UUID, at: int) -> Notice:
    """Notice to apply the begin, end or change of a player's absence at a moment (ms since 1970)."""
    return Notice("absence", f"absence:{player}:{at}", {"player": str(player), "at": at}, at=at)


def invitation(invitation_id: UUID) -> Notice:
    """Notice to mail an invitation."""
    return Notice("invitation", f"invitation:{invitation_id}", {"invitation": str(invitation_id)})


def challenge(challenge_id: UUID, player: UUID) -> Notice:
    """Notice to tell a player of a challenge to them."""
    return Notice("challenge", f"challenge:{challenge_id}", {"challenge": str(challenge_id), "player": str(player)})


def played(game: UUID) -> Notice:
    """Notice to store a finished game's counts for its players."""
    return Notice("played", f"played:{game}", {})


def friend_request(friendship: UUID, player: UUID) -> Notice:
    """Notice to tell a player of a friend request."""
    payload = {"friendship": str(friendship), "player": str(player)}
    return Notice("friend-request", f"friend-request:{friendship}", payload)


def seat_request(game: UUID, request: UUID, seat: int) -> Notice:
    """Notice to tell a seat of a request for another seat of the game."""
    return Notice("seat-request", f"seat-request:{request}:{seat}", {"seat": seat, "request": str(request)})


def confirmation(request: UUID, player: UUID) -> Notice:
    """Notice to ask a player's address for consent to our mails."""
    return Notice("confirmation", f"confirmation:{request}", {"player": str(player)})


def reply_address(address: UUID, player: UUID, day: date) -> Notice:
    """Notice to ask a further address of a player's whether mails from it are theirs."""
    return Notice("reply-address", f"reply-address:{address}:{day}", {"address": str(address), "player": str(player)})


def reply(mail_id: int) -> Notice:
    """Notice to read and answer a received mail."""
    return Notice("reply", f"reply:{mail_id}", {"mail": mail_id})


def sign_in(sign_in_id: UUID) -> Notice:
    """Notice to mail a sign-in link."""
    return Notice("sign-in", f"sign-in:{sign_in_id}", {"sign_in": str(sign_in_id)})


AccountChange = Literal[
    "passkey-added",
    "passkey-removed",
    "app-granted",
    "app-registered",
    "token-made",
    "bot-made",
    "code-used",
    "webhook-added",
    "channel-added",
    "calendar-renewed",
    "data-exported",
    "address-given",
    "reply-address-confirmed",
    "account-deleted",
]
"""Changes to an account that outlive the session that made them; the owner is told of them by mail."""


def account_changed(player: UUID, what: AccountChange, about: object, **more: Any) -> Notice:
    """Notice to mail a player a change in their account, once for each `about`.

    `more` is the `grant` of an app, or the `farewell` of a deleted account.
    """
    return Notice("account-changed", f"{what}:{about}", {"player": str(player), "what": what, **more})


def trial(trial_id: UUID, player: UUID) -> Notice:
    """Notice to send a player a test mail."""
    return Notice("trial", f"trial:{trial_id}", {"player": str(player)})


def digest(player: UUID, day: date) -> Notice:
    """Notice to mail a player the digest of a day of their own calendar."""
    return Notice("digest", f"digest:{player}:{day}", {"player": str(player)})


def fresh_link(digest: str, window: int) -> Notice:
    """Notice to mail a fresh link to the player of the link with this digest (hex); once in each window."""
    return Notice("fresh-link", f"fresh-link:{digest}:{window}", {"link": digest})


def webhooks(game: UUID, version: int, happened: Mapping[str, Any]) -> Notice:
    """Notice to tell a game's webhooks of the step to a version; nothing hidden in it."""
    return Notice("webhooks", f"webhooks:{game}:{version}", {"game": str(game), "version": version, **happened})


def analysis(game: UUID, head: str | None, version: int) -> Notice:
    """Notice to analyse a finished game, by a version of the analysis."""
    return Notice("analysis", f"analysis:{game}:{head}:{version}", {})


# Leagues and tournaments.


def season_notice(competition: UUID, until: datetime) -> Notice:
    """Notice to end entry into a season at a moment, and begin the season."""
    at = milliseconds(until)
    return Notice("season", f"season:{competition}:{at}", {"competition": str(competition), "until": at})


def entry_closing(competition: UUID, until: datetime) -> Notice:
    """Notice to remind the players of the season before of the end of entry."""
    at = milliseconds(until)
    return Notice("entry-closing", f"entry-closing:{competition}:{at}", {"competition": str(competition), "until": at})


def entry_reminder(competition: UUID, player: UUID) -> Notice:
    """Notice to remind a player who has not entered a season whose entry ends soon."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("entry-reminder", f"entry-reminder:{competition}:{player}", told)


def pairing(pairing_id: UUID) -> Notice:
    """Notice to make the game of a pairing."""
    return Notice("pairing", f"pairing:{pairing_id}", {"pairing": str(pairing_id)})


def counted(game: UUID) -> Notice:
    """Notice to count a finished game of a competition."""
    return Notice("counted", f"counted:{game}", {})


def competition_begun(competition: UUID, player: UUID) -> Notice:
    """Notice to tell a player of the first game of a competition."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("competition-begun", f"competition-begun:{competition}:{player}", told)


def competition_over(competition: UUID, player: UUID) -> Notice:
    """Notice to tell a player how a competition has ended."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("competition-over", f"competition-over:{competition}:{player}", told)


def tournament_invited(competition: UUID, player: UUID) -> Notice:
    """Notice to tell a player, once, that the host of a tournament invites them."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("tournament-invited", f"tournament-invited:{competition}:{player}", told)
