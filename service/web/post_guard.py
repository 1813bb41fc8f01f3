"""Guards of forms: against programs that follow links with POST, and against lost updates by a second tab.

Mail scanners follow the links of a mail, some with POST, but send no form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import Any, Final, TypeVar

import msgspec
from flask import Response, request
from sqlalchemy import Connection

from service.handlers.refusals import PreconditionFailed
from service.handlers.transaction import conditional, transaction
from service.web.page import current_runtime

BUTTON_FIELD: Final = "press"
"""Hidden field of a form that has no other field."""
ONE_CLICK: Final = "List-Unsubscribe"
"""Field that a mail program sends for one-click unsubscription (RFC 8058, section 3.2)."""

View = Callable[..., Response]


def requires_form(show: View, *names: str) -> Callable[[View], View]:
    """Call the view only if the form has one of the fields; else answer with the page of `show` and status 400.

    Mail scanners follow the links of a mail, some with POST, but send no form.
    """

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Response:
            if any(name in request.form for name in names):
                return view(*args, **kwargs)
            shown = show(*args, **kwargs)
            if shown.status_code == 200:
                shown.status_code = 400
            return shown

        return guarded

    return guard


# Lost updates: a form that replaces a value is carried out only if the value is still the one shown.

VERSION_FIELD: Final = "version"
"""Hidden field with the version of the values that the form shows."""
Done = TypeVar("Done")


def version_of(*shown: Any) -> str:
    """Return the version of the values that a form shows; JSON types."""
    return blake2b(msgspec.json.encode(shown, order="sorted"), digest_size=8).hexdigest()


def unless_changed(now: Callable[[Connection], str], write: Callable[[], Done]) -> Done:
    """Write if the current version equals that of the form; else raise PreconditionFailed.

    A form without a version, from a page of an older release, is carried out.
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
