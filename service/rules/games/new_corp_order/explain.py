"""Explain the standings: who scores what, and why (R-41 to R-46, R-54); from what `standings` shows alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.rules.games.new_corp_order.terms import COLOURS, ODS, Colour
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.language import Voice
from service.rules.kernel import Json, Section

Row = Json
"""A seat and what it holds of one colour: `seat`, `shares`, `agents`, `rank`, `vp`."""


def explain(told: Json, viewer: int | None, language: str, names: Sequence[str]) -> tuple[Section, ...]:
    """Return the standings explained section by section in a language (English, if unknown), and what they leave out.

    The totals come first, then each conglomerate, the objectives and the consultants.
    """
    teller = _Teller(Voice(speak(language), viewer, names), told)
    if "companies" not in told:
        return (teller.solo(),)
    return (
        teller.totals(),
        *(teller.conglomerate(colour) for colour in COLOURS),
        teller.objectives(),
        teller.consultants(),
    )


class _Teller:
    """Explains given standings to one viewer."""

    def __init__(self, voice: Voice, told: Json) -> None:
        self.voice = voice
        self.told = told
        self.seats: Sequence[Json] = told["seats"]

    def totals(self) -> Section:
        """Tell the points of each seat, and their sources."""
        head = [self.say(key) for key in ("player", "by-shares", "by-objectives", "by-consultants", "total.short")]
        rows = [
            (
                self.name(each["seat"]),
                str(sum(row["vp"] for row in each["conglomerates"].values())),
                self.say("secret") if each["objectives"]["vp"] is None else str(each["objectives"]["vp"]),
                str(each["consultants"]["vp"]),
                str(each["total"]),
            )
            for each in self.seats
        ]
        lines = [*self.lead(), *self.unknown()]
        return Section(title=self.say("total"), head=tuple(head), rows=tuple(rows), lines=tuple(lines))

    def lead(self) -> Iterator[str]:
        """Say who is ahead, and by what."""
        best = max(each["total"] for each in self.seats)
        level = [each for each in self.seats if each["total"] == best]
        agents = {each["seat"]: _agents(each) for each in level}
        first = [seat for seat, number in agents.items() if number == max(agents.values())]
        yield self.say("ahead", names=self.named(first), points=best)
        if len(level) > 1:
            yield self.say("level", points=best, held=self.held(agents))
        if len(first) > 1:
            yield self.say("shared")

    def unknown(self) -> Iterator[str]:
        """Say whose objectives are not in the totals."""
        secret = [each["seat"] for each in self.seats if each["objectives"]["vp"] is None]
        if secret:
            yield self.say("incomplete", names=self.named(secret))

    def conglomerate(self, colour: Colour) -> Section:
        """Tell the shares of each seat in a colour, the points for them, and the reasons."""
        companies = self.told["companies"][colour]
        rows = [{"seat": each["seat"], **each["conglomerates"][colour]} for each in self.seats]
        name = self.voice.colour(colour).capitalize()
        head = [self.say("player"), self.say("cards"), self.say("agents"), self.say("by-shares")]
        return Section(
            title=self.say("conglomerate", colour=name, companies=self.counted("companies", companies)),
            head=(*head, self.say("place"), self.say("total.short")),
            rows=tuple(self.holding(row) for row in rows),
            lines=tuple(self.reasons(rows, companies)),
        )

    def holding(self, row: Row) -> tuple[str, ...]:
        """Return the shares of a seat in a colour, as a row of its table."""
        cards = row["shares"] - 2 * row["agents"]
        place = "–" if row["rank"] is None else self.say(f"rank.{row['rank']}")
        return (self.name(row["seat"]), *map(str, (cards, row["agents"], row["shares"], place, row["vp"])))

    def reasons(self, rows: Sequence[Row], companies: int) -> Iterator[str]:
        """Say who is first and second in a colour, how ties were broken, and who goes without."""
        for rank in (1, 2):
            placed = [row for row in rows if row["rank"] == rank]
            if placed:
                yield from self.placed(placed, rows, companies)
        rest = [row["seat"] for row in rows if row["shares"] and row["rank"] is None]
        if rest:
            yield self.say("nothing.two" if len(rows) == 2 else "nothing", names=self.named(rest))
        if not any(row["shares"] for row in rows):
            yield self.say("nobody")

    def placed(self, placed: Sequence[Row], rows: Sequence[Row], companies: int) -> Iterator[str]:
        """Say who shares a place, and why others with as many shares do not."""
        first = placed[0]
        names, shares = self.named(row["seat"] for row in placed), self.counted("shares", first["shares"])
        yield self.say(f"place.{first['rank']}", names=names, shares=shares, companies=companies, points=first["vp"])
        level = [row for row in rows if row["shares"] == first["shares"] and (row["rank"] or 3) >= first["rank"]]
        if len(level) > len(placed):
            yield self.say("tie", shares=shares, held=self.held({row["seat"]: row["agents"] for row in level}))
        if len(placed) > 1:
            yield self.say("tie.same", names=names)

    def objectives(self) -> Section:
        """Tell the points for each seat's objectives, where they may be known."""
        lines = [self.objective(each) for each in self.seats]
        return Section(title=self.say("objectives"), lines=(self.say("objectives.rule"), *lines))

    def objective(self, each: Json) -> str:
        """Tell the points for one seat's objectives."""
        name, told = self.name(each["seat"]), each["objectives"]
        if told["types"] is None:
            return self.say("objectives.secret", name=name)
        types = ", ".join(map(self.voice.type, told["types"]))
        found = {self.voice.colour(colour): number for colour, number in told["companies"].items() if number}
        if not found:
            return self.say("objectives.none", name=name, types=types)
        companies = ", ".join(f"{number} {colour}" for colour, number in found.items())
        n = sum(found.values())
        return self.say("objectives.some", name=name, types=types, companies=companies, n=n, points=told["vp"])

    def consultants(self) -> Section:
        """Tell the points for each seat's consultants."""
        lines = [
            self.say(
                "consultants.four" if told["all_four"] else "consultants.pairs",
                name=self.name(each["seat"]),
                pairs=told["pairs"],
                points=told["vp"],
            )
            for each in self.seats
            for told in (each["consultants"],)
        ]
        return Section(title=self.say("consultants"), lines=(self.say("consultants.rule"), *lines))

    def solo(self) -> Section:
        """Tell how many companies of each side match the objectives."""
        head = (self.say("player"), self.say("solo.companies"), self.say("agents"), self.say("total.short"))
        rows = [
            (self.name(each["seat"]), ", ".join(each["companies"]) or "–", str(each["agents"]), str(each["total"]))
            for each in self.seats
        ]
        return Section(title=self.say("solo"), head=head, rows=tuple(rows), lines=tuple(self.against_ods()))

    def against_ods(self) -> Iterator[str]:
        """Say what counts in solo, and who is ahead."""
        types, scores = self.told["objectives"], [each["total"] for each in self.seats]
        if types is None:
            yield self.say("solo.hidden")
            return
        yield self.say("solo.rule", types=", ".join(map(self.voice.type, types)))
        agents = [each["agents"] for each in self.seats]
        ahead = 0 if (scores[0], agents[0]) > (scores[ODS], agents[ODS]) else ODS
        yield self.say("ahead", names=self.name(ahead), points=scores[ahead])
        if scores[0] == scores[ODS]:
            yield self.say("solo.level", points=scores[0], held=self.held(dict(enumerate(agents))))

    def say(self, key: str, **fields: Any) -> str:
        """Return a text with its fields filled in."""
        return self.voice.language.explanations[key].format(**fields)

    def counted(self, key: str, n: int) -> str:
        """Return a number of things in words, such as `3 shares`."""
        return self.say(f"{key}.one" if n in self.voice.language.one else key, n=n)

    def name(self, seat: int) -> str:
        """Return the name of the seat's player, marked if it is the viewer."""
        name = self.voice.name(seat)
        return self.say("named-you", name=name) if seat == self.voice.viewer else name

    def named(self, seats: Iterator[int] | Sequence[int]) -> str:
        """Return the names of several seats' players."""
        return self.voice.all_of(self.name(seat) for seat in seats)

    def held(self, numbers: dict[int, int]) -> str:
        """Return how many each of the seats has."""
        return ", ".join(f"{self.voice.name(seat)} {number}" for seat, number in numbers.items())


def _agents(seat: Json) -> int:
    return sum(row["agents"] for row in seat["conglomerates"].values())
