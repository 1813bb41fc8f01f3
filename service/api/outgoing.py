"""Webhooks of the document: requests that the service makes and others answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.messages.calls import CALL_TIMEOUT_S
from service.messages.webhooks import EVENT, LAPSED, NEAR, OVER, STARTED, TEST, TURN

MESSAGE = "WebhookMessage"
"""The component that every message is."""

_SUMMARIES: Mapping[str, str] = {
    STARTED: "A game has begun.",
    TURN: "It is your move; at a table's webhook, somebody's.",
    NEAR: "Half of your time is left until your deadline; at a table's webhook, somebody's. `near` says whose.",
    LAPSED: "Somebody's time is up; `lapsed` says whose.",
    EVENT: "Something has happened at the table; read the events to learn what.",
    OVER: "A game has ended; `outcome` says how.",
    TEST: "A test that the webhook's owner has asked for.",
}
_HEADERS: Mapping[str, str] = {
    "webhook-id": "The message's id, the same each time that it is sent.",
    "webhook-timestamp": "When it was sent, in seconds since 1970.",
    "webhook-signature": "One signature for each secret, as Standard Webhooks has it, with spaces between.",
}
_ANSWER = (
    f"Any status from 200 to 299, within {CALL_TIMEOUT_S:g} seconds, says that the message has arrived; 410 that "
    "no more are wanted. After any other it is sent again, for about three days. Messages may come twice and in any "
    "order."
)


def outgoing() -> dict[str, Any]:
    """Return the entry of every type of message."""
    return {kind: {"post": _operation(kind)} for kind in _SUMMARIES}


def _operation(kind: str) -> dict[str, Any]:
    words = kind.replace(".", "-").split("-")
    parameters = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for name, text in _HEADERS.items()
    ]
    schema = {"$ref": f"#/components/schemas/{MESSAGE}"}
    return {
        "operationId": words[0] + "".join(word.capitalize() for word in words[1:]),
        "summary": _SUMMARIES[kind],
        "tags": ["webhooks"],
        "security": [],
        "parameters": parameters,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"2XX": {"description": _ANSWER}},
    }
