"""A whole game among people who are never there together ends from their mails alone, without anybody's hand."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from service.commands.cli import main
from service.local.servers import LocalServers
from service.log.recorded import Recorded
from service.rules.shared_events import PlayerAway, PlayerBack, TimeLapsed
from service.texts.when import day
from tests.e2e.mail_game import Habit, Received, Table, answer, begun, is_over, log_of, people_at, played, seeded
from tests.e2e.moving_clock import service_of_its_own
from tests.e2e.turns_with_orders import SEED, course, plots_ahead
from tests.letters import Letter
from tests.record.test_two_verifiers import PROGRAM, VERIFIER, with_node

pytestmark = pytest.mark.slow

ALICE, BOB, CAROL, DAVE = range(4)
ADDRESSES = tuple(f"{name}@example.org" for name in ("alice", "bob", "carol", "dave"))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DEADLINES = ("You have time until", "Zeit bis", "Délai jusqu’au")
"""What mails say before a deadline, in English, German and French."""


@dataclass(frozen=True, slots=True)
class Story:
    """A game that is over: the mails in the order of their arrival, the log, the record and the published keys."""

    mails: Sequence[Received]
    log: Sequence[Recorded]
    over: bool
    record: bytes
    keys: dict[str, Any]

    def to(self, seat: int, *kinds: str) -> list[Received]:
        """Return the mails of some kinds, or of all, to the player in a seat."""
        return [
            mail
            for mail in self.mails
            if mail.letter.recipient == ADDRESSES[seat] and (not kinds or mail.letter.kind in kinds)
        ]

    def facts(self, kind: type[Any], seat: int) -> list[Recorded]:
        """Return the facts of a kind about a seat."""
        return [each for each in self.log if isinstance(each.event, kind) and each.event.seat == seat]

    def doors(self, seat: int) -> set[str]:
        """Return the doors through which the actions of a seat came."""
        return {each.door for each in self.log if each.action is not None and each.seat == seat}


def presses_and_writes(table: Table, letter: Letter) -> None:
    """Press a button behind the link of a turn mail, and answer others with a move."""
    if letter.kind == "turn" and letter.text.count("\n") % 2:
        table.press(letter)
    else:
        answer(table, letter)


@dataclass(slots=True)
class GoesAway:
    """Answers the second mail by an announcement of a week's absence, and any other with a move."""

    answered: int = 0

    def __call__(self, table: Table, letter: Letter) -> None:
        """Answer a mail."""
        self.answered += 1
        if self.answered == 2:
            table.write(letter, f"absente jusqu’au {day((table.clock.now + 7 * DAY).date(), 'fr').partition(' ')[2]}")
        elif letter.kind != "receipt" or "absent" not in letter.text:
            answer(table, letter)


def told(servers: LocalServers, ruleset: str, habits: Sequence[Habit | None], **options: Any) -> Story:
    """Play a game whose players have these habits, by seat; those with None never answer."""
    with service_of_its_own(servers, ruleset) as clock, seeded(SEED):
        table = begun(clock, ruleset, people_at(clock)[: len(habits)], **options)
        mails = list(played(table, {ADDRESSES[seat]: each for seat, each in enumerate(habits) if each}))
        identity = {"Authorization": f"Bearer {table.people[0].token}"}
        record = table.web.get(f"/api/v1/games/{table.game}/record", headers=identity)
        assert record.status_code == 200
        keys = table.web.get("/.well-known/boardroom-keys.json").get_json()
        return Story(mails, log_of(table), is_over(table), record.data, keys)


@pytest.fixture(scope="module")
def story(servers: LocalServers) -> Story:
    """A game of four: Alice plays, Bob gives five moves ahead, Carol goes away for a week, and Dave never answers."""
    habits = (
        Habit(2 * HOUR, presses_and_writes),
        Habit(3 * HOUR, plots_ahead),
        Habit(5 * HOUR, GoesAway()),
        None,
    )
    return told(servers, "new-corp-order", habits, **{"short-game": True, "first-player": ALICE})


def test_a_game_by_mail_ends_without_a_hand_from_anybody(story: Story) -> None:
    assert story.over
    assert [len(story.to(seat, "over")) for seat in range(4)] == [1, 1, 1, 1]
    assert not [mail for mail in story.mails[-4:] if mail.letter.kind != "over"]
    assert story.doors(ALICE) == {"link", "reply"}
    assert story.doors(BOB) == {"reply", "order"}
    assert story.doors(CAROL) == {"reply"}
    assert story.doors(DAVE) == {"timeout", "worker"}


