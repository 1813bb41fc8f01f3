"""The guard of links that need sign-in: they work only for their own player, signed in, if that player wants it so."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, g, request

from service.web.opened_link import OpenedLink, SignInFirst
from service.web.page import render
from service.web.session import Visitor, current_visitor, is_cross_site


def player_only(view: Callable[..., Response]) -> Callable[..., Response]:
    """Answer the link of such a player with 403 and a page that asks to sign in, until its player has signed in.

    The session is looked up only for these links; for all others no cookie is read.
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
