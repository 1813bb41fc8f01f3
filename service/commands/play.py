"""`boardroom play`: a small terminal client that knows nothing but the REST API."""

from __future__ import annotations

import argparse
import random
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from service.commands.play_api import Api, GaveUp, Problem
from service.commands.terminal import complain, say, say_text

LISTED = 40
"""The most legal actions that are listed without being asked for."""
PATIENCE = 60.0
"""Seconds that random play waits for the others, ODS among them, before it gives up."""
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")
HELP = "A number, a line of notation, `? words` to search, `board`, `news`, or `quit`."


@dataclass(slots=True)
class Chair:
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

    def news(self) -> list[str]:
        """Return a sentence for everything that has happened since this was last asked."""
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
    """Whoever sits at the terminal."""

    def decide(self, chair: Chair) -> None:
        """Show the table and ask until an action has been accepted."""
        say_text(f"\n{chair.board()}\n\n")
        _print_lines(chair.news())
        legal = chair.legal()
        items = legal["items"]
        say("", f"{chair.name}, it is your turn (decision {legal['decision']}).")
        _offer(items)
        while not self._said(chair, legal["decision"], items, input("> ").strip()):
            pass

    def _said(self, chair: Chair, decision: int, items: Sequence[Any], line: str) -> bool:
        if line in ("quit", "q"):
            raise KeyboardInterrupt
        if line == "board":
            say_text(chair.board())
        elif line == "news":
            _print_lines(chair.news() or ["Nothing new."])
        elif line.startswith("?"):
            _search(items, line[1:].lower().split())
        elif not line or (line.isdigit() and not 0 < int(line) <= len(items)):
            say(HELP)
        else:
            said = {"action": items[int(line) - 1]["action"]} if line.isdigit() else {"notation": line}
            return self._play(chair, decision, said)
        return False

    def _play(self, chair: Chair, decision: int, said: Mapping[str, Any]) -> bool:
        try:
            chair.play(decision, **said)
        except Problem as problem:
            say(problem)
            return problem.body["type"] in ("/problems/stale-decision", "/problems/not-your-turn")
        return True


@dataclass(slots=True)
class Luck:
    """Plays any legal action."""

    dice: random.Random

    def decide(self, chair: Chair) -> None:
        """Play one of the legal actions."""
        legal = chair.legal()
        if not legal["items"]:
            raise GaveUp("It is our turn, but there is no legal action.")
        chair.play(legal["decision"], action=self.dice.choice(legal["items"])["action"])


@dataclass(slots=True)
class Session:
    """A game and the seats that are played from here."""

    chairs: Sequence[Chair]
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


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="boardroom play", description="Play a game in this terminal.")
    parser.add_argument("--api", default="http://127.0.0.1:8000", metavar="URL", help="where the service is")
    parser.add_argument("--seats", type=int, default=1, help="players, all played from here (default 1: solo)")
    parser.add_argument("--ruleset", help="the kind of game (default: the first that has so many seats)")
    parser.add_argument("--random", action="store_true", help="play any legal action, without asking")
    parser.add_argument("--seed", type=int, help="makes the choices of --random repeatable")
    parser.add_argument("--language", help="two letters; the language of the texts")
    parser.add_argument("--token", help="play as this player ...")
    parser.add_argument("--game", help="... in this game")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    """Play a game to its end by the arguments of the command line; return 0 only if it has properly ended."""
    args = _arguments(words)
    try:
        session = Session(_sit_down(args), Luck(random.Random(args.seed)) if args.random else Person())  # noqa: S311 - to be played again
        began = time.monotonic()
        table = session.run()
        _print_end(session, table, time.monotonic() - began)
    except (GaveUp, Problem) as error:
        complain(f"boardroom play: {error}")
        return 1
    except (KeyboardInterrupt, EOFError):
        complain("")
        complain("The game goes on without you; --token and --game bring you back.")
        return 1
    return 0 if table["status"] == "finished" and table["outcome"].get("winners") is not None else 1


def _sit_down(args: argparse.Namespace) -> list[Chair]:
    if urlsplit(args.api).scheme not in ("http", "https"):
        raise GaveUp("--api has to be an address that begins with http:// or https://.")
    api = Api(args.api.rstrip("/"), args.token)
    if (args.token is None) != (args.game is None):
        raise GaveUp("--token and --game go together.")
    if args.token:
        table, name = api.get(f"/games/{args.game}"), api.get("/me")["name"]
        if table["seat"] is None:
            raise GaveUp("This player does not sit in that game.")
        return [Chair(api, args.game, args.language, table["seat"], name)]
    return _new_game(api, args)


def _own_chance() -> dict[str, str]:
    """Return a value of chance of one's own, so that the service cannot have chosen the cards."""
    return {"nonce": secrets.token_hex(16)}


def _new_game(api: Api, args: argparse.Namespace) -> list[Chair]:
    offered = [each["name"] for each in api.get("/rulesets")["items"] if args.seats in each["seats"]]
    ruleset = args.ruleset or next(iter(offered), None)
    if ruleset not in offered:
        raise GaveUp(f"There is no such game for {args.seats} players.")
    profile = {"language": args.language} if args.language else {}
    players = [Api(api.url, api.post("/players", {"name": name, **profile})["token"]) for name in NAMES[: args.seats]]
    game = players[0].post("/games", {"ruleset": ruleset, "seats": args.seats, **_own_chance()})["id"]
    link = players[0].post(f"/games/{game}/invitations", {})["url"]
    door = f"/invitations/{link.rpartition('/')[2]}/seat"
    seats = [0, *(player.post(door, _own_chance())["seat"] for player in players[1:])]
    players[0].post(f"/games/{game}/start")
    if not args.random:
        say(f"Game {game}. To come back: --game {game} --token {players[0].token}")
    return [
        Chair(player, game, args.language, seat, name)
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
    _print_lines(chair.news()[-6:])
    say("", "Standings")
    names = {seat["seat"]: seat["name"] for seat in (*table["seats"], table["automaton"]) if seat is not None}
    _print_tree(chair.api.get(f"/games/{chair.game}/standings")["standings"], names, "  ")
    winners = ", ".join(names[seat] for seat in table["outcome"]["winners"])
    length = f"{session.decisions} decisions and {table['version']} events, in {seconds:.1f} s"
    say("", f"Game over after {length}. Won by {winners}.")


def _print_tree(value: Any, names: Mapping[int, str], indent: str) -> None:
    for key, below in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "seat":
            continue
        label = names.get(below["seat"], f"seat {below['seat']}") if _is_seat(below) else key
        if any(isinstance(each, dict | list) for each in _values(below)):
            say(f"{indent}{label}:")
            _print_tree(below, names, indent + "  ")
        else:
            say(f"{indent}{label}: {_inline(below)}")


def _is_seat(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("seat"), int)


def _values(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {below}" for key, below in value.items()) or "-"
    return (", ".join(map(str, value)) or "-") if isinstance(value, list) else str(value)
