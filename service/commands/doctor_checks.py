"""What `boardroom doctor` looks at: whether everything is there that the service and its mails need.

It changes nothing and sends nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from email.utils import parseaddr
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from redis import Redis
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeout
from sqlalchemy import text

from service.commands.doctor_archive import look_at_archive
from service.commands.doctor_database import look_at_database
from service.commands.doctor_dns import Names, NoAnswer, look_at_domain, resolver
from service.commands.doctor_inbox import look_at_inbox
from service.commands.doctor_pooler import look_at_pooler
from service.commands.doctor_proxy import look_at_proxy
from service.commands.doctor_replica import look_at_replica
from service.commands.doctor_smtp import look_at_server
from service.commands.examination import Examination
from service.mail.bounces import domain as bounce_domain
from service.mail.bounces import domain_of
from service.mail.server import LOCAL
from service.settings import BadSetting, Settings
from service.shared import clock
from service.shared.redis_client import connect_redis
from service.store.engine import build_engine

_NOWHERE: Final = frozenset({"", "localhost", "local", "invalid", "test", "example", "internal"})
"""The last parts of domains that no mail from outside reaches (RFC 6761)."""
CHECKED: Final = timedelta(days=7)
"""The age up to which received answers are counted."""

REDIS_PATIENCE_S: Final = 5
_UNCHECKED = text("select count(*) from inbound_mail where outcome = 'unchecked' and received_at > :since")


def examine(dns: str | None = None, selectors: Sequence[str] = ()) -> Iterator[Examination]:
    """Yield what is found; never raises."""
    try:
        settings = Settings.from_env()
    except BadSetting as refusal:
        todo = "Correct it where it is set; docs/settings.md lists all of them."
        yield Examination("settings", "fail", str(refusal).rstrip("."), todo)
        return
    yield Examination("settings", "ok", f"the service is at {settings.base_url}")
    for name, look in LOOKS.items():
        yield from _guarded(name, partial(look, settings))
    yield from _guarded("dns", lambda: _names(settings, dns, selectors))


def _guarded(name: str, look: Callable[[], Iterator[Examination]]) -> Iterator[Examination]:
    try:
        yield from look()
    except Exception as error:
        # Its message could hold a secret, such as a password.
        yield Examination(
            name, "fail", f"cannot be looked at: {type(error).__name__}", "Look at its address and its log."
        )


def _pooler(settings: Settings) -> Iterator[Examination]:
    if found := look_at_pooler(settings):
        level, said, todo = found
        yield Examination("pooler", level, said, todo)


def _redis(settings: Settings) -> Iterator[Examination]:
    if settings.redis_url is None:
        yield Examination(
            "redis", "warn", "there is none", "Set REDIS_URL; without it the relay does all work by itself."
        )
        return
    redis = connect_redis(settings.redis_url, REDIS_PATIENCE_S)
    try:
        redis.ping()
        yield _of_redis(redis)
    except RedisTimeout as error:
        if "connecting" in str(error):
            said = f"takes no connection within {REDIS_PATIENCE_S} s"
            todo = "Look at REDIS_URL, and at a firewall between."
        else:
            said = f"hangs: it takes connections and says nothing for {REDIS_PATIENCE_S} s"
            todo = "Look at its machine and its log, or restart it: it keeps nothing that could be lost."
        yield Examination("redis", "fail", said, todo)
    except (RedisError, OSError) as error:
        yield Examination(
            "redis", "fail", f"does not answer: {type(error).__name__}", "Start it, and look at REDIS_URL."
        )
    finally:
        redis.close()


def _of_redis(redis: Redis) -> Examination:
    """Tell of a Redis that answers and yet takes no jobs."""
    try:
        found: dict[str, Any] = redis.info()
    except ResponseError:
        # This account may not ask.
        return Examination("redis", "ok", "answers")
    most, used = int(found.get("maxmemory", 0)), int(found.get("used_memory", 0))
    if most and used >= most:
        todo = "Raise its maxmemory, or look what else fills it; until then the relay does all work by itself."
        return Examination("redis", "fail", f"is full: {used / 1e6:.0f} MB of {most / 1e6:.0f} MB are used", todo)
    if found.get("role") != "master":
        return Examination("redis", "fail", "is a replica, which takes no jobs", "Set REDIS_URL to the primary.")
    return Examination("redis", "ok", "answers")


def _smtp(settings: Settings) -> Iterator[Examination]:
    if settings.smtp_url is None:
        yield Examination("smtp", "warn", "no mails are sent", "Set SMTP_URL to a server that takes mails from us.")
        return
    level, said, todo = look_at_server(settings.smtp_url, settings.mail_from, settings.smtp_tls)
    yield Examination("smtp", level, said, todo)


def _proxy(settings: Settings) -> Iterator[Examination]:
    level, said, todo = look_at_proxy(settings)
    yield Examination("proxy", level, said, todo)


def _replica(settings: Settings) -> Iterator[Examination]:
    if settings.database_read_url:
        yield Examination(
            "replica", *look_at_replica(settings.database_url, settings.database_read_url, settings.pooler)
        )


def _archive(settings: Settings) -> Iterator[Examination]:
    found = look_at_archive(settings)
    if found is not None:
        yield Examination("archive", *found)


def _answers(settings: Settings) -> Iterator[Examination]:
    if settings.inbound_listen is None:
        if settings.inbound_secret is None:
            todo = "Set INBOUND_LISTEN, with a mail server of yours before it, or INBOUND_SECRET for a provider."
            yield Examination("answers", "warn", "answers to mails are not taken in", todo)
            return
        yield Examination("answers", "ok", "a provider may bring answers to mails")
    else:
        yield Examination("answers", *look_at_inbox(settings, settings.inbound_listen))
    if settings.inbound_server is not None:
        yield _senders(settings, settings.inbound_server)
    elif settings.mailbox is None:
        todo = "Set INBOUND_AUTHSERV_ID to the name under which your mail server writes Authentication-Results."
        yield Examination("senders", "warn", "no answer from another machine is believed", todo)


def _senders(settings: Settings, server: str) -> Examination:
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            unchecked = int(db.execute(_UNCHECKED, {"since": clock.now() - CHECKED}).scalar_one())
    finally:
        engine.dispose()
    strip = f"every Authentication-Results with the name {server} from mails that come in"
    if not unchecked:
        return Examination(
            "senders", "ok", f"answers are believed by what {server} says of DMARC; it has to remove {strip}"
        )
    said = f"answers not believed in {CHECKED.days} days since {server} said nothing of DMARC: {unchecked}"
    todo = f"Switch DMARC on there (rspamd, or opendmarc with AuthservIDWithJobID), and have it remove {strip}."
    return Examination("senders", "warn", said, todo)


def _keys(settings: Settings) -> Iterator[Examination]:
    make = "Make one: python -c 'import base64, os; print(base64.urlsafe_b64encode(os.urandom(32)).decode())'"
    for name, keys, without in (
        ("MAIL_KEY", settings.mail_keys, "mails have no link to end them, and bounces are not understood"),
        ("WEBHOOKS_KEY", settings.webhooks_keys, "there are no webhooks"),
    ):
        if keys:
            yield Examination(name, "ok", f"{len(keys)} in use")
        else:
            yield Examination(name, "warn", f"not set: {without}", make)


def _push(settings: Settings) -> Iterator[Examination]:
    """Look at whom push services are told to write to: some refuse a server that cannot be written to."""
    if settings.vapid_key is None:
        return
    domain = domain_of(settings.mail_from)
    if domain.rpartition(".")[2] in _NOWHERE:
        said = f"push services are told to write to {settings.mail_from}, where nobody can, and Apple's refuses that"
        yield Examination("push", "warn", said, "Set MAIL_FROM to an address that takes mails.")
    else:
        yield Examination("push", "ok", f"push services may write to {domain}")


def _names(settings: Settings, dns: str | None, selectors: Sequence[str]) -> Iterator[Examination]:
    sender = domain_of(settings.mail_from)
    place = urlsplit(settings.base_url).hostname or ""
    if sender in LOCAL or "." not in sender:
        todo = "Set MAIL_FROM to an address in a domain of yours, before mails go to others."
        yield Examination("sender", "warn", f"mails come from {sender}, a name of this machine only", todo)
        return
    if _organisation(sender) == _organisation(place):
        yield Examination("sender", "ok", f"mails from {sender} lead to {place}")
    else:
        todo = "Links to another domain than the sender's look like phishing: use one domain in MAIL_FROM and BASE_URL."
        yield Examination("sender", "warn", f"mails come from {sender}, and lead to {place}", todo)
    replies = settings.reply_domain or sender
    address = parseaddr(settings.mail_from)[1]
    taken_in = bool(settings.inbound_listen)
    names = Names(sender, bounce_domain(settings), replies, tuple(selectors), taken_in, address)
    try:
        for level, name, said, todo in look_at_domain(resolver(dns), names):
            yield Examination(name, level, said, todo)
    except NoAnswer as refusal:
        yield Examination(
            "dns", "fail", f"no answer about {refusal}", "Look at this machine's name server, or use --dns."
        )


def _organisation(host: str) -> str:
    # Good enough to compare two names of one operator; the list of public suffixes would be needed for more.
    return ".".join(host.lower().split(".")[-2:])


LOOKS: Final = {
    "pooler": _pooler,
    "database": look_at_database,
    "replica": _replica,
    "archive": _archive,
    "redis": _redis,
    "proxy": _proxy,
    "smtp": _smtp,
    "answers": _answers,
    "keys": _keys,
    "push": _push,
}
