"""What the environment says: the only place that reads it, but for RULESET_PACKAGES (service.shared.rulesets)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from environs import Env, EnvError

from service.channels.vapid import public_key
from service.record.seal import signer
from service.rules.registry import GAMES
from service.shared.loopback import hostname, is_loopback
from service.shared.rulesets import ruleset_packages
from service.webhooks.secrets import Vault

DRIVER = "postgresql+psycopg"
PROCESSES = 2
"""How many web processes there are."""
MAIL_DELAY = 3
"""Minutes that a turn mail waits by default."""
MAIL_RATE = (600, 3000)
"""How many mails leave a minute, to one domain and in all, by default."""
PLACES = 320
"""How many requests may wait for events in a web process at the same time; it has four times as many threads."""
SHORTEST_SECRET = 16


class BadSetting(ValueError):
    """A setting that cannot be used; the message is one line that names it and never shows a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the servers are and how the service presents itself.

    Addresses are URLs. Without `redis_url` jobs run in the relay, without `smtp_url` no mail is sent, without
    `mailbox` (a folder of .eml files) there is no /mailbox page. `base_url` has no trailing slash. Answers to
    our mails arrive at `reply_domain`, or else at the domain of `mail_from`. Without `webhooks_keys`
    (service.webhooks.secrets.Vault) there are no webhooks; `webhooks_insecure` lets them call any address.
    `rate_limits` is what the quotas of the limits are multiplied by, 0 for no limits; `proxies` is how many proxies of
    one's own, each of which adds to X-Forwarded-For, stand between the web server and the world. `mail_keys` (as
    `webhooks_keys`) sign what mails carry along, the first of them, and all are known again; without any, mails have no
    link to end them and bounces are not understood. `bounce_domain` is where bounces go, '' for the sender's domain.
    `mail_delay` is for how many minutes a turn mail waits for its player to come by, unless they want it otherwise.
    `take_back_seconds` is how long a player may take an action back. `inbound_listen` is where answers to our mails are
    taken in, `inbound_server` the name by which one's own mail server signs its Authentication-Results,
    `inbound_secret` what a provider shows that brings mails by HTTP: without it there is no such door.
    Without `seal_key` (service.record.seal.signer) finished games get no seals, and without `vapid_key`
    (service.channels.vapid) browsers get no Web Push. Once a day a mail goes to `operator_email`, if there is one,
    which shows that mails leave. `mail_rate` is how many mails may leave a minute to one domain, and in all, or None.
    With `local_mail` mails may stay in the `mailbox` though others reach the service. `part` is the name of this
    process in its heartbeats, '' for its kind.
    """

    database_url: str
    redis_url: str | None
    base_url: str
    host: str
    port: int
    smtp_url: str | None
    mail_from: str
    mailbox: Path | None
    reply_domain: str = ""
    rate_limits: float = 1.0
    proxies: int = 0
    ruleset_packages: tuple[str, ...] = GAMES
    webhooks_keys: tuple[str, ...] = ()
    webhooks_insecure: bool = False
    take_back_seconds: int = 600
    mail_keys: tuple[str, ...] = ()
    bounce_domain: str = ""
    mail_delay: int = 0
    inbound_listen: str | None = None
    inbound_server: str | None = None
    inbound_secret: str | None = None
    seal_key: str | None = None
    vapid_key: str | None = None
    operator_email: str | None = None
    mail_rate: tuple[int, int] | None = MAIL_RATE
    local_mail: bool = False
    part: str = ""

    @property
    def private(self) -> bool:
        """Whether nobody reaches the service but from the machine on which it runs."""
        address = hostname(urlsplit(self.base_url).netloc)
        return is_loopback(self.host) and is_loopback(address) and not self.proxies

    @classmethod
    def from_env(cls, *, partial: bool = False) -> Settings:
        """Read the environment; raises BadSetting.

        With `partial`, for `boardroom up`, DATABASE_URL may be absent (it is then ''), and mails do not wait.
        """
        env = Env()
        try:
            host = _text(env, "HOST") or "127.0.0.1"
            port = _number(env, "PORT", 8000, 1, 65535)
            return cls(
                database_url=_database_url(env, partial),
                redis_url=_url(env, "REDIS_URL", ("redis", "rediss", "unix")),
                base_url=(_url(env, "BASE_URL", ("http", "https")) or default_base_url(host, port)).rstrip("/"),
                host=host,
                port=port,
                smtp_url=_url(env, "SMTP_URL", ("smtp", "smtps")),
                mail_from=_text(env, "MAIL_FROM") or "Boardroom <boardroom@localhost>",
                mailbox=_folder(env, "MAILBOX"),
                reply_domain=_domain(env, "REPLY_DOMAIN"),
                rate_limits=_factor(env, "RATE_LIMITS"),
                proxies=_number(env, "TRUSTED_PROXIES", 0, 0, 9),
                ruleset_packages=ruleset_packages(),
                webhooks_keys=_keys(env, "WEBHOOKS_KEY"),
                webhooks_insecure=_text(env, "WEBHOOKS_INSECURE") is not None and env.bool("WEBHOOKS_INSECURE"),
                take_back_seconds=_number(env, "TAKE_BACK_SECONDS", 600, 0, 999_999, " of seconds"),
                mail_keys=_keys(env, "MAIL_KEY"),
                bounce_domain=_domain(env, "BOUNCE_DOMAIN"),
                inbound_listen=_url(env, "INBOUND_LISTEN", ("smtp", "lmtp")),
                inbound_server=_text(env, "INBOUND_AUTHSERV_ID"),
                inbound_secret=_secret(env, "INBOUND_SECRET"),
                mail_delay=_number(env, "MAIL_DELAY", 0 if partial else MAIL_DELAY, 0, 60, " of minutes"),
                seal_key=_key(env, "SEAL_KEY", signer),
                vapid_key=_key(env, "VAPID_KEY", public_key),
                operator_email=_address(env, "OPERATOR_EMAIL"),
                mail_rate=_rate(env),
                local_mail=_local_mail(env, host, partial),
                part=_text(env, "PART") or "",
            )
        except EnvError as refusal:
            raise BadSetting(str(refusal)) from refusal

    def environment(self) -> dict[str, str]:
        """Return the environment in which another process of ours finds these same settings."""
        ours = {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url or "",
            "BASE_URL": self.base_url,
            "HOST": self.host,
            "PORT": str(self.port),
            "SMTP_URL": self.smtp_url or "",
            "MAIL_FROM": self.mail_from,
            "MAILBOX": str(self.mailbox or ""),
            "REPLY_DOMAIN": self.reply_domain,
            "RATE_LIMITS": str(self.rate_limits) if self.rate_limits else "off",
            "TRUSTED_PROXIES": str(self.proxies),
            "RULESET_PACKAGES": ",".join(self.ruleset_packages),
            "WEBHOOKS_KEY": ",".join(self.webhooks_keys),
            "WEBHOOKS_INSECURE": "true" if self.webhooks_insecure else "",
            "TAKE_BACK_SECONDS": str(self.take_back_seconds),
            "MAIL_KEY": ",".join(self.mail_keys),
            "BOUNCE_DOMAIN": self.bounce_domain,
            "MAIL_DELAY": str(self.mail_delay),
            "INBOUND_LISTEN": self.inbound_listen or "",
            "INBOUND_AUTHSERV_ID": self.inbound_server or "",
            "INBOUND_SECRET": self.inbound_secret or "",
            "SEAL_KEY": self.seal_key or "",
            "VAPID_KEY": self.vapid_key or "",
            "OPERATOR_EMAIL": self.operator_email or "",
            "MAIL_RATE": "/".join(map(str, self.mail_rate)) if self.mail_rate else "off",
            "LOCAL_MAIL": "true" if self.local_mail else "",
            "PART": self.part,
        }
        return {**os.environ, **ours}


def default_base_url(host: str, port: int) -> str:
    """Return the address at which a server that listens on `host` is found from the same machine."""
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - only read here
    shown = anywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def _text(env: Env, name: str) -> str | None:
    value: str = env.str(name, "")
    return value.strip() or None


def _folder(env: Env, name: str) -> Path | None:
    text = _text(env, name)
    return Path(text).absolute() if text else None


def _number(env: Env, name: str, default: int, least: int, most: int, of: str = "") -> int:
    """Return a whole number; `of` is the unit that the message names, such as ` of seconds`."""
    text = _text(env, name) or str(default)
    if not (re.fullmatch(r"\d{1,6}", text, re.ASCII) and least <= int(text) <= most):
        raise BadSetting(f"{name} is {text!r}, it has to be a number{of} from {least} to {most}.")
    return int(text)


def _factor(env: Env, name: str) -> float:
    text = _text(env, name) or "1"
    if text == "off":
        return 0.0
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text, re.ASCII) or not float(text):
        raise BadSetting(f"{name} is {text!r}, it has to be off, or what to multiply the limits by, such as 10 or 0.5.")
    return float(text)


def _domain(env: Env, name: str) -> str:
    text = (_text(env, name) or "").lower()
    if text and not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", text, re.ASCII):
        raise BadSetting(f"{name} is {text!r}, it has to be the name of a domain, such as in.example.org.")
    return text


def _url(env: Env, name: str, schemes: tuple[str, ...]) -> str | None:
    value = _text(env, name)
    if value is None:
        return None
    if not _reads(lambda: (split := urlsplit(value)).scheme in schemes and (split.port, True)[1]):
        raise BadSetting(f"{name} is no address that begins with {' or '.join(f'{each}://' for each in schemes)}.")
    return value


def _database_url(env: Env, partial: bool) -> str:
    value = _url(env, "DATABASE_URL", ("postgresql", "postgres", DRIVER))
    if value is None:
        if partial:
            return ""
        raise BadSetting("DATABASE_URL is not set: the address of a PostgreSQL database (`make up` brings its own).")
    return DRIVER + value[value.index(":") :]


def _keys(env: Env, name: str) -> tuple[str, ...]:
    keys = tuple((_text(env, name) or "").replace(",", " ").split())
    if keys and not _reads(lambda: bool(Vault(keys))):
        raise BadSetting(f"{name} has to be one or more keys of 32 bytes in URL-safe base64, with commas between.")
    return keys


def _secret(env: Env, name: str) -> str | None:
    text = _text(env, name)
    if text is not None and not (len(text) >= SHORTEST_SECRET and text.isascii()):
        raise BadSetting(f"{name} is too easily guessed: it has to have {SHORTEST_SECRET} or more letters of ASCII.")
    return text


def _address(env: Env, name: str) -> str | None:
    text = _text(env, name)
    if text is not None and not re.fullmatch(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,255}", text, re.ASCII | re.IGNORECASE):
        raise BadSetting(f"{name} is {text!r}, it has to be a mail address, such as zoe@example.org.")
    return text


def _rate(env: Env) -> tuple[int, int] | None:
    text = _text(env, "MAIL_RATE") or "/".join(map(str, MAIL_RATE))
    if text == "off":
        return None
    if not re.fullmatch(r"[1-9]\d{0,5}/[1-9]\d{0,5}", text, re.ASCII):
        raise BadSetting(
            f"MAIL_RATE is {text!r}, it has to be off, or mails a minute to one domain and in all, such as 600/3000."
        )
    to_a_domain, in_all = text.split("/")
    return int(to_a_domain), int(in_all)


def _local_mail(env: Env, host: str, partial: bool) -> bool:
    """Return whether mails stay here by intention; BadSetting where they would, and others can reach the service."""
    wanted = _text(env, "LOCAL_MAIL") is not None and env.bool("LOCAL_MAIL")
    sink = _text(env, "MAILBOX") or (partial and not _text(env, "SMTP_URL"))
    if sink and not wanted and not is_loopback(host):
        raise BadSetting(
            f"HOST is {host}, where others reach the service, but mails to them would stay in a folder here. "
            "Set SMTP_URL to have them sent, or LOCAL_MAIL=true if they are to stay."
        )
    return wanted


def _key(env: Env, name: str, read: Callable[[str], object]) -> str | None:
    key = _text(env, name)
    if key is not None and not _reads(lambda: bool(read(key))):
        raise BadSetting(f"{name} has to be a key of 32 bytes in URL-safe base64.")
    return key


def _reads(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except ValueError:
        return False
