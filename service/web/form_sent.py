"""A button of ours is told from a robot that tries an address of a mail: the robot sends no form."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import Response, request

BUTTON_FIELD: Final = "press"
"""The hidden field of a form that needs no other."""
ONE_CLICK: Final = "List-Unsubscribe"
"""The field that a mail program sends by itself (RFC 8058, section 3.2)."""

View = Callable[..., Response]


def requires_form(show: View, *names: str) -> Callable[[View], View]:
    """Carry a POST out only for a form with one of the fields; for others nothing changes, and `show` answers, as 400.

    Programs that look through mails follow their links with POST too, without a form.
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
