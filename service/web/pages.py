"""The pages: every module that has views is imported here, which registers the views on the blueprint."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from service.web import (
    account,
    confirm,
    game,
    inbound,
    join,
    link_forms,
    lobby_page,
    mail_settings,
    mailbox,
    my_games,
    new_table,
    open_tables,
    programs,
    proof,
    record,
    replay,
    rules,
    sign_in,
    start,
    table_forms,
    turn,
    unsubscribe,
    verify,
    webhooks,
)
from service.web.blueprint import web

__all__ = ["MODULES", "web"]

MODULES: Final[tuple[ModuleType, ...]] = (
    account,
    confirm,
    game,
    inbound,
    join,
    lobby_page,
    mail_settings,
    mailbox,
    my_games,
    new_table,
    open_tables,
    programs,
    proof,
    record,
    replay,
    rules,
    link_forms,
    sign_in,
    start,
    table_forms,
    turn,
    unsubscribe,
    verify,
    webhooks,
)
"""The modules with views, in alphabetical order."""
