"""Puts the API into an app."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask

from schemas.actions import action_schema
from service.api.access import apps, bots, sign_in, tokens
from service.api.competition import deals, leaderboards, leagues, tournaments
from service.api.contract import Contract
from service.api.lobby import challenges, computers, invitations, lobby, rulesets
from service.api.messages import channel_resource, mail, webhooks
from service.api.operation import about
from service.api.pace import absences, agreement, clock, orders, substitutes
from service.api.people import acquaintances, players, profiles, reports
from service.api.play import ACTIONS, hints, play, talk
from service.api.proof import analysis, proofs, records, replay
from service.api.streams import account, follow
from service.rules.kernel import AnyRuleset

RESOURCES = (
    sign_in,
    players,
    profiles,
    acquaintances,
    leaderboards,
    tokens,
    bots,
    apps,
    rulesets,
    lobby,
    invitations,
    substitutes,
    computers,
    deals,
    challenges,
    leagues,
    tournaments,
    account,
    play,
    hints,
    clock,
    orders,
    agreement,
    follow,
    replay,
    analysis,
    talk,
    reports,
    records,
    proofs,
    mail,
    channel_resource,
    absences,
    webhooks,
    about,
)


def mount_api(app: Flask, known: Mapping[str, AnyRuleset]) -> None:
    """Register every operation, for games of the rulesets known; the schemas are built here, once."""
    for resource in RESOURCES:
        app.register_blueprint(resource)
    app.extensions[ACTIONS] = {name: action_schema(ruleset) for name, ruleset in sorted(known.items())}


def contract_of(app: Flask) -> Contract:
    """Return the contract of an app that has the API.

    It is built when it is asked for: that takes as long as all the rest of the app, and few processes need it.
    """
    contract = Contract(app, tuple(app.extensions[ACTIONS].values()))
    for resource in RESOURCES:
        contract.describe(resource)
    return contract
