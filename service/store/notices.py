"""Notices of the outbox, one function for each kind of effect."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from service.log.recorded import milliseconds
from service.store.outbox import HALF_WAY, SETTLED, TALK, Notice

PAUSE = 2
"""Seconds after which a computer player answers, the same for all levels and positions: nothing can be told from it."""


def turn_mail(game: UUID, decision: int, seat: int, goes_on: bool = False) -> Notice:
    """Return the notice that tells a seat of the decision that it faces.

    If its turn only `goes_on`, it knows of it already, and is told when it has left the decision lying for a while.
    """
    payload = {"decision": decision, "seat": seat, **({"goes_on": True} if goes_on else {})}
    return Notice("turn-mail", f"turn-mail:{game}:{decision}:{seat}", payload, HALF_WAY if goes_on else 0)


def still_asked(game: UUID, decision: int, seat: int, version: int) -> Notice:
    """Return the notice that tells a seat which has taken a step of its answer, at a version, that the rest is owed.

    It is void once the seat has taken another step.
    """
    payload = {"decision": decision, "seat": seat, "goes_on": True, "step": version}
    return Notice("turn-mail", f"turn-mail:{game}:{decision}:{seat}:step-{version}", payload, HALF_WAY)


def order(game: UUID, decision: int, seat: int, after: int, goes_on: bool = False, again: str = "") -> Notice:
    """Return the notice that a seat's orders are to be tried at the decision, before its player is told of it.

    `goes_on` is handed on to the turn mail. An order given at the decision itself is tried under a key of its own.
    """
    payload = {"decision": decision, "seat": seat, **({"goes_on": True} if goes_on else {})}
    return Notice("order", f"order:{game}:{decision}:{seat}{again and ':'}{again}", payload, after)


def started(game: UUID, seat: int) -> Notice:
    """Return the notice that tells a seat which has nothing to do yet that the game has begun."""
    return Notice("started", f"started:{game}:{seat}", {"seat": seat})


def message(game: UUID, seat: int, now: datetime) -> Notice:
    """Return the notice that tells a seat what is said at the table in these ten minutes (`since`, `until`: seconds).

    It is due when they are over, and whatever was said in them is committed.
    """
    since = int(now.timestamp()) // TALK * TALK
    payload = {"seat": seat, "since": since, "until": since + TALK}
    return Notice("message", f"message:{game}:{seat}:{since}", payload, since + TALK + SETTLED - int(now.timestamp()))


def turn_mail_again(
    game: UUID, decision: int, seat: int, why: str, asked: bool = False, at: int | None = None
) -> Notice:
    """Return the notice that tells a seat once more, with a new link, of the decision; once for each `why`.

    If its player has `asked` for it, they wait for it, whatever else they wish about mails. It is due `at` an instant
    (ms since 1970), or at once.
    """
    payload = {"decision": decision, "seat": seat, **({"asked": True} if asked else {})}
    return Notice("turn-mail", f"turn-mail:{game}:{decision}:{seat}:{why}", payload, at=at)


def remind(game: UUID, seat: int, asked: int, number: int, at: int) -> Notice:
    """Return the notice that a reminder of the wait that began with `asked` may be due; instants are milliseconds."""
    payload = {"seat": seat, "asked": asked, "number": number}
    return Notice("remind", f"remind:{game}:{seat}:{asked}:{number}", payload, at=at)


def reminder(game: UUID, seat: int, asked: int, number: int, told: Mapping[str, Any]) -> Notice:
    """Return the notice that a seat is to be reminded of its wait; `told` has its decision, the deadline and when."""
    return Notice("reminder", f"reminder:{game}:{seat}:{asked}:{number}", {"seat": seat, "number": number, **told})


def turn_withdrawn(game: UUID, decision: int, seat: int, by: int) -> Notice:
    """Return the notice that a seat that was told of a decision has none any more: `by` has taken an action back."""
    payload = {"decision": decision, "seat": seat, "by": by}
    return Notice("turn-withdrawn", f"turn-withdrawn:{game}:{decision}:{seat}", payload)


def lapsed(game: UUID, seat: int, version: int) -> Notice:
    """Return the notice that tells a seat what was played for it, up to a version, since its time had lapsed."""
    return Notice("lapsed", f"lapsed:{game}:{seat}:{version}", {"seat": seat, "version": version})


def game_over(game: UUID, seat: int) -> Notice:
    """Return the notice that tells a seat how the game ended."""
    return Notice("game-over", f"game-over:{game}:{seat}", {"seat": seat})


def removed(game: UUID, player: UUID, arrival: int) -> Notice:
    """Return the notice that tells a player that the host has freed their seat, known by the order of its arrival."""
    return Notice("problem", f"removed:{game}:{arrival}", {"player": str(player), "what": "removed"})


def called_off(game: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player that the host has called off the table at which they sat."""
    return Notice("problem", f"called-off:{game}:{player}", {"player": str(player), "what": "called-off"})


