"""Ratings by docs/ratings.md: the games that count, places, and the Plackett-Luce model of `openskill`.

The model: Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple
from uuid import UUID

from openskill.models import PlackettLuce

from service.rules.outcome import Outcome

SETTLED_AFTER_GAMES: Final = 10
"""Number of rated games after which a rating is no longer provisional (P-14)."""
INITIAL_NUMBER: Final = 1500
"""Number of a player without games (P-13)."""
_POINTS_PER_UNIT: Final = 30
# Defaults of the model, pinned: a new version of the library must not change ratings.
_MU: Final = 25.0
_MODEL: Final = PlackettLuce(mu=_MU, sigma=_MU / 3, beta=_MU / 6, kappa=0.0001, tau=_MU / 300)
MIN_OPPONENTS: Final = 5
"""Number of different opponents after which a rating is no longer provisional (P-14)."""
MAX_DOUBTFUL_POINTS: Final = 60
"""Maximum points that a player gains by doubtful results within a week (P-20)."""
_PROVIDER_NAMES: Final = """
126.com 163.com 1und1.de abv.bg aim.com alice.it aliyun.com aol.com aol.de aol.fr arcor.de att.net bbox.fr bell.net
bigpond.com bluewin.ch blueyonder.co.uk bol.com.br btinternet.com centrum.cz charter.net comcast.net cox.net
disroot.org duck.com earthlink.net eircom.net email.com email.cz email.de fastmail.com fastmail.fm fastwebnet.it
foxmail.com free.fr freemail.hu freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.fr gmx.net gmx.us googlemail.com
hetnet.nl hey.com home.nl hotmail.be hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl
hushmail.com icloud.com inbox.lv inbox.ru interia.pl iol.pt juno.com kabelmail.de kolabnow.com kpnmail.nl laposte.net
libero.it list.ru live.be live.ca live.co.uk live.com live.de live.fr live.it live.nl lycos.com mac.com mail.be
mail.bg mail.com mail.de mail.dk mail.ee mail.ru mailbox.org mailfence.com me.com msn.com mymail.ch myyahoo.com
naver.com neuf.fr nifty.com o2.pl o2online.de onet.pl online.de online.no optonline.net optusnet.com.au orange.fr
outlook.at outlook.be outlook.com outlook.de outlook.es outlook.fr outlook.it pm.me post.cz posteo.de posteo.eu
posteo.net proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com riseup.net rogers.com runbox.com
sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sky.com skynet.be sympatico.ca systemli.org t-online.de talktalk.net
tele2.se telenet.be telia.com tin.it tiscali.it tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net
uol.com.br verizon.net videotron.ca virgilio.it virginmedia.com vodafone.de vodafone.it walla.co.il wanadoo.fr web.de
wp.pl xs4all.nl yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.au yahoo.com.br yahoo.de yahoo.es
yahoo.fr yahoo.it yandex.com yandex.ru ymail.com zeelandnet.nl ziggo.nl zoho.com zoho.eu zonnet.nl
"""
MAIL_PROVIDERS: Final = frozenset(_PROVIDER_NAMES.split())
"""Domains in lower case. A missing provider costs its customers no more than the cap of P-20."""
FIRST_COUNTED_TURN: Final = 5
"""First turn in which a player's leaving still lets the game count (P-11)."""
MAX_GAMES_OF_PAIR: Final = 3
"""Maximum number of games of any two players that count within WEEK (P-12)."""
WEEK: Final = timedelta(days=7)


class Skill(NamedTuple):
    """Strength of a player as a normal distribution: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """Return the displayed number: the scaled mean; 400 more win ten games of eleven, as with Elo (P-13)."""
        return round(INITIAL_NUMBER + _POINTS_PER_UNIT * (self.mu - _MU))

    @property
    def margin(self) -> int:
        """Return the uncertainty of the number: one standard deviation."""
        return round(_POINTS_PER_UNIT * self.sigma)


NEWCOMER: Final = Skill(_MU, _MU / 3)


def points(number: float) -> float:
    """Convert points of the displayed number to units of the mean."""
    return number / _POINTS_PER_UNIT


def in_points(units: float) -> float:
    """Convert units of the mean to points of the displayed number."""
    return units * _POINTS_PER_UNIT


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the skills of two or more players after a game, by their places; equal places are a tie.

    The same skills and places give the same result, bit for bit.
    """
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in skills]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Skill(after.mu, after.sigma) for (after,) in rated]


class Rating(NamedTuple):
    """Player's skill with the numbers of rated games and of different opponents."""

    skill: Skill
    games: int
    opponents: int = 0

    @property
    def provisional(self) -> bool:
        """Return whether the number says little yet: too few rated games, or too few opponents (P-14)."""
        return self.games < SETTLED_AFTER_GAMES or self.opponents < MIN_OPPONENTS


