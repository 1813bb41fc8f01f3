"""The action picker: kinds of action, their parts, the choices for each part with label, place and prospect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.decide.placing import price_to_enter
from service.rules.games.bastards_inc.describe import describe
from service.rules.games.bastards_inc.edition import EFFORT_PRICES, SCOOP_INFLUENCE
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.tabletop.preview import gain, prospect
from service.rules.games.bastards_inc.tabletop.words import Speaker, announced, named, speaker
from service.rules.kernel import Json
from service.rules.table_parts import Choice, Choices, Kind, NoSuchChoice, Picks, Seat
from service.rules.table_plugin import Sight
from service.rules.tabletop.choices import KIND, Facets, Row, choose, picks_of, written

_TAGS: Mapping[type[Any], str] = {kind: tag for tag, kind in a.ACTION_TYPES.items()}
_ANSWERS = frozenset({a.Agree, a.Decline})
_ASIDE = frozenset({"instruct", "give", "invite"})
"""The kinds whose choices are neither offered before the kind is picked nor suggested: they are seldom wanted."""


def kinds(sight: Sight) -> Sequence[Kind]:
    """Return the kinds of action that are possible now, each with the number of its sure first choices."""
    return [_kind(sight, kind, rows) for kind, rows in _rows(sight).items()]


def choices(sight: Sight, picks: Picks) -> Choices:
    """Return what can be chosen after the picks; without a kind, the first choice of each kind."""
    found = {_TAGS[kind]: (FORMS[kind], rows) for kind, rows in _rows(sight).items()}
    tag = picks.get(KIND, "") if picks or len(found) > 1 else next(iter(found))
    if tag in found:
        form, rows = found[tag]
        return choose(rows, {KIND: tag, **picks}, _facets(sight, tag, form, rows))
    if picks:
        raise NoSuchChoice(dict(picks))
    offered = [
        each for kind, (form, rows) in found.items() if kind not in _ASIDE for each in _firsts(sight, kind, form, rows)
    ]
    return Choices(ask=hint(sight), choices=tuple(offered))


def picks(sight: Sight, action: Any) -> Picks:
    """Return the picks that lead to a legal action."""
    kind, form = _TAGS[type(action)], FORMS[type(action)]
    return picks_of(_facets(sight, kind, form, ()), Row(action, _parts(form, action)))


def _rows(sight: Sight) -> dict[type[Any], list[Row]]:
    """Return the legal actions of each kind as rows, in the order of the kinds."""
    if "rows" not in sight.memo:
        found: dict[type[Any], list[Row]] = {kind: [] for kind in FORMS}
        for action in legal(sight.known, sight.viewer or 0):
            found[type(action)].append(_row(sight, action))
        sight.memo["rows"] = {kind: rows for kind, rows in found.items() if rows}
    rows: dict[type[Any], list[Row]] = sight.memo["rows"]
    return rows


def _row(sight: Sight, action: Any) -> Row:
    parts, gained = _parts(FORMS[type(action)], action), gain(sight, action)
    return Row(action, parts, prospect(sight, action), gained, (gained or 0, *_thrift(sight, action, parts)))


def _thrift(sight: Sight, action: Any, parts: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the merits of an action beside its gain: black money, a low price, no card spent, small amounts."""
    black = len(action.vps) if isinstance(action, a.Deal) else 0
    price = price_to_enter(sight.known, sight.viewer or 0, action) if isinstance(action, a.Place) else 0
    amounts = sum(value for value in parts.values() if isinstance(value, int))
    return black, -price, -(parts.get("by") == "papers"), -amounts


def _parts(form: Form, action: Any) -> Mapping[str, Any]:
    parts = form.parts(action)
    return {part: parts.get(part) for part in form.order}


def _kind(sight: Sight, kind: type[Any], rows: Sequence[Row]) -> Kind:
    form = FORMS[kind]
    first = form.order[0] if form.order else ""
    targets = {written(row.parts.get(first)) for row in rows}
    good = {written(row.parts.get(first)) for row in rows if row.prospect == "good"}
    word = describe(kind, sight.viewer, sight.language, sight.names)
    return Kind(
        id=_TAGS[kind],
        word=word,
        icon=form.icon,
        targets=len(targets),
        good=len(good),
        answers=kind in _ANSWERS,
        aside=_TAGS[kind] in _ASIDE,
    )


def _facets(sight: Sight, kind: str, form: Form, rows: Sequence[Row]) -> Facets:
    values = {part: list(dict.fromkeys(row.parts.get(part) for row in rows)) for part in form.order}
    return Facets(
        kind=kind,
        order=form.order,
        asked=form.asked,
        show=Labels(sight, kind, values).show,
        ask=lambda part: ask(sight, kind, part),
        amount=form.amount,
    )


