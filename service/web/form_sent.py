"""A guard against programs that follow the links of a mail with POST: they send no form, and a button does."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import Response, request

BUTTON_FIELD: Final = "press"
"""The hidden field of a form that has no other field."""
ONE_CLICK: Final = "List-Unsubscribe"
"""The field that a mail program sends for one-click unsubscription (RFC 8058, section 3.2)."""

View = Callable[..., Response]


def requires_form(show: View, *names: str) -> Callable[[View], View]:
    """Call the view only if the form has one of the fields; else answer with the page of `show`, with status 400.

    Mail scanners follow the links of a mail, some of them with POST, but send no form.
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
