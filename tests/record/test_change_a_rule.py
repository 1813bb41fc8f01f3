"""docs/change-a-rule.md is done to a copy of New Corp Order: what began by the old rules goes on and holds by them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.json import encode

from service.commands.selfplay import Playout, play_out
from service.log.codec import Codec
from service.record.verify import verify
from service.rules.chance import Chance
from service.rules.games.new_corp_order import RULESET as CORP
from service.rules.kernel import AnyRuleset, GameStarted, Illegal, at_revision, fold
from service.store.games import Games
from tests.builders import act, finished, now_at, started
from tests.people import alice, bob
from tests.record.records import golden
from tests.rules.new_corp_order.goldens import WANTED, Wanted, canonical, event_line
from tests.rules.pages import ROOT, Block, blocks

PAGE = ROOT / "docs" / "change-a-rule.md"
GAME = Path("service", "rules", "games", "new_corp_order")
NO_CHANCE = Chance(bytes(32))
every_golden = pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.path.stem)


class Changed(NamedTuple):
    """The folder with the package of the changed game, and its rules as they are at both revisions."""

    home: Path
    two: AnyRuleset
    one: AnyRuleset

    @property
    def rulesets(self) -> Mapping[str, AnyRuleset]:
        """The rules of a service on which the change is deployed."""
        return {"new-corp-order": self.two}


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changed]:
    """A copy of the game, changed as the page says."""
    home = tmp_path_factory.mktemp("changed")
    copy = home / "changed_games" / "new_corp_order"
    sources = {path.relative_to(GAME): path.read_text() for path in GAME.rglob("*") if path.suffix in {".py", ".md"}}
    for block in blocks(PAGE):
        if block.language == "diff":
            name = Path(str(block.file)).relative_to(GAME)
            sources[name] = patched(sources[name], block)
    for name, text in sources.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text.replace("service.rules.games.new_corp_order", "changed_games.new_corp_order"))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(home)
        two = import_module("changed_games.new_corp_order").RULESET
        yield Changed(home, two, at_revision(two, 1))
        for name in [name for name in sys.modules if name.partition(".")[0] == "changed_games"]:
            patch.delitem(sys.modules, name)


def patched(source: str, block: Block) -> str:
    """Return a file with the hunks of a diff applied, each of which has to fit in one place."""
    for hunk in block.text.split("@@\n")[1:]:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert source.count(before) == 1, f"{block.file} has no longer, or more than once:\n{before}"
        source = source.replace(before, after)
    return source


def game_of(ruleset: AnyRuleset, seats: int = 2, seed: str = "changed:1") -> Playout:
    """A random game."""
    options = {option.name: option.default for option in ruleset.meta.options}
    return play_out(ruleset, seats, options, seed, choose=consultants_first)


def consultants_first(legal: Sequence[Any], rng: Random) -> Any:
    """Return a random action, one that takes a consultant if there is any."""
    return rng.choice([action for action in legal if getattr(action, "take", None)] or legal)


def positions(ruleset: AnyRuleset, game: Playout) -> Iterator[tuple[int, Any]]:
    """Yield each position of a game, and the seat that acts there."""
    state = fold(ruleset, game.opening)
    for (_, seat, _), events in zip(game.actions, game.caused, strict=True):
        yield seat, state
        state = fold(ruleset, events, state)


@pytest.mark.slow
def test_both_revisions_pass_the_tests_of_every_game(changed: Changed) -> None:
    tests = sorted(map(str, (ROOT / "tests" / "rules").glob("test_every_*.py")))
    environment = {"PYTHONPATH": str(changed.home), "RULESET_PACKAGES": "changed_games"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-v", *tests],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    for name in ("new-corp-order", "new-corp-order@1"):
        assert f"no_two_come_to_the_same-{name}-2] PASSED" in done.stdout


def test_the_new_revision_offers_what_it_accepts_and_refuses_consultants_that_are_held(changed: Changed) -> None:
    refused: list[tuple[bool, Illegal]] = []
    for seat, state in positions(changed.one, game_of(changed.one, 3)):
        anew, accepted = state._replace(revision=2), []
        for action in changed.one.legal(state, seat):
            try:
                changed.two.decide(anew, seat, action, NO_CHANCE)
            except Illegal as refusal:
                refused.append((state.hqs[seat].consultants[action.take] > 0, refusal))
            else:
                accepted.append(action)
        assert accepted == changed.two.legal(anew, seat)
    assert {(held, refusal.code, refusal.rule) for held, refusal in refused} == {
        (True, "consultant-already-held", "R-16")
    }
    told = {changed.two.describe(refused[0][1], 0, language, ()) for language in changed.two.meta.languages}
    assert len(told) == 3 and all("HQ" in sentence or "QG" in sentence for sentence in told)


def test_the_new_revision_counts_the_second_place_for_two(changed: Changed) -> None:
    def ranks(ruleset: AnyRuleset) -> set[Any]:
        seats = ruleset.standings(game_of(ruleset).state, None)["seats"]
        return {each["rank"] for seat in seats for each in seat["conglomerates"].values()}

    assert 2 not in ranks(changed.one)
    assert 2 in ranks(changed.two)
    over = game_of(changed.two)
    outcome = changed.two.outcome(over.state)
    assert outcome and list(outcome["scores"]) == [
        seat["total"] for seat in changed.two.standings(over.state, None)["seats"]
    ]


@every_golden
def test_recorded_games_come_to_the_same_events_and_scores_byte_for_byte(changed: Changed, wanted: Wanted) -> None:
    first, *actions, last = (json.loads(line) for line in wanted.path.read_text().splitlines())
    codec = Codec(changed.two)
    begun = {name: first[name] for name in ("ruleset", "revision", "seats", "options", "commitment")}
    opening = [codec.decode(each.pop("type"), encode(each)) for each in map(dict, first["events"])]
    state = fold(changed.two, [GameStarted(**begun, nonces=()), *opening])
    ruleset = at_revision(changed.two, first["revision"])
    for line in actions:
        action = ruleset.parse(line["notation"])
        assert line["seat"] >= wanted.seats or action in ruleset.legal(state, line["seat"])
        events = ruleset.decide(state, line["seat"], action, NO_CHANCE)
        assert canonical(line["events"]) == canonical([event_line(event) for event in events])
        state = fold(ruleset, events, state)
    assert canonical(last["outcome"]) == canonical(ruleset.outcome(state))
    assert canonical(last["standings"]) == canonical(ruleset.standings(state, None))


@every_golden
def test_their_records_hold(changed: Changed, wanted: Wanted) -> None:
    report = verify(golden(wanted), changed.rulesets)
    assert report.holds, report.findings


def test_records_of_the_new_revision_hold_where_it_is_known(changed: Changed) -> None:
    record = game_of(changed.two).record
    assert record is not None
    assert verify(record.text(), changed.rulesets).holds
    findings = verify(record.text(), {"new-corp-order": CORP}).findings
    assert findings[-1].said == "revision 2 of the rules of new-corp-order is not installed here"


def test_a_running_game_goes_on_by_the_rules_that_it_began_with(changed: Changed, games: Games) -> None:
    people = [alice(games), bob(games)]
    before, after = Games(games.engine, {"new-corp-order": CORP}), Games(games.engine, changed.rulesets)
    running = started(before, "new-corp-order", people)
    running = act(before, running, min(running.to_act), CORP.parse("P D D")).position
    resumed = now_at(after, running.game.id)
    assert resumed.ruleset is changed.one
    seat = min(resumed.to_act)
    assert list(map(CORP.notate, CORP.legal(running.state, seat))) == list(
        map(changed.one.notate, changed.one.legal(resumed.state, seat))
    )
    over = finished(after, resumed)
    assert over.ruleset is changed.one and over.outcome == now_at(before, over.game.id).outcome
    assert started(after, "new-corp-order", people).ruleset is changed.two


@pytest.mark.long
def test_random_games_are_scored_as_the_page_says(changed: Changed) -> None:
    before, after = (block.text.splitlines() for block in blocks(PAGE) if "selfplay" in block.text)
    places = (
        {"RULESET_PACKAGES": "service.rules.games"},
        {"PYTHONPATH": str(changed.home), "RULESET_PACKAGES": "changed_games"},
    )
    for (command, *expected), environment in zip((before, after), places, strict=True):
        done = subprocess.run(
            shlex.split(command.removeprefix("$ ")),
            cwd=ROOT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert [line for line in expected if line not in done.stdout.splitlines()] == [], done.stdout
    assert before != after