def _firsts(sight: Sight, kind: str, form: Form, rows: Sequence[Row]) -> Iterator[Choice]:
    """Yield the first choices of a kind; a kind without parts is a choice itself."""
    if not form.order:
        row = rows[0]
        word = describe(type(row.action), sight.viewer, sight.language, sight.names)
        yield Choice(
            part=KIND,
            value=kind,
            label=word,
            place=None,
            prospect=row.prospect,
            gain=row.gain,
            picks={KIND: kind},
        )
        return
    made = choose(rows, {KIND: kind}, _facets(sight, kind, form, rows))
    yield from (replace(each, chosen=False) for each in made.choices if each.part == form.order[0])


def hint(sight: Sight) -> str:
    """Return a sentence on the options of a reader who is asked."""
    told, view = speaker(sight), sight.view
    fields: dict[str, Any] = {"scoop": told.counted("influence", SCOOP_INFLUENCE)}
    if view["arrival"] is not None:
        fields |= {"name": told.player(view["arrival"]["seat"])}
        fields |= {"price": told.counted("influence", (view["arrival"]["bids"] or 0) + 1)}
    if view["act"] is not None:
        fields |= {"name": told.player(view["act"]["seat"]), "what": announced(told, view["act"])}
    return told.word(f"hint.{view['phase']}", **fields)


# The form of each kind of action: its parts in order, those that are asked, its icon.

Parts = Mapping[str, Any]
VPS: Final = ("vp1", "vp2", "vp3", "vp4")
"""The parts of a collection: whether each VP comes home (`home`) or stays."""
HOME, STAYS = "home", "stays"
_WARS: Final = ("first", "second", "third")


class Form(NamedTuple):
    """Form of a kind of action: icon, its parts, their order, parts that have to be picked, the part with a stepper."""

    icon: str
    parts: Callable[[Any], Parts]
    order: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()
    amount: str | None = None


def partner_named(partner: a.Delegate | None) -> str | None:
    """Return another seat's VP in notation, such as `s2.3`."""
    return None if partner is None else f"s{partner.seat + 1}.{partner.vp}"


def seat_and_vp(named: str) -> tuple[int, int]:
    """Return seat and number of a VP in notation."""
    seat, vp = named[1:].split(".")
    return int(seat) - 1, int(vp)


def _fields(*names: str) -> Callable[[Any], Parts]:
    return lambda action: {name: getattr(action, name) for name in names}


def _collect(action: a.Collect) -> Parts:
    return {part: HOME if number in action.vps else STAYS for number, part in enumerate(VPS, 1)}


def _wars(action: a.OrderWars) -> Parts:
    return dict(zip(_WARS, action.regions, strict=False))


def _deal(action: a.Deal) -> Parts:
    second: str | None = str(action.vps[1]) if len(action.vps) > 1 else partner_named(action.partner)
    return {"card": action.card, "vp": action.vps[0], "with": second, "pay": action.pay, "replaces": action.replaces}


def _play(action: a.Play) -> Parts:
    return {
        **_fields("card", "vp", "seat", "score", "field", "business")(action),
        "target": partner_named(action.target),
    }


def _invite(action: a.Invite) -> Parts:
    return {"card": action.card, "vp": action.vp, "partner": partner_named(action.partner), "pay": action.pay}


def _form(icon: str, *order: str, asked: str = "", amount: str | None = None) -> Form:
    return Form(icon, _fields(*order), order, frozenset(asked.split()), amount)


_PLAY: Final = ("card", "vp", "seat", "target", "score", "field", "business")
FORMS: Final[Mapping[type[Any], Form]] = {
    a.Draw: _form("icon-draw", "bonus", amount="bonus"),
    a.Keep: _form("icon-pass"),
    a.Drop: _form("icon-drop", "card", asked="card"),
    a.Collect: Form("icon-collect", _collect, VPS),
    a.Place: _form("icon-place", "to", "by", asked="to"),
    a.Let: _form("icon-let"),
    a.Fight: _form("icon-fight", "influence", amount="influence"),
    a.Push: _form("icon-push"),
    a.Yield: _form("icon-yield"),
    a.OrderWars: Form("war", _wars, _WARS, frozenset(_WARS)),
    a.Agree: _form("icon-agree", "seat", asked="seat"),
    a.Deal: Form("black-money", _deal, ("card", "vp", "with", "pay", "replaces"), frozenset({"card"})),
    a.Launder: _form("icon-launder", "vp", asked="vp"),
    a.Sell: _form("stuff", "vp", asked="vp"),
    a.Pass: _form("icon-pass"),
    a.Play: Form("icon-play", _play, _PLAY, frozenset(_PLAY)),
    a.Campaign: _form("score-med", "vp", asked="vp"),
    a.Done: _form("icon-done"),
    a.Hire: _form("icon-hire"),
    a.BuyPrize: _form("prize"),
    a.Invite: Form("icon-invite", _invite, ("card", "vp", "partner", "pay"), frozenset({"card", "partner"})),
    a.Withdraw: _form("icon-decline"),
    a.Decline: _form("icon-decline", "seat", asked="seat"),
    a.Give: _form("icon-give", "seat", "billions", asked="seat", amount="billions"),
    a.Expose: _form("icon-expose"),
    a.KeepSilent: _form("icon-pass"),
    a.Instruct: _form("icon-instruct", "instruction", "setting", asked="instruction setting"),
}
"""The kinds of action in the order in which they are offered; four are in sight, the others behind them."""


