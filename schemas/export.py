"""Schemas of the export of an account."""

from __future__ import annotations

from marshmallow import fields

from schemas.absences import Absence
from schemas.accounts import Bot, TokenKept
from schemas.acquaintances import Friend, ListedPlayer
from schemas.answer import Answer
from schemas.apps import AppListed, Grant
from schemas.challenges import Challenge
from schemas.channels import CalendarShown, Channel
from schemas.deals import TriedDay
from schemas.follow import Remark
from schemas.leaderboards import PlayerRating
from schemas.leagues import EnteredCompetition
from schemas.lobby import Player
from schemas.mail import Mail, ReplyAddress
from schemas.orders import Condition
from schemas.play import Table
from schemas.reports import Report
from schemas.webhooks import Webhook


class NoteKept(Answer):
    """The player's own notes on a game."""

    game = fields.UUID(required=True)
    text = fields.String(required=True)
    at = fields.DateTime(required=True)


class OrderKept(Answer):
    """A move that the player has given ahead."""

    game = fields.UUID(required=True)
    action = fields.Dict(required=True)
    conditions = fields.List(fields.Nested(Condition), required=True)
    given_at = fields.DateTime(required=True)


class RemarkKept(Remark):
    """A remark of the player at a table."""

    game = fields.UUID(required=True)


class ReplyKept(Answer):
    """A mail reply of the last fourteen days; the mail itself is stored encrypted, and is not part of the export."""

    game = fields.UUID(required=True)
    at = fields.DateTime(required=True)
    outcome = fields.String(
        required=True, allow_none=True, metadata={"description": "What came of it; null while it is not read yet."}
    )


class Outcomes(Answer):
    """The numbers of deliveries to a webhook by state, of those that are still listed."""

    pending = fields.Integer(required=True)
    delivered = fields.Integer(required=True)
    failed = fields.Integer(required=True)
    skipped = fields.Integer(required=True)


class WebhookKept(Webhook):
    """A webhook of the player, without its secrets."""

    deliveries = fields.Nested(Outcomes, required=True)


class InvitationKept(Answer):
    """An invitation, revoked or not."""

    id = fields.UUID(required=True)
    game = fields.UUID(required=True)
    created_at = fields.DateTime(required=True)
    expires_at = fields.DateTime(required=True)
    revoked_at = fields.DateTime(required=True, allow_none=True)


class InvitationGiven(InvitationKept):
    """An invitation from the player: to an address, to a player, or, with neither, by a link."""

    email = fields.String(required=True, allow_none=True)
    player = fields.String(required=True, allow_none=True, metadata={"description": "The name of the player."})


class InvitationGot(InvitationKept):
    """An invitation to the player; `host` is the name of the player who invites."""

    host = fields.String(required=True)


class GameCounted(Answer):
    """What a game that is over counts on the player's profile.

    `waits` are the seconds to each answer, `sources` the player's points by what they were made with.
    """

    game = fields.UUID(required=True)
    place = fields.Integer(required=True, allow_none=True)
    won = fields.Boolean(required=True)
    left = fields.Boolean(required=True)
    points = fields.Integer(required=True, allow_none=True)
    moves = fields.Integer(required=True)
    asked = fields.Integer(required=True)
    lapsed = fields.Integer(required=True)
    waits = fields.List(fields.Integer(), required=True)
    sources = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, allow_none=True)


class SeatLeft(Answer):
    """A seat of a game that the player has left to another person, with the event `until`."""

    game = fields.UUID(required=True)
    seat = fields.Integer(required=True)
    joined_at = fields.DateTime(required=True)
    left_at = fields.DateTime(required=True)
    until = fields.Integer(required=True)


class SeatRequestKept(Answer):
    """A request of the player's for a seat of a running game."""

    game = fields.UUID(required=True)
    seat = fields.Integer(required=True)
    created_at = fields.DateTime(required=True)
    answer = fields.String(
        required=True, allow_none=True, metadata={"description": "`agreed` or `declined`; null while it is open."}
    )


class PasskeyKept(Answer):
    """A passkey of the player's, without its keys."""

    id = fields.UUID(required=True)
    name = fields.String(required=True)
    created_at = fields.DateTime(required=True)
    last_used_at = fields.DateTime(required=True, allow_none=True)
    copied_at = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={"description": "When its counter ran backwards, since when it signs nobody in; null for all others."},
    )


class HandleReleased(Answer):
    """A handle that the player gave back within the last year."""

    skeleton = fields.String(
        required=True, metadata={"description": "What it looks like: `0` is `o`, `1` and `i` are `l`, `m` is `rn`."}
    )
    released_at = fields.DateTime(required=True)


class OperatorAct(Answer):
    """What an operator has done to the account or its address, and why."""

    at = fields.DateTime(required=True)
    act = fields.String(required=True, metadata={"description": "In one word, such as `blocked`."})
    reason = fields.String(
        required=True, metadata={"description": "Empty for what an operator does to their own account."}
    )
    text = fields.String(required=True)


class Export(Answer):
    """All data kept about the player; each game as the player may see it."""

    account = fields.Nested(Player, required=True)
    tokens = fields.List(fields.Nested(TokenKept), required=True)
    former_handles = fields.List(fields.Nested(HandleReleased), required=True)
    passkeys = fields.List(fields.Nested(PasskeyKept), required=True)
    bots = fields.List(fields.Nested(Bot), required=True)
    apps = fields.List(fields.Nested(AppListed), required=True)
    grants = fields.List(fields.Nested(Grant), required=True)
    games = fields.List(fields.Nested(Table), required=True)
    left = fields.List(fields.Nested(SeatLeft), required=True)
    seat_requests = fields.List(fields.Nested(SeatRequestKept), required=True)
    notes = fields.List(fields.Nested(NoteKept), required=True)
    orders = fields.List(fields.Nested(OrderKept), required=True)
    talk = fields.List(fields.Nested(RemarkKept), required=True)
    replies = fields.List(fields.Nested(ReplyKept), required=True)
    mail = fields.Nested(Mail, required=True)
    absences = fields.List(fields.Nested(Absence), required=True)
    webhooks = fields.List(fields.Nested(WebhookKept), required=True)
    channels = fields.List(fields.Nested(Channel), required=True)
    calendar = fields.Nested(CalendarShown, required=True)
    reply_addresses = fields.List(fields.Nested(ReplyAddress), required=True)
    operator_acts = fields.List(fields.Nested(OperatorAct), required=True)
    reports = fields.List(fields.Nested(Report), required=True)
    deals = fields.List(fields.Nested(TriedDay), required=True)
    challenges = fields.List(fields.Nested(Challenge), required=True)
    ratings = fields.List(fields.Nested(PlayerRating), required=True)
    competitions = fields.List(fields.Nested(EnteredCompetition), required=True)
    counted = fields.List(fields.Nested(GameCounted), required=True)
    friends = fields.List(fields.Nested(Friend), required=True)
    blocks = fields.List(fields.Nested(ListedPlayer), required=True)
    ignored = fields.List(fields.Nested(ListedPlayer), required=True)
    invitations = fields.List(fields.Nested(InvitationGiven), required=True)
    invited = fields.List(fields.Nested(InvitationGot), required=True)
