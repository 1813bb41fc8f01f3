"""`boardroom doctor`: checks of everything that the service and its mails need, each with what to do about it.

The checks change nothing and send nothing. Those of DNS records are in doctor_dns.
"""

from __future__ import annotations

import json
import os
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import click
import psycopg
from psycopg.errors import ConnectionTimeout, LockNotAvailable, QueryCanceled
from redis import Redis
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeout
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from service.archive.archive import open_archive
from service.commands.doctor_dns import Names, NoAnswer, look_at_domain, resolver
from service.commands.terminal import say_text, say_verdict
from service.inbound.listener import place_of
from service.inbound.probe import is_our_inbox
from service.local.environment import read_environment
from service.mail.envelope_sender import bounce_domain, domain_of_sender
from service.mail.smtp import LOCAL_HOSTS, SMTP_TIMEOUT_S, Greeting, Mailer, describe_failure
from service.mail.smtp import SILENT as SILENT_SERVER
from service.settings import BadSetting, Settings
from service.shared import clock
from service.shared.error_class import error_class
from service.shared.network import is_loopback
from service.shared.redis_client import connect_redis
from service.store.connections import Pooler, PoolerSigns, look_for_pooler, unlimited
from service.store.engine import build_engine
from service.store.heartbeats import SILENT, MachineClock, ages, clocks, heard_elsewhere
from service.store.lock_waits import blockers, driver_of, holders
from service.store.migrations import schema_of
from service.store.replica import is_near, written
from service.store.revision import NEWEST, Schema
from service.views import operation
from service.views.operation import Demand, gauges

Level = Literal["ok", "warn", "fail"]
Found = tuple[Level, str, str]
"""The result, what was found, and what to do."""
_ARCHIVED: Final = text("select game_id, count(*) over () as games from archived order by at desc limit 1")
MAX_CANARY_AGE_H: Final = 26
"""Hours within which the next daily mail to OPERATOR_EMAIL has to have left."""
LONG_TRANSACTION_S: Final = 60
"""Seconds: no transaction of the service takes as long."""
_END_SESSION: Final = "Let it end, or end it as a superuser: `select pg_terminate_backend({pid})`."
INBOX_TIMEOUT_S: Final = 5.0
_SET_POOLER: Final = (
    "Set DATABASE_POOLER=transaction, or transaction-prepared (PgBouncer with max_prepared_statements)."
)
_SET_LIMITS: Final = (
    "Carry deploy/pgbouncer/session.sql out, and have the pooler connect anew (RECONNECT in its console)."
)
_PROXY_ADVICE: Final = "Set TRUSTED_PROXIES to the number of your own proxies before the web server."
_FOLLOWS = text("select pg_is_in_recovery()")
_MEANWHILE: Final = "meanwhile the primary does its work"
CERTIFICATE_WARNING: Final = timedelta(days=14)
"""A certificate that ends earlier than that should have been renewed."""
_SMTP_ADVICE: Final = "Look at SMTP_URL: its host and port, its user and password, and the server's certificate."
_UNREACHABLE_DOMAINS: Final = frozenset({"", "localhost", "local", "invalid", "test", "example", "internal"})
"""The last parts of domains that no mail from outside reaches (RFC 6761)."""
UNCHECKED_WINDOW: Final = timedelta(days=7)
"""The age up to which received answers are counted."""
REDIS_TIMEOUT_S: Final = 5
_UNCHECKED = text("select count(*) from inbound_mail where outcome = 'unchecked' and received_at > :since")


@dataclass(frozen=True, slots=True)
class Examination:
    """A check: its name, its result, and what to do unless the result is ok."""

    name: str
    level: Level
    said: str
    todo: str = ""


