"""The pages: every module that has views is imported here, which registers the views on the blueprint."""

from __future__ import annotations

from service.web import (  # noqa: F401 - a module registers its views when it is imported
    absences,
    account,
    agreement_forms,
    calendar,
    channels,
    clock_forms,
    confirm,
    first_page,
    game,
    glimpse,
    inbound,
    installed,
    join,
    link_forms,
    lobby_page,
    looks,
    mail_settings,
    mailbox,
    my_games,
    new_table,
    open_tables,
    operate,
    order_forms,
    passkeys,
    programs,
    proof,
    record,
    replay,
    reports,
    rules,
    second_question,
    sign_in,
    start,
    substitutes,
    table_forms,
    turn,
    unsubscribe,
    verify,
    webhooks,
)
from service.web.blueprint import web

__all__ = ["web"]
