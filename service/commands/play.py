"""`boardroom play`: a small terminal client that uses nothing but the REST API."""

from __future__ import annotations

import random
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import click

from service.commands.play_api import Api, GaveUp, ProblemAnswer
from service.commands.play_standings import print_standings
from service.commands.terminal import complain, say, say_text

LISTED = 40
"""The most legal actions that are listed at once; of more only the kinds are."""
PATIENCE = 60.0
"""Seconds that random play waits for the others, ODS among them, before it gives up."""
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")
HELP = "A number, a line of notation, `? words` to search, `board`, `news`, or `quit`."


@dataclass(slots=True)
class LocalSeat:
    """A seat that is played from this terminal."""

    api: Api
    game: str
    language: str | None
    seat: int
    name: str
    seen: int = 0

    def table(self) -> Any:
        """Return the game as the seat sees it."""
        return self.api.get(f"/games/{self.game}")

    def board(self) -> str:
        """Return the table as text."""
        return str(self.api.get(f"/games/{self.game}/board", language=self.language))

    def new_events(self) -> list[str]:
        """Return a sentence for each event since the last call."""
        told: list[str] = []
        while True:
            page = self.api.get(f"/games/{self.game}/events", after=self.seen, limit=500, language=self.language)
            told += [event["text"] for event in page["items"] if event["text"]]
            if not page["items"]:
                return told
            self.seen = page["items"][-1]["seq"]

    def legal(self) -> Any:
        """Return the decision and its legal actions."""
        return self.api.get(f"/games/{self.game}/legal-actions", language=self.language)

    def play(self, decision: int, **said: Any) -> Any:
        """Answer the decision with an `action` or a line of `notation`."""
        return self.api.post(f"/games/{self.game}/actions", {"decision": decision, **said})


@dataclass(slots=True)
class Person:
    """The person at the terminal."""

    def decide(self, chair: LocalSeat) -> None:
        """Show the table and ask until an action has been accepted."""
        say_text(f"\n{chair.board()}\n\n")
        _print_lines(chair.new_events())
        legal = chair.legal()
        items = legal["items"]
        say("", f"{chair.name}, it is your turn (decision {legal['decision']}).")
        _offer(items)
        while not self._said(chair, legal["decision"], items, input("> ").strip()):
            pass

    def _said(self, chair: LocalSeat, decision: int, items: Sequence[Any], line: str) -> bool:
        if line in ("quit", "q"):
            raise KeyboardInterrupt
        if line == "board":
            say_text(chair.board())
        elif line == "news":
            _print_lines(chair.new_events() or ["Nothing new."])
        elif line.startswith("?"):
            _search(items, line[1:].lower().split())
        elif not line or (line.isdigit() and not 0 < int(line) <= len(items)):
            say(HELP)
        else:
            said = {"action": items[int(line) - 1]["action"]} if line.isdigit() else {"notation": line}
            return self._play(chair, decision, said)
        return False

    def _play(self, chair: LocalSeat, decision: int, said: Mapping[str, Any]) -> bool:
        try:
            chair.play(decision, **said)
        except ProblemAnswer as problem:
            say(problem)
            return problem.body["type"] in ("/problems/stale-decision", "/problems/not-your-turn")
        return True


@dataclass(slots=True)
class Luck:
    """A player that chooses a legal action at random."""

    dice: random.Random

    def decide(self, chair: LocalSeat) -> None:
        """Play one of the legal actions."""
        legal = chair.legal()
        if not legal["items"]:
            raise GaveUp("It is our turn, but there is no legal action.")
        chair.play(legal["decision"], action=self.dice.choice(legal["items"])["action"])


@dataclass(slots=True)
class Session:
    """A game and the seats that are played from here."""

    chairs: Sequence[LocalSeat]
    player: Person | Luck
    decisions: int = 0
    waited: float = field(default=0.0)

    def run(self) -> Any:
        """Play until the game is over and return the table then."""
        version = -1
        while (table := self.chairs[0].table())["outcome"] is None:
            if table["status"] == "cancelled":
                raise GaveUp("The game was cancelled.")
            acting = [chair for chair in self.chairs if chair.seat in table["to_act"]]
            if acting:
                self.player.decide(acting[0])
                self.decisions += 1
                self.waited = 0
            elif table["version"] == version:
                self._wait()
            version = table["version"]
        return table

    def _wait(self) -> None:
        if isinstance(self.player, Person) and not self.waited:
            say("Waiting for the others ...")
        pause = min(0.05 + self.waited / 4, 1.0)
        self.waited += pause
        if isinstance(self.player, Luck) and self.waited > PATIENCE:
            raise GaveUp(f"Nobody has moved for {PATIENCE:.0f} seconds.")
        time.sleep(pause)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedGame:
    """A new game for so many players from here; or, with `token` and `game`, that player's seat in that game.

    `computers` are the levels of computer players who take seats besides, with commas between them.
    """

    api: str
    seats: int
    computers: str
    ruleset: str | None
    language: str | None
    token: str | None
    game: str | None
    quiet: bool


