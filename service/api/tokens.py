"""Tokens, and the bots that have tokens of their own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import Response

from schemas.access import BotMade, BotsListed, NewBot, NewToken, TokenMade, TokensListed
from schemas.play import Idempotency
from service.api.auth import guard, identity, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import once_with_secret
from service.handlers.farewell import dismiss
from service.handlers.idempotency import Receipt
from service.handlers.players import create_bot as make_bot
from service.handlers.tokens import TokenTerms, create, require_bot, revoke
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.access import TokenKind, TokenRow
from service.views.account import bot, bots_of, token_listed, tokens_of

tokens = Resource("tokens", __name__, description="What programs show to be let in, and for what.")
bots = Resource("bots", __name__, description="Players that are programs, and belong to a player.")
guard(tokens)
guard(bots)


@tokens.operation(
    "/tokens",
    Answers(status=201, schema=TokenMade),
    method="POST",
    refuses=(409,),
    scope="profile:write",
    json=NewToken,
    headers=Idempotency,
)
def create_token(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Make a token; its text is shown only this once. It can have no scope that the asking token lacks.

    A repeated Idempotency-Key makes no second one, and is refused as `/problems/secret-shown`.
    """
    return _made("create-token", posted, header)


@tokens.operation("/tokens", Answers(schema=TokensListed), scope="account:read")
def list_tokens() -> Response:
    """List one's tokens, the newest first."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": tokens_of(db, player().id)})


@tokens.operation(
    "/tokens/<uuid:token_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_token(token_id: UUID) -> Response:
    """Revoke a token of one's own; it is refused from now on."""
    return _gone(revoke(runtime().games, player().id, token_id, clock.now()))


@bots.operation(
    "/bots",
    Answers(status=201, schema=BotMade),
    method="POST",
    refuses=(409,),
    scope="profile:write",
    json=NewBot,
    headers=Idempotency,
)
def create_bot(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Make a bot: a player that is a program, and is shown as such with its owner's name.

    Its token, which has the scopes of the asking one, is shown only this once; if it gets lost, POST
    /bots/{id}/tokens makes another. A bot has no address and no bots. A repeated Idempotency-Key makes no second one,
    and is refused as `/problems/secret-shown`.
    """
    games, asking, now = runtime().games, identity(), clock.now()

    def make(receipt: Receipt[tuple[UUID, str]] | None) -> tuple[UUID, str]:
        return make_bot(games, asking, posted["name"], now, receipt)

    bot_id, text = once_with_secret("create-bot", header, posted, make, lambda made: made[0])
    return as_json({**bot(bot_id, posted["name"], now), "token": text}, 201)


@bots.operation("/bots", Answers(schema=BotsListed), scope="account:read")
def list_bots() -> Response:
    """List one's bots, the newest first."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": bots_of(db, player().id)})


@bots.operation("/bots/<uuid:bot_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write")
def delete_bot(bot_id: UUID) -> Response:
    """Delete a bot of one's own, as an account is deleted; it gives up its running games."""
    return _gone(dismiss(runtime().games, player().id, bot_id, "api", clock.now()))


@bots.operation(
    "/bots/<uuid:bot_id>/tokens",
    Answers(status=201, schema=TokenMade),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    json=NewToken,
    headers=Idempotency,
)
def create_bot_token(posted: dict[str, Any], header: dict[str, Any], bot_id: UUID) -> Response:
    """Make another token for a bot of one's own, as POST /tokens makes one for oneself."""
    return _made("create-bot-token", posted, header, bot_id)


@bots.operation("/bots/<uuid:bot_id>/tokens", Answers(schema=TokensListed), refuses=(404,), scope="account:read")
def list_bot_tokens(bot_id: UUID) -> Response:
    """List the tokens of a bot of one's own, the newest first."""
    with transaction(runtime().games.engine) as db:
        require_bot(db, player().id, bot_id)
        return as_json({"items": tokens_of(db, bot_id)})


@bots.operation(
    "/bots/<uuid:bot_id>/tokens/<uuid:token_id>",
    Answers(status=204),
    method="DELETE",
    refuses=(404,),
    scope="profile:write",
)
def delete_bot_token(bot_id: UUID, token_id: UUID) -> Response:
    """Revoke a token of a bot of one's own; it is refused from now on, and the bot stays."""
    return _gone(revoke(runtime().games, player().id, token_id, clock.now(), bot_id))


def _made(operation: str, posted: dict[str, Any], header: dict[str, Any], bot_id: UUID | None = None) -> Response:
    """Make a token of the asking player, or of a bot of theirs, and show it."""
    games, asking, now, days = runtime().games, identity(), clock.now(), posted.get("expires_in_days")
    expires_at = None if days is None else now + timedelta(days=days)
    wanted = TokenTerms(posted["label"], posted["scopes"], expires_at)

    def make(receipt: Receipt[tuple[TokenRow, str]] | None) -> tuple[TokenRow, str]:
        return create(games, asking, wanted, now, receipt, bot_id)

    asked = posted if bot_id is None else [str(bot_id), posted]
    kind: TokenKind = "bot" if bot_id is not None or player().owner is not None else "personal"
    row, text = once_with_secret(operation, header, asked, make, lambda made: made[0].id)
    return as_json({**token_listed(row, kind, text[-4:], now, None), "token": text}, 201)


def _gone(found: bool) -> Response:
    if not found:
        raise NotFound
    return Response(status=204, headers=PRIVATE)
