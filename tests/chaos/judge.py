"""What must hold after a run about games: nothing lost, nothing doubled, nobody stuck, every stream whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from random import Random
from time import monotonic
from typing import Any
from uuid import UUID

from tests.chaos.book import Book
from tests.chaos.client import Client, Unresolved
from tests.chaos.followers import Follower
from tests.chaos.players import Act, Register, Table, act, told
from tests.chaos.running import Running

ODS_SECONDS = 60
STREAM_SECONDS = 60
SAMPLED = 60
"""So many keys are sent once more, to see whether they get the same answer."""
_GAPS = """
select g.id, g.version, count(e.seq), coalesce(max(e.seq), 0) from game g left join event e on e.game_id = g.id
group by g.id having count(e.seq) <> g.version or coalesce(max(e.seq), 0) <> g.version
"""
_KEYS = """
select i.key, i.principal, i.game_id, i.first_seq, i.last_seq, e.seat, e.decision, e.door, e.action
from idempotency i left join event e on e.game_id = i.game_id and e.seq = i.first_seq where i.operation = 'act'
"""
_ACTIONS = "select game_id, seq from event where action is not null and door = 'api'"
_TWICE = """
select game_id, decision, seat, count(*) from event where action is not null
group by game_id, decision, seat having count(*) > 1
"""


class Judge:
    """Looks at everything when the faults are over and everything is healed."""

    def __init__(self, running: Running, book: Book, register: Register, client: Client) -> None:
        self._running = running
        self._book = book
        self._register = register
        self._client = client

    def keys(self) -> None:
        """Judge the actions that were sent under keys: each has its answer, and the log says the same, once."""
        book, acts = self._book, self._register.acts
        unresolved = [each.key for each in acts if each.answer is None]
        acked = {sha256(each.key.encode()).hexdigest(): each for each in acts if each.acked}
        with self._running.database() as db:
            gaps, twice = db.execute(_GAPS).fetchall(), db.execute(_TWICE).fetchall()
            stored = {row[0]: row for row in db.execute(_KEYS).fetchall()}
            logged = {(game, seq) for game, seq in db.execute(_ACTIONS).fetchall()}
        lost = [key for key, each in acked.items() if key not in stored or not _is_as_told(each, stored[key])]
        unsent = {key for key, row in stored.items() if row[7] == "api"} - acked.keys()
        unkeyed = logged - {(row[2], row[3]) for row in stored.values()}
        others = [each for each in acts if each.answer is not None and not (each.acked or self._came_late(each))]
        book.expect(not unresolved, f"{len(unresolved)} keys got no definite answer: {unresolved[:5]}")
        book.expect(not lost, f"{len(lost)} acknowledged actions are not in the log as told: {lost[:5]}")
        book.expect(not unsent, f"{len(unsent)} keys are stored that were never acknowledged")
        book.expect(not unkeyed, f"{len(unkeyed)} actions of the log belong to no key: {sorted(unkeyed)[:5]}")
        book.expect(not twice, f"decisions were answered twice: {twice[:5]}")
        book.expect(not gaps, f"versions have gaps or are not those of the log: {gaps[:5]}")
        book.expect(not others, f"actions were refused: {[each.answer for each in others][:3]}")
        doubled = len(twice) + len(unkeyed)
        book.say("actions", sent=len(acts), acknowledged=len(acked), lost=len(lost), doubled=doubled, gaps=len(gaps))

    def replays(self, dice: Random) -> None:
        """Send some of the acknowledged actions once more: they have to be answered as before."""
        acked = [each for each in self._register.acts if each.acked]
        sampled = dice.sample(acked, min(SAMPLED, len(acked)))
        other = [each.key for each in sampled if not self._same(each)]
        self._book.expect(not other, f"{len(other)} keys were answered in another way when sent again: {other[:5]}")
        self._book.say("replays", sent_again=len(sampled), other_answers=len(other))

    def nobody_is_stuck(self, dice: Random) -> None:
        """In every running game somebody can act, maybe after the automaton has; and acting works."""
        book = self._book
        going = [each for each in self._register.tables if not each.finished]
        waited, played = [], 0
        for table in going:
            try:
                began = monotonic()
                if not book.comes_true(partial(self._awaits_a_player, table), ODS_SECONDS):
                    book.wrong(f"game {table.game} is stuck: nobody is to act, and the automaton does nothing")
                    continue
                waited.append(monotonic() - began)
                done = act(self._client, self._register, table, dice)
                if done is not None and self._came_late(done):
                    done = act(self._client, self._register, table, dice)
                played += done is not None
                if not (table.finished or (done is not None and done.acked)):
                    book.wrong(f"in game {table.game} nobody could act: {done}")
            except Unresolved as error:
                book.wrong(f"game {table.game} cannot be played on: {error}")
        longest = round(max(waited, default=0.0), 1)
        book.say("stuck", tables=len(self._register.tables), running=len(going), played=played, longest_s=longest)

    def streams(self, followers: list[Follower]) -> None:
        """Each stream has told every event of its game once and in order, up to where the game is now."""
        told_ = [each for follower in followers for each in follower.told]
        broken = 0
        for table, token, events in told_:
            shown = list(self._history(table, token))
            self._book.comes_true(partial(_reaches, events, len(shown)), STREAM_SECONDS)
            # The doors of others are told once a game is over, which it may be only since.
            came, there_is = ([{**each, "door": None} for each in told] for told in (list(events), shown))
            if came != there_is:
                broken += 1
                seen, there = [each["seq"] for each in events], [each["seq"] for each in shown]
                missed, doubled = sorted(set(there) - set(seen)), len(seen) - len(set(seen))
                other = next((pair for pair in zip(came, there_is, strict=False) if pair[0] != pair[1]), None)
                what = (
                    f"a stream of game {table.game} missed {missed[:9]}, doubled {doubled}, of {len(there)} events; "
                    f"the first one that is told otherwise: {other}"
                )
                self._book.wrong(what)
        breaks = self._book.counted("stream ").get("broken off", 0)
        self._book.say("streams", followed=len(told_), broken_off=breaks, not_exact=broken)

    def audit(self) -> None:
        """`boardroom audit` finds nothing."""
        code, said = self._running.audit()
        self._book.expect(code == 0, f"boardroom audit ended with {code}: {said[-500:]}")
        self._book.say("audit", exit_code=code, said=said.splitlines()[-1:])

    def _came_late(self, sent: Act) -> bool:
        """Return whether an action was refused because a mail was quicker; else each table has one thread."""
        by_mail = {table.game for table in self._register.tables if table.emails}
        return sent.answer is not None and sent.answer.status == 409 and sent.game in by_mail

    def _same(self, acted: Act) -> bool:
        answer = self._client.by(acted.token).post(f"/games/{acted.game}/actions", acted.body, acted.key)
        return acted.answer is not None and answer.status == 201 and told(answer) == told(acted.answer)

    def _awaits_a_player(self, table: Table) -> bool:
        shown = self._client.by(table.tokens[0]).get(f"/games/{table.game}")
        table.finished = shown["status"] != "running"
        return table.finished or any(seat < len(table.tokens) for seat in shown["to_act"])

    def _history(self, table: Table, token: str) -> Iterator[dict[str, Any]]:
        mine, after = self._client.by(token), 0
        while page := mine.get(f"/games/{table.game}/events?after={after}&limit=500")["items"]:
            yield from page
            after = page[-1]["seq"]


def _reaches(events: list[dict[str, Any]], number: int) -> bool:
    return len(events) >= number


def _is_as_told(sent: Act, row: tuple[Any, ...]) -> bool:
    """Return whether the log says of a key what was answered and asked."""
    _, _, game, first, last, seat, decision, door, action = row
    assert sent.answer is not None
    said = sent.answer.json
    events = [each["seq"] for each in said["events"]]
    return (
        (game, seat, decision, door) == (UUID(str(sent.game)), sent.seat, sent.body["decision"], "api")
        and said["version"] == last
        and all(first <= seq <= last for seq in events)
        and _plain(action) == _plain(sent.body["action"])
    )


def _plain(action: Any) -> Any:
    """Return an action without what it does not say: the log keeps what was left out as null, or not at all."""
    if isinstance(action, dict):
        return {name: _plain(value) for name, value in action.items() if value not in (None, [], {})}
    return [_plain(each) for each in action] if isinstance(action, list) else action
