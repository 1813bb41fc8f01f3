"""`boardroom workbench` shows every step of a game through all eyes, and anew after each saving."""

from __future__ import annotations

import shutil
import socket
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.commands.cli import main
from service.commands.workbench.page import create_page
from service.commands.workbench.saved_package import SavedPackage

THREE_HARBOURS = Path(__file__).parents[1] / "games" / "three_harbours"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that is being written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)
    for name in [each for each in sys.modules if each.partition(".")[0] == "harbours_at_work"]:
        monkeypatch.delitem(sys.modules, name)
    folder = tmp_path / "harbours_at_work"
    shutil.copytree(THREE_HARBOURS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def bench(saved: Path) -> FlaskClient:
    """The page of the package."""
    return create_page(SavedPackage(saved.name)).test_client()


def test_each_seat_and_a_spectator_see_the_step_as_text_picture_and_mail(bench: FlaskClient) -> None:
    page = bench.get("/?players=2&step=1").text
    assert page.count("<section>") == 3 and page.count("<h2>Spectator</h2>") == 1
    assert page.count("<figure>") == 6 and page.count("<pre>Three Harbours, round 1 of 5") == 3
    # The one who has sealed an order waits; the other one is asked, and so gets a mail.
    assert ">Game <a" in page
    assert page.count("<iframe sandbox") == 1 and page.count("3 legal actions") == 1


def test_every_step_is_shown_in_every_language(bench: FlaskClient) -> None:
    for language, round_ in (("en", "round"), ("de", "Runde"), ("fr", "manche")):
        for step in range(0, 11, 5):
            answer = bench.get(f"/?players=2&language={language}&step={step}")
            assert answer.status_code == 200 and f"Three Harbours, {round_}" in answer.text
    assert "step 10 of 10" in bench.get("/?players=2&step=999").text


def test_a_secret_is_shown_to_its_owner_alone(bench: FlaskClient) -> None:
    alice, bob, nobody = bench.get("/?players=2&step=1").text.split("<section>")[1:]
    orders = [each.partition("Your order: ")[2][:1] for each in (alice, bob)]
    assert "–" in orders and any(order in "NES" for order in orders)
    assert "Your order" not in nobody


def test_what_is_saved_is_shown(bench: FlaskClient, saved: Path) -> None:
    before = bench.get("/stamp").text
    texts = saved / "texts.py"
    texts.write_text(texts.read_text().replace("Three Harbours, round", "Three Ports, round"))
    assert bench.get("/stamp").text != before
    assert "<pre>Three Ports, round" in bench.get("/").text


def test_what_cannot_be_imported_as_it_is_saved_is_told_and_mended(bench: FlaskClient, saved: Path) -> None:
    rules = (saved / "rules.py").read_text()
    (saved / "rules.py").write_text("1 / 0\n")
    broken = bench.get("/")
    assert broken.status_code == 500 and "ZeroDivisionError" in broken.text and "setInterval" in broken.text
    (saved / "rules.py").write_text(rules)
    assert bench.get("/").status_code == 200


def test_a_game_that_fails_at_a_step_shows_where(bench: FlaskClient, saved: Path) -> None:
    rules = saved / "rules.py"
    rules.write_text(rules.read_text().replace("return [goods + 2", "return [goods / 0"))
    assert "ZeroDivisionError" in bench.get("/").text


def test_a_port_that_is_taken_is_told(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["workbench", saved.name, "--port", str(port)]) == 2
    assert "Choose another --port." in capsys.readouterr().err
