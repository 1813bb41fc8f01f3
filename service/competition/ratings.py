"""Ratings by docs/ratings.md: which games count, places, and the Plackett-Luce model of `openskill`.

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
"""The rated games after which a rating is no longer provisional (P-14)."""
INITIAL_NUMBER: Final = 1500
"""The number of a player who has not played yet (P-13)."""
_POINTS_PER_UNIT: Final = 30
# The model's own defaults, written down: another version of the library must not change ratings.
_MU: Final = 25.0
_MODEL: Final = PlackettLuce(mu=_MU, sigma=_MU / 3, beta=_MU / 6, kappa=0.0001, tau=_MU / 300)
MIN_OPPONENTS: Final = 5
"""The different opponents after which a rating is no longer provisional (P-14)."""
MAX_DOUBTFUL_POINTS: Final = 60
"""The most points that a player gains by doubtful results within a week (P-20)."""
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
"""Domains in lower case. A provider that is missing here costs its customers no more than the cap of P-20."""
FIRST_COUNTED_TURN: Final = 5
"""The turn from which on a game counts that a player leaves (P-11)."""
MAX_GAMES_OF_PAIR: Final = 3
"""The most games that count of any two players together within WEEK (P-12)."""
WEEK: Final = timedelta(days=7)


class Skill(NamedTuple):
    """The strength of a player as a normal distribution: its mean and its standard deviation."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """The number that is shown: the mean, of which 400 more win ten games of eleven, as with Elo (P-13)."""
        return round(INITIAL_NUMBER + _POINTS_PER_UNIT * (self.mu - _MU))

    @property
    def margin(self) -> int:
        """The uncertainty of that number: one standard deviation."""
        return round(_POINTS_PER_UNIT * self.sigma)


NEWCOMER: Final = Skill(_MU, _MU / 3)


def points(number: float) -> float:
    """Return points of the number that is shown in units of the mean."""
    return number / _POINTS_PER_UNIT


def in_points(units: float) -> float:
    """Return units of the mean in points of the number that is shown."""
    return units * _POINTS_PER_UNIT


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the skills of two or more players after a game, by the places that they came in; equal places are a tie.

    The same skills and places give the same result, bit for bit.
    """
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in skills]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Skill(after.mu, after.sigma) for (after,) in rated]


class Rating(NamedTuple):
    """A player's skill after so many rated games against so many different opponents."""

    skill: Skill
    games: int
    opponents: int = 0

    @property
    def provisional(self) -> bool:
        """Whether too few games are rated, or against too few people, for the number to say much (P-14)."""
        return self.games < SETTLED_AFTER_GAMES or self.opponents < MIN_OPPONENTS


UNRATED: Final = Rating(NEWCOMER, 0)


class RatedResult(NamedTuple):
    """A game that counts: its number in the log of results, its players by seat, and the places that they came in.

    `doubtful` tells of each seat whether the points that it gains are capped (P-19); empty if none is.
    """

    number: int
    ruleset: str
    seats: int
    at: datetime
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    doubtful: tuple[bool, ...] = ()


class RatingChange(NamedTuple):
    """What a result did to a player's rating."""

    player: UUID
    before: Skill
    after: Rating


def steps(
    result: RatedResult,
    ratings: Mapping[UUID, Rating],
    opponents: Mapping[UUID, int],
    gained: Mapping[UUID, float],
) -> Sequence[RatingChange]:
    """Return what a result does to its players, given the ratings of those who have one.

    `opponents` counts the different opponents of each player with this result. `gained` is what each player has gained
    by doubtful results in the week before, in units of the mean.
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
    """Return the skill after a doubtful result: as much of the change as the cap of the week leaves (P-20)."""
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
    """Return what a seat's first player has come to, to be compared with the others."""
    winners, scores = outcome["winners"], outcome["scores"]
    if seat in left:
        return (0,)
    if not winners:
        return (1,)
    return (2, seat in winners, 0 if scores is None or seat in winners else scores[seat])


Reason = Literal["unconfirmed", "one-address", "one-browser", "nobody-stayed", "left-early", "often", "house-rules"]
"""Why a game whose terms say that it is rated does not count."""


class Finished(NamedTuple):
    """What has to be known of a finished game: who began in its seats, and how it was played.

    `addresses` are the digests of the addresses that these players have confirmed, None for one without. `left` has the
    turn in which each of them left who did; `shared` tells that two have signed in at one browser, `met` how many games
    of the last week count for the two who have met most often, `house_rules` that it was not the game of the book.
    """

    addresses: tuple[bytes | None, ...]
    left: Mapping[int, int]
    shared: bool
    met: int
    house_rules: bool = False


class Opponent(NamedTuple):
    """What is known of a player when a game ends: so many rated `games` before, against so many `others`.

    `others` are different opponents who do not sit at this table. `domain` is that of the confirmed mail address; None
    where it is a provider's, at which anybody has an address.
    """

    games: int
    others: int
    domain: str | None


def doubtful(places: Sequence[int], left: Mapping[int, int], standings: Sequence[Opponent]) -> tuple[bool, ...]:
    """Return for each seat whether the points that it gains are capped (P-19)."""
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
    """Return why a game does not count, the first reason that holds (P-04 to P-12); None if it counts."""
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