def seal(game: UUID) -> Notice:
    """Return the notice that the record of a game that is over has to be sealed."""
    return Notice("seal", f"seal:{game}", {})


def result(game: UUID) -> Notice:
    """Return the notice that the result of a rated game that is over has to be written into the log of results."""
    return Notice("result", f"result:{game}", {})


def deal_result(game: UUID, version: int) -> Notice:
    """Return the notice that a try of a day's deal is over, with the event numbered `version`, and is to be counted."""
    return Notice("deal-result", f"deal-result:{game}", {"version": version})


def deal_best(day: date) -> Notice:
    """Return the notice that computer players are to try the deal of a day."""
    return Notice("deal-best", f"deal-best:{day}", {"day": day.isoformat()})


def night(day: date) -> Notice:
    """Return the notice that a day has begun, and the games of the one before have to be checked."""
    return Notice("night", f"night:{day}", {"day": day.isoformat()})


def canary(day: date) -> Notice:
    """Return the notice that the operator is to get a mail which shows that mails leave the server."""
    return Notice("canary", f"canary:{day}", {"day": day.isoformat()})


def automaton(game: UUID, decision: int) -> Notice:
    """Return the notice that the automaton has to answer the decision."""
    return Notice("automaton", f"automaton:{game}:{decision}", {"decision": decision})


def stand_in(game: UUID, decision: int, seat: int) -> Notice:
    """Return the notice that a worker has to answer the decision for a seat that the service plays."""
    return Notice("automaton", f"automaton:{game}:{decision}:{seat}", {"decision": decision, "seat": seat})


def computer(game: UUID, seat: int, version: int) -> Notice:
    """Return the notice that a computer player has to act in its seat, once it has paused; one for each version."""
    return Notice("computer", f"computer:{game}:{version}:{seat}", {"seat": seat}, PAUSE)


def timer(game: UUID, at: int) -> Notice:
    """Return the notice that the deadlines of a game are to be looked at `at` an instant (ms since 1970; timers.py)."""
    return Notice("timer", f"timer:{game}:{at}", {}, at=at)


def deadline_near(game: UUID, seat: int, deadline: int, at: int) -> Notice:
    """Return the notice that webhooks may have to be told `at` an instant of a seat's deadline; both milliseconds."""
    return Notice(
        "deadline-near", f"deadline-near:{game}:{seat}:{deadline}", {"seat": seat, "deadline": deadline}, at=at
    )


def pause_mail(game: UUID, seat: int, what: Literal["proposed", "begun", "ended"], until: int, version: int) -> Notice:
    """Return the notice that tells a seat of a pause until an instant, in milliseconds since 1970.

    `version` is that of the game after the event that the mail tells of.
    """
    return Notice("pause", f"pause:{game}:{version}:{seat}", {"seat": seat, "what": what, "until": until})


def pause_end(game: UUID, until: int) -> Notice:
    """Return the notice that the pause of a game ends at an instant, in milliseconds since 1970."""
    return Notice("pause-end", f"pause-end:{game}:{until}", {"until": until}, at=until)


def take_back_mail(game: UUID, seat: int, first: int, version: int) -> Notice:
    """Return the notice that tells a seat of a request to take back the action that begins with event `first`.

    `version` is that of the game when the request was made.
    """
    return Notice("take-back", f"take-back:{game}:{first}:{version}:{seat}", {"seat": seat, "first": first})


def absence(player: UUID, at: int) -> Notice:
    """Return the notice that an absence of a player begins, ends or was changed at an instant (ms since 1970)."""
    return Notice("absence", f"absence:{player}:{at}", {"player": str(player), "at": at}, at=at)


def invitation(invitation_id: UUID) -> Notice:
    """Return the notice that an invitation has to be mailed."""
    return Notice("invitation", f"invitation:{invitation_id}", {"invitation": str(invitation_id)})


def challenge(challenge_id: UUID, player: UUID) -> Notice:
    """Return the notice that a player is to be told of a challenge to them."""
    return Notice("challenge", f"challenge:{challenge_id}", {"challenge": str(challenge_id), "player": str(player)})


def played(game: UUID) -> Notice:
    """Return the notice that what a finished game counts for its players is to be kept."""
    return Notice("played", f"played:{game}", {})


