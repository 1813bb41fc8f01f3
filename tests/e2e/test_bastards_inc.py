"""Ba$tard$ Inc. among four people who have nothing but their mails: links, replies, orders, lapses, a substitute."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.commands.cli import main
from service.local.servers import LocalServers
from service.log.recorded import Recorded
from service.rules.shared_events import TimeLapsed
from tests.e2e.mail_game import Habit, Received, Table, begun, is_over, log_of, moves_in, people_at, played, seeded
from tests.e2e.moving_clock import service_of_its_own
from tests.letters import Letter
from tests.record.test_two_verifiers import PROGRAM, VERIFIER, with_node

pytestmark = pytest.mark.slow

ALICE, BOB, CAROL, DAVE = range(4)
ADDRESSES = tuple(f"{name}@example.org" for name in ("alice", "bob", "carol", "dave"))
HOUR = timedelta(hours=1)
SEED = 11


@dataclass(frozen=True, slots=True)
class Story:
    """A game that is over: its mails, its log, and the record with the published keys."""

    mails: Sequence[Received]
    log: Sequence[Recorded]
    over: bool
    record: bytes
    keys: dict[str, Any]

    def doors(self, seat: int) -> set[str]:
        """Return the doors through which the actions of a seat came."""
        return {each.door for each in self.log if each.action is not None and each.seat == seat}

    def kinds(self, seat: int) -> list[str]:
        """Return the kinds of the mails to a player, in the order of their arrival."""
        return [mail.letter.kind for mail in self.mails if mail.letter.recipient == ADDRESSES[seat]]


def useful(moves: Sequence[str]) -> str:
    """Return one of the moves, and no pass while there is anything else."""
    worth = [each for each in moves if each not in ("pass", "done")] or list(moves)
    return Random("\n".join(moves)).choice(worth)


def writes(table: Table, letter: Letter) -> None:
    """Answer a mail with a move."""
    table.write(letter, useful(moves_in(letter)))


def presses(table: Table, letter: Letter) -> None:
    """Press a button behind the link of a mail, if it has one that works, or answer it with a move."""
    if letter.kind == "turn":
        table.press(letter)
    else:
        writes(table, letter)


def writes_ahead(table: Table, letter: Letter) -> None:
    """Answer a mail with a move, and in the business phase with what comes after it."""
    moves = moves_in(letter)
    first = useful(moves)
    others = [each for each in moves if each != first and each not in ("pass", "done")]
    ahead = [*others[:2], "done"] if "done" in moves else []
    table.write(letter, "\n".join([first, *(f"then {each}" for each in ahead)]))


@pytest.fixture(scope="module")
def story(servers: LocalServers) -> Story:
    """A short game of four: Alice presses, Bob writes moves ahead, Carol writes, and Dave never answers."""
    habits = [Habit(2 * HOUR, presses), Habit(3 * HOUR, writes_ahead), Habit(5 * HOUR, writes)]
    with service_of_its_own(servers, "bastards") as clock, seeded(SEED):
        table = begun(clock, "bastards-inc", people_at(clock), **{"short-game": True, "first-player": ALICE})
        mails = list(played(table, dict(zip(ADDRESSES, habits, strict=False))))
        identity = {"Authorization": f"Bearer {table.people[0].token}"}
        record = table.web.get(f"/api/v1/games/{table.game}/record", headers=identity).data
        keys = table.web.get("/.well-known/boardroom-keys.json").get_json()
        return Story(mails, log_of(table), is_over(table), record, keys)


def test_a_game_of_four_ends_by_mails_alone(story: Story) -> None:
    assert story.over
    assert [story.kinds(seat).count("over") for seat in range(4)] == [1, 1, 1, 1]
    assert "link" in story.doors(ALICE) <= {"link", "reply"}
    assert story.doors(BOB) == {"reply", "order"}
    assert story.doors(CAROL) == {"reply"}


def test_whose_time_lapses_three_times_is_played_for_to_the_end(story: Story) -> None:
    lapses = [each for each in story.log if isinstance(each.event, TimeLapsed)]
    assert {each.event.seat for each in lapses} == {DAVE} and len(lapses) == 3
    assert story.doors(DAVE) == {"timeout", "worker"}
    assert story.kinds(DAVE)[-2:] == ["lapsed", "over"]


def test_every_kind_of_phase_was_asked_for_by_mail(story: Story) -> None:
    kinds = {each.action["type"] for each in story.log if each.action is not None and each.door in ("link", "reply")}
    assert kinds >= {"draw", "place", "fight", "launder"}, kinds


def test_the_record_holds_by_the_verifier(story: Story, tmp_path: Path) -> None:
    record, keys = tmp_path / "0.jsonl", tmp_path / "keys.json"
    record.write_bytes(story.record)
    keys.write_text(json.dumps(story.keys))
    assert main(["verify", str(record), "--keys", str(keys)]) == 0


@with_node
def test_the_record_holds_by_the_verifier_in_javascript(story: Story, tmp_path: Path) -> None:
    (tmp_path / "0.jsonl").write_bytes(story.record)
    (tmp_path / "keys.json").write_text(json.dumps(story.keys))
    line = ["node", "--input-type=module", "-e", PROGRAM, str(tmp_path), "1", str(VERIFIER)]
    (report,) = json.loads(subprocess.run(line, capture_output=True, text=True, check=True, timeout=60).stdout)
    assert all(level["holds"] for level in report["levels"][:5])
