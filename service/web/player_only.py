"""Links that work for nobody but their player, signed in, because that player wants it: who passes, what others see."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, g, request

from service.web.opened_link import OpenedLink, SignInFirst
from service.web.page import render
from service.web.session import Visitor, current_visitor, is_cross_site


def player_only(view: Callable[..., Response]) -> Callable[..., Response]:
    """Ask whoever opens the link of such a player to sign in as that player first; a 403 until they have.

    Who has signed in is looked up for these links only: all others know of no browser.
    """

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Response:
        try:
            return view(*args, **kwargs)
        except SignInFirst as locked:
            opened = locked.opened
        visitor = current_visitor()
        if visitor is None or visitor.id != opened.link.player_id:
            return _sign_in_page(opened, visitor)
        if request.method == "POST" and is_cross_site():
            return render("notice.html", opened.language, 403, notice="form-refused")
        g.owner = visitor.id
        return view(*args, **kwargs)

    return guarded


def _sign_in_page(opened: OpenedLink, visitor: Visitor | None) -> Response:
    looked = request.method == "GET"
    back = request.full_path.removesuffix("?") if looked else opened.address
    name = None if visitor is None else visitor.name
    return render("own_link.html", opened.language, 403, title=opened.title, back=back, name=name, refused=not looked)