def friend_request(friendship: UUID, player: UUID) -> Notice:
    """Return the notice that a player is to be told of a request to be friends."""
    payload = {"friendship": str(friendship), "player": str(player)}
    return Notice("friend-request", f"friend-request:{friendship}", payload)


def seat_request(game: UUID, request: UUID, seat: int) -> Notice:
    """Return the notice that tells a seat of a request for another seat of the game."""
    return Notice("seat-request", f"seat-request:{request}:{seat}", {"seat": seat, "request": str(request)})


def confirmation(request: UUID, player: UUID) -> Notice:
    """Return the notice that a player's address is to be asked whether it wants our mails."""
    return Notice("confirmation", f"confirmation:{request}", {"player": str(player)})


def reply_address(address: UUID, player: UUID, day: date) -> Notice:
    """Return the notice that a further address of a player's is to be asked whether mails from it are theirs."""
    return Notice("reply-address", f"reply-address:{address}:{day}", {"address": str(address), "player": str(player)})


def reply(mail_id: int) -> Notice:
    """Return the notice that a mail which has come in is to be read and answered."""
    return Notice("reply", f"reply:{mail_id}", {"mail": mail_id})


def sign_in(sign_in_id: UUID) -> Notice:
    """Return the notice that a person waits for a link to sign in with."""
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
"""What outlives the session by which it was made, and is told to the owner of the account by mail."""


def account_changed(player: UUID, what: AccountChange, about: object, **more: Any) -> Notice:
    """Return the notice that tells a player of what was made, taken or ended in their account.

    It is told once for what it is `about`. `more` is the `grant` of an app, or the `farewell` of a deleted account.
    """
    return Notice("account-changed", f"{what}:{about}", {"player": str(player), "what": what, **more})


def trial(trial_id: UUID, player: UUID) -> Notice:
    """Return the notice that a player wants to see whether mails arrive."""
    return Notice("trial", f"trial:{trial_id}", {"player": str(player)})


def digest(player: UUID, day: date) -> Notice:
    """Return the notice that a player is to be told of everything at once, on a day of their own calendar."""
    return Notice("digest", f"digest:{player}:{day}", {"player": str(player)})


def fresh_link(digest: str, window: int) -> Notice:
    """Return the notice that the player with the link of this digest (hex) asks for a fresh one; one in each window."""
    return Notice("fresh-link", f"fresh-link:{digest}:{window}", {"link": digest})


def webhooks(game: UUID, version: int, happened: Mapping[str, Any]) -> Notice:
    """Return the notice that a game's webhooks are to be told of the step to a version; nothing hidden in it."""
    return Notice("webhooks", f"webhooks:{game}:{version}", {"game": str(game), "version": version, **happened})


def analysis(game: UUID, head: str | None, version: int) -> Notice:
    """Return the notice that a finished game is to be analysed, by a version of the analysis."""
    return Notice("analysis", f"analysis:{game}:{head}:{version}", {})


# What the outbox is told about leagues and tournaments: a notice for each kind of effect.


def season_notice(competition: UUID, until: datetime) -> Notice:
    """Return the notice that entry into a season ends at a moment, and the season begins."""
    at = milliseconds(until)
    return Notice("season", f"season:{competition}:{at}", {"competition": str(competition), "until": at})


def entry_closing(competition: UUID, until: datetime) -> Notice:
    """Return the notice that the players of the season before are to be reminded of the end of entry."""
    at = milliseconds(until)
    return Notice("entry-closing", f"entry-closing:{competition}:{at}", {"competition": str(competition), "until": at})


def entry_reminder(competition: UUID, player: UUID) -> Notice:
    """Return the notice that a player has not entered a season whose entry ends soon."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("entry-reminder", f"entry-reminder:{competition}:{player}", told)


def pairing(pairing_id: UUID) -> Notice:
    """Return the notice that the game of a pairing is to be made."""
    return Notice("pairing", f"pairing:{pairing_id}", {"pairing": str(pairing_id)})


def counted(game: UUID) -> Notice:
    """Return the notice that a game of a competition is over, and counts there."""
    return Notice("counted", f"counted:{game}", {})


def competition_begun(competition: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player of the first game of a competition."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("competition-begun", f"competition-begun:{competition}:{player}", told)


def competition_over(competition: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player how a competition has ended."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("competition-over", f"competition-over:{competition}:{player}", told)


def tournament_invited(competition: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player, once, that the host of a tournament invites them."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("tournament-invited", f"tournament-invited:{competition}:{player}", told)
