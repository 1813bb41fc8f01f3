"""The Idempotency-Key of requests that create something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from service.api.auth import player
from service.handlers.idempotency import Receipt, Repeated
from service.handlers.refusals import SecretShown
from service.http.responses import as_text_of_json
from service.store.idempotency import IdempotencyKey, IdempotentRequest

Done = TypeVar("Done")
Shown = dict[str, Any]

REPLAYED = {"Idempotency-Replayed": "`true` when the answer is that of an earlier request with the same key."}
REPEATED = {"Idempotency-Replayed": "true"}
"""The header of such an answer."""


def once(
    operation: str,
    header: Mapping[str, Any],
    asked: Any,
    do: Callable[[Receipt[Done] | None], Done],
    show: Callable[[Done], Shown],
) -> tuple[Shown, dict[str, str]]:
    """Carry a request out once, or return its stored answer if its key was used before; return answer and headers.

    `asked` (JSON types) identifies the request among those of the operation; the result of `show` must hold no token.
    """
    try:
        return show(do(_receipt(operation, header, asked, show))), {}
    except Repeated as repeated:
        return msgspec.json.decode(repeated.answer), REPEATED


def once_with_secret(
    operation: str,
    header: Mapping[str, Any],
    asked: Any,
    do: Callable[[Receipt[Done] | None], Done],
    name: Callable[[Done], UUID],
) -> Done:
    """Carry a request out once, as `once`, whose answer holds a secret; return its result.

    Secrets are not stored, so they cannot be shown again: SecretShown if the key was used before. `name` returns the id
    of the object that the secret belongs to.
    """
    try:
        return do(_receipt(operation, header, asked, lambda done: {"of": str(name(done))}))
    except Repeated as repeated:
        raise SecretShown(**msgspec.json.decode(repeated.answer)) from repeated


def _receipt(
    operation: str, header: Mapping[str, Any], asked: Any, show: Callable[[Done], Shown]
) -> Receipt[Done] | None:
    key = header.get("key")
    if key is None:
        return None
    digest = sha256(msgspec.json.encode(asked, order="deterministic")).digest()
    request = IdempotentRequest(IdempotencyKey(player().id, key, operation), digest)
    return Receipt(request, lambda done: as_text_of_json(show(done)))
