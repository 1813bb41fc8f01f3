"""Requests that create something, made harmless to repeat by an Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from service.api.answers import as_text_of_json
from service.api.auth import player
from service.handlers.receipts import Receipt, Repeated
from service.store.idempotency import IdempotencyKey, Request

Done = TypeVar("Done")
Shown = dict[str, Any]

REPLAYED = {"Idempotency-Replayed": "`true` when the answer is that of an earlier request with the same key."}


def once(
    operation: str,
    header: Mapping[str, Any],
    asked: Any,
    do: Callable[[Receipt[Done] | None], Done],
    show: Callable[[Done], Shown],
) -> tuple[Shown, dict[str, str]]:
    """Do what is asked, unless the request's key says that it was done before; return what to show, and headers.

    `asked` (JSON types) is what tells this request from another of the operation; `show` must show no token.
    """
    key = header.get("key")
    if key is None:
        return show(do(None)), {}
    digest = sha256(msgspec.json.encode(asked, order="deterministic")).digest()
    request = Request(IdempotencyKey(player().id, key, operation), digest)
    try:
        return show(do(Receipt(request, lambda done: as_text_of_json(show(done))))), {}
    except Repeated as repeated:
        return msgspec.json.decode(repeated.answer), {"Idempotency-Replayed": "true"}
