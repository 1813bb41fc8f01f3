"""The page behind a mailed link: the table for the link's player, with what can be picked, or what has been done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.handlers.play import Played
from service.mail.menu import by_kind
from service.rules.kernel import Illegal, Unreadable
from service.rules.shapes import NoSuchChoice
from service.rules.tabletop.table import Table
from service.store.visibility import is_public
from service.texts.catalog import say
from service.views.table import choices
from service.web.compression import compress_page
from service.web.form_sent import BUTTON_FIELD
from service.web.happened import happened
from service.web.opened_link import OpenedLink, next_address
from service.web.page import render
from service.web.picking import Picking, begun
from service.web.planning import LONGEST_NOTATION, explained
from service.web.scene import Scene, scene_of
from service.web.sitting import Sitting
from service.web.table_parts import Addresses, FormTo, Shown, table_parts
from service.web.take_back import offered

Pick = Callable[[Sitting, Table, str], Picking]
"""Returns what is picked at a table whose page has this path; raises NoSuchChoice, Illegal, Unreadable."""
_REFUSED: Final = (NoSuchChoice, Illegal, Unreadable)


@dataclass(frozen=True, slots=True)
class Done:
    """What has just been done with a link, in words; `onward` is the path of the player's next link, if there is one.

    `notation` is that of the action that has been played; empty if none has.
    """

    headline: str
    sentence: str
    more: str
    notation: str = ""
    onward: str | None = None


def choice_page(db: Connection, opened: OpenedLink, pick: Pick) -> Response:
    """Return the table with what is picked; with the beginning and the reason if that is not possible."""
    sitting = opened.sitting(db)
    scene = scene_of(sitting)
    try:
        picked = pick(sitting, scene.table, opened.address)
        return _page(opened, sitting, scene, Shown(picked=picked, log=happened(sitting, scene)))
    except _REFUSED as refusal:
        return refusal_page(db, opened, refusal)


def refusal_page(db: Connection, opened: OpenedLink, refusal: Exception) -> Response:
    """Return the table with the reason why an action cannot be played: 400 unreadable, 404 unknown, 409 any other."""
    sitting = opened.sitting(db)
    scene = scene_of(sitting)
    status, why = 409, say(sitting.language, "other-decision")
    if isinstance(refusal, NoSuchChoice):
        status, why = 404, say(sitting.language, "ahead-impossible")
    elif isinstance(refusal, Illegal | Unreadable):
        status, why = 400 if isinstance(refusal, Unreadable) else 409, explained(sitting, refusal)
    shown = Shown(picked=begun(sitting, scene.table, page=opened.address), log=happened(sitting, scene))
    written = request.values.get("notation", "")[:LONGEST_NOTATION]
    return _page(opened, sitting, scene, shown, status=status, refusal=why, written=written)


def all_actions_page(db: Connection, opened: OpenedLink, number: int) -> Response | None:
    """Return the table with all actions of one kind as buttons, or None. Kinds count from 1; 0 is all of them."""
    sitting = opened.sitting(db)
    groups = by_kind(choices(opened.position, opened.link.seat, sitting.rules_language))
    if not 0 <= number <= len(groups):
        return None
    shown = groups if number == 0 else dict([list(groups.items())[number - 1]])
    scene = scene_of(sitting)
    lying = Shown(picked=None, log=happened(sitting, scene))
    return _page(opened, sitting, scene, lying, template="link/all.html", groups=shown, decision=opened.link.decision)


def played_page(db: Connection, before: OpenedLink, action: Any, played: Played) -> Response:
    """Return the table after an action, with the marks of all that it has caused, and what there is to do next."""
    opened = replace(before, position=played.position)
    sitting = opened.sitting(db)
    scene, language = scene_of(sitting), opened.language
    done = Done(
        headline=say(language, "played"),
        sentence=sitting.described(action),
        more=f"{say(language, 'go-on')}." if opened.to_act else say(language, "wait"),
        notation=opened.position.ruleset.notate(action),
        onward=next_address(db, opened) if opened.to_act else None,
    )
    log = happened(sitting, scene, since=played.events[0].seq - 1)
    undo = offered(db, opened)
    return _page(opened, sitting, scene, Shown(picked=None, log=log), done=done, retractable=undo)


def taken_back_page(db: Connection, opened: OpenedLink) -> Response:
    """Return the table after an action was taken back."""
    sitting = opened.sitting(db)
    scene, language = scene_of(sitting), opened.language
    done = Done("", say(language, "back-done"), say(language, "back-done-text"), onward=next_address(db, opened))
    return _page(opened, sitting, scene, Shown(picked=None, log=happened(sitting, scene)), done=done)


def over_page(db: Connection, opened: OpenedLink, status: int, **past: Any) -> Response:
    """Return the table of a game that is over; `past` is what the template of a past link shows."""
    sitting = opened.sitting(db)
    scene = scene_of(sitting)
    return _page(opened, sitting, scene, Shown(picked=None, log=happened(sitting, scene)), status=status, **past)


def _page(
    opened: OpenedLink, sitting: Sitting, scene: Scene, shown: Shown, *, template: str = "link/table.html", **more: Any
) -> Response:
    address, position = opened.address, opened.position
    addresses = Addresses(address, FormTo(address), FormTo(f"{address}/link/back", {BUTTON_FIELD: "yes"}))
    at_table = url_for("web.show_game", game_id=position.game.id)
    public = is_public(position)
    response = render(
        template,
        opened.language,
        more.pop("status", 200),
        whole_width=True,
        public=public,
        at_table=at_table if public else url_for("web.ask_sign_in", back=at_table),
        part_of=lambda _, caller: caller(),
        **table_parts(sitting, scene, shown, addresses),
        **more,
    )
    compress_page(response)
    return response