def test_the_log_says_whose_time_lapsed_who_was_absent_and_who_was_away_from_when_to_when(story: Story) -> None:
    lapses = story.facts(TimeLapsed, DAVE)
    assert [lapse.at - _instant(lapse.event.deadline) < HOUR for lapse in lapses] == [True] * 3
    assert [lapse.door for lapse in lapses] == ["timeout"] * 3
    # The stand-in ends the turn of the third lapse; from then on it plays for Dave at once.
    others = min(each.seq for each in story.log if each.action and each.seq > lapses[-1].seq and each.seat != DAVE)
    assert {each.door for each in story.log if each.action and each.seat == DAVE and each.seq > others} == {"worker"}
    (away,), (back,) = story.facts(PlayerAway, CAROL), story.facts(PlayerBack, CAROL)
    assert 7 * DAY <= back.at - away.at <= 8 * DAY
    assert not [fact for seat in (ALICE, BOB, CAROL) for fact in story.facts(TimeLapsed, seat)]


def test_every_mail_that_asks_for_a_move_has_the_deadline_and_its_zone(story: Story) -> None:
    asking = [mail for mail in story.mails if mail.letter.kind in ("turn", "reminder")]
    without = [mail for mail in asking if not _has_deadline(mail.letter)]
    assert len(asking) > 20 and not without, without[0].letter.text


def test_nobody_is_reminded_while_away_and_the_turn_mail_comes_at_the_return(story: Story) -> None:
    (away,), (back,) = story.facts(PlayerAway, CAROL), story.facts(PlayerBack, CAROL)
    meanwhile = [mail.letter.kind for mail in story.to(CAROL) if away.at < mail.at < back.at]
    assert meanwhile in ([], ["receipt"])
    first = next(mail for mail in story.to(CAROL) if mail.at >= back.at)
    assert first.letter.kind == "turn" and first.at - back.at < HOUR


def test_a_player_who_never_answers_is_asked_and_reminded_three_times_and_then_left_alone(story: Story) -> None:
    kinds = [mail.letter.kind for mail in story.to(DAVE)]
    assert kinds == ["started", *["turn", "reminder", "reminder", "lapsed"] * 3, "over"]
    (*_, last) = story.to(DAVE, "lapsed")
    assert "from now on the computer plays for you at once" in " ".join(last.letter.text.split())


def test_moves_given_ahead_are_played_without_a_mail_to_their_player(story: Story) -> None:
    by_order = [each for each in story.log if each.door == "order" and each.action is not None]
    assert len(by_order) >= 5 and {each.seat for each in by_order} == {BOB}
    asked = {mail.at for mail in story.to(BOB, "turn")}
    assert not asked & {each.at for each in by_order}


def test_t36_the_record_of_the_game_holds_by_the_verifier(
    story: Story, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, keys = _files(story, tmp_path)
    assert main(["verify", str(record), "--keys", str(keys)]) == 0
    levels = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert levels == [[level, "ok"] for level in ("form", "chain", "seal", "draws", "time", "rules")]


@with_node
def test_t36_the_record_of_the_game_holds_by_the_verifier_in_javascript(story: Story, tmp_path: Path) -> None:
    _files(story, tmp_path)
    line = ["node", "--input-type=module", "-e", PROGRAM, str(tmp_path), "1", str(VERIFIER)]
    (report,) = json.loads(subprocess.run(line, capture_output=True, text=True, check=True, timeout=60).stdout)
    assert [(level["level"], level["holds"]) for level in report["levels"][:5]] == [
        (level, True) for level in ("form", "chain", "seal", "draws", "time")
    ]


def test_a_game_in_which_all_act_at_once_ends_too(servers: LocalServers) -> None:
    habits = (Habit(2 * HOUR, answer), Habit(3 * HOUR, _holds_ahead), None)
    found = told(servers, "sealed-bids", habits)
    assert found.over
    assert (found.doors(ALICE), found.doors(BOB), found.doors(CAROL)) == ({"reply"}, {"reply"}, {"timeout"})
    assert len(found.facts(TimeLapsed, CAROL)) == 3
    # What Bob gave ahead rests on all that he saw, which is another round by then (T-31).
    _, second, third = (mail.letter.text for mail in found.to(BOB, "turn"))
    assert all("Deine vorgemerkten Züge wurden nicht gespielt" in " ".join(text.split()) for text in (second, third))


def test_t30_the_same_game_takes_fewer_mails_and_waits_with_moves_given_ahead(servers: LocalServers) -> None:
    without, with_orders = course(servers, ahead=False), course(servers, ahead=True)
    assert with_orders.moves == without.moves
    assert with_orders.mails < without.mails
    assert with_orders.waits < without.waits
    assert with_orders.took < without.took


def _holds_ahead(table: Table, letter: Letter) -> None:
    table.write(letter, "hold\ndann hold\ndann hold")


def _has_deadline(letter: Letter) -> bool:
    words = " ".join(letter.text.split())
    return "(UTC)" in words and any(each in words for each in DEADLINES)


def _instant(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _files(story: Story, folder: Path) -> tuple[Path, Path]:
    record, keys = folder / "0.jsonl", folder / "keys.json"
    record.write_bytes(story.record)
    keys.write_text(json.dumps(story.keys))
    return record, keys
