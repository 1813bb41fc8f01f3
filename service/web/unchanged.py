"""Forms that replace what they show, and do so only if that is still what there is: two tabs do not undo each other."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final, TypeVar

import msgspec
from flask import request
from sqlalchemy import Connection

from service.handlers.refusals import PreconditionFailed
from service.handlers.transaction import conditional, transaction
from service.web.page import current_runtime

VERSION_FIELD: Final = "version"
"""The hidden field with the version of what the form shows."""
Done = TypeVar("Done")


def version_of(*shown: Any) -> str:
    """Return the version of what a form shows, JSON types."""
    return blake2b(msgspec.json.encode(shown, order="sorted"), digest_size=8).hexdigest()


def unless_changed(now: Callable[[Connection], str], write: Callable[[], Done]) -> Done:
    """Write what the form says, if the version of now is that which the form was made of; PreconditionFailed.

    A form without a version, from a page of before, is carried out.
    """
    shown = request.form.get(VERSION_FIELD)
    if shown is None:
        return write()

    def holds() -> bool:
        with transaction(current_runtime().games.engine) as db:
            return now(db) == shown

    done, wrote = conditional(holds, write)
    if not wrote and not holds():
        raise PreconditionFailed
    return done
