"""The settings of the service: the only reader of the environment, but for RULESET_PACKAGES (service.shared.rulesets).

`python -m service.settings` prints docs/settings.md.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from sqlalchemy.engine import URL

from service.messages.keys import Vault, public_key
from service.record.seal import signer
from service.shared.network import hostname, is_loopback
from service.shared.rulesets import packages
from service.store.connections import Pooler

WEB_PROCESSES: Final = 2
"""The default number of web processes."""
WEB_THREADS: Final = 1280
"""The default number of threads of a web process."""
POOL_SIZE: Final = 10
"""The default number of database connections of a process: one process of each part and two web processes fit into the
100 connections that PostgreSQL allows by default."""
MIN_POOL_SIZE: Final = 4
"""Connections of the relay: one per thread at work, and one for its heartbeat."""
MIN_SECRET_LENGTH: Final = 16
"""Characters of INBOUND_SECRET."""
TLS_TRUSTS: Final = ("verify", "any", "off")
"""Values of SMTP_TLS beside a path."""
_YES: Final = frozenset({"true", "t", "yes", "y", "on", "1"})
_NO: Final = frozenset({"false", "f", "no", "n", "off", "0", ""})
DATABASE_DRIVER: Final = "postgresql+psycopg"
DATABASE_SCHEMES: Final = ("postgresql", "postgres", DATABASE_DRIVER)
TARGET_SESSIONS: Final = ("any", "read-write", "read-only", "primary", "standby", "prefer-standby")
"""Values of `target_session_attrs` (libpq): which of several hosts is taken."""
DECLARED: Final = "setting"
"""The key of a Setting in the metadata of its field."""
KEY_MADE: Final = "`make up` makes one; elsewhere "
CONFIG: Final = "BOARDROOM_CONFIG"
"""The variable that names the file; empty for no file."""
DEFAULT_CONFIG: Final = "boardroom.toml"
"""The file in the current folder that is read without BOARDROOM_CONFIG, if there is one."""
FILE_SUFFIX: Final = "_FILE"
"""The suffix of a variable that names a file with the secret in it: DATABASE_URL_FILE."""


class BadSetting(ValueError):
    """A setting that cannot be used; the message is one line that names it and never shows a password."""


@dataclass(frozen=True, slots=True)
class ValueKind:
    """Functions between the text of a setting and its value.

    `read(name, text)` raises BadSetting; the text is '' if nothing is set. `read(name, write(value)) == value`.
    """

    read: Callable[[str, str], Any]
    write: Callable[[Any], str] = lambda value: str(value or "")


def number(least: int, most: int, of: str = "") -> ValueKind:
    """Take whole numbers within bounds; `of` is the unit that a refusal names, such as ` of seconds`."""

    def read(name: str, text: str) -> int:
        if not (re.fullmatch(r"\d{1,6}", text, re.ASCII) and least <= int(text) <= most):
            raise BadSetting(f"{name} is {text!r}, it has to be a number{of} from {least} to {most}.")
        return int(text)

    return ValueKind(read, str)


def url(*schemes: str) -> ValueKind:
    """Take URLs of these schemes; None if nothing is set."""

    def read(name: str, text: str) -> str | None:
        if text and not _is_accepted(lambda: (split := urlsplit(text)).scheme in schemes and (split.port, True)[1]):
            raise BadSetting(f"{name} is no address that begins with {' or '.join(f'{each}://' for each in schemes)}.")
        return text or None

    return ValueKind(read)


def _traces(name: str, text: str) -> str | None:
    endpoint: str | None = url("http", "https").read(name, text)
    if endpoint is not None and not _is_installed("opentelemetry.exporter.otlp.proto.http"):
        raise BadSetting(f"{name} is set, but what traces need is not installed: pip install 'boardroom[traces]'.")
    return endpoint


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def one_key(take: Callable[[str], object]) -> ValueKind:
    """Take a single key, for which `take` raises no ValueError; None if nothing is set."""

    def read(name: str, text: str) -> str | None:
        if text and not _is_accepted(lambda: bool(take(text))):
            raise BadSetting(f"{name} has to be a key of 32 bytes in URL-safe base64.")
        return text or None

    return ValueKind(read)


def _keys(name: str, text: str) -> tuple[str, ...]:
    keys = tuple(text.replace(",", " ").split())
    if keys and not _is_accepted(lambda: bool(Vault(keys))):
        raise BadSetting(f"{name} has to be one or more keys of 32 bytes in URL-safe base64, with commas between.")
    return keys


def _archive(name: str, text: str) -> str | None:
    if not text.startswith("s3://"):
        return str(Path(text).absolute()) if text else None
    if not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w./-]*)?", text, re.ASCII):
        raise BadSetting(f"{name} has to be a folder, or a bucket and a prefix such as s3://bucket/prefix.")
    if not _is_installed("boto3"):
        raise BadSetting(f"{name} is a bucket, but what it needs is not installed: pip install 'boardroom[s3]'.")
    return text


def _encryption(name: str, text: str) -> str | None:
    if text and not re.fullmatch(r"AES256|aws:kms(:[\w:/-]{1,2048})?", text, re.ASCII):
        raise BadSetting(f"{name} is {text!r}, it has to be AES256, aws:kms, or aws:kms: and the id of a key.")
    return text or None


def _folder(name: str, text: str) -> Path | None:
    return Path(text).absolute() if text else None


def _switch(name: str, text: str) -> bool:
    if text.lower() not in _YES | _NO:
        raise BadSetting(f"{name} is {text!r}, it has to be true or false.")
    return text.lower() in _YES


def _factor(name: str, text: str) -> float:
    if text == "off":
        return 0.0
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text, re.ASCII) or not float(text):
        raise BadSetting(f"{name} is {text!r}, it has to be off, or what to multiply the limits by, such as 10 or 0.5.")
    return float(text)


def _domain(name: str, text: str) -> str:
    text = text.lower()
    if text and not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", text, re.ASCII):
        raise BadSetting(f"{name} is {text!r}, it has to be the name of a domain, such as in.example.org.")
    return text


def _secret(name: str, text: str) -> str | None:
    if text and not (len(text) >= MIN_SECRET_LENGTH and text.isascii()):
        raise BadSetting(f"{name} is too easily guessed: it has to have {MIN_SECRET_LENGTH} or more letters of ASCII.")
    return text or None


def _mail_address(name: str, text: str) -> str | None:
    if text and not re.fullmatch(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,255}", text, re.ASCII | re.IGNORECASE):
        raise BadSetting(f"{name} is {text!r}, it has to be a mail address, such as zoe@example.org.")
    return text or None


def _rate(name: str, text: str) -> tuple[int, int] | None:
    if text == "off":
        return None
    if not re.fullmatch(r"[1-9]\d{0,5}/[1-9]\d{0,5}", text, re.ASCII):
        raise BadSetting(
            f"{name} is {text!r}, it has to be off, or mails a minute to one domain and in all, such as 600/3000."
        )
    to_a_domain, in_all = text.split("/")
    return int(to_a_domain), int(in_all)


def _trust(name: str, text: str) -> str:
    if text not in TLS_TRUSTS and not (text.startswith("/") and Path(text).is_file()):
        raise BadSetting(f"{name} is {text!r}, it has to be verify, any, off, or the path of a file of certificates.")
    return text


def _is_accepted(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except ValueError:
        return False


def _read_database_url(name: str, text: str) -> str:
    """Return the address as SQLAlchemy takes it, '' for none; BadSetting says what is wrong, and quotes no password."""
    if not text:
        return ""
    scheme, found, rest = text.partition("://")
    if not found or scheme not in DATABASE_SCHEMES:
        raise BadSetting(
            f"{name} is no address that begins with {' or '.join(f'{each}://' for each in DATABASE_SCHEMES)}."
        )

    # Parameters: what libpq knows, and `ssl`.
    known = {each.keyword.decode() for each in Conninfo.get_defaults()} | {"ssl"}
    for parameter, _ in parse_qsl(rest.partition("?")[2], keep_blank_values=True):
        if parameter not in known:
            raise BadSetting(f"{name} has the parameter {parameter!r}, which libpq does not know.")
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(f"postgresql://{rest}").items()}
    except psycopg.Error:
        # The message of libpq may quote the password.
        raise BadSetting(
            f"{name} cannot be read: it has to be like postgresql://user:password@host:5432/database, "
            "with commas between several host:port, and with %40 and %2F for @ and / in a password."
        ) from None

    # Hosts and ports, and which of several hosts is taken.
    hosts, ports = parts.get("host", "").split(","), parts.get("port", "").split(",")
    if not all(re.fullmatch(r"(\d{1,5})?", port, re.ASCII) and int(port or 1) in range(1, 65536) for port in ports):
        raise BadSetting(
            f"{name} has a port that is no number from 1 to 65535; "
            "in a password the characters : / @ are written as %3A %2F %40."
        )
    if len(ports) not in {1, len(hosts)}:
        raise BadSetting(f"{name} has {len(hosts)} hosts and {len(ports)} ports: it takes one port, or one for each.")
    wanted = parts.get("target_session_attrs", "any")
    if wanted not in TARGET_SESSIONS:
        raise BadSetting(
            f"target_session_attrs in {name} is {wanted!r}, it has to be one of {', '.join(TARGET_SESSIONS)}."
        )

    # SQLAlchemy cannot parse several hosts in the authority: they become parameters.
    if len(hosts) == 1:
        return f"{DATABASE_DRIVER}://{rest}"
    user, password, database = (parts.pop(each, None) for each in ("user", "password", "dbname"))
    return URL.create(DATABASE_DRIVER, user, password, database=database, query=parts).render_as_string(
        hide_password=False
    )


def _read_pooler(name: str, text: str) -> Pooler:
    try:
        return Pooler(text)
    except ValueError:
        raise BadSetting(f"{name} is {text!r}, it has to be one of {', '.join(Pooler)}.") from None


TEXT: Final = ValueKind(lambda _, text: text)
OPTIONAL: Final = ValueKind(lambda _, text: text or None)
ARCHIVE: Final = ValueKind(_archive)
ENCRYPTION: Final = ValueKind(_encryption)
FOLDER: Final = ValueKind(_folder)
TRACES: Final = ValueKind(_traces)
SWITCH: Final = ValueKind(_switch, lambda value: "true" if value else "")
FACTOR: Final = ValueKind(_factor, lambda value: str(value) if value else "off")
DOMAIN: Final = ValueKind(_domain)
KEYS: Final = ValueKind(_keys, ",".join)
SECRET: Final = ValueKind(_secret)
MAIL_ADDRESS: Final = ValueKind(_mail_address)
TRUST: Final = ValueKind(_trust)
RATE: Final = ValueKind(_rate, lambda value: "/".join(map(str, value)) if value else "off")
PACKAGES: Final = ValueKind(lambda _, text: packages(text), ",".join)
DATABASE: Final = ValueKind(_read_database_url)
POOLER: Final = ValueKind(_read_pooler)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting: its environment variable, its kind, its default as a text, and what its documentation says.

    `up` is the default of `boardroom up` where that differs. `without` says in words what holds if nothing is set,
    where the default itself does not. A secret can be given in a file, named by the variable with `_FILE` after it.
    """

    name: str
    kind: ValueKind
    says: str
    default: str = ""
    up: str | None = None
    unit: str = ""
    without: str = ""
    secret: bool = False

    def read(self, text: str, partial: bool) -> Any:
        """Return the value of a text, or if that is empty the default (`partial`: that of `boardroom up`)."""
        return self.kind.read(self.name, text or (self.default if self.up is None or not partial else self.up))


