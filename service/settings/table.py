"""The whole table of settings, which every process reads from its environment and from boardroom.toml."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from urllib.parse import urlsplit

from service.channels.vapid import public_key
from service.record.seal import signer
from service.settings import kinds
from service.settings.kinds import BadSetting
from service.settings.mail import MailSettings
from service.settings.setting import DECLARED, KEY_MADE, Setting, setting
from service.settings.sources import CONFIG, OF_FILE, Sources
from service.shared.loopback import hostname, is_loopback


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(MailSettings):
    """What the operator decides: where the servers are, how the service presents itself, how large it is."""

    seal_key: str | None = setting(
        "SEAL_KEY",
        kinds.key(signer),
        "The key that seals records: 32 bytes in URL-safe base64.",
        without=KEY_MADE + "records have no seals",
        secret=True,
    )
    security_email: str | None = setting(
        "SECURITY_EMAIL",
        kinds.MAIL_ADDRESS,
        "Where those write who have found a hole: `/.well-known/security.txt` says so.",
        without="there is no such file",
    )
    vapid_key: str | None = setting(
        "VAPID_KEY",
        kinds.key(public_key),
        "The key by which push services know this server: 32 bytes in URL-safe base64. With another key every browser "
        "has to be subscribed again.",
        without=KEY_MADE + "there is no Web Push",
        secret=True,
    )
    webhooks_keys: tuple[str, ...] = setting(
        "WEBHOOKS_KEY",
        kinds.KEYS,
        "Seals the secrets of webhooks and channels: 32 bytes in URL-safe base64. To change it, put the new key in "
        "front, with a comma.",
        without=KEY_MADE + "there are neither webhooks nor channels",
        secret=True,
    )
    webhooks_insecure: bool = setting(
        "WEBHOOKS_INSECURE",
        kinds.SWITCH,
        "`true` lets webhooks and channels call any address and port, by http too: only for trying things out on your "
        "own machine.",
        without="`false`: https, ports 443 and 8443, public addresses",
    )
    part: str = setting(
        "PART",
        kinds.TEXT,
        "The name of a process in heartbeats, where several of a kind run, such as `relay-2`. That of a web server "
        "begins with `web`, by which the relay knows whether players can be heard.",
        without="its kind: `web`, `relay`, `worker-moves`, `worker-replies`, `worker-mails`, `worker-computers`, "
        "`courier`, `inbox`",
    )
    archive: str | None = setting(
        "ARCHIVE",
        kinds.ARCHIVE,
        "Where relays write the sealed records of finished games, each verified there: a folder, or "
        "`s3://bucket/prefix`, which takes the extra `boardroom[s3]` and the usual variables of the environment "
        "(`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, ...). A file a game, for `boardroom verify` and `boardroom import`.",
        without="records are in the database alone",
    )
    archive_days: int = setting(
        "ARCHIVE_DAYS",
        kinds.number(0, 3650),
        "How many days after its end a game is archived.",
        default="30",
        unit="days",
    )
    archive_encryption: str | None = setting(
        "ARCHIVE_ENCRYPTION",
        kinds.ENCRYPTION,
        "How a bucket is to encrypt records that are written: `AES256`, `aws:kms`, or `aws:kms:` and the id of a key.",
        without="as the bucket does by default",
    )
    archive_only: bool = setting(
        "ARCHIVE_ONLY",
        kinds.SWITCH,
        "`true` takes the log of a game out of the database once its record is in `ARCHIVE`, where it is read from "
        "then on. The archive is then part of what has to be kept, and all processes have to know it.",
        without="`false`: records in `ARCHIVE` are copies",
    )
    metrics_folder: Path | None = setting(  # noqa: RUF009 - a field, not a value
        "PROMETHEUS_MULTIPROC_DIR",
        kinds.FOLDER,
        "The folder, best in memory, in which all processes of a machine write what they count, so that `/metrics` "
        "shows the sums. It may be emptied while none of them runs.",
        without="`make up` makes one; elsewhere each web server and each program of several parts has one for its own "
        "processes",
    )
    metrics_port: int = setting(
        "METRICS_PORT",
        kinds.number(0, 65535),
        "The port, at HOST, at which parts that answer no requests (relay, workers, courier, inbox) show `/metrics`, "
        "where each has a machine or container of its own.",
        default="0",
        without="0: no port; what they count is shown by the web servers that share PROMETHEUS_MULTIPROC_DIR with them",
    )

    traces_endpoint: str | None = setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        kinds.TRACES,
        "Where traces go by OTLP over HTTP, such as `http://127.0.0.1:4318`; it takes the extra `boardroom[traces]`. "
        "What else OpenTelemetry's variables say (`OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, ...) is read "
        "from the environment alone.",
        without="there are no traces",
    )

    @property
    def private(self) -> bool:
        """Whether the service can be reached only from the machine on which it runs."""
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
        """Raise BadSetting where mails would stay in a folder by mistake, though others can reach the service."""
        sink = self.mailbox or (partial and not self.smtp_url)
        if sink and not self.local_mail and not is_loopback(self.host):
            raise BadSetting(
                f"HOST is {self.host}, where others reach the service, but mails to them would stay in a folder here. "
                "Set SMTP_URL to have them sent, or LOCAL_MAIL=true if they are to stay."
            )

    def variables(self) -> dict[str, str]:
        """Return the variables by which another process finds the same settings, whatever else its environment has."""
        ours = {each.name: each.kind.write(getattr(self, field)) for field, each in settings_by_field().items()}
        files = {each.name + OF_FILE: "" for each in settings_by_field().values() if each.secret}
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
