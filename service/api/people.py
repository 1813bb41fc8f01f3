"""Accounts, profiles, friends, blocked and ignored players, reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response

from schemas.access import SignInUsed
from schemas.people import (
    REPORT_FIELDS,
    Confirmed,
    Entered,
    Export,
    Friends,
    ListedPlayers,
    Me,
    NewPlayer,
    NewReport,
    OtherPlayer,
    PlayersWanted,
    Profile,
    ProfileChanged,
    Registered,
    ReportMade,
    Reports,
    ReportsWanted,
)
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime, token
from service.api.conditional import tagged
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers import delete_account, people
from service.handlers.idempotency import Receipt
from service.handlers.people import Arrival, BySeat, PlayerRef, change_player, register_player
from service.handlers.refusals import BotsMayNot
from service.handlers.reports import Complaint, complain, complain_of_profile, complain_of_tournament
from service.handlers.sign_in import tie
from service.handlers.tell_owner import tell_of_export
from service.handlers.transaction import transaction
from service.http.limits import budget, limits
from service.http.request import spoken_language
from service.http.responses import PRIVATE, as_json, at_creation, at_moment, no_content, paged
from service.shared import clock
from service.shared.refusal import Invalid
from service.store.access import PlayerRow
from service.texts.names import display_name
from service.views import people as views
from service.views.account import account_row, profile, token_known
from service.views.export import export
from service.views.pages import TOP, PageWanted
from service.views.people import MOST, Kind, profile_by_handle, reports_by

# Players: guests are created, and the asking player's own account.

players = Resource("players", __name__, description="Who plays.")
guard(players)


@players.operation(
    "/players",
    Answers(status=201, schema=Registered, headers={"Location": "Where the player is found."}),
    method="POST",
    public=True,
    bucket="players",
    json=NewPlayer,
)
def create_player(posted: dict[str, Any]) -> Response:
    """Create a player without signing in: a guest.

    The token in the answer is shown only this once. With `email` a mail goes there that asks whether it is the
    player's: no other does before somebody there has said so. One that was asked within the last 30 days, for whomever,
    is not asked again. Signing in with the address leads to an account of its own, unless one ties it to this one
    (POST /me/email), which confirms it, too.
    """
    name, email, zone = posted["name"], posted.get("email"), posted.get("time_zone", "UTC")
    arrival = Arrival(posted.get("language") or spoken_language(), name, zone, email)
    player_id, text = register_player(runtime().games, arrival, clock.now(), budget())
    made = PlayerRow(player_id, name, email, arrival.language, False, zone, None, None)
    answer = as_json({**profile(made), "token": text}, 201)
    answer.headers["Location"] = f"{PREFIX}/me"
    return answer


@players.operation("/me", Answers(schema=Me), scope="profile:read")
def get_me() -> Response:
    """Show whose token it is, what it is good for, and where the account stands with the limits."""
    return _me(player())


@players.operation(
    "/me", Answers(schema=Me), method="PATCH", refuses=(409,), scope="profile:write", json=ProfileChanged
)
def update_me(posted: dict[str, Any]) -> Response:
    """Change one's name, handle, language, time zone, who sees one's profile, or whether pages ask twice.

    What is not sent stays. No two handles look alike: `0` counts as `o`, `1` and `i` as `l`, `m` as `rn`, and `w` as
    `vv`. One that is given back or changed is kept for its former owner for a year, leads nowhere, and may be changed
    three times in 30 days.
    """
    change_player(runtime().games, player().id, posted, clock.now())
    return _me(replace(player(), **posted))


@players.operation(
    "/me/email", Answers(schema=Me), method="POST", refuses=(404, 409), scope="profile:write", json=SignInUsed
)
def tie_email(posted: dict[str, Any]) -> Response:
    """Use the link of a mail up to give its address to one's own account, if that is a guest's.

    Ask for the mail with POST /sign-in. From then on signing in with the address leads to this account: name, games and
    tokens stay, and mails go there. It is refused where the address has an account already, or one's own has an address
    with which one signs in; then the link still works. If the answer gets lost, GET /me tells whether it was done.
    """
    arrival = Arrival(player().language, zone=posted.get("time_zone"))
    tie(runtime().games, posted["sign_in"], player(), arrival, clock.now())
    with transaction(runtime().games.engine) as db:
        return _me(account_row(db, player().id))


@players.operation("/me", Answers(status=204), method="DELETE", scope="profile:write", json=Confirmed)
def delete_me(posted: dict[str, Any]) -> Response:
    """Delete one's account, with its bots; only a person may, and not a bot.

    Name, address, tokens, links, webhooks and notes are gone for good, those of the bots as well. The games stay whole:
    others see a former player there, and what one has said at a table stays to be read by those who sit there. Seats in
    open games become free; an open game of one's own goes to the next player in it, or is cancelled where there is
    none. Running games are given up, as by `POST /games/{game_id}/resignation`: where the table says so, or only one
    player is left, the game ends, else the others play on. All of it happens, or nothing.
    """
    if player().owner is not None:
        raise BotsMayNot
    if posted["confirm"] not in {player().name, display_name(player().name, player().language)}:
        raise Invalid(errors=[{"pointer": "/confirm", "detail": "Not the name of this account."}])
    delete_account.delete_account(runtime().games, player().id, "api", clock.now())
    return Response(status=204, headers=PRIVATE)


@players.operation(
    "/me/export", Answers(schema=Export), scope="profile:read games:read games:create webhooks:manage account:read"
)
def export_me() -> Response:
    """Show all that is kept about oneself.

    That is the profile, tokens, revoked ones too, and webhooks, both without their secrets, bots, apps that one has
    registered and those that may act for one, games as one sees them, notes, what one has said at tables, wishes about
    mails, absences, invitations given and received, and challenges. What is kept about a bot its own token shows.
    """
    with transaction(runtime().games.engine) as db:
        kept = export(db, runtime().games, player(), runtime().settings.mail_delay, clock.now())
    if not runtime().mode.read_only:
        tell_of_export(runtime().games, player().id, clock.now())
    return as_json(kept)


def _me(asking: PlayerRow) -> Response:
    allowances = [
        {
            "bucket": each.limit.bucket,
            "quota": each.limit.quota,
            "window": each.limit.window,
            "left": each.left,
            "reset": each.reset,
        }
        for each in limits().of_account(asking.id)
    ]
    known = {**profile(asking), "token": token_known(token())}
    # This very request counts for the limits: with them, nothing would ever be as it was.
    return tagged(as_json({**known, "limits": allowances}), known)


# Profiles: what others may see of a player, found by the handle.

profiles = Resource("profiles", __name__, description="What others may see of a player.")
guard(profiles)


@profiles.operation(
    "/players/<handle>",
    Answers(schema=Profile),
    refuses=(404,),
    scope="profile:read",
)
def get_player(handle: str) -> Response:
    """Show the profile of the player with a handle, as far as the player allows.

    A hidden profile is found by nobody but its owner, and one for friends by them: to others the answer is the same as
    for a handle that nobody has.
    """
    asking = player()
    with transaction(runtime().games.engine) as db:
        return as_json(profile_by_handle(db, runtime().games.rulesets, asking.id, handle, asking.language))


# A player's own lists of others: friends, blocked players, and ignored ones.

acquaintances = Resource("acquaintances", __name__, description="Friends, blocked players, and ignored ones.")
guard(acquaintances)

PAGE = 20


@acquaintances.operation(
    "/me/friends",
    Answers(status=201, schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    bucket="games",
    json=OtherPlayer,
)
def create_friend(posted: dict[str, Any]) -> Response:
    """Ask another person to be a friend, once or again; who was asked by that person accepts.

    Friends see a profile that is for friends. A person gets one mail about a request, which counts among the mails that
    one may cause in a day (`mails` in GET /limits). At most 20 requests wait for an answer; after one that was declined
    or withdrawn the next to the same player is possible in 30 days.
    """
    asked = people.ask_friend(runtime().games, player().id, _whom(posted), clock.now(), budget())
    return as_json({"id": str(asked.id)}, 201, PRIVATE)


@acquaintances.operation("/me/friends", Answers(schema=Friends), scope="account:read", query=PlayersWanted)
def list_friends(wanted: dict[str, Any]) -> Response:
    """List one's friends, and the requests that wait for an answer, the newest first."""
    return _listed("friends", wanted)


