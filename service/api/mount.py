"""Puts the API into an app."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask

from schemas.actions import action_schema
from service.api.about import about
from service.api.absences import absences
from service.api.account import account
from service.api.acquaintances import acquaintances
from service.api.agreement import agreement
from service.api.analysis import analysis
from service.api.apps import apps
from service.api.challenges import challenges
from service.api.channels import channel_resource
from service.api.clock import clock
from service.api.computers import computers
from service.api.contract import Contract
from service.api.deals import deals
from service.api.follow import follow
from service.api.hints import hints
from service.api.invitations import invitations
from service.api.leaderboards import leaderboards
from service.api.leagues import leagues
from service.api.lobby import lobby
from service.api.mail import mail
from service.api.moves import ACTIONS
from service.api.orders import orders
from service.api.play import play
from service.api.players import players
from service.api.profiles import profiles
from service.api.records import proofs, records
from service.api.replay import replay
from service.api.reports import reports
from service.api.rulesets import rulesets
from service.api.sign_in import sign_in
from service.api.substitutes import substitutes
from service.api.talk import talk
from service.api.tokens import bots, tokens
from service.api.tournaments import tournaments
from service.api.webhooks import webhooks
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
