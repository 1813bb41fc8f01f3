"""A made-up revision of a game, in which the lowest bid wins: what began under the old rules goes on and holds."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.audit.inspect import inspect, whole_record
from service.commands.selfplay import play_out
from service.handlers import lobby
from service.handlers.lobby import Fork, fork
from service.record.reading import RulesMissing
from service.record.verify import unrolled, verify
from service.rules.games.bastards_inc import RULESET as BASTARDS
from service.rules.games.new_corp_order import RULESET as CORP
from service.rules.kernel import AnyRuleset, Dice, at_revision
from service.shared import clock
from service.store.events import read
from service.store.game_row import Terms
from service.store.games import Games, Position, RulesNotInstalled
from service.views.charts import counts_by_turn
from tests.builders import act, finished, now_at, started
from tests.games.sealed_bids import RULESET as BEFORE
from tests.games.sealed_bids.actions import Bid
from tests.games.sealed_bids.events import LotAwarded
from tests.games.sealed_bids.meta import META
from tests.games.sealed_bids.state import State
from tests.people import alice, bob, carol
from tests.record.records import RULESETS, golden, sealed
from tests.record.test_two_verifiers import node, with_node
from tests.rules.new_corp_order.goldens import WANTED, Wanted

Rulesets = Mapping[str, AnyRuleset]
OPTIONS = {"double": False}


def _decide(state: State, seat: int, action: Any, chance: Dice) -> list[Any]:
    """Let the lowest bid win, as no rulebook says."""
    events = BEFORE.decide(state, seat, action, chance)
    return [_turned(each) if isinstance(each, LotAwarded) else each for each in events]


def _turned(award: LotAwarded) -> LotAwarded:
    bids = [(bid.card, bid.seat) for bid in award.bids if bid.card is not None]
    return replace(award, seat=min(bids)[1] if bids else None)


AFTER = replace(BEFORE, meta=replace(META, revision=2), decide=_decide, earlier={1: BEFORE})
OLD: Rulesets = {"sealed-bids": BEFORE}
NEW: Rulesets = {"sealed-bids": AFTER}
FORGETFUL: Rulesets = {"sealed-bids": replace(AFTER, earlier={})}


KEPT = Path(__file__).parents[1] / "golden" / "bastards_inc" / "record-of-revision-1.jsonl.gz"
"""The record of a game of Ba$tard$ Inc., as it was written when there was no other revision."""


def record_under(ruleset: AnyRuleset) -> bytes:
    """The record of a random game by the rules of now."""
    record = play_out(ruleset, 3, OPTIONS, "revisions:1").record
    assert record is not None
    return record.text()


def lot(games: Games, position: Position) -> tuple[Position, LotAwarded]:
    """Play a lot in which seat 0 bids least and seat 2 most; return the award."""
    for seat in range(3):
        hand = position.state.hands[seat]
        card = {0: min, 1: min, 2: max}[seat](hand)
        position = act(games, position, seat, Bid(card=card)).position
    award = position.state.awarded[-1]
    return position, award


def winners(award: LotAwarded) -> tuple[int, int]:
    """The seats of the highest and of the lowest bid."""
    bids = sorted((bid.card or 0, bid.seat) for bid in award.bids)
    return bids[-1][1], bids[0][1]


def test_the_made_up_rule_is_another_one() -> None:
    assert record_under(BEFORE) != record_under(AFTER)


def test_old_records_hold_under_a_new_revision_and_new_ones_too() -> None:
    for ruleset in (BEFORE, AFTER):
        report = verify(record_under(ruleset), NEW)
        assert report.holds, report.findings
        assert len(unrolled(record_under(ruleset), NEW).steps) > 9


def test_a_record_whose_revision_is_not_installed_is_neither_right_nor_wrong() -> None:
    for ruleset, rulesets, revision in ((AFTER, OLD, 2), (BEFORE, FORGETFUL, 1)):
        report = verify(record_under(ruleset), rulesets)
        last = report.findings[-1]
        assert (report.holds, last.level, last.holds, last.line) == (None, "rules", None, None)
        assert last.said == f"revision {revision} of the rules of sealed-bids is not installed here"
        with pytest.raises(RulesMissing, match="is not installed here"):
            unrolled(record_under(ruleset), rulesets)


def test_a_running_game_is_played_on_by_the_rules_that_it_began_with(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    old, new = Games(games.engine, OLD), Games(games.engine, NEW)
    position, award = lot(old, started(old, "sealed-bids", people))
    highest, _ = winners(award)
    assert award.seat == highest
    position, award = lot(new, now_at(new, position.game.id))
    highest, lowest = winners(award)
    assert award.seat == highest != lowest
    position = finished(new, position)
    with new.engine.connect() as db:
        assert inspect(db, new, position.game.id).rerun.folded == position.folded
        record = whole_record(db, new, position.game.id).text()
        timeline = new.timeline(db, position)
    assert (timeline.folds[-1], timeline.ruleset) == (position.folded, BEFORE)
    assert verify(record, NEW).holds
    assert verify(record, OLD).holds


def test_a_game_that_goes_on_from_an_old_one_is_played_by_the_old_rules(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    old, new = Games(games.engine, OLD), Games(games.engine, NEW)
    over = finished(old, started(old, "sealed-bids", people))
    game = fork(new, people[0].id, Fork(over.game.id, 4, Terms(access="public")), clock.now()).game.id
    for each in people[1:]:
        lobby.join(new, game, each.id, clock.now())
    position = lobby.start(new, game, people[0].id, clock.now())
    assert position.ruleset is BEFORE
    position, award = lot(new, position)
    highest, lowest = winners(award)
    assert award.seat == highest != lowest
    finished(new, position)
    with new.engine.connect() as db:
        assert verify(whole_record(db, new, game).text(), NEW).holds


def test_a_new_game_is_played_by_the_new_rules_and_says_so(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    new = Games(games.engine, NEW)
    position, award = lot(new, started(new, "sealed-bids", people))
    highest, lowest = winners(award)
    assert award.seat == lowest != highest
    with new.engine.connect() as db:
        begun, *_ = read(db, position.codec, position.game.id)
        assert begun.event.revision == 2
        assert inspect(db, new, position.game.id).rerun.folded == position.folded
        assert new.timeline(db, position).folds[-1] == position.folded
    with pytest.raises(RulesNotInstalled, match="revision 2 of the rules of sealed-bids"):
        now_at(Games(games.engine, OLD), position.game.id)


def test_a_ruleset_knows_its_own_revision_and_those_before() -> None:
    assert at_revision(AFTER, 2) is AFTER
    assert at_revision(AFTER, 1) is BEFORE
    with pytest.raises(LookupError):
        at_revision(AFTER, 3)


def _backwards(state: Any, seat: int, action: Any, chance: Dice) -> list[Any]:
    return list(CORP.decide(state, seat, action, chance))[::-1]


def _doubled(state: Any) -> tuple[int, ...]:
    return tuple(2 * points for points in CORP.measures[0].count(state))


CHANGED = replace(
    CORP,
    meta=replace(CORP.meta, revision=CORP.meta.revision + 1),
    decide=_backwards,
    standings=lambda state, viewer: {},
    measures=(replace(CORP.measures[0], count=_doubled), *CORP.measures[1:]),
    earlier={**CORP.earlier, CORP.meta.revision: CORP},
)


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.path.stem)
def test_every_recorded_whole_game_holds_and_is_shown_by_its_own_rules_whatever_they_become(wanted: Wanted) -> None:
    report = verify(golden(wanted), {"new-corp-order": CHANGED})
    assert report.holds, report.findings
    before, after = (unrolled(golden(wanted), {"new-corp-order": rules}) for rules in (CORP, CHANGED))
    points, again = (counts_by_turn(timeline, timeline.ruleset.measures[0]) for timeline in (before, after))
    assert points == again and any(points[-1][1])


def test_a_kept_record_of_the_first_revision_of_bastards_inc_holds_for_ever() -> None:
    kept = gzip.decompress(KEPT.read_bytes())
    assert b'"revision":1' in kept and b'"revision":2' in sealed("bastards-inc", 3)
    for record in (kept, sealed("bastards-inc", 3)):
        report = verify(record, RULESETS)
        assert report.holds, report.findings


@with_node
def test_records_of_both_revisions_of_bastards_inc_hold_in_javascript(tmp_path: Path) -> None:
    reports = node(tmp_path, [gzip.decompress(KEPT.read_bytes()), sealed("bastards-inc", 3)])
    assert [report["holds"] for report in reports] == [True, True]


def test_a_game_of_bastards_inc_that_began_under_the_first_revision_is_played_to_its_end_by_it(games: Games) -> None:
    old, new = (Games(games.engine, {"bastards-inc": rules}) for rules in (BASTARDS.earlier[1], BASTARDS))
    begun = started(old, "bastards-inc", [alice(games), bob(games)], **{"short-game": True})
    position = finished(new, now_at(new, begun.game.id))
    assert position.ruleset is BASTARDS.earlier[1] and position.outcome is not None
    with new.engine.connect() as db:
        assert verify(whole_record(db, new, position.game.id).text(), RULESETS).holds
