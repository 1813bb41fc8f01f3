"""`boardroom admin rotate`: replaces keys; says what is to be done, and does what is in the database."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from service.commands.admin.acting import acting, operator_here, reason_option
from service.commands.database import data_option
from service.commands.refused import WRONG, Refused
from service.commands.terminal import say
from service.handlers.operators.keys import Sealed, seal_anew, use_seal_key
from service.local.environment import settings_of
from service.record.seal import signer
from service.settings import Settings
from service.shared import clock
from service.store.seals import KeyEnded
from service.webhooks.secrets import new_key

_VARIABLES: Final = {"seal": "SEAL_KEY", "mail": "MAIL_KEY", "webhooks": "WEBHOOKS_KEY"}
_STEPS: Final = {
    "seal": (
        "1. Set SEAL_KEY to the new key, and restart the relay and the workers. Keep no copy of the old key.",
        "2. boardroom admin rotate seal --reason ...: the new key seals from then on, and the old one never again.",
        "The public half of the old key stays in the list of keys: what it has sealed can be verified for ever.",
    ),
    "mail": (
        "1. Put the new key before the old one, MAIL_KEY=NEW,OLD, and restart every process.",
        "2. boardroom admin rotate mail --reason ...: mails that came in are sealed with the new key.",
        "3. Remove the old key after 90 days: until then mails that are out carry links that it has signed.",
    ),
    "webhooks": (
        "1. Put the new key before the old one, WEBHOOKS_KEY=NEW,OLD, and restart every process.",
        "2. boardroom admin rotate webhooks --reason ...: secrets of webhooks and channels are sealed anew.",
        "3. Remove the old key, and restart every process.",
    ),
}


@click.group("rotate")
def rotate() -> None:
    """Replace a key: `steps` shows how, and the other commands do what is in the database."""


@rotate.command("steps")
@click.argument("key", type=click.Choice([*_VARIABLES]))
def steps(key: str) -> int:
    """Print a new key, and the steps to bring it into use."""
    say(f"new key: {new_key()}", *_STEPS[key])
    return 0


@rotate.command("seal")
@reason_option
@data_option
def seal(reason: str, data: Path | None) -> int:
    """Let the key in SEAL_KEY seal from now on, and end the one before it."""
    text = settings_of(data).seal_key
    if text is None:
        raise Refused("SEAL_KEY is not set", WRONG)
    with acting(data) as games:
        try:
            use_seal_key(games, signer(text), operator_here(reason), clock.now())
        except KeyEnded as ended:
            raise Refused("this key was followed by another, and seals no more: use a new one", WRONG) from ended
    say(f"key {signer(text).id} seals from now on")
    return 0


@rotate.command("mail")
@reason_option
@data_option
def mail(reason: str, data: Path | None) -> int:
    """Seal mails that came in with the first key of MAIL_KEY."""
    return _seal_anew("mail", settings_of(data), reason, data)


@rotate.command("webhooks")
@reason_option
@data_option
def webhooks(reason: str, data: Path | None) -> int:
    """Seal the secrets of webhooks and channels with the first key of WEBHOOKS_KEY."""
    return _seal_anew("webhooks", settings_of(data), reason, data)


def _seal_anew(what: Sealed, settings: Settings, reason: str, data: Path | None) -> int:
    keys = settings.mail_keys if what == "mail" else settings.webhooks_keys
    if not keys:
        raise Refused(f"{_VARIABLES[what]} is not set", WRONG)
    with acting(data) as games:
        done, lost = seal_anew(games, what, keys, operator_here(reason), clock.now())
    say(f"sealed with the first key: {done}; left, since no key opens them: {lost}")
    return WRONG if lost else 0