@acquaintances.operation(
    "/me/friends/<uuid:friend_id>/acceptance",
    Answers(schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
)
def accept_friend(friend_id: UUID) -> Response:
    """Accept a request to be a friend, once or again."""
    accepted = people.accept_friend(runtime().games, friend_id, player().id, clock.now())
    return as_json({"id": str(accepted.id)})


@acquaintances.operation(
    "/me/friends/<uuid:friend_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_friend(friend_id: UUID) -> Response:
    """End a friendship, decline a request, or withdraw one's own. The other person is not told."""
    people.unfriend(runtime().games, friend_id, player().id, clock.now())
    return no_content()


@acquaintances.operation(
    "/me/blocks",
    Answers(status=201, schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    json=OtherPlayer,
)
def create_block(posted: dict[str, Any]) -> Response:
    """Block another player, once or again.

    The two come to no new table together, on no way. What the other one says at common tables is not shown or mailed to
    oneself any more, and no mail is caused by the other one. What one of the two has asked the other comes to nothing.
    Tables at which both sit go on. The other one is not told, and a refusal says no more than it would otherwise.
    """
    made = people.block_player(runtime().games, player().id, _whom(posted), clock.now())
    return as_json({"id": str(made)}, 201, PRIVATE)


@acquaintances.operation("/me/blocks", Answers(schema=ListedPlayers), scope="account:read", query=PlayersWanted)
def list_blocks(wanted: dict[str, Any]) -> Response:
    """List the players whom one blocks, the newest first."""
    return _listed("blocks", wanted)


@acquaintances.operation(
    "/me/blocks/<uuid:block_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_block(block_id: UUID) -> Response:
    """End a block."""
    people.unblock_player(runtime().games, player().id, block_id)
    return no_content()


@acquaintances.operation(
    "/me/ignored",
    Answers(status=201, schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    json=OtherPlayer,
)
def create_ignored(posted: dict[str, Any]) -> Response:
    """Ignore another player, once or again: what that player says at tables is neither shown nor mailed to oneself.

    The player is not told.
    """
    made = people.ignore_player(runtime().games, player().id, _whom(posted), clock.now())
    return as_json({"id": str(made)}, 201, PRIVATE)


@acquaintances.operation("/me/ignored", Answers(schema=ListedPlayers), scope="account:read", query=PlayersWanted)
def list_ignored(wanted: dict[str, Any]) -> Response:
    """List the players whom one ignores, the newest first."""
    return _listed("ignored", wanted)


@acquaintances.operation(
    "/me/ignored/<uuid:ignored_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_ignored(ignored_id: UUID) -> Response:
    """Be shown again what a player says whom one has ignored."""
    people.unignore_player(runtime().games, player().id, ignored_id)
    return no_content()


def _whom(posted: dict[str, Any]) -> PlayerRef:
    return posted["handle"] if "handle" in posted else BySeat(posted["game"], posted["seat"])


def _listed(kind: Kind, wanted: dict[str, Any]) -> Response:
    limit, asking = wanted.get("limit", PAGE), player()
    asked = PageWanted(limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views.list_acquaintances(db, kind, asking.id, asked)
    return as_json(paged(found, limit, at_creation, lambda row: views.shown_player(row, asking)))


# Reports to those who run the service: a remark at a table, a name, a profile, or the title of a tournament.

reports = Resource("reports", __name__, description="What players report to those who run the service.")
guard(reports)


@reports.operation(
    "/reports",
    Answers(status=201, schema=ReportMade, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=NewReport,
    headers=Idempotency,
)
def create_report(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Report a remark where one sits, a name at a table that one may see, a profile, or the title of a tournament.

    Those who run the service see what is reported as it is at this moment, and who reports it; nobody else learns of
    it. Their answer stands in the list of one's reports.
    """
    games, asking, now = runtime().games, player().id, clock.now()
    words, about = posted["text"], posted["about"]
    first, *then = (posted[each] for each in REPORT_FIELDS[about])
    asked = [str(first), about, *then, words]

    def make(receipt: Receipt[UUID] | None) -> UUID:
        if about == "profile":
            return complain_of_profile(games, asking, first, words, now, receipt)
        if about == "tournament":
            return complain_of_tournament(games, asking, first, words, now, receipt)
        return complain(games, asking, Complaint(first, about, then[0], words), now, receipt)

    shown, headers = once("create-report", header, asked, make, lambda made: {"id": str(made)})
    return as_json(shown, 201, {**PRIVATE, **headers})


@reports.operation("/reports", Answers(schema=Reports), scope="games:read", query=ReportsWanted)
def list_reports(wanted: dict[str, Any]) -> Response:
    """List one's reports, the newest first, with their answers."""
    limit = wanted.get("limit", MOST)
    with transaction(runtime().games.engine) as db:
        found = reports_by(db, player().id, wanted.get("after", TOP), limit + 1)
    return as_json(paged(found, limit, at_moment("created_at")))