def setting(name: str, kind: ValueKind, says: str, *, required: bool = False, **more: Any) -> Any:
    """Return a dataclass field for a Setting of these values.

    An object that is made without the field has the default of `boardroom up`, unless the field is `required`.
    """
    declared = Setting(name=name, kind=kind, says=says, **more)
    default = MISSING if required else declared.read("", partial=True)
    return field(default=default, metadata={DECLARED: declared}, repr=not declared.secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The operator's decisions: where the servers are, how the service presents itself, how large it is.

    An empty text or None: not set. `base_url` has no trailing slash. `rate_limits` is 0 for no limits, `mail_rate`
    None for none. Without `redis_url` jobs run in the relay. `migration_url`, `bounce_domain` and `reply_domain` are ''
    for the usual ones: `database_url`, and the domain of the sender.
    """

    # Database, Redis, web server.

    database_url: str = setting(
        "DATABASE_URL",
        DATABASE,
        "The PostgreSQL database, as a URL of libpq: `postgresql://user:password@host/database`. With several hosts "
        "(`host1:5432,host2:5432`) and `?target_session_attrs=read-write`, the one that takes writes is used. "
        "`boardroom migrate` makes the tables and keeps them up to date.",
        required=True,
        without="`make up` starts one; elsewhere it has to be set",
        secret=True,
    )
    database_read_url: str = setting(
        "DATABASE_READ_URL",
        DATABASE,
        "A replica of the database (streaming replication), with the same role: games are read there for those who "
        "look on, and public games are listed from there. Players read their own games from the primary, and so does "
        "everybody what the replica does not have yet, or while it does not answer.",
        without="everything is read from `DATABASE_URL`",
        secret=True,
    )
    pool_size: int = setting(
        "POOL_SIZE",
        number(MIN_POOL_SIZE, 1000, " of connections"),
        "The most database connections that a process keeps open, and as many again to a replica. All processes on all "
        "machines together have to fit into `max_connections` of the server, or into `max_client_conn` of a pooler; "
        "`boardroom doctor` adds them up.",
        default=str(POOL_SIZE),
        unit="connections",
    )
    pooler: Pooler = setting(  # noqa: RUF009 - a field, not a value
        "DATABASE_POOLER",
        POOLER,
        "What stands before PostgreSQL at `DATABASE_URL`: `none`, or a pooler such as PgBouncer in transaction mode, "
        "with `transaction` for one that does not know named prepared statements, and `transaction-prepared` for one "
        "that does (PgBouncer 1.21 or later with `max_prepared_statements`). The limits of a session then stand at the "
        "role ([operating](operating.md#pgbouncer)).",
        default="none",
    )
    migration_url: str = setting(
        "MIGRATION_DATABASE_URL",
        DATABASE,
        "The database for `boardroom migrate`, which needs connections of its own: PostgreSQL itself, not a pooler, as "
        "the owner of the tables.",
        without="`DATABASE_URL`",
        secret=True,
    )
    redis_url: str | None = setting(
        "REDIS_URL",
        url("redis", "rediss", "unix"),
        "The Redis server that wakes the workers up: `redis://host:6379/0`. It may be emptied at any time.",
        without="`make up` starts one; elsewhere the relay does the work of the workers",
        secret=True,
    )
    host: str = setting(
        "HOST",
        TEXT,
        "The address at which the web server listens. At another than a loopback address it takes an `SMTP_URL`, or "
        "`LOCAL_MAIL`.",
        default="127.0.0.1",
    )
    port: int = setting("PORT", number(1, 65535), "The port at which the web server listens.", default="8000")
    base_url: str = setting(
        "BASE_URL",
        url("http", "https"),
        "The address in links, and the only one, besides those of loopback, under which pages are served. A proxy has "
        "to pass the `Host` on.",
        required=True,
        without="`http://HOST:PORT`",
    )
    proxies: int = setting(
        "TRUSTED_PROXIES",
        number(0, 9),
        "How many proxies of one's own stand before the web server and add to `X-Forwarded-For`. With the right "
        "number, limits by address count the clients. With `0` behind a proxy everybody counts as one address, which "
        "may have 100 requests under way and 15 streams in each web process.",
        default="0",
        unit="proxies",
    )
    web_processes: int = setting(
        "WEB_PROCESSES",
        number(1, 64, " of processes"),
        "How many web processes a web server has; one for each core is enough.",
        default=str(WEB_PROCESSES),
        unit="processes",
    )
    web_threads: int = setting(
        "WEB_THREADS",
        number(16, 8192, " of threads"),
        "The most threads of a web process; they start when they are needed. A quarter of them may wait for events.",
        default=str(WEB_THREADS),
        unit="threads",
    )
    rate_limits: float = setting(
        "RATE_LIMITS",
        FACTOR,
        "The factor by which the limits of the API, and of the mails that one may cause, are multiplied, or `off`.",
        default="1",
    )
    take_back_seconds: int = setting(
        "TAKE_BACK_SECONDS",
        number(0, 999_999, " of seconds"),
        "For how long a player may take an action back; `0` for never.",
        default="600",
        unit="seconds",
    )
    ruleset_packages: tuple[str, ...] = setting(
        "RULESET_PACKAGES",
        PACKAGES,
        "The Python packages in which games are looked for, with commas between "
        "([how to write one](add-a-game.md)). Games that are installed beside Boardroom are found without it. "
        "Commands for records read it from the environment only.",
        without="`service.rules.games`",
    )

    # Mail that goes out and comes in.

    smtp_url: str | None = setting(
        "SMTP_URL",
        url("smtp", "smtps"),
        "The mail server that takes the mails: `smtp://host:25` or `smtps://host:465`, with `user:password@` if need "
        "be. TLS is used where the server offers it, as `SMTP_TLS` says.",
        without="`make up`: a mail sink, shown at `/mailbox` on this machine alone; elsewhere no mails are sent",
        secret=True,
    )
    smtp_tls: str = setting(
        "SMTP_TLS",
        TRUST,
        "What the certificate of the mail server has to be. `verify`: good, unless the server is on this machine "
        "(`localhost`, `127.0.0.1`, `::1`). A path: signed by one of the certificates in this file, such as the "
        "server's own. `any`: whatever it is, so that mails and password go to anybody who answers. `off`: STARTTLS is "
        "not used, so that everybody on the way can read them.",
        default="verify",
    )
    mail_from: str = setting("MAIL_FROM", TEXT, "The sender of mails.", default="Boardroom <boardroom@localhost>")
    mail_keys: tuple[str, ...] = setting(
        "MAIL_KEY",
        KEYS,
        "Signs links and addresses in mails, and seals mails that come in: 32 bytes in URL-safe base64. To change it, "
        "put the new key in front, with a comma.",
        without=KEY_MADE + "mails have no link to end them, and neither replies nor bounces are taken in",
        secret=True,
    )
    mail_delay: int = setting(
        "MAIL_DELAY",
        number(0, 60, " of minutes"),
        "For how long a turn mail waits in case its player plays meanwhile; players may choose for themselves.",
        default="3",
        up="0",
        unit="minutes",
    )
    mail_rate: tuple[int, int] | None = setting(
        "MAIL_RATE",
        RATE,
        "How many mails leave a minute, to one domain and in all, or `off`; the others wait.",
        default="600/3000",
        unit="mails a minute",
    )
    operator_email: str | None = setting(
        "OPERATOR_EMAIL",
        MAIL_ADDRESS,
        "Gets one mail a day, which shows that mails leave.",
        without="no such mail",
    )
    mailbox: Path | None = setting(  # noqa: RUF009 - a field, not a value
        "MAILBOX",
        FOLDER,
        "The folder whose `.eml` files `/mailbox` shows.",
        without="`make up`: that of the mail sink; elsewhere there is no such page",
    )
    local_mail: bool = setting(
        "LOCAL_MAIL",
        SWITCH,
        "`true`: mails stay in the mail sink though others reach the service; `/mailbox` is shown on this machine "
        "alone.",
        without="`false`: with such a `HOST` it does not start",
    )
    reply_domain: str = setting(
        "REPLY_DOMAIN", DOMAIN, "The domain at which replies arrive.", without="the domain of `MAIL_FROM`"
    )
    bounce_domain: str = setting(
        "BOUNCE_DOMAIN", DOMAIN, "The domain at which bounces arrive.", without="the domain of `MAIL_FROM`"
    )
    inbound_listen: str | None = setting(
        "INBOUND_LISTEN",
        url("smtp", "lmtp"),
        "Where your mail server delivers replies and bounces: `lmtp://host:port` or `smtp://host:port`, reachable by "
        "nobody else.",
        without="`make up` chooses one; elsewhere there is no inbox",
    )
    inbound_server: str | None = setting(
        "INBOUND_AUTHSERV_ID",
        OPTIONAL,
        "The name that your mail server writes into `Authentication-Results` "
        "(see [Replies by mail](../README.md#replies-by-mail)).",
        without="no mail from outside plays a move; its sender gets a fresh link instead",
    )
    inbound_secret: str | None = setting(
        "INBOUND_SECRET",
        SECRET,
        "Opens `POST /inbound/mail` for a provider that delivers mails by HTTP and sends it as `X-Inbound-Secret`: at "
        "least 16 characters.",
        without="there is no such address",
        secret=True,
    )

    # Keys and addresses of others, archive, metrics.

    seal_key: str | None = setting(
        "SEAL_KEY",
        one_key(signer),
        "The key that seals records: 32 bytes in URL-safe base64.",
        without=KEY_MADE + "records have no seals",
        secret=True,
    )
    security_email: str | None = setting(
        "SECURITY_EMAIL",
        MAIL_ADDRESS,
        "Where those write who have found a hole: `/.well-known/security.txt` says so.",
        without="there is no such file",
    )
    vapid_key: str | None = setting(
        "VAPID_KEY",
        one_key(public_key),
        "The key by which push services know this server: 32 bytes in URL-safe base64. With another key every browser "
        "has to be subscribed again.",
        without=KEY_MADE + "there is no Web Push",
        secret=True,
    )
    webhooks_keys: tuple[str, ...] = setting(
        "WEBHOOKS_KEY",
        KEYS,
        "Seals the secrets of webhooks and channels: 32 bytes in URL-safe base64. To change it, put the new key in "
        "front, with a comma.",
        without=KEY_MADE + "there are neither webhooks nor channels",
        secret=True,
    )
    webhooks_insecure: bool = setting(
        "WEBHOOKS_INSECURE",
        SWITCH,
        "`true` lets webhooks and channels call any address and port, by http too: only for trying things out on your "
        "own machine.",
        without="`false`: https, ports 443 and 8443, public addresses",
    )
    part: str = setting(
        "PART",
        TEXT,
        "The name of a process in heartbeats, where several of a kind run, such as `relay-2`. That of a web server "
        "begins with `web`, by which the relay knows whether players can be heard.",
        without="its kind: `web`, `relay`, `worker-moves`, `worker-replies`, `worker-mails`, `worker-computers`, "
        "`courier`, `inbox`",
    )
    archive: str | None = setting(
        "ARCHIVE",
        ARCHIVE,
        "Where relays write the sealed records of finished games, each verified there: a folder, or "
        "`s3://bucket/prefix`, which takes the extra `boardroom[s3]` and the usual variables of the environment "
        "(`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, ...). A file a game, for `boardroom verify` and `boardroom import`.",
        without="records are in the database alone",
    )
    archive_days: int = setting(
        "ARCHIVE_DAYS",
        number(0, 3650),
        "How many days after its end a game is archived.",
        default="30",
        unit="days",
    )
    archive_encryption: str | None = setting(
        "ARCHIVE_ENCRYPTION",
        ENCRYPTION,
        "How a bucket is to encrypt records that are written: `AES256`, `aws:kms`, or `aws:kms:` and the id of a key.",
        without="as the bucket does by default",
    )
    archive_only: bool = setting(
        "ARCHIVE_ONLY",
        SWITCH,
        "`true` takes the log of a game out of the database once its record is in `ARCHIVE`, where it is read from "
        "then on. The archive is then part of what has to be kept, and all processes have to know it.",
        without="`false`: records in `ARCHIVE` are copies",
    )
    metrics_folder: Path | None = setting(  # noqa: RUF009 - a field, not a value
        "PROMETHEUS_MULTIPROC_DIR",
        FOLDER,
        "The folder, best in memory, in which all processes of a machine write what they count, so that `/metrics` "
        "shows the sums. It may be emptied while none of them runs.",
        without="`make up` makes one; elsewhere each web server and each program of several parts has one for its own "
        "processes",
    )
    metrics_port: int = setting(
        "METRICS_PORT",
        number(0, 65535),
        "The port, at HOST, at which parts that answer no requests (relay, workers, courier, inbox) show `/metrics`, "
        "where each has a machine or container of its own.",
        default="0",
        without="0: no port; what they count is shown by the web servers that share PROMETHEUS_MULTIPROC_DIR with them",
    )
    traces_endpoint: str | None = setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        TRACES,
        "Where traces go by OTLP over HTTP, such as `http://127.0.0.1:4318`; it takes the extra `boardroom[traces]`. "
        "What else OpenTelemetry's variables say (`OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, ...) is read "
        "from the environment alone.",
        without="there are no traces",
    )

    @property
    def private(self) -> bool:
        """Return whether the service can be reached only from the machine on which it runs."""
        address = hostname(urlsplit(self.base_url).netloc)
        return is_loopback(self.host) and is_loopback(address) and not self.proxies

    @classmethod
    def from_env(cls, *, partial: bool = False) -> Settings:
        """Read the environment and boardroom.toml; raises BadSetting.

        With `partial`, for `boardroom up`, DATABASE_URL may be absent (it is then ''), and mails do not wait.
        """
        table = settings_by_field()
        known = table.values()
        sources = Sources([each.name for each in known], [each.name for each in known if each.secret])
        found = {field: each.read(sources.text(each.name), partial) for field, each in table.items()}
        if not found["database_url"] and not partial:
            raise BadSetting(
                "DATABASE_URL is not set: the address of a PostgreSQL database (`make up` brings its own)."
            )
        found["base_url"] = (found["base_url"] or default_base_url(found["host"], found["port"])).rstrip("/")
        settings = cls(**found)
        if settings.archive_only and settings.archive is None:
            raise BadSetting("ARCHIVE_ONLY is true, and ARCHIVE is not set: name a folder, or s3://bucket/prefix.")
        settings._refuse_lost_mails(partial)
        return settings

    def _refuse_lost_mails(self, partial: bool) -> None:
        sink = self.mailbox or (partial and not self.smtp_url)
        if sink and not self.local_mail and not is_loopback(self.host):
            raise BadSetting(
                f"HOST is {self.host}, where others reach the service, but mails to them would stay in a folder here. "
                "Set SMTP_URL to have them sent, or LOCAL_MAIL=true if they are to stay."
            )

    def variables(self) -> dict[str, str]:
        """Return the variables by which another process finds the same settings, whatever else its environment has."""
        ours = {each.name: each.kind.write(getattr(self, field)) for field, each in settings_by_field().items()}
        files = {each.name + FILE_SUFFIX: "" for each in settings_by_field().values() if each.secret}
        return {CONFIG: "", **files, **ours}

    def environment(self) -> dict[str, str]:
        """Return the environment in which another process of this service finds the same settings, and no file."""
        return {**os.environ, **self.variables()}


def settings_by_field() -> dict[str, Setting]:
    """Return every setting by the name of its field in Settings, in the order of the table."""
    return {row.name: row.metadata[DECLARED] for row in fields(Settings)}


def default_base_url(host: str, port: int) -> str:
    """Return the address at which a server that listens on `host` is found from the same machine."""
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - only read here
    shown = anywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


class Sources:
    """The texts of the settings: the environment, else the file. An empty variable of the environment counts as set."""

    def __init__(self, names: Iterable[str], secrets: Iterable[str]) -> None:
        """Take the names of all settings and those of the secrets, and read the file; raises BadSetting."""
        self._secrets = frozenset(secrets)
        known = [*names, *(name + FILE_SUFFIX for name in self._secrets)]
        self._places: tuple[Mapping[str, str], ...] = (os.environ, _read_config(known))

    def text(self, name: str) -> str:
        """Return the text of a setting without the space around it, '' where nothing is set; raises BadSetting."""
        for place in self._places:
            file = place.get(name + FILE_SUFFIX, "").strip() if name in self._secrets else ""
            if file and place.get(name, "").strip():
                raise BadSetting(f"{name} and {name + FILE_SUFFIX} are both set; one of them has to go.")
            if file:
                return _read_secret(name + FILE_SUFFIX, Path(file))
            if name in place:
                return place[name].strip()
        return ""


def _read_secret(name: str, path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BadSetting(f"{name} is {str(path)!r}, which cannot be read: {error.strerror}.") from error
    except ValueError:
        raise BadSetting(f"{name} is {str(path)!r}, which holds no text.") from None
    if not text:
        raise BadSetting(f"{name} is {str(path)!r}, which is empty.")
    return text


def _read_config(known: Iterable[str]) -> Mapping[str, str]:
    """Return the texts in the file by the names of the settings; empty if there is no file."""
    named = os.environ.get(CONFIG, DEFAULT_CONFIG if Path(DEFAULT_CONFIG).exists() else "").strip()
    if not named:
        return {}
    path = Path(named)
    try:
        with path.open("rb") as file:
            found = tomllib.load(file)
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadSetting(f"{path} is no TOML: {' '.join(str(error).split())}.") from None
    names = {name.lower(): name for name in known}
    for key in found:
        if key not in names:
            (nearest,) = get_close_matches(key.lower(), names, 1, 0)
            raise BadSetting(f"{path} has {key!r}, which is no setting; the nearest name is {nearest}.")
    return {names[key]: _written(f"{key} in {path}", value) for key, value in found.items()}


def _written(what: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if not isinstance(value, str | int | float):
        raise BadSetting(f"{what} has to be a text, a number, true, false, or a list of texts.")
    return str(value)


@contextmanager
def ended_by_bad_settings() -> Iterator[None]:
    """End the process with the one line of a BadSetting (SystemExit); a decorator of main functions."""
    try:
        yield
    except BadSetting as refusal:
        sys.exit(str(refusal))


_HEAD: Final = """# Settings

Every process reads its settings from the environment. What the environment does not have it reads from the file
`boardroom.toml` in the current folder, if there is one; `BOARDROOM_CONFIG` names another file, and set to nothing it
says that there is none. A name in the file is that of the variable in small letters:

```toml
base_url = "https://games.example.org"
trusted_proxies = 1
database_url_file = "/run/secrets/database-url"
rate_limits = "off"
```

The environment wins over the file, also where it sets a variable to nothing. A name in the file that is no setting is
refused, and so is a value that a setting cannot have: the process then says which in one line, and does not start.

A setting marked *secret* can be in a file of its own, which its name with `_FILE` after it leads to, such as
`DATABASE_URL_FILE=/run/secrets/database-url`. The space around the text in that file does not count. `DATABASE_URL`
and `DATABASE_URL_FILE` together are refused. Keep these files, and a `boardroom.toml` with secrets in it, readable by
the service alone.

The address of the database is a URL of libpq. Several hosts stand with commas between, each with its port:
`postgresql://user:password@db1:5432,db2:5432/games?target_session_attrs=read-write`. The first that answers and takes
writes is used, and after a failover the other one. In a password `@`, `/` and `:` are written as `%40`, `%2F`, `%3A`.

This page is made from the code by `make settings`.

| Variable | What it decides | Unit | Without it |
|---|---|---|---|
"""


def settings_page() -> str:
    """Return the page docs/settings.md."""
    return _HEAD + "".join(f"{_markdown_row(each)}\n" for each in settings_by_field().values())


def _markdown_row(each: Setting) -> str:
    name = f"`{each.name}`" + (" (secret)" if each.secret else "")
    default = each.without or f"`{each.default}`"
    if each.up is not None:
        default += f", with `make up` `{each.up}`"
    return f"| {name} | {each.says} | {each.unit} | {default} |"


if __name__ == "__main__":
    sys.stdout.write(settings_page())