UNRATED: Final = Rating(NEWCOMER, 0)


class RatedResult(NamedTuple):
    """Game that counts: its number in the log of results, its players by seat, and their places.

    `doubtful` says for each seat whether its gain is capped (P-19); empty if none is.
    """

    number: int
    ruleset: str
    seats: int
    at: datetime
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    doubtful: tuple[bool, ...] = ()


class RatingChange(NamedTuple):
    """Change of a player's rating by a result."""

    player: UUID
    before: Skill
    after: Rating


def steps(
    result: RatedResult,
    ratings: Mapping[UUID, Rating],
    opponents: Mapping[UUID, int],
    gained: Mapping[UUID, float],
) -> Sequence[RatingChange]:
    """Return the changes by a result, given the ratings of those players who have one.

    `opponents` counts each player's different opponents, including this result. `gained` is each player's gain by
    doubtful results in the week before, in units of the mean.
    """
    before = [ratings.get(player, UNRATED) for player in result.players]
    after = rate([each.skill for each in before], result.places)
    doubtful = result.doubtful or (False,) * len(after)
    return [
        RatingChange(
            player,
            was.skill,
            Rating(
                _capped(was.skill, skill, gained.get(player, 0.0)) if capped else skill,
                was.games + 1,
                opponents.get(player, was.opponents),
            ),
        )
        for player, was, skill, capped in zip(result.players, before, after, doubtful, strict=True)
    ]


def _capped(before: Skill, after: Skill, gained: float) -> Skill:
    """Return the skill after a doubtful result: the part of the change that the weekly cap allows (P-20)."""
    gain, left = after.mu - before.mu, max(0.0, points(MAX_DOUBTFUL_POINTS) - gained)
    if gain <= left:
        return after
    share = left / gain
    return Skill(before.mu + left, before.sigma + share * (after.sigma - before.sigma))


def places(seats: int, outcome: Outcome, left: Collection[int]) -> tuple[int, ...]:
    """Return the place of each seat's first player, 1 for the best; players with equal places tie (P-07 to P-10).

    `left` are the seats whose first players did not play to the end.
    """
    worth = [_worth(seat, outcome, left) for seat in range(seats)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def _worth(seat: int, outcome: Outcome, left: Collection[int]) -> tuple[int, ...]:
    """Return the sort key of a seat's first player."""
    winners, scores = outcome["winners"], outcome["scores"]
    if seat in left:
        return (0,)
    if not winners:
        return (1,)
    return (2, seat in winners, 0 if scores is None or seat in winners else scores[seat])


Reason = Literal["unconfirmed", "one-address", "one-browser", "nobody-stayed", "left-early", "often", "house-rules"]
"""Reason why a game with rated terms does not count."""


class Finished(NamedTuple):
    """Facts about a finished game: the first players of its seats, and the course of play.

    `addresses` are the digests of these players' confirmed addresses, None without one. `left` maps players who left,
    by seat, to the turn of leaving. `shared` is true if two have signed in at the same browser. `met` is the number of
    counted games of the last week of the pair that met most. `house_rules` is true if the game was not the book's.
    """

    addresses: tuple[bytes | None, ...]
    left: Mapping[int, int]
    shared: bool
    met: int
    house_rules: bool = False


class Opponent(NamedTuple):
    """Facts about a player at the end of a game: rated `games` before, against `others`.

    `others` is the number of different opponents who do not sit at this table. `domain` is that of the confirmed mail
    address; None for a provider's, where anybody can have an address.
    """

    games: int
    others: int
    domain: str | None


def doubtful(places: Sequence[int], left: Mapping[int, int], standings: Sequence[Opponent]) -> tuple[bool, ...]:
    """Return for each seat whether its gain is capped (P-19)."""
    seats = range(len(places))
    return tuple(
        any(
            seat in left
            or standings[seat].games < SETTLED_AFTER_GAMES
            or standings[seat].others < MIN_OPPONENTS
            or (standings[seat].domain is not None and standings[seat].domain == standings[own].domain)
            for seat in seats
            if seat != own and places[seat] >= places[own]
        )
        for own in seats
    )


def why_not(game: Finished) -> Reason | None:
    """Return the first reason why a game does not count (P-04 to P-12); None if it counts."""
    addresses = game.addresses
    held: tuple[tuple[Reason, bool], ...] = (
        ("unconfirmed", None in addresses),
        ("one-address", len(set(addresses)) < len(addresses)),
        ("one-browser", game.shared),
        ("nobody-stayed", len(game.left) == len(addresses)),
        ("left-early", any(turn < FIRST_COUNTED_TURN for turn in game.left.values())),
        ("often", game.met >= MAX_GAMES_OF_PAIR),
        ("house-rules", game.house_rules),
    )
    return next((reason for reason, holds in held if holds), None)
