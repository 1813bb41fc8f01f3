"""The player's own nonce for the shuffles and dice of a game, which a script draws in the browser."""

from __future__ import annotations

from flask import request
from marshmallow import ValidationError
from werkzeug.exceptions import BadRequest

from schemas.lobby import OwnNonce

_OWN = OwnNonce()


def own_nonce() -> str | None:
    """Return the `nonce` of the form, or None if no script has drawn one; BadRequest if it is malformed."""
    sent = request.form.get("nonce", "")
    try:
        drawn: str | None = _OWN.load({"nonce": sent} if sent else {}).get("nonce")
    except ValidationError as error:
        raise BadRequest from error
    return drawn
