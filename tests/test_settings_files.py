"""Settings in boardroom.toml, and secrets in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.messages.keys import new_key
from service.settings import CONFIG, BadSetting, Settings, settings_by_field

SECRETS = [each.name for each in settings_by_field().values() if each.secret]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The current folder: an empty one, in an environment that sets nothing."""
    for each in settings_by_field().values():
        monkeypatch.delenv(each.name, raising=False)
        monkeypatch.delenv(f"{each.name}_FILE", raising=False)
    monkeypatch.delenv(CONFIG, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal() -> str:
    with pytest.raises(BadSetting) as refused:
        Settings.from_env()
    said = str(refused.value)
    assert "\n" not in said
    assert "hush" not in said
    return said


def test_the_file_in_the_current_folder_is_read(here: Path) -> None:
    (here / "boardroom.toml").write_text(
        'database_url = "postgresql://alice:hush@db.example/games"\nport = 8123\nlocal_mail = true\nrate_limits = 0.5\n'
        'ruleset_packages = ["service.rules.games", "tests.games"]\nwebhooks_insecure = false\n'
    )

    settings = Settings.from_env()

    assert settings.database_url == "postgresql+psycopg://alice:hush@db.example/games"
    assert (settings.port, settings.base_url) == (8123, "http://127.0.0.1:8123")
    assert (settings.local_mail, settings.webhooks_insecure, settings.rate_limits) == (True, False, 0.5)
    assert settings.ruleset_packages == ("service.rules.games", "tests.games")


def test_another_file_may_be_named_or_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "boardroom.toml").write_text("port = 8123")
    (here / "other.toml").write_text("port = 8124")
    monkeypatch.setenv(CONFIG, str(here / "other.toml"))
    assert Settings.from_env(partial=True).port == 8124
    monkeypatch.setenv(CONFIG, "")
    assert Settings.from_env(partial=True).port == 8000


def test_the_environment_wins_over_the_file_also_with_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "boardroom.toml").write_text('port = 8123\nredis_url_file = "no such file"\nmail_from = "Games <g@x.org>"')
    monkeypatch.setenv("PORT", "8125")
    monkeypatch.setenv("REDIS_URL", "")

    settings = Settings.from_env(partial=True)

    assert (settings.port, settings.redis_url, settings.mail_from) == (8125, None, "Games <g@x.org>")


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ('databse_url = "postgresql://alice:hush@db.example/games"', "database_url"),
        ("PORT = 1", "port"),
        ('port_file = "x"', "port"),
        ("[mail]", "mailbox"),
    ],
)
def test_a_name_that_is_no_setting_is_refused_with_the_nearest(here: Path, line: str, nearest: str) -> None:
    (here / "boardroom.toml").write_text(line)

    said = refusal()

    assert "boardroom.toml" in said and "is no setting" in said
    assert nearest in said.rpartition("nearest name is ")[2]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('port = "8000', "boardroom.toml is no TOML"),
        ("port = [1, 2]", "port in boardroom.toml has to be a text"),
        ("port = 1979-05-27", "port in boardroom.toml has to be a text"),
        ("port = 99999", "PORT is '99999'"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line(here: Path, text: str, why: str) -> None:
    (here / "boardroom.toml").write_text(text)

    assert why in refusal()


def test_a_named_file_has_to_be_there(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONFIG, str(here / "none.toml"))

    assert refusal() == f"{here}/none.toml cannot be read: No such file or directory."


def test_every_address_with_a_password_and_every_key_may_be_in_a_file() -> None:
    assert {"DATABASE_URL", "REDIS_URL", "SMTP_URL", "MAIL_KEY", "SEAL_KEY", "VAPID_KEY"} < set(SECRETS)
    assert {"WEBHOOKS_KEY", "INBOUND_SECRET"} < set(SECRETS)
    assert not [each for each in settings_by_field().values() if each.name.endswith("_KEY") and not each.secret]


def test_a_secret_is_read_from_its_file_without_the_space_around_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "url").write_text("\n postgresql://alice:hush@db.example/games \n")
    (here / "key").write_text(f"{(key := new_key())}\n")
    (here / "boardroom.toml").write_text('mail_key_file = "key"')
    monkeypatch.setenv("DATABASE_URL_FILE", str(here / "url"))

    settings = Settings.from_env()

    assert settings.database_url == "postgresql+psycopg://alice:hush@db.example/games"
    assert settings.mail_keys == (key,)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    (here / "url").unlink()
    assert Settings.from_env() == settings


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_and_its_file_together_are_refused(here: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://alice:hush@db.example/games")
    (here / "secret").write_text("hush")
    monkeypatch.setenv(name, "hush")
    monkeypatch.setenv(f"{name}_FILE", str(here / "secret"))

    assert refusal() == f"{name} and {name}_FILE are both set; one of them has to go."


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read: No such file or directory."),
        (b" \n", "which is empty."),
        (b"\xff\xfe", "which holds no text."),
        (b"mysql://bob:hush@db.example", "DATABASE_URL is no address that begins with postgresql://"),
    ],
)
def test_a_file_that_holds_no_secret_is_one_clear_line(
    here: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, why: str
) -> None:
    if content is not None:
        (here / "url").write_bytes(content)
    monkeypatch.setenv("DATABASE_URL_FILE", str(here / "url"))

    assert why in refusal()