@click.command("play", epilog="Exit code: 0 if the game has properly ended, 1 if not.")
@click.option("--api", default="http://127.0.0.1:8000", show_default=True, metavar="URL", help="where the service is")
@click.option("--seats", type=int, default=1, help="players, all played from here (default 1: solo)")
@click.option("--computers", default="", metavar="LEVELS", help="computer players besides, such as normal,hard")
@click.option("--ruleset", metavar="NAME", help="the kind of game (default: the first that has so many seats)")
@click.option("--random", "at_random", is_flag=True, help="play any legal action, without asking")
@click.option("--seed", type=int, help="makes the choices of --random repeatable")
@click.option("--language", metavar="CODE", help="two letters; the language of the texts")
@click.option("--token", help="play as this player ...")
@click.option("--game", metavar="ID", help="... in this game")
def command(at_random: bool, seed: int | None, **wanted: Any) -> int:
    """Play a game in this terminal, over nothing but the REST API."""
    try:
        player = Luck(random.Random(seed)) if at_random else Person()  # noqa: S311 - to be played again
        session = Session(_sit_down(WantedGame(quiet=at_random, **wanted)), player)
        began = time.monotonic()
        table = session.run()
        _print_end(session, table, time.monotonic() - began)
    except (GaveUp, ProblemAnswer) as error:
        complain(f"boardroom play: {error}", "red")
        return 1
    except (KeyboardInterrupt, EOFError):
        complain("")
        complain("The game goes on without you; --token and --game bring you back.")
        return 1
    return 0 if table["status"] == "finished" and table["outcome"].get("winners") is not None else 1


def _sit_down(wanted: WantedGame) -> list[LocalSeat]:
    if not _is_address(wanted.api):
        raise GaveUp("--api has to be an address that begins with http:// or https://.")
    api = Api(wanted.api.rstrip("/"), wanted.token)
    if (wanted.token is None) != (wanted.game is None):
        raise GaveUp("--token and --game go together.")
    if wanted.game:
        table, name = api.get(f"/games/{wanted.game}"), api.get("/me")["name"]
        if table["seat"] is None:
            raise GaveUp("This player does not sit in that game.")
        return [LocalSeat(api, wanted.game, wanted.language, table["seat"], name)]
    return _new_game(api, wanted)


def _is_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def _own_chance() -> dict[str, str]:
    """Return a random value of this client, so that the service cannot choose the cards alone."""
    return {"nonce": secrets.token_hex(16)}


def _new_game(api: Api, wanted: WantedGame) -> list[LocalSeat]:
    computers = wanted.computers.split(",") if wanted.computers else []
    seats_there = wanted.seats + len(computers)
    offered = [each["name"] for each in api.get("/rulesets")["items"] if seats_there in each["seats"]]
    ruleset = wanted.ruleset or next(iter(offered), None)
    if ruleset not in offered:
        raise GaveUp(f"There is no such game for {seats_there} players.")
    profile = {"language": wanted.language} if wanted.language else {}
    players = [Api(api.url, api.post("/players", {"name": name, **profile})["token"]) for name in NAMES[: wanted.seats]]
    besides = {"computers": computers} if computers else {}
    table = players[0].post("/games", {"ruleset": ruleset, "seats": seats_there, **besides, **_own_chance()})
    game, seats = table["id"], [0]
    # With computer players in all other seats it has begun.
    if table["status"] == "open":
        link = players[0].post(f"/games/{game}/invitations", {})["url"]
        door = f"/invitations/{link.rpartition('/')[2]}/seat"
        seats += [player.post(door, _own_chance())["seat"] for player in players[1:]]
        players[0].post(f"/games/{game}/start")
    if not wanted.quiet:
        say(f"Game {game}. To come back: --game {game} --token {players[0].token}")
    return [
        LocalSeat(player, game, wanted.language, seat, name)
        for player, seat, name in zip(players, seats, NAMES, strict=False)
    ]


def _offer(items: Sequence[Any]) -> None:
    if len(items) <= LISTED:
        _print_items(items, range(len(items)))
    else:
        kinds = Counter(item["kind"] for item in items)
        say("  " + ", ".join(f"{kind}: {number}" for kind, number in kinds.items()))
    say(HELP)


def _search(items: Sequence[Any], words: Sequence[str]) -> None:
    def found(item: Any) -> bool:
        text = f"{item['kind']} {item['notation']} {item['text']}".lower()
        return all(word in text for word in words)

    matching = [index for index, item in enumerate(items) if found(item)]
    _print_items(items, matching[:LISTED])
    if not matching:
        say("  No legal action has these words.")
    if len(matching) > LISTED:
        say(f"  ... and {len(matching) - LISTED} more; narrow it down.")


def _print_items(items: Sequence[Any], chosen: Sequence[int]) -> None:
    for index in chosen:
        say(f"{index + 1:4}  {items[index]['notation']:24}  {items[index]['text']}")


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        say(f"  - {line}")


def _print_end(session: Session, table: Mapping[str, Any], seconds: float) -> None:
    chair = session.chairs[0]
    say_text(f"\n{chair.board()}\n\n")
    _print_lines(chair.new_events()[-6:])
    say("", "Standings")
    names = {seat["seat"]: seat["name"] for seat in (*table["seats"], table["automaton"]) if seat is not None}
    print_standings(chair.api.get(f"/games/{chair.game}/standings")["standings"], names)
    winners = ", ".join(names[seat] for seat in table["outcome"]["winners"])
    length = f"{session.decisions} decisions and {table['version']} events, in {seconds:.1f} s"
    say("", f"Game over after {length}. {f'Won by {winners}' if winners else 'Nobody has won'}.")
