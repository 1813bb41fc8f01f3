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

    game = fields.UUID()
    text = fields.String()
    at = fields.DateTime()


class OrderKept(Answer):
    """A move that the player has given ahead."""

    game = fields.UUID()
    action = fields.Dict()
    conditions = fields.List(fields.Nested(Condition))
    given_at = fields.DateTime()


class RemarkKept(Remark):
    """A remark of the player at a table."""

    game = fields.UUID()


class ReplyKept(Answer):
    """A mail reply of the last fourteen days; the mail itself is stored encrypted, and is not part of the export."""

    game = fields.UUID()
    at = fields.DateTime()
    outcome = fields.String(
        allow_none=True, metadata={"description": "What came of it; null while it is not read yet."}
    )


class Outcomes(Answer):
    """The numbers of deliveries to a webhook by state, of those that are still listed."""

    pending = fields.Integer()
    delivered = fields.Integer()
    failed = fields.Integer()
    skipped = fields.Integer()


class WebhookKept(Webhook):
    """A webhook of the player, without its secrets."""

    deliveries = fields.Nested(Outcomes)


class InvitationKept(Answer):
    """An invitation, revoked or not."""

    id = fields.UUID()
    game = fields.UUID()
    created_at = fields.DateTime()
    expires_at = fields.DateTime()
    revoked_at = fields.DateTime(allow_none=True)


class InvitationGiven(InvitationKept):
    """An invitation from the player: to an address, to a player, or, with neither, by a link."""

    email = fields.String(allow_none=True)
    player = fields.String(allow_none=True, metadata={"description": "The name of the player."})


class InvitationGot(InvitationKept):
    """An invitation to the player; `host` is the name of the player who invites."""

    host = fields.String()


class GameCounted(Answer):
    """What a game that is over counts on the player's profile.

    `waits` are the seconds to each answer, `sources` the player's points by what they were made with.
    """

    game = fields.UUID()
    place = fields.Integer(allow_none=True)
    won = fields.Boolean()
    left = fields.Boolean()
    points = fields.Integer(allow_none=True)
    moves = fields.Integer()
    asked = fields.Integer()
    lapsed = fields.Integer()
    waits = fields.List(fields.Integer())
    sources = fields.Dict(keys=fields.String(), values=fields.Integer(), allow_none=True)


class SeatLeft(Answer):
    """A seat of a game that the player has left to another person, with the event `until`."""

    game = fields.UUID()
    seat = fields.Integer()
    joined_at = fields.DateTime()
    left_at = fields.DateTime()
    until = fields.Integer()


class SeatRequestKept(Answer):
    """A request of the player's for a seat of a running game."""

    game = fields.UUID()
    seat = fields.Integer()
    created_at = fields.DateTime()
    answer = fields.String(allow_none=True, metadata={"description": "`agreed` or `declined`; null while it is open."})


class PasskeyKept(Answer):
    """A passkey of the player's, without its keys."""

    id = fields.UUID()
    name = fields.String()
    created_at = fields.DateTime()
    last_used_at = fields.DateTime(allow_none=True)
    copied_at = fields.DateTime(
        allow_none=True,
        metadata={"description": "When its counter ran backwards, since when it signs nobody in; null for all others."},
    )


class HandleReleased(Answer):
    """A handle that the player gave back within the last year."""

    skeleton = fields.String(
        metadata={"description": "What it looks like: `0` is `o`, `1` and `i` are `l`, `m` is `rn`."}
    )
    released_at = fields.DateTime()


class OperatorAct(Answer):
    """What an operator has done to the account or its address, and why."""

    at = fields.DateTime()
    act = fields.String(metadata={"description": "In one word, such as `blocked`."})
    reason = fields.String(metadata={"description": "Empty for what an operator does to their own account."})
    text = fields.String()


class Export(Answer):
    """All data kept about the player; each game as the player may see it."""

    account = fields.Nested(Player)
    tokens = fields.List(fields.Nested(TokenKept))
    former_handles = fields.List(fields.Nested(HandleReleased))
    passkeys = fields.List(fields.Nested(PasskeyKept))
    bots = fields.List(fields.Nested(Bot))
    apps = fields.List(fields.Nested(AppListed))
    grants = fields.List(fields.Nested(Grant))
    games = fields.List(fields.Nested(Table))
    left = fields.List(fields.Nested(SeatLeft))
    seat_requests = fields.List(fields.Nested(SeatRequestKept))
    notes = fields.List(fields.Nested(NoteKept))
    orders = fields.List(fields.Nested(OrderKept))
    talk = fields.List(fields.Nested(RemarkKept))
    replies = fields.List(fields.Nested(ReplyKept))
    mail = fields.Nested(Mail)
    absences = fields.List(fields.Nested(Absence))
    webhooks = fields.List(fields.Nested(WebhookKept))
    channels = fields.List(fields.Nested(Channel))
    calendar = fields.Nested(CalendarShown)
    reply_addresses = fields.List(fields.Nested(ReplyAddress))
    operator_acts = fields.List(fields.Nested(OperatorAct))
    reports = fields.List(fields.Nested(Report))
    deals = fields.List(fields.Nested(TriedDay))
    challenges = fields.List(fields.Nested(Challenge))
    ratings = fields.List(fields.Nested(PlayerRating))
    competitions = fields.List(fields.Nested(EnteredCompetition))
    counted = fields.List(fields.Nested(GameCounted))
    friends = fields.List(fields.Nested(Friend))
    blocks = fields.List(fields.Nested(ListedPlayer))
    ignored = fields.List(fields.Nested(ListedPlayer))
    invitations = fields.List(fields.Nested(InvitationGiven))
    invited = fields.List(fields.Nested(InvitationGot))
