"""`boardroom play`: a small terminal client of the REST API, with the standard library alone."""

from __future__ import annotations

import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

import click

from service.commands.terminal import complain, say, say_text

MAX_TRIES = 3
MAX_RETRY_WAIT_S = 60
"""The most seconds that it waits after an answer 429."""
MAX_LISTED = 40
"""The most legal actions that are listed at once; of more only the kinds are."""
RANDOM_PLAY_TIMEOUT_S = 60.0
"""Seconds that random play waits for the others, ODS among them, before it gives up."""
PLAYER_NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")
HELP = "A number, a line of notation, `? words` to search, `board`, `news`, or `quit`."


class GaveUp(Exception):
    """The client cannot go on; the message is for the person at the terminal."""


class ProblemAnswer(Exception):
    """The service has refused; `body` is its problem+json."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        super().__init__(body.get("detail") or body.get("title"))
        self.body = body


@dataclass(frozen=True, slots=True)
class Api:
    """The service at an address, under a player's token."""

    url: str
    token: str | None = None

    def get(self, path: str, **query: Any) -> Any:
        """Return what the service shows at the path: JSON, or a text."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._send("GET", f"{path}?{urlencode(given)}" if given else path, None)

    def post(self, path: str, body: Any = None) -> Any:
        """Return the answer to the body; an action is sent again under the same key if the answer gets lost."""
        return self._send("POST", path, json.dumps(body).encode() if body is not None else b"")

    def _send(self, method: str, path: str, body: bytes | None) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex} if body else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(f"{self.url}/api/v1{path}", body, headers, method=method)  # noqa: S310 - http(s), see main
        # Only an action is safe to send twice: its key makes sure that it is played once.
        tries = MAX_TRIES if method == "GET" or path.endswith("/actions") else 1
        for left in reversed(range(tries)):
            try:
                with urlopen(request, timeout=20) as answer:  # noqa: S310 - as above
                    text = answer.read().decode()
                    return json.loads(text) if answer.headers.get_content_type() == "application/json" else text
            except HTTPError as error:
                wait = int(error.headers.get("Retry-After", 0)) if error.code == 429 else 0
                if error.code not in (429, 503) or wait > MAX_RETRY_WAIT_S or not left:
                    raise _problem(error) from error
                time.sleep(wait)
            except (URLError, TimeoutError, ConnectionError) as error:
                if not left:
                    raise GaveUp(
                        f"{self.url} does not answer ({_why(error)}). Is the service there? See --api."
                    ) from error
            except (HTTPException, ValueError) as error:
                raise GaveUp(f"{self.url} answers, but not as this service does. See --api.") from error
            time.sleep(0.3)
        raise AssertionError


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason).lower()


def _problem(error: HTTPError) -> Exception:
    try:
        return ProblemAnswer(json.loads(error.read()))
    except ValueError:
        return GaveUp(f"The service answers {error.code}, and not in its own words.")


def print_standings(value: Any, names: Mapping[int, str], indent: str = "  ") -> None:
    """Print a part of the standings, which each game has in its own shape, under the names of the seats."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "seat":
            continue
        label = names.get(below["seat"], f"seat {below['seat']}") if _is_seat(below) else key
        if any(isinstance(each, dict | list) for each in _values(below)):
            say(f"{indent}{label}:")
            print_standings(below, names, indent + "  ")
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
        if isinstance(self.player, Luck) and self.waited > RANDOM_PLAY_TIMEOUT_S:
            raise GaveUp(f"Nobody has moved for {RANDOM_PLAY_TIMEOUT_S:.0f} seconds.")
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
    players = [
        Api(api.url, api.post("/players", {"name": name, **profile})["token"]) for name in PLAYER_NAMES[: wanted.seats]
    ]
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
        for player, seat, name in zip(players, seats, PLAYER_NAMES, strict=False)
    ]


def _offer(items: Sequence[Any]) -> None:
    if len(items) <= MAX_LISTED:
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
    _print_items(items, matching[:MAX_LISTED])
    if not matching:
        say("  No legal action has these words.")
    if len(matching) > MAX_LISTED:
        say(f"  ... and {len(matching) - MAX_LISTED} more; narrow it down.")


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
