"""The guard of everything that outlives a session: whoever makes it has signed in within the last minutes.

A stolen cookie must not become a lasting way in. `docs/decisions/lasting-things-ask-for-a-sign-in.md` has what counts
as lasting; `tests/web/test_lasting_things.py` asks of every form whether its view is guarded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, request, url_for

from service.handlers.browsers import FRESH
from service.handlers.transaction import transaction
from service.views.passkeys import passkeys_of
from service.web.arrival import own_path
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.passkey_party import with_passkey
from service.web.session import Visitor, see_other, signed_in

View = Callable[..., Any]


def recently_signed_in(back: str) -> Callable[[View], View]:
    """Pass the Visitor to the view, as `signed_in` does; visitors whose sign-in is too long ago sign in anew first.

    From there they return to the page of the endpoint `back`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def asked(visitor: Visitor, *args: Any, **kwargs: Any) -> Any:
            return view(visitor, *args, **kwargs) if visitor.recent else ask_anew(visitor, url_for(back))

        return declared(signed_in(asked))

    return decorate


def declared(view: View) -> View:
    """Return the view, marked as one that carries nothing out long after a sign-in."""
    view.asks_for_recent_sign_in = True  # type: ignore[attr-defined] # read by the test over all forms
    return view


@web.get("/sign-in/anew")
@signed_in
def sign_in_anew_page(visitor: Visitor) -> Response:
    """Show how to sign in anew, for what is on the page `back` of the query; who has just done so goes on there."""
    back = own_path(request.args.get("back", "")) or url_for("web.settings")
    return see_other(back) if visitor.recent else ask_anew(visitor, back, 200)


def ask_anew(visitor: Visitor, back: str, status: int = 403) -> Response:
    """Return the page on which the visitor signs in anew and then returns to the path `back`."""
    with transaction(current_runtime().games.engine) as db:
        known = passkeys_of(db, visitor.id)
    told = {"minutes": int(FRESH.total_seconds() // 60), "email": visitor.browser.player.email, "back": back}
    return with_passkey("sign_in_anew.html", status, "web.enter_by_passkey" if known else None, **told)
