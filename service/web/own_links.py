"""Links that work for nobody but their player, signed in, because that player wants it: who passes, what others see."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, g, request

from service.web.page import answer
from service.web.session import Visitor, from_elsewhere, visitor
from service.web.visit import SignInFirst, Visit


def for_its_player(view: Callable[..., Response]) -> Callable[..., Response]:
    """Ask whoever opens the link of such a player to sign in as that player first; a 403 until they have.

    Who has signed in is looked up for these links only: all others know of no browser.
    """

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Response:
        try:
            return view(*args, **kwargs)
        except SignInFirst as locked:
            visit = locked.visit
        there = visitor()
        if there is None or there.id != visit.link.player_id:
            return _ask(visit, there)
        if request.method == "POST" and from_elsewhere():
            return answer("notice.html", visit.language, 403, notice="form-refused")
        g.owner = there.id
        return view(*args, **kwargs)

    return guarded


def _ask(visit: Visit, there: Visitor | None) -> Response:
    looked = request.method == "GET"
    back = request.full_path.removesuffix("?") if looked else visit.address
    name = None if there is None else there.name
    return answer("own_link.html", visit.language, 403, title=visit.title, back=back, name=name, refused=not looked)
