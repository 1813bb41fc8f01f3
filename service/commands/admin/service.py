"""`boardroom admin announce`, `read-only` and `rotate`: maintenance, writing, and keys of the whole service."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from service.commands.admin.acting import acting, operator_here, reason_option
from service.commands.database import data_option
from service.commands.terminal import WRONG, Refused, say
from service.handlers import operators
from service.handlers.operators import Sealed, seal_anew, use_seal_key
from service.local.environment import settings_of
from service.messages.keys import new_key
from service.record.seal import signer
from service.settings import Settings
from service.shared import clock
from service.store.operation import Validity
from service.store.proof import KeyEnded

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


class _Moment(click.ParamType[datetime]):
    """A moment in ISO 8601, in UTC unless it says otherwise."""

    name = "moment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the moment; BadParameter."""
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no moment such as 2026-01-31T22:00.", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command("announce")
@click.option("--from", "begins", type=_Moment(), help="when it begins (ISO 8601, UTC unless it says otherwise)")
@click.option("--until", "ends", type=_Moment(), help="when it ends")
@click.option("--text", "texts", multiple=True, metavar="LANGUAGE=TEXT", help="what pages say, for each of en, de, fr")
@click.option("--withdraw", is_flag=True, help="withdraw the announcement")
@reason_option
@data_option
def announce(
    begins: datetime | None,
    ends: datetime | None,
    texts: Sequence[str],
    withdraw: bool,
    reason: str,
    data: Path | None,
) -> int:
    """Announce maintenance on every page, and by the header Maintenance in every answer, until it is over."""
    if withdraw != (begins is None and ends is None and not texts):
        raise click.UsageError("Use --from, --until and --text, or --withdraw alone.")
    by, now = operator_here(reason), clock.now()
    with acting(data) as games:
        if withdraw:
            operators.withdraw_announcement(games, by, now)
            say("the announcement is withdrawn")
            return 0
        words = dict(each.partition("=")[::2] for each in texts)
        operators.announce_maintenance(games, Validity(begins or now, ends, words), by, now)
    say("maintenance is announced")
    return 0


@click.group("read-only")
def read_only() -> None:
    """Stop all writing, for a time in which nothing may change: requests that write get 503, and workers wait.

    What operators do by `boardroom admin` and on their pages is carried out all the same.
    """


@read_only.command("on")
@click.option(
    "--until", type=_Moment(), help="when it is likely to end: told to those who are refused; nothing ends it"
)
@reason_option
@data_option
def stop(until: datetime | None, reason: str, data: Path | None) -> int:
    """Stop all writing, in every process within two seconds."""
    with acting(data) as games:
        operators.stop_writing(games, until, operator_here(reason), clock.now())
    say("read-only: in force in every process within two seconds, until `boardroom admin read-only off`")
    return 0


@read_only.command("off")
@reason_option
@data_option
def resume(reason: str, data: Path | None) -> int:
    """Allow writing again. Deadlines in between are moved if it took more than three minutes."""
    with acting(data) as games:
        operators.allow_writing(games, operator_here(reason), clock.now())
    say("writing is allowed again: in force in every process within two seconds")
    return 0


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