# Questions for the parts, and label and place of each value.

Label = tuple[str, str | None]
"""The words for a value, and the place on the board or the piece that stands for it."""


def ask(sight: Sight, kind: str, part: str) -> str:
    """Return the question for a part that has to be picked."""
    told = speaker(sight)
    key = f"ask.{kind}.{part}"
    return told.word(key if told.has(key) else f"ask.{part}")


class Labels:
    """Labels of the values of one kind of action; a field stands for the first VP on it."""

    def __init__(self, sight: Sight, kind: str, values: Mapping[str, Sequence[Any]]) -> None:
        self.sight = sight
        self.kind = kind
        self.told: Speaker = speaker(sight)
        self.firsts = {part: self._firsts(part, each) for part, each in values.items()}

    def show(self, part: str, value: Any) -> Label:
        """Return the label of a value."""
        if value is None:
            return self.told.word(f"none.{part}" if self.told.has(f"none.{part}") else "none"), None
        return _SHOWN[part](self, part, value)

    def card(self, _: str, card: str) -> Label:
        """A card in the hand or the portfolio."""
        return named(self.told, card), card

    def vp(self, part: str, value: Any) -> Label:
        """A VP of the reader by its number, or of another seat as in notation."""
        seat, vp = self._seat_and_vp(value)
        label = self._standing(seat, vp)
        place = str(vp["at"]) if self.firsts.get(part, {}).get(vp["at"]) == value else None
        return label, place

    def coming(self, part: str, value: str) -> Label:
        """A VP that comes home or stays."""
        seat, vp = self._seat_and_vp(part.removeprefix("vp"))
        return self.told.word(f"collect.{value}", vp=self._standing(seat, vp)), None

    def bonus(self, _: str, bonus: int) -> Label:
        """A bonus of the drawing phase, with its price."""
        if not bonus:
            return self.told.word("no-bonus"), None
        return self.told.word("bonus", n=bonus, price=self.told.counted("billions", EFFORT_PRICES[bonus])), None

    def pay(self, _: str, pay: int) -> Label:
        """A side payment to the partner; one below 0 the partner pays."""
        key = "pay.none" if not pay else "pay.to" if pay > 0 else "pay.from"
        return self.told.word(key, price=self.told.counted("billions", abs(pay))), None

    def seat(self, _: str, seat: int) -> Label:
        """Another player, at the panel."""
        return self.told.player(seat), f"@{seat}"

    def _seat_and_vp(self, value: Any) -> tuple[Seat, Json]:
        seat, number = seat_and_vp(value) if str(value).startswith("s") else (self.sight.viewer or 0, int(value))
        return seat, self._company(seat)["vps"][number - 1]

    def _company(self, seat: Seat) -> Json:
        company: Json = self.sight.view["companies"][seat]
        return company

    def _standing(self, seat: Seat, vp: Json) -> str:
        place, black = self.told.name(vp["at"]), vp["black"]
        fields = {"vp": vp["vp"], "place": place, "name": self.told.player(seat), "black": black}
        whose = "own" if seat == self.sight.viewer else "other"
        return self.told.word(f"vp.{whose}.black" if black else f"vp.{whose}", **fields)

    def _firsts(self, part: str, values: Sequence[Any]) -> dict[str, Any]:
        """The VP that each field stands for."""
        found: dict[str, Any] = {}
        if _SHOWN[part] is Labels.vp:
            for value in sorted((each for each in values if each is not None), key=str):
                found.setdefault(self._seat_and_vp(value)[1]["at"], value)
        return found


def _name(labels: Labels, part: str, thing: str) -> Label:
    return labels.told.name(thing), thing if part != "score" else None


def _number(key: str) -> Callable[[Labels, str, int], Label]:
    return lambda labels, _, n: (labels.told.counted(key, n), None)


def _worded(labels: Labels, part: str, value: str) -> Label:
    return labels.told.word(f"{part}.{value}"), None


_SHOWN: Mapping[str, Callable[[Labels, str, Any], Label]] = {
    "card": Labels.card,
    "replaces": Labels.card,
    "business": Labels.card,
    "vp": Labels.vp,
    "with": Labels.vp,
    "target": Labels.vp,
    "partner": Labels.vp,
    "vp1": Labels.coming,
    "vp2": Labels.coming,
    "vp3": Labels.coming,
    "vp4": Labels.coming,
    "bonus": Labels.bonus,
    "pay": Labels.pay,
    "seat": Labels.seat,
    "score": _name,
    "field": _name,
    "to": _name,
    "first": _name,
    "second": _name,
    "third": _name,
    "by": _worded,
    "influence": _number("influence"),
    "billions": _number("billions"),
    "instruction": _worded,
    "setting": _worded,
}
