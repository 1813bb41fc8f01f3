"""Settings from the environment, and refusals of bad values."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service.messages.keys import new_key
from service.rules.registry import GAMES
from service.settings import POOL_SIZE, WEB_PROCESSES, WEB_THREADS, BadSetting, Settings, settings_by_field
from tests.deploy.processes import documented


@pytest.fixture(autouse=True)
def _only_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in settings_by_field().values():
        monkeypatch.delenv(each.name, raising=False)
    monkeypatch.setenv("BOARDROOM_CONFIG", "")
    monkeypatch.setenv("DATABASE_URL", "postgresql://alice:secret@db.example/games")


def test_a_database_is_all_that_has_to_be_named() -> None:
    settings = Settings.from_env()

    assert settings.database_url == "postgresql+psycopg://alice:secret@db.example/games"
    assert settings.base_url == "http://127.0.0.1:8000"
    assert (settings.redis_url, settings.smtp_url, settings.mailbox) == (None, None, None)
    assert settings.ruleset_packages == GAMES
    assert (settings.web_processes, settings.web_threads, settings.pool_size) == (WEB_PROCESSES, WEB_THREADS, POOL_SIZE)


def test_without_a_database_the_refusal_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")

    with pytest.raises(BadSetting, match="DATABASE_URL is not set"):
        Settings.from_env()
    assert Settings.from_env(partial=True).database_url == ""


@pytest.mark.parametrize(
    ("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("games.example", "games.example")]
)
def test_the_address_shown_is_one_that_can_be_opened(monkeypatch: pytest.MonkeyPatch, host: str, shown: str) -> None:
    monkeypatch.setenv("HOST", host)
    monkeypatch.setenv("PORT", "8123")

    assert Settings.from_env().base_url == f"http://{shown}:8123"


def test_a_base_url_loses_its_last_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BASE_URL", "https://games.example/play/")

    assert Settings.from_env().base_url == "https://games.example/play"


@pytest.mark.parametrize("port", ["0", "65536", "-1", "8e3", "eighty", "８０"])
def test_a_bad_port_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("PORT", port)

    with pytest.raises(BadSetting, match="PORT"):
        Settings.from_env()


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "SMTP_URL", "BASE_URL"])
@pytest.mark.parametrize(
    "value", ["mysql://bob:hush@example/x", "bob:hush@example", "redis://h:nonsense", "postgres://[hush"]
)
def test_a_bad_address_is_refused_in_one_line_without_showing_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(BadSetting) as refusal:
        Settings.from_env()
    assert name in str(refusal.value)
    assert "hush" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("text", "factor"), [("off", 0.0), ("10", 10.0), ("0.5", 0.5), ("", 1.0)])
def test_limits_are_multiplied_or_off(monkeypatch: pytest.MonkeyPatch, text: str, factor: float) -> None:
    monkeypatch.setenv("RATE_LIMITS", text)

    assert Settings.from_env().rate_limits == factor


@pytest.mark.parametrize(
    ("name", "value"),
    [("RATE_LIMITS", each) for each in ("on", "-1", "0", "0.0", "1e9", "nan", "１")]
    + [("TRUSTED_PROXIES", each) for each in ("-1", "10", "all")]
    + [("TAKE_BACK_SECONDS", each) for each in ("-1", "ten", "0.5", "9999999")]
    + [("WEBHOOKS_KEY", "hush"), ("WEBHOOKS_INSECURE", "hush"), ("MAIL_KEY", "hush")]
    + [(name, each) for name in ("BOUNCE_DOMAIN", "REPLY_DOMAIN") for each in ("a b", "-x.org", "https://example.org")]
    + [("INBOUND_LISTEN", "http://127.0.0.1:8024"), ("INBOUND_SECRET", "too short")]
    + [("MAIL_DELAY", each) for each in ("61", "-1", "soon")]
    + [("WEB_PROCESSES", "0"), ("WEB_THREADS", "8"), ("POOL_SIZE", "3"), ("POOL_SIZE", "many")]
    + [("OPERATOR_EMAIL", each) for each in ("zoe", "Zoe <zoe@example.org>", "a@b c", "a@example.org,b@example.org")]
    + [("MAIL_RATE", each) for each in ("600", "0/10", "10/", "1/2/3", "on", "-1/5", "1/1234567")]
    + [(name, each) for name in ("SEAL_KEY", "VAPID_KEY") for each in ("hush", "c2hvcnQ=")],
)
def test_a_bad_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(BadSetting, match=name):
        Settings.from_env()


def test_a_turn_mail_waits_a_little_but_not_on_one_machine() -> None:
    assert Settings.from_env().mail_delay == 3
    assert Settings.from_env(partial=True).mail_delay == 0


@pytest.mark.parametrize(("text", "rate"), [("", (600, 3000)), ("off", None), ("5/20", (5, 20))])
def test_mails_leave_at_a_pace(monkeypatch: pytest.MonkeyPatch, text: str, rate: tuple[int, int] | None) -> None:
    monkeypatch.setenv("MAIL_RATE", text)

    assert Settings.from_env().mail_rate == rate


def test_another_process_finds_the_same_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAILBOX", str(tmp_path))
    monkeypatch.setenv("MAIL_FROM", "Games <games@example.org>")
    monkeypatch.setenv("RATE_LIMITS", "off")
    monkeypatch.setenv("TRUSTED_PROXIES", "2")
    monkeypatch.setenv("RULESET_PACKAGES", "service.rules.games,tests.games")
    monkeypatch.setenv("WEBHOOKS_KEY", f"{new_key()}, {new_key()}")
    monkeypatch.setenv("WEBHOOKS_INSECURE", "yes")
    monkeypatch.setenv("TAKE_BACK_SECONDS", "90")
    monkeypatch.setenv("MAIL_KEY", new_key())
    monkeypatch.setenv("BOUNCE_DOMAIN", "Bounces.example.org")
    monkeypatch.setenv("REPLY_DOMAIN", "In.example.org")
    monkeypatch.setenv("MAIL_DELAY", "10")
    monkeypatch.setenv("INBOUND_LISTEN", "lmtp://127.0.0.1:8024")
    monkeypatch.setenv("INBOUND_AUTHSERV_ID", "mx.example.org")
    monkeypatch.setenv("INBOUND_SECRET", "sixteen letters or more")
    monkeypatch.setenv("SEAL_KEY", new_key())
    monkeypatch.setenv("VAPID_KEY", new_key())
    monkeypatch.setenv("MAIL_RATE", "60/300")
    monkeypatch.setenv("WEB_PROCESSES", "4")
    monkeypatch.setenv("WEB_THREADS", "400")
    monkeypatch.setenv("POOL_SIZE", "6")
    monkeypatch.setenv("OPERATOR_EMAIL", "zoe@example.org")
    settings = Settings.from_env()

    assert len(settings.webhooks_keys) == 2
    assert (len(settings.mail_keys), settings.bounce_domain, settings.mail_delay) == (1, "bounces.example.org", 10)
    assert settings.seal_key and settings.vapid_key
    assert settings.operator_email == "zoe@example.org"
    assert settings.mail_rate == (60, 300)
    assert (settings.web_processes, settings.web_threads, settings.pool_size) == (4, 400, 6)
    assert settings.webhooks_insecure
    assert settings.reply_domain == "in.example.org"
    assert settings.take_back_seconds == 90
    assert (settings.inbound_listen, settings.inbound_server) == ("lmtp://127.0.0.1:8024", "mx.example.org")
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)

    assert Settings.from_env() == settings


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.2", "::", "games.example"])
def test_where_others_reach_the_service_mails_do_not_stay_in_a_folder_unless_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("HOST", host)
    with pytest.raises(BadSetting, match="Set SMTP_URL to have them sent, or LOCAL_MAIL=true") as refusal:
        Settings.from_env(partial=True)
    assert "\n" not in str(refusal.value)
    assert not Settings.from_env().private
    monkeypatch.setenv("MAILBOX", "/tmp/mails")
    with pytest.raises(BadSetting, match=f"HOST is {host}"):
        Settings.from_env()
    monkeypatch.setenv("LOCAL_MAIL", "true")
    for partial in (True, False):
        settings = Settings.from_env(partial=partial)
        assert (settings.local_mail, settings.environment()["LOCAL_MAIL"], settings.private) == (True, "true", False)
    monkeypatch.delenv("LOCAL_MAIL")
    monkeypatch.delenv("MAILBOX")
    monkeypatch.setenv("SMTP_URL", "smtp://mail.example")
    assert not Settings.from_env(partial=True).local_mail


def test_a_service_is_private_only_where_it_listens_and_is_addressed_at_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Settings.from_env().private
    monkeypatch.setenv("HOST", "::1")
    assert Settings.from_env().private
    monkeypatch.setenv("BASE_URL", "https://games.example")
    assert not Settings.from_env().private
    monkeypatch.delenv("BASE_URL")
    monkeypatch.setenv("TRUSTED_PROXIES", "1")
    assert not Settings.from_env().private


def test_no_secret_is_shown_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_KEY", key := new_key())
    monkeypatch.setenv("INBOUND_SECRET", "sixteen letters or more")
    monkeypatch.setenv("SMTP_URL", "smtp://bob:hush@mail.example")

    shown = repr(Settings.from_env())

    assert "base_url='http://127.0.0.1:8000'" in shown
    assert not [each for each in (key, "sixteen", "hush", "alice:secret") if each in shown]


def test_every_process_counts_in_the_folder_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "PROMETHEUS_MULTIPROC_DIR"
    assert Settings.from_env().metrics_folder is None
    assert Settings.from_env().environment()[name] == ""
    monkeypatch.setenv(name, "/run/boardroom/metrics")
    settings = Settings.from_env()
    assert settings.metrics_folder == Path("/run/boardroom/metrics")
    assert settings.environment()[name] == "/run/boardroom/metrics"


@pytest.mark.parametrize("archive", ["s3://boardroom", "s3://boardroom/games", "s3://boardroom.records/a/b-c_d/"])
def test_an_archive_may_be_a_bucket(monkeypatch: pytest.MonkeyPatch, archive: str) -> None:
    monkeypatch.setenv("ARCHIVE", archive)
    monkeypatch.setenv("ARCHIVE_ONLY", "true")
    settings = Settings.from_env()
    assert (settings.archive, settings.archive_only) == (archive, True)


def test_an_archive_may_be_a_folder_and_is_off_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (Settings.from_env().archive, Settings.from_env().archive_only) == (None, False)
    monkeypatch.setenv("ARCHIVE", "records")
    assert Settings.from_env().archive == str(Path("records").absolute())


@pytest.mark.parametrize("archive", ["s3://", "s3://Games", "s3://games?x=1", "s3://key:secret@games/"])
def test_an_archive_that_is_no_bucket_is_refused(monkeypatch: pytest.MonkeyPatch, archive: str) -> None:
    monkeypatch.setenv("ARCHIVE", archive)
    with pytest.raises(BadSetting, match="ARCHIVE"):
        Settings.from_env()


@pytest.mark.parametrize("encryption", ["AES256", "aws:kms", "aws:kms:arn:aws:kms:eu-central-1:1234:key/1234-ab"])
def test_a_bucket_may_be_told_how_to_encrypt(monkeypatch: pytest.MonkeyPatch, encryption: str) -> None:
    assert Settings.from_env().archive_encryption is None
    monkeypatch.setenv("ARCHIVE_ENCRYPTION", encryption)
    assert Settings.from_env().archive_encryption == encryption


@pytest.mark.parametrize("encryption", ["aes256", "true", "aws:kms:", "aws:kms:a key"])
def test_an_encryption_that_no_bucket_knows_is_refused(monkeypatch: pytest.MonkeyPatch, encryption: str) -> None:
    monkeypatch.setenv("ARCHIVE_ENCRYPTION", encryption)
    with pytest.raises(BadSetting, match="AES256"):
        Settings.from_env()


def test_records_alone_ask_for_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHIVE_ONLY", "true")
    with pytest.raises(BadSetting, match="ARCHIVE is not set"):
        Settings.from_env()


def test_a_bucket_asks_for_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHIVE", "s3://boardroom/games")
    monkeypatch.setattr("service.settings._is_installed", lambda module: False)
    with pytest.raises(BadSetting, match=r"boardroom\[s3\]"):
        Settings.from_env()


@pytest.mark.slow
@pytest.mark.parametrize("words", sorted({*documented(), "workers.parts relay moves"}))
def test_each_part_ends_with_one_line_that_names_the_setting(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_DELAY", "soon")
    ended = subprocess.run(
        [sys.executable, "-m", *words.split()], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("MAIL_DELAY is 'soon'") and ended.stderr.count("\n") == 1, ended.stderr
