"""Games played in memory by the rules, as the rows that the service would have written of them, at random moments.

Chance hangs on a game's id, so a copy of a game under another id would be none that the rules come to. A game is played
anew, or goes on from another one (a fork), whose events it takes over, and is then given up. Its chains, heads, draws
and seal are those that an audit and `verify` come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID

from msgspec import structs, to_builtins
from msgspec.json import encode as to_json

from service.commands.selfplay import draw
from service.log.chain import NO_HEAD
from service.log.codec import action_json, encode, stored_name
from service.log.folding import NOTHING, Folded, fold_clocked, outcome, players_to_act
from service.log.recorded import Recorded, instant, milliseconds
from service.record.draws import Witness
from service.record.lobby import GameOpened, Happened, LobbyEvent, SeatTaken, StartGiven, lobby_head
from service.record.record import Record, RecordStep, result_line
from service.record.seal import Signer
from service.rules.chance import Chance, commit, commit_nonce, derive_key
from service.rules.kernel import AnyRuleset, GameStarted, begin
from service.rules.pace import PACES
from service.rules.shared_events import GameForked, PaceSet, SeatResigned, SharedEvent
from tests.bench.made_games import SEATS, Made, Wanted

LAST: Final = timedelta(days=10)
"""Duration of a game."""
MOST_STEPS: Final = 48
"""A game that is not over after so many actions, or fewer, is given up by a player."""


class Playing:
    """A game in the making; one that is a `fork` has no clock."""

    def __init__(self, ruleset: AnyRuleset, wanted: Wanted, fork: GameForked | None = None) -> None:
        self.ruleset, self.wanted, self.fork = ruleset, wanted, fork
        self.random = Random(f"scale:{wanted.number}")
        opened = milliseconds(wanted.opened_at)
        bits = self.random.getrandbits(80) & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x7000 << 64 | 0x8000 << 48
        self.id = UUID(int=opened << 80 | bits)
        self.seed = self.random.randbytes(32)
        self.nonces = [self.random.randbytes(16).hex() for _ in range(SEATS)]
        self.pace = PACES["daily"] if fork is None and self.random.random() < 0.5 else None
        self.chance = Witness(Chance(derive_key(self.seed, str(self.id), self.nonces)))
        self.record = Record(str(self.id), self.seed)
        self.made = Made()
        self.folded: Folded = NOTHING
        self.version = 0
        self.faces, self.since = -1, wanted.opened_at
        self.draws: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.lobby: list[tuple[LobbyEvent, bytes]] = []
        self.log: list[Any] = []
        self.past: list[tuple[int, bytes, Folded]] = []

    @property
    def decision(self) -> int:
        return self.folded.passed + self.ruleset.decision(self.folded.state)

    @property
    def over(self) -> bool:
        return outcome(self.ruleset, SEATS, self.folded) is not None

    @property
    def to_act(self) -> frozenset[int]:
        return players_to_act(self.ruleset, SEATS, self.folded)

    def gather(self) -> str:
        """Open the game and let its players sit down; return the head of the lobby."""
        meta, at = self.ruleset.meta, instant(milliseconds(self.wanted.opened_at))
        opened = GameOpened(
            ruleset=meta.name, revision=meta.revision, seats=SEATS, options=self.options, commitment=commit(self.seed)
        )
        taken = [
            (seat, SeatTaken(nonce=commit_nonce(str(self.id), nonce), drawn_by="server", invited=False))
            for seat, nonce in enumerate(self.nonces)
        ]
        happened: list[tuple[int, Happened]] = [(0, opened), *taken, (0, StartGiven())]
        head = NO_HEAD
        for seq, (seat, event) in enumerate(happened, 1):
            noted = LobbyEvent(seq, at, seat, stored_name(type(event)), event)
            head = lobby_head(head, noted)
            self.lobby.append((noted, head))
        return head.hex()

    @property
    def options(self) -> dict[str, Any]:
        return {option.name: option.default for option in self.ruleset.meta.options}

    def begin(self, lobby: str) -> None:
        """Set the game up."""
        drawn_by = ("server",) * SEATS
        happened = begin(
            self.ruleset, SEATS, self.options, self.chance, commit(self.seed), self.nonces, drawn_by, lobby
        )
        self.record.header(happened[0], self.pace)
        for event, _ in self.lobby:
            self.record.lobby(event)
        if self.pace is not None:
            happened.append(PaceSet(pace=self.pace))
        self.append(happened, None, 0, None, self.wanted.opened_at)

    def go_on(self, origin: Playing, lobby: str) -> None:
        """Begin with the events of another game up to the one that the fork names."""
        assert self.fork is not None
        seq = self.fork.seq
        folded = next(folded for version, _, folded in origin.past if version == seq)
        started = GameStarted(
            ruleset=self.ruleset.meta.name,
            revision=folded.revision,
            seats=SEATS,
            options=self.options,
            commitment=commit(self.seed),
            nonces=tuple(self.nonces),
            drawn_by=("server",) * SEATS,
            lobby=lobby,
            origin=self.fork,
        )
        self.record.header(started, None)
        for event, _ in self.lobby:
            self.record.lobby(event)
        taken = [event for event in origin.log[:seq] if not isinstance(event, (GameStarted, SharedEvent))]
        self.append(
            [started, self.fork, *taken], None, 0, None, self.wanted.opened_at, structs.replace(folded, clocks=None)
        )

    def act(self, at: datetime) -> None:
        """Let a player act who has to."""
        state, seat = self.folded.state, min(self.to_act)
        action = draw(self.ruleset.legal(state, seat), self.random)
        happened = self.ruleset.decide(state, seat, action, self.chance)
        self.append(happened, seat, self.decision, action_json(action), at)

    def resign(self, at: datetime) -> None:
        """Let a player who has to act give the game up."""
        seat = min(self.to_act)
        self.append([SeatResigned(seat=seat, ends=True)], seat, self.decision, None, at)

    def append(
        self,
        happened: Sequence[Any],
        seat: int | None,
        decision: int,
        action: dict[str, Any] | None,
        at: datetime,
        folded: Folded | None = None,
    ) -> None:
        """Write what happened, and what goes with it; `folded` is what it adds up to, where that is known."""
        first, at = self.version + 1, instant(milliseconds(at))
        names = [(stored_name(type(event)), event) for event in happened]
        step = RecordStep(seq=first, at=at, seat=seat, door="api", decision=decision, action=action, events=names)
        self.record.step(step)
        log = [
            Recorded(seq, event, seat, "api", decision, None if seq > first else action, at, name)
            for seq, (name, event) in enumerate(names, first)
        ]
        before = self.folded.clocks and self.to_act
        self.folded = folded or fold_clocked(self.ruleset, log, self.folded)
        self.log += happened
        self.version += len(log)
        drawn = self.chance.taken()
        if drawn:
            self.draws.append({"seq": first, "draws": drawn})
        if self.folded.clocks is not None and before != self.to_act:
            self.asked.append({"seq": first, "seats": sorted(self.to_act)})
        if self.decision != self.faces:
            self.faces, self.since = self.decision, at
        self.past.append((self.version, self.record.head, self.folded))
        self._lines(log)

    def _lines(self, log: Sequence[Recorded]) -> None:
        first, head = log[0], f"\\\\x{self.record.head.hex()}"
        action = "\\N" if first.action is None else _escaped(to_json(first.action).decode())
        seat, at = "\\N" if first.seat is None else first.seat, first.at.isoformat()
        for each in log:
            name, data = encode(each.event)
            columns = (self.id, each.seq, name, _escaped(data), seat, "api", each.decision, action, at, head)
            line = "\t".join(map(str, columns)) + "\n"
            self.made.events.append((first.at, line))
            action, head = "\\N", "\\N"


def play(ruleset: AnyRuleset, wanted: Wanted, signer: Signer, now: datetime) -> Playing:
    """Return a game; what is kept for a time only is written as far as it would still be there."""
    playing = Playing(ruleset, wanted)
    playing.begin(playing.gather())
    steps = playing.random.randint(MOST_STEPS // 4, MOST_STEPS)
    gap = (wanted.until - wanted.opened_at) / (steps + 1)
    at = wanted.opened_at
    for _ in range(steps):
        if playing.over:
            break
        at += gap
        seq, seat = playing.version + 1, min(playing.to_act)
        playing.act(at)
        _kept_for_a_time(playing, seat, seq, at, now)
    if wanted.ends and not playing.over:
        playing.resign(at + gap)
    return _closed(playing, signer, now)


def fork(ruleset: AnyRuleset, origin: Playing, wanted: Wanted, signer: Signer, now: datetime) -> Playing:
    """Return a game that goes on from late in a finished one, and is given up at once."""
    seq, head, _ = origin.past[-2]
    playing = Playing(ruleset, wanted, GameForked(game=str(origin.id), seq=seq, head=head.hex()))
    playing.go_on(origin, playing.gather())
    playing.resign(wanted.until)
    return _closed(playing, signer, now)


def _closed(playing: Playing, signer: Signer, now: datetime) -> Playing:
    _around_the_log(playing)
    if playing.over:
        _sealed(playing, signer, now)
    else:
        _awaited(playing)
    return playing


def _around_the_log(playing: Playing) -> None:
    made, wanted, clocks = playing.made, playing.wanted, playing.folded.clocks
    awaited = [] if playing.over else sorted(playing.to_act)
    deadlines = [] if clocks is None else [clocks.deadline(seat) for seat in awaited]
    made.add(
        "game",
        playing.id,
        playing.ruleset.meta.name,
        "finished" if playing.over else "running",
        SEATS,
        to_json(playing.options).decode(),
        wanted.players[0],
        playing.version,
        commit(playing.seed),
        wanted.opened_at,
        "public" if playing.random.random() < 0.5 else "invitation",
        "end",
        None if playing.pace is None else to_json(to_builtins(playing.pace)).decode(),
        awaited,
        playing.decision,
        playing.since,
        [None if each is None else instant(each) for each in deadlines],
        playing.record.head,
        playing.lobby[-1][1],
        None if playing.fork is None else playing.fork.game,
        None if playing.fork is None else playing.fork.seq,
    )
    made.add("seed", playing.id, playing.seed)
    for seat, (player, nonce) in enumerate(zip(wanted.players, playing.nonces, strict=True)):
        made.add("seat", playing.id, seat, player, nonce, "server", wanted.opened_at)
    for event, head in playing.lobby:
        data = to_json(event.data).decode()
        made.add("lobby_event", playing.id, event.seq, event.name, data, event.seat, event.at, head)


def _kept_for_a_time(playing: Playing, seat: int, seq: int, at: datetime, now: datetime) -> None:
    """Add the mail of a turn that was asked for within a week, and the key of a request within a day."""
    if now - at < timedelta(days=7):
        key, payload = f"turn-mail:{playing.id}:{playing.decision}:{seat}", f'{{"decision":1,"seat":{seat}}}'
        playing.made.add("outbox", key, "turn-mail", playing.id, payload, "done", 1, at, at, at, at)
    if now - at < timedelta(days=1):
        player, key = playing.wanted.players[seat], f"{playing.id}:{seq}"
        digest = playing.random.randbytes(32)
        playing.made.add("idempotency", player, "act", key, digest, playing.id, seq, playing.version, at)


def _sealed(playing: Playing, signer: Signer, now: datetime) -> None:
    record, at = playing.record, playing.made.events[-1][0]
    record.close(playing.draws, result_line(playing.ruleset, SEATS, playing.folded), playing.asked)
    playing.made.add("seal", playing.id, record.head, at, signer.id, signer.sign(record.head, at))
    if now - at < timedelta(days=7):
        playing.made.add("outbox", f"seal:{playing.id}", "seal", playing.id, "{}", "done", 1, at, at, at, at)


def _awaited(playing: Playing) -> None:
    """Add the deadlines of those who have to act."""
    clocks = playing.folded.clocks
    for seat in () if clocks is None else clocks.waits:
        deadline = None if clocks is None else clocks.deadline(seat)
        if deadline is not None:
            at, payload = instant(deadline), to_json({"seat": seat, "deadline": deadline}).decode()
            key = f"lapse:{playing.id}:{seat}:{deadline}"
            playing.made.add("outbox", key, "lapse", playing.id, payload, "pending", 0, at, at, playing.since, None)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\")