@click.command("doctor", epilog="Exit code: 0, 1 if anything fails.")
@click.option("--json", "as_json", is_flag=True, help="one JSON object for each thing looked at")
@click.option("--dns", metavar="HOST[:PORT]", help="ask this name server (an IP address)")
@click.option(
    "--selector",
    "selectors",
    multiple=True,
    metavar="NAME",
    help="the selector of a DKIM key; may be given more than once",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="look at what `boardroom up` runs on this folder",
)
def command(as_json: bool, dns: str | None, selectors: Sequence[str], data: Path | None) -> int:
    """Look whether everything is there that the service and its mails need, DNS included, and say what to do.

    It changes nothing and sends no mail. There is a line for each thing looked at.
    """
    failed = False
    for finding in _running(data) or examine(dns, selectors):
        failed = failed or finding.level == "fail"
        if as_json:
            say_text(json.dumps(asdict(finding)))
        else:
            todo = f" {finding.todo}" if finding.todo else ""
            say_verdict("", f"{finding.level:4}", f"  {finding.name}: {finding.said}.{todo}")
    return int(failed)


def _running(data: Path | None) -> list[Examination]:
    """Take on the settings of what runs on the folder; return what is wrong if nothing does."""
    found: Mapping[str, str] | None = {} if data is None else read_environment(data)
    if found is None:
        return [Examination("settings", "fail", f"nothing runs on the folder {data}", "Start it: `make up`.")]
    os.environ.update(found)
    return []


def examine(dns: str | None = None, selectors: Sequence[str] = ()) -> Iterator[Examination]:
    """Examine everything; never raises."""
    try:
        settings = Settings.from_env()
    except BadSetting as refusal:
        todo = "Correct it where it is set; docs/settings.md lists all of them."
        yield Examination("settings", "fail", str(refusal).rstrip("."), todo)
        return
    yield Examination("settings", "ok", f"the service is at {settings.base_url}")
    for name, look in LOOKS.items():
        yield from _guarded(name, partial(look, settings))
    yield from _guarded("dns", lambda: _dns(settings, dns, selectors))


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
        yield Examination("pooler", *found)


def look_at_pooler(settings: Settings) -> Found | None:
    """Return what a pooler before PostgreSQL needs; None if there is none, or nothing answers at all."""
    try:
        seen = _pooler_signs(settings)
    except (SQLAlchemyError, psycopg.Error):
        # What answers nothing is the matter of another check.
        return None
    if not seen.pooled:
        said = f"DATABASE_POOLER is {settings.pooler}, and nothing stands before PostgreSQL"
        return None if settings.pooler is Pooler.NONE else ("warn", said, "Set DATABASE_POOLER=none, which is faster.")
    return _at_random(settings, seen) or _session_limits(settings, seen)


def _at_random(settings: Settings, seen: PoolerSigns) -> Found | None:
    """Return why requests fail at random, None if they do not."""
    if seen.shared and settings.pooler is Pooler.NONE:
        return (
            "fail",
            "transactions share connections, and DATABASE_POOLER is none: requests fail at random",
            _SET_POOLER,
        )
    if seen.prepared is False:
        todo = "Set max_prepared_statements (PgBouncer 1.21 or later), or DATABASE_POOLER=transaction."
        return "fail", "named prepared statements are not found again: requests fail at random", todo
    return None


def _session_limits(settings: Settings, seen: PoolerSigns) -> Found:
    """Return whether sessions through the pooler have their limits."""
    try:
        lacking = _missing_limits(settings)
    except SQLAlchemyError:
        return "fail", "it refuses the session settings that a process connects with", _SET_POOLER
    if lacking:
        found = ", ".join(f"{name} is {value}" for name, value in sorted(lacking.items()))
        return "warn", f"sessions through it are not as they have to be: {found}", _SET_LIMITS
    kind = "gives connections to transactions" if seen.shared else "keeps a connection for each session"
    return "ok", f"it {kind}, and their limits are set", ""


def _pooler_signs(settings: Settings) -> PoolerSigns:
    # One that hangs is not waited for.
    engine = build_engine(settings.database_url, hurried=True, pool_size=2, pooler=Pooler.PREPARED)
    try:
        return look_for_pooler(engine, prepared=settings.pooler is Pooler.PREPARED)
    finally:
        engine.dispose()


