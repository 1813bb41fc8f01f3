"""Dependencies of a process, built once from its settings and shared by web and workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from redis import Redis
from sqlalchemy import Engine

from service.archive.archive import Archive, open_archive
from service.handlers.authentication import RememberedTokens
from service.mail.envelope_sender import envelope_sender
from service.mail.smtp import Mailer, MailOutage, SendingRate
from service.messages.keys import Vault
from service.record.seal import Signer, signer
from service.rules.kernel import AnyRuleset
from service.settings import Settings
from service.shared import metrics, process_name, traces
from service.shared.circuit_breaker import OPTIONAL_TIMEOUT_S
from service.shared.counters import SURE_TIMEOUT_S, Counters
from service.shared.pubsub import Publisher, Subscriber
from service.shared.redis_client import connect_redis
from service.shared.rulesets import BrokenGame, rulesets_here
from service.store.engine import build_engine
from service.store.games import Games
from service.store.heartbeats import Heart
from service.store.operation import Mode
from service.store.proof import use_archive
from service.store.replica import connect_replica


@dataclass(frozen=True, slots=True)
class Runtime:
    """The settings and what they lead to; `redis` and `mailer` are None where the settings name no server,
    `vault` and `signer` where they hold no key for them."""

    settings: Settings
    engine: Engine
    redis: Redis | None
    games: Games
    mailer: Mailer | None
    vault: Vault | None
    signer: Signer | None
    subscriber: Subscriber
    heart: Heart
    mode: Mode
    remembered_tokens: RememberedTokens = field(default_factory=RememberedTokens)

    @classmethod
    def build(cls, settings: Settings, hurried: bool = False) -> Runtime:
        """Build a runtime; connects to nothing yet, so every server may come up later.

        In a process that answers requests (`hurried`), a database that hangs is not waited for. SystemExit as
        `games_here` raises it.
        """
        engine = build_engine(settings.database_url, hurried, settings.pool_size, settings.pooler)
        redis = None if settings.redis_url is None else connect_redis(settings.redis_url)
        publisher = Publisher(
            None if settings.redis_url is None else connect_redis(settings.redis_url, OPTIONAL_TIMEOUT_S)
        )
        reads = settings.database_read_url
        replica = connect_replica(reads, settings.pool_size, settings.pooler) if reads else None
        for each in (engine, *(() if replica is None else (replica.engine,))):
            use_archive(each, _archive(settings))
        games = Games(engine, games_here(settings), publisher.tell, replica)
        mailer = None if settings.smtp_url is None else _mailer(settings, settings.smtp_url)
        vault = Vault(settings.webhooks_keys) if settings.webhooks_keys else None
        seals = None if settings.seal_key is None else signer(settings.seal_key)
        subscribed = None if settings.redis_url is None else connect_redis(settings.redis_url)
        news, heart, mode = Subscriber(engine, subscribed), Heart(engine), Mode(engine)
        return cls(settings, engine, redis, games, mailer, vault, seals, news, heart, mode)


def begin_process(settings: Settings, part: str) -> None:
    """Have this process show itself as a part: to PostgreSQL, in its metrics and in its traces."""
    process_name.take(part)
    metrics.begin(settings.metrics_folder)
    traces.begin(settings.traces_endpoint, part)


def games_here(settings: Settings) -> Mapping[str, AnyRuleset]:
    """Return the rulesets by name; SystemExit with a sentence if one that is installed cannot be had.

    ImportError or ValueError as `rulesets_here` raises them.
    """
    try:
        return rulesets_here(settings.ruleset_packages)
    except BrokenGame as error:
        sys.exit(f"{error}. Mend the package, or uninstall it.")


def _mailer(settings: Settings, smtp_url: str) -> Mailer:
    pace = (
        SendingRate(Counters(settings.redis_url, SURE_TIMEOUT_S), *settings.mail_rate) if settings.mail_rate else None
    )
    outage = MailOutage(None if settings.redis_url is None else connect_redis(settings.redis_url, OPTIONAL_TIMEOUT_S))
    return Mailer(smtp_url, settings.mail_from, envelope_sender(settings), pace, outage, settings.smtp_tls)


def _archive(settings: Settings) -> Archive | None:
    return open_archive(settings.archive) if settings.archive else None


@contextmanager
def shelf(settings: Settings) -> Iterator[Games]:
    """Open the shelf of games alone, for a command; connects to nothing yet."""
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    use_archive(engine, _archive(settings))
    try:
        yield Games(engine, rulesets_here(settings.ruleset_packages))
    finally:
        engine.dispose()
