"""The operator sees what is asked, how fast it is answered and what fails, and nothing that is somebody's own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from service.app import create_app
from service.http.waiting_slots import WaitingSlots
from service.local.supervisor import wait_until
from service.runtime import Runtime
from service.settings import POOL_SIZE, WEB_PROCESSES, Settings
from service.shared import clock
from service.shared.metrics import ROOM
from service.store.engine import build_engine, connections
from service.store.games import Games
from tests.builders import first_legal, sealed_bids, started
from tests.metrics import Shown, scrape
from tests.people import alice, bob
from tests.rest import Caller
from tests.serving import web_server

GAME = "/api/v1/games/<uuid:game_id>"
COUNTING = """
import sys, time
from pathlib import Path
from service.shared import metrics
metrics.begin(Path(sys.argv[1]))
metrics.count_waiting("stream", 1)
metrics.count_job("lapse", "carried-out", 0.02)
print("counted", flush=True)
time.sleep(60)
"""


def test_requests_are_counted_by_route_and_status_and_timed(api: Caller, games: Games) -> None:
    position = sealed_bids(games)
    before = scrape(api.client)

    for _ in range(3):
        assert api.get(f"/games/{position.game.id}").status_code == 401
    assert api.get(f"/nowhere/{uuid4()}").status_code == 404

    after = scrape(api.client)
    for name, labels, number in (
        ("boardroom_requests_total", {"route": GAME, "method": "GET", "status": "4xx"}, 3),
        ("boardroom_requests_total", {"route": "unmatched", "method": "unmatched", "status": "4xx"}, 1),
        ("boardroom_request_seconds_count", {"route": GAME, "method": "GET"}, 3),
        ("boardroom_request_seconds_bucket", {"route": GAME, "method": "GET", "le": "+Inf"}, 3),
    ):
        assert after(name, **labels) - before(name, **labels) == number
    assert after("boardroom_request_seconds_sum", route=GAME) > before("boardroom_request_seconds_sum", route=GAME)


def test_a_request_that_waits_for_events_is_counted_and_not_timed(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people)
    before, labels = scrape(api.client), {"route": f"{GAME}/events", "method": "GET"}

    answer = api.by(people[0]).get(f"/games/{position.game.id}/events?after={position.version}&wait=1")

    assert (answer.status_code, answer.json["items"]) == (200, [])
    after = scrape(api.client)
    assert after("boardroom_requests_total", **labels) == before("boardroom_requests_total", **labels) + 1
    assert after("boardroom_request_seconds_count", **labels) == before("boardroom_request_seconds_count", **labels)


def test_no_label_tells_of_a_player_a_game_or_a_token(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people)
    game, seat = str(position.game.id), min(position.to_act)
    by_player = api.by(people[seat])
    by_player.get(f"/games/{game}")
    ticket = by_player.post(f"/games/{game}/stream-tickets").json["url"].rpartition("/")[2]
    api.get(f"/streams/{ticket}x")
    api.client.get(f"/play/{people[seat].token}")
    api.client.open(f"/{game}", method=f"X{game[:8].upper()}")
    first_legal(position, seat)

    shown = scrape(api.client)

    ours = [each for each in shown.samples if each.name.startswith("boardroom_")]
    assert ours == shown.samples
    told = " ".join(value for each in ours for value in each.labels.values())
    for secret in (game, game[:8].upper(), ticket, people[seat].token, str(people[seat].id), "example.org", "Alice"):
        assert secret not in told


def test_streams_and_waits_are_shown_while_they_are_open(api: Caller) -> None:
    slots, account = WaitingSlots(9), uuid4()
    before = scrape(api.client)

    ends = [slots.stream(account, "192.0.2.1"), slots.stream(account, "192.0.2.1"), slots.wait(account)]

    during = scrape(api.client)
    for kind, number in (("stream", 2), ("wait", 1)):
        assert during("boardroom_waiting", kind=kind) - before("boardroom_waiting", kind=kind) == number
    for end in ends:
        end()
        end()
    after = scrape(api.client)
    assert [after("boardroom_waiting", kind=kind) for kind in ("stream", "wait")] == [
        before("boardroom_waiting", kind=kind) for kind in ("stream", "wait")
    ]


def test_an_error_of_the_database_is_counted_by_its_class(api: Caller, runtime: Runtime) -> None:
    labels, before = {"error": "UndefinedTable"}, scrape(api.client)

    with pytest.raises(DBAPIError), runtime.engine.connect() as db:
        db.execute(text("select 1 from nowhere"))

    after = scrape(api.client)
    assert after("boardroom_database_errors_total", **labels) == before("boardroom_database_errors_total", **labels) + 1


def test_connections_in_use_are_those_that_the_pool_has_given_away(database_url: str) -> None:
    engine = build_engine(database_url)
    with engine.connect(), engine.connect():
        assert connections(engine) == (2, 12)
    assert connections(engine) == (0, 12)
    engine.dispose()


def test_without_a_database_it_is_shown_what_was_counted(runtime: Runtime) -> None:
    nowhere = build_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    client = create_app(replace(runtime, engine=nowhere)).test_client()
    labels = {"error": "OperationalError"}
    before = scrape(client)
    assert client.get("/readyz").status_code == 503

    shown = scrape(client)

    assert shown("boardroom_database_answers") == 0
    assert not [family for family in shown.families if family.name == "boardroom_audit_night_seconds"]
    assert shown("boardroom_database_errors_total", **labels) > before("boardroom_database_errors_total", **labels)
    nowhere.dispose()


def test_the_size_of_the_database_is_shown(api: Caller) -> None:
    shown = scrape(api.client)
    assert shown("boardroom_database_answers") == 1
    assert 5e6 < shown("boardroom_database_bytes") < 1e9
    assert shown("boardroom_standbys") == 0


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has counted a stream and a job in the folder."""
    command = [sys.executable, "-c", COUNTING, str(tmp_path / "metrics")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"counted\n"
        yield process
        process.kill()


def shown_by_another(folder: Path) -> Shown:
    """Return the metrics shown by a process that has counted nothing itself."""
    showing = (
        "import sys; from pathlib import Path; from service.shared import metrics; metrics.begin(Path(sys.argv[1]))\n"
        "print(metrics.exposition([]).decode())"
    )
    done = subprocess.run([sys.executable, "-c", showing, str(folder)], check=True, stdout=subprocess.PIPE, text=True)
    return Shown(done.stdout)


def test_a_process_shows_what_others_have_counted_and_of_one_that_is_gone_what_stays_true(
    counting: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    lives = shown_by_another(tmp_path / "metrics")
    assert (lives("boardroom_waiting", kind="stream"), lives("boardroom_jobs_total", kind="lapse")) == (1, 1)

    counting.kill()
    counting.wait()

    gone = shown_by_another(tmp_path / "metrics")
    assert (gone("boardroom_waiting", kind="stream"), gone("boardroom_jobs_total", kind="lapse")) == (0, 1)
    assert gone("boardroom_job_seconds_bucket", kind="lapse", le="0.05") == 1


def test_processes_that_are_started_again_and_again_go_on_in_the_files_of_those_before(
    counting: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "metrics"
    trial = (
        "import sys; from pathlib import Path; from service.shared import metrics; metrics.begin(Path(sys.argv[1]))\n"
        "metrics.count_job('lapse', 'failed', 1.0)"
    )
    for _ in range(4):
        subprocess.run([sys.executable, "-c", trial, str(folder)], check=True)
    assert sorted(each.name for each in folder.glob("counter_*.db")) == ["counter_1.db", "counter_2.db"]
    assert shown_by_another(folder)("boardroom_jobs_total", kind="lapse", outcome="failed") == 4


def test_a_process_that_is_forked_counts_by_itself(tmp_path: Path) -> None:
    trial = (
        "import os, sys; from pathlib import Path; from service.shared import metrics\n"
        "metrics.begin(Path(sys.argv[1]))\n"
        "metrics.count_job('lapse', 'failed', 1.0)\n"
        "child = os.fork()\n"
        "for _ in range(5): metrics.count_job('lapse', 'failed', 1.0)\n"
        "if child: os.waitpid(child, 0)"
    )
    subprocess.run([sys.executable, "-c", trial, str(tmp_path / "metrics")], check=True)
    assert shown_by_another(tmp_path / "metrics")("boardroom_jobs_total", kind="lapse", outcome="failed") == 11


def test_the_files_have_their_place_on_the_disk_from_the_beginning(
    counting: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    for kind, size in ROOM.items():
        file = tmp_path / "metrics" / f"{kind}_1.db"
        assert file.stat().st_blocks * 512 >= size


def test_a_scrape_finds_no_file_that_has_no_place_on_the_disk_yet(tmp_path: Path) -> None:
    trial = (
        "import os, sys; from pathlib import Path; from service.shared import metrics\n"
        "folder, take = Path(sys.argv[1]), os.posix_fallocate\n"
        "def seen(*place):\n"
        "    print([each.name for each in folder.glob('*.db') if not each.stat().st_size])\n"
        "    take(*place)\n"
        "os.posix_fallocate = seen; metrics.begin(folder)\n"
    )
    command = [sys.executable, "-c", trial, str(tmp_path / "metrics")]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.splitlines() == ["[]"] * len(ROOM)


def test_a_folder_that_cannot_be_used_keeps_nobody_from_counting(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    trial = (
        "import sys; from pathlib import Path; from service.shared import metrics; metrics.begin(Path(sys.argv[1]))\n"
        "metrics.count_job('lapse', 'failed', 1.0); print(metrics.exposition([]).decode())"
    )
    command = [sys.executable, "-c", trial, str(tmp_path / "taken")]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    assert "no folder for metrics" in done.stdout
    shown = Shown(done.stdout[done.stdout.index("# HELP") :])
    assert shown("boardroom_jobs_total", kind="lapse", outcome="failed") == 1


@pytest.mark.slow
def test_web_processes_and_workers_are_shown_together(settings: Settings, scratch: Path) -> None:
    ours = replace(settings, metrics_folder=scratch / "metrics")
    with web_server(ours, scratch) as server, ExitStack() as stack:
        relay = subprocess.Popen([sys.executable, "-m", "workers.relay"], env=ours.environment())
        stack.callback(relay.wait, 30)
        stack.callback(relay.terminate)
        with closing(server.line()) as line:
            line.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            line.recv(1 << 16)
        for _ in range(30):
            assert server.ask("/api/v1/rulesets").status == 200

        def shown() -> Shown:
            return Shown(server.ask("/metrics").body.decode())

        counted = shown()
        assert counted("boardroom_requests_total", route="/api/v1/rulesets", status="2xx") == 30
        assert wait_until(lambda: shown()("boardroom_pool_connections", state="limit") == WEB_PROCESSES * POOL_SIZE, 30)
        assert wait_until(lambda: shown()("boardroom_claims_total") > 0, 60)


# The operator sees in /metrics how the mails stand, and nobody's name.

ROWS = (
    ("turn-mail", "pending", None, -700),
    ("turn-mail", "pending", None, -5),
    ("turn-mail", "pending", None, 3600),
    ("turn-mail", "done", None, -900),
    ("turn-mail", "done", None, -9000),
    ("turn-mail", "skipped", None, -900),
    ("turn-mail", "skipped", "muted", -900),
    ("turn-mail", "dead", "address 550 5.1.1", -9000),
    ("invitation", "done", None, -900),
    ("canary", "done", None, -9000),
)


def test_what_is_due_done_failed_and_kept_back_is_counted_and_the_oldest_is_timed(
    runtime: Runtime, api: Caller
) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        for number, (kind, state, error, seconds) in enumerate(ROWS):
            db.execute(
                text(
                    "insert into outbox (dedupe_key, kind, payload, state, last_error, due_at, done_at)"
                    " values (:key, :kind, '{}', :state, :error, :due, :due)"
                ),
                {"key": str(number), "kind": kind, "state": state, "error": error}
                | {"due": clock.now() + timedelta(seconds=seconds)},
            )
    shown = scrape(api.client)
    for stands, count in (("due", 2), ("waiting", 1), ("done", 1), ("gone-by", 1), ("suppressed", 1), ("failed", 1)):
        assert shown("boardroom_effects", kind="turn-mail", stands=stands) == count
    assert shown("boardroom_effects", kind="invitation", stands="done") == 1
    assert 700 <= shown("boardroom_effects_overdue_seconds", kind="turn-mail") < 760
    assert shown("boardroom_effects_overdue_seconds", kind="invitation") == 0
    assert 9000 <= shown("boardroom_canary_age_seconds") < 9060