def _missing_limits(settings: Settings) -> dict[str, str]:
    engine = build_engine(settings.database_url, hurried=True, pool_size=1, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            return unlimited(db)
    finally:
        engine.dispose()


def look_at_database(settings: Settings) -> Iterator[Examination]:
    """Yield what is found of the database, and of what its tables say of the parts and their work."""
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        # First, and of no table of ours: one that is locked would leave it untold.
        with engine.connect() as db:
            yield _locks(driver_of(db))
        yield from _examine_tables(engine, settings)
    except SQLAlchemyError as error:
        yield _database_failure(error)
    finally:
        engine.dispose()


def _database_failure(error: SQLAlchemyError) -> Examination:
    original = getattr(error, "orig", None)
    if isinstance(original, (LockNotAvailable, QueryCanceled)):
        said = f"answers, but not about its tables: {error_class(error)}"
        return Examination("database", "fail", said, "Look at `locks` above, and at what else its server does.")
    if isinstance(original, ConnectionTimeout):
        said = "accepts connections and says nothing: it hangs"
        return Examination("database", "fail", said, "Look at its machine: its load, its disks, its log.")
    return Examination(
        "database", "fail", f"does not answer: {error_class(error)}", "Start it, and look at DATABASE_URL."
    )


def _locks(db: psycopg.Connection[Any]) -> Examination:
    """Name the sessions that keep others waiting, or might as soon as somebody plays."""
    found = blockers(db)
    if found:
        waiting = sum(each.waiting for each in found)
        said = f"{waiting} sessions of the database wait for {'; '.join(map(str, found))}"
        return Examination("locks", "fail", said, _END_SESSION.format(pid=found[0].pid))
    kept = [each for each in holders(db) if each.relation is not None or (each.seconds or 0) > LONG_TRANSACTION_S]
    if kept:
        said = f"a table is locked or a transaction open for long: {'; '.join(map(str, kept))}"
        return Examination("locks", "warn", said, _END_SESSION.format(pid=kept[0].pid))
    return Examination("locks", "ok", "nobody waits for a lock of the database")


def _examine_tables(engine: Engine, settings: Settings) -> Iterator[Examination]:
    with engine.connect() as db:
        there = schema_of(db)
        yield _revision(there)
        if not there.fits:
            return
        yield _clocks(clocks(db))
        found, beats = gauges(db), ages(db)
        yield _connections(operation.running_connections(db, settings), operation.planned_connections(db, settings))
    yield _parts(beats)
    if late := found.late():
        todo = "Look whether relay and worker run, and at their logs."
        said = f"overdue for {max(late.values()) / 60:.0f} min: {', '.join(late)}"
        yield Examination("outbox", "fail", said, todo)
    else:
        yield Examination("outbox", "ok", "nothing is overdue")
    if found.canary is not None:
        yield _canary(found.canary / 3600)
    failed = sum(count for (_, stands), count in found.counts.items() if stands == "failed")
    if failed:
        todo = "`boardroom admin outbox list` says which and why."
        yield Examination("failures", "warn", f"{failed} given up", todo)


def _revision(there: Schema) -> Examination:
    said = f"is at revision {there.revision or 'none'}, and this code needs {NEWEST}"
    if not there.fits:
        todo = "Install the newer version that has used it." if there.newer else "Run `boardroom migrate`."
        return Examination("database", "fail", said, todo)
    if there.newer:
        said = f"is at revision {there.revision} of a newer version, with which this code can work"
        return Examination("database", "warn", said, "Install the newer version, unless you have gone back from it.")
    if there.revision != NEWEST:
        said = f"is at revision {there.revision}, and this code brings {NEWEST}; it can work with both"
        return Examination("database", "warn", said, "Run `boardroom migrate`.")
    return Examination("database", "ok", f"answers, at revision {there.revision}")


def _clocks(machines: Sequence[MachineClock]) -> Examination:
    """Tell of this machine's clock, and of those of the parts that run, against the database's."""
    here = MachineClock("this machine", socket.gethostname(), clock.ahead())
    off = [each for each in (here, *machines) if abs(each.ahead) > clock.MAX_OFFSET_S]
    if not off:
        return Examination("clock", "ok", "this machine and all parts agree with the database")
    said = ", ".join(
        f"{each.part} on {each.host} is {abs(each.ahead):.0f} s {'ahead' if each.ahead > 0 else 'behind'}"
        for each in off
    )
    todo = "Have these machines and that of the database keep time by NTP; until then all go by the database's clock."
    return Examination("clock", "fail", f"against the database {said}", todo)


def _connections(now: Demand, later: Demand) -> Examination:
    if not now.fits:
        return Examination("connections", "fail", f"{now}: some requests are answered 503", now.todo)
    if not later.fits:
        return Examination("connections", "warn", f"with one process of each part: {later}", later.todo)
    return Examination("connections", "ok", str(max(now, later, key=lambda each: each.connections)))


def _parts(beats: Mapping[str, float]) -> Examination:
    silent = {part: seconds for part, seconds in beats.items() if seconds > SILENT}
    if silent:
        said = ", ".join(f"{part} for {seconds / 60:.0f} min" for part, seconds in silent.items())
        return Examination("parts", "fail", f"nothing is heard of {said}", "Look whether it runs, and at its log.")
    if not beats:
        return Examination(
            "parts", "warn", "nothing runs on this database", "Start it: `make up`, or each part by itself."
        )
    heard = ", ".join(f"{part} {seconds:.0f} s ago" for part, seconds in beats.items())
    return Examination("parts", "ok", f"heard of {heard}")


def _canary(hours: float) -> Examination:
    said = f"the last mail to OPERATOR_EMAIL left {hours:.0f} h ago"
    if hours <= MAX_CANARY_AGE_H:
        return Examination("canary", "ok", said)
    return Examination("canary", "fail", said, "Look whether relay and worker run, and at their logs.")


def _replica(settings: Settings) -> Iterator[Examination]:
    if settings.database_read_url:
        yield Examination(
            "replica", *look_at_replica(settings.database_url, settings.database_read_url, settings.pooler)
        )


def look_at_replica(primary: str, replica: str, pooler: Pooler) -> Found:
    """Return how good the replica is, what was found, and what to do; raises SQLAlchemyError if the primary is away."""
    one, other = build_engine(primary, pooler=pooler), build_engine(replica, pooler=pooler)
    try:
        with one.connect() as db:
            position = written(db)
        try:
            with other.connect() as db:
                follows = bool(db.execute(_FOLLOWS).scalar_one())
                near = is_near(db, position)
        except SQLAlchemyError as error:
            todo = "Start it, and look at DATABASE_READ_URL."
            return "warn", f"does not answer ({error_class(error)}); {_MEANWHILE}", todo
    finally:
        one.dispose()
        other.dispose()
    if not near:
        return "warn", f"is far behind; {_MEANWHILE}", "Look at its log, and at the network between the two."
    if not follows:
        return "warn", "is no replica, but takes writes", "Have DATABASE_READ_URL lead to a standby, or unset it."
    return "ok", "answers, and has what the primary has", ""


def _archive(settings: Settings) -> Iterator[Examination]:
    if found := look_at_archive(settings):
        yield Examination("archive", *found)


def look_at_archive(settings: Settings) -> Found | None:
    """Return how good the archive is, what was found, and what to do.

    None if there is none, or if the database does not answer, of which another check tells.
    """
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            last = db.execute(_ARCHIVED).one_or_none()
    except SQLAlchemyError:
        return None
    finally:
        engine.dispose()
    if settings.archive is not None:
        return _archive_at(settings.archive, last)
    if last is None:
        return None
    return "fail", f"has the logs of {last.games} games, and ARCHIVE is not set", "Set it as the relay has it."


def _archive_at(address: str, last: Any) -> Found:
    if last is None:
        return "ok", f"{address} takes copies; all logs are in the database", ""
    try:
        there = open_archive(address).holds(last.game_id)
    except OSError as error:
        return "fail", f"cannot be read ({error})", "Look at ARCHIVE, and at the server that it is on."
    if not there:
        todo = "Look whether ARCHIVE is that of the relay; if it is, put the file back from a copy."
        return "fail", f"has no record of game {last.game_id}, whose log is not in the database", todo
    return "ok", f"{address} has the logs of {last.games} games", ""


def _redis(settings: Settings) -> Iterator[Examination]:
    if settings.redis_url is None:
        yield Examination(
            "redis", "warn", "there is none", "Set REDIS_URL; without it the relay does all work by itself."
        )
        return
    redis = connect_redis(settings.redis_url, REDIS_TIMEOUT_S)
    try:
        redis.ping()
        yield _redis_state(redis)
    except RedisTimeout as error:
        if "connecting" in str(error):
            said = f"takes no connection within {REDIS_TIMEOUT_S} s"
            todo = "Look at REDIS_URL, and at a firewall between."
        else:
            said = f"hangs: it takes connections and says nothing for {REDIS_TIMEOUT_S} s"
            todo = "Look at its machine and its log, or restart it: it keeps nothing that could be lost."
        yield Examination("redis", "fail", said, todo)
    except (RedisError, OSError) as error:
        yield Examination(
            "redis", "fail", f"does not answer: {type(error).__name__}", "Start it, and look at REDIS_URL."
        )
    finally:
        redis.close()


def _redis_state(redis: Redis) -> Examination:
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


def _proxy(settings: Settings) -> Iterator[Examination]:
    yield Examination("proxy", *look_at_proxy(settings))


def look_at_proxy(settings: Settings) -> Found:
    """Return whether TRUSTED_PROXIES fits to BASE_URL, HOST and PORT; the web server itself speaks no TLS."""
    why = _why_proxy(settings)
    if why and not settings.proxies:
        said = f"{why}, so there is a proxy, but TRUSTED_PROXIES is 0: the limits count all clients as one address"
        return "fail", said, _PROXY_ADVICE
    if not why and settings.proxies:
        said = f"TRUSTED_PROXIES is {settings.proxies}, but BASE_URL leads to the web server itself"
        return "warn", f"{said}: clients can name any address, and so get past the limits", _PROXY_ADVICE
    return "ok", f"{settings.proxies} before the web server" if why else "none, as none is needed", ""


def _why_proxy(settings: Settings) -> str:
    """Return why clients cannot reach the web server by BASE_URL itself, '' if they can."""
    base = urlsplit(settings.base_url)
    if base.scheme == "https":
        return "BASE_URL is https"
    if is_loopback(settings.host) and not is_loopback(base.hostname or ""):
        return f"others reach BASE_URL, and the web server listens on {settings.host} alone"
    return "" if (base.port or 80) == settings.port else f"BASE_URL has not the port {settings.port}"


def _smtp(settings: Settings) -> Iterator[Examination]:
    if settings.smtp_url is None:
        yield Examination("smtp", "warn", "no mails are sent", "Set SMTP_URL to a server that takes mails from us.")
    else:
        yield Examination("smtp", *look_at_server(settings.smtp_url, settings.mail_from, settings.smtp_tls))


def look_at_server(smtp_url: str, mail_from: str, trust: str) -> Found:
    """Return what is found when the server is greeted; `trust` is as SMTP_TLS has it."""
    try:
        greeting = Mailer(smtp_url, mail_from, trust=trust).greet()
    except smtplib.SMTPAuthenticationError as refusal:
        return "fail", f"refuses the login with {refusal.smtp_code}", _SMTP_ADVICE
    except ssl.SSLCertVerificationError as error:
        todo = "Name the server in SMTP_URL as its certificate does, or the file of its own certificate in SMTP_TLS."
        return "fail", f"cannot be used, its certificate is refused: {error.verify_message}", todo
    except smtplib.SMTPSenderRefused as refusal:
        todo = "Set MAIL_FROM to an address that the server lets this account send from."
        return "fail", f"refuses the sender of MAIL_FROM with {refusal.smtp_code}", todo
    except (smtplib.SMTPException, OSError) as error:
        return _smtp_failure(error)
    return _smtp_greeting(greeting, near=urlsplit(smtp_url).hostname in LOCAL_HOSTS)


def _smtp_failure(error: OSError | smtplib.SMTPException) -> Found:
    step = next(iter(getattr(error, "__notes__", ())), "the greeting")
    if isinstance(error, TimeoutError) and step == "the greeting" and "handshake" not in str(error):
        todo = "Look at host and port in SMTP_URL, at a firewall between, and whether the server runs."
        return "fail", f"takes no connection within {SMTP_TIMEOUT_S} s", todo
    if describe_failure(error) == SILENT_SERVER:
        todo = (
            "User and password are not the matter: look at the mail server itself, at its load, its disks and its log."
        )
        return "fail", f"hangs: it takes the connection and says nothing for {SMTP_TIMEOUT_S} s at {step}", todo
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return "fail", f"hangs up at {step}", "Look at its log, and whether SMTP_URL has to be smtps:// or smtp://."
    return "fail", f"cannot be used: {getattr(error, 'strerror', None) or describe_failure(error)}", _SMTP_ADVICE


def _smtp_greeting(greeting: Greeting, *, near: bool) -> Found:
    if greeting.certified_until is not None:
        left = greeting.certified_until - clock.now()
        said = f"takes mails, encrypted, with a certificate that is good for {left.days} days"
        return ("ok", said, "") if left >= CERTIFICATE_WARNING else ("warn", said, "Have the certificate renewed.")
    if near:
        return "ok", "takes mails" + (", encrypted" if greeting.encrypted else ", on this machine"), ""
    if greeting.encrypted:
        todo = "Set SMTP_TLS to verify, or to the file of the server's own certificate."
        return "warn", "takes mails, encrypted, but any certificate is taken", todo
    return "warn", "takes mails, but not encrypted", "Use smtps://, or switch STARTTLS on there and SMTP_TLS to verify."


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
            unchecked = int(db.execute(_UNCHECKED, {"since": clock.now() - UNCHECKED_WINDOW}).scalar_one())
    finally:
        engine.dispose()
    strip = f"every Authentication-Results with the name {server} from mails that come in"
    if not unchecked:
        return Examination(
            "senders", "ok", f"answers are believed by what {server} says of DMARC; it has to remove {strip}"
        )
    said = f"answers not believed in {UNCHECKED_WINDOW.days} days since {server} said nothing of DMARC: {unchecked}"
    todo = f"Switch DMARC on there (rspamd, or opendmarc with AuthservIDWithJobID), and have it remove {strip}."
    return Examination("senders", "warn", said, todo)


def look_at_inbox(settings: Settings, listen: str) -> Found:
    """Return what is found on the address that the inbox has to listen on."""
    where = place_of(listen)
    if not settings.mail_keys:
        return "fail", "INBOUND_LISTEN is set without MAIL_KEY, so no inbox starts", "Set MAIL_KEY."
    try:
        if is_our_inbox(settings, listen, INBOX_TIMEOUT_S):
            return "ok", f"answers to mails are taken in at {where}", ""
        strange = "it takes no mail for this service"
    except smtplib.SMTPException as error:
        silent = describe_failure(error) == SILENT_SERVER
        strange = (
            f"it says nothing for {INBOX_TIMEOUT_S:.0f} s" if silent else "it does not greet as a mail server does"
        )
    except OSError as error:
        if _listens_elsewhere(settings):
            return "ok", "an inbox on another machine takes answers to mails in", ""
        todo = "Start `python -m workers.inbox`, and look at INBOUND_LISTEN."
        reason = error.strerror or type(error).__name__
        return "fail", f"nobody takes answers to mails in at {where}: {reason}", todo
    todo = (
        "End it and the inbox will listen, or set INBOUND_LISTEN to another port. If it is the inbox, restart it: it "
        "hangs, or has another MAIL_KEY."
    )
    return "fail", f"another program listens at {where}, in the inbox's place: {strange}", todo


def _listens_elsewhere(settings: Settings) -> bool:
    """Return whether an inbox on another machine, or in another container, has sent a heartbeat: it listens then."""
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            return heard_elsewhere(db, "inbox")
    except SQLAlchemyError:
        return False
    finally:
        engine.dispose()


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
    domain = domain_of_sender(settings.mail_from)
    if domain.rpartition(".")[2] in _UNREACHABLE_DOMAINS:
        said = f"push services are told to write to {settings.mail_from}, where nobody can, and Apple's refuses that"
        yield Examination("push", "warn", said, "Set MAIL_FROM to an address that takes mails.")
    else:
        yield Examination("push", "ok", f"push services may write to {domain}")


def _dns(settings: Settings, dns: str | None, selectors: Sequence[str]) -> Iterator[Examination]:
    sender = domain_of_sender(settings.mail_from)
    place = urlsplit(settings.base_url).hostname or ""
    if sender in LOCAL_HOSTS or "." not in sender:
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
