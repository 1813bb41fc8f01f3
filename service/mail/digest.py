"""The daily mail instead of single ones: which games wait for a player, which have ended, what was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import links
from service.mail import pieces, unsubscribe
from service.mail.blocks import Block, Bullets, Button, Content, Heading, Link, Paragraph, Rule, Small
from service.mail.harmless import harmless_names
from service.mail.heard import heard, remark
from service.mail.house import MailContext
from service.mail.letter import Stamp, letter, sealed
from service.mail.pieces import MailLinks
from service.mail.problem import still
from service.mail.sentences import result
from service.mail.wishes import UNTOLD
from service.rules.isolation import isolated
from service.shared import clock
from service.store.outbox import OutboxRow
from service.store.position import Position
from service.texts.catalog import count, say
from service.texts.when import clock_time, listed

MOST_BOARDS: Final = 5
MOST_LINES: Final = 12
TOLD: Final = "told in the digest"

_PLAYER = text("select name, email, language, time_zone from player where id = :player and email is not null")
_UNMUTED = "not exists (select from mail_mute m where m.game_id = s.game_id and m.player_id = s.player_id)"
_WAITING = text(f"""
select g.id as game, s.seat, count(*) over () as total
  from seat s join game g on g.id = s.game_id and s.seat = any(g.awaited)
 where s.player_id = :player and {_UNMUTED}
   and not exists (select from mail_wishes w where w.player_id = :player and 'turn' = any(w.unwanted))
 order by g.since, g.id limit :limit
""")  # noqa: S608 - constants
_UNTOLD = text(f"""
select o.id, o.kind, o.game_id as game, s.seat, o.payload
  from seat s join outbox o on o.game_id = s.game_id and s.seat = cast(o.payload ->> 'seat' as integer)
 where s.player_id = :player and o.state = 'skipped' and o.last_error = :untold and {_UNMUTED}
 order by o.id
""")  # noqa: S608 - constants
_PROBLEMS = text(f"""
select o.id, o.kind, o.game_id as game, s.player_id, o.payload
  from (select game_id, player_id from seat union select game_id, player_id from vacated_seat) as s
  join outbox o on o.game_id = s.game_id and o.payload ->> 'player' = cast(s.player_id as text)
 where s.player_id = :player and o.state = 'skipped' and o.last_error = :untold and {_UNMUTED}
 order by o.id
""")  # noqa: S608 - constants
_MARK = text("update outbox set last_error = :told where id = any(:rows)")


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom the mail is for."""

    name: str
    email: str
    language: str
    time_zone: str


@dataclass(slots=True)
class News:
    """What the mail is written from: who reads it, and what there is to tell, games as (position, seat)."""

    reader: Reader
    waiting: list[tuple[Position, int, MailLinks]] = field(default_factory=list)
    count: int = 0
    over: list[tuple[Position, int]] = field(default_factory=list)
    begun: list[tuple[Position, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    said: list[Block] = field(default_factory=list)
    untold: list[int] = field(default_factory=list)
    fewer: unsubscribe.Fewer | None = None

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.waiting or self.over or self.begun or self.problems or self.said)


def send_digest(house: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), unless nothing is left to tell. Raises as `Mailer.send` does.

    Which games wait is read anew; of all else it tells what the last one has not.
    """
    mailer, now = house.mailer, clock.now()
    with house.games.engine.begin() as db:
        news = _read(house, db, UUID(row.payload["player"]), now)
    if mailer is None or news is None or not news:
        return "skipped"
    stamp = Stamp(row.id, mailer.mail_from, now)
    mailer.send(addressed(news, house.settings.base_url, stamp, row.payload["player"]))
    with house.games.engine.begin() as db:
        db.execute(_MARK, {"rows": news.untold, "told": TOLD})
    return "done"


def addressed(news: News, base: str, stamp: Stamp, about: object) -> EmailMessage:
    """Return the mail as it is sent: to whom, from whom, as one of many, and with the way to fewer.

    `base` is our address, `about` what makes it this player's.
    """
    reader = news.reader
    message = letter(Address(" ".join(reader.name.split()), addr_spec=reader.email), digest_mail(news, base))
    message["Precedence"] = "bulk"
    return sealed(unsubscribe.with_headers(message, news.fewer), stamp, "digest", about)


def digest_mail(news: News, base: str) -> Content:
    """Return what the mail says: at most MOST_BOARDS tables, and how many games wait besides."""
    reader = news.reader
    language = reader.language
    subject = count(language, "digest-subject", news.count) if news.count else say(language, "digest-subject-none")
    blocks: list[Block] = [
        Paragraph(say(language, "digest-greeting", name=isolated(" ".join(reader.name.split())))),
        *_waiting(news, base),
        *_section(language, "digest-begun", [_line(position, seat, language) for position, seat in news.begun]),
        *_section(language, "digest-over", [_ending(position, seat, language) for position, seat in news.over]),
        *_section(language, "digest-problems", news.problems),
        *_said(news),
        *([] if news.waiting else [Button(say(language, "digest-games"), f"{base}/games")]),
        Rule(),
        *([Small(say(language, "digest-personal"))] if news.waiting else []),
        *pieces.less(language, f"{base}/settings/mail", news.fewer),
    ]
    return Content(language, subject, _summary(news) or subject, tuple(blocks))


def _summary(news: News) -> str:
    if not news.waiting:
        return ""
    language, (position, seat, _) = news.reader.language, news.waiting[0]
    game = _line(position, seat, language)
    more = news.count - 1
    return count(language, "digest-first-more", more, game=game) if more else say(language, "digest-first", game=game)


def _waiting(news: News, base: str) -> Iterator[Block]:
    language = news.reader.language
    for position, seat, way in news.waiting:
        yield Heading(_line(position, seat, language))
        decision = position.ruleset.decision(position.state)
        yield Button(say(language, "play-button", decision=decision), way.page)
        yield from pieces.language_note(position.ruleset.meta, language)
        yield pieces.table(position, seat)
        yield from pieces.witness(position, language)
    if news.count > len(news.waiting):
        yield Link(say(language, "digest-all", count=news.count), f"{base}/games")


def _section(language: str, key: str, lines: Sequence[str]) -> list[Block]:
    if not lines:
        return []
    shown, more = lines[:MOST_LINES], len(lines) - MOST_LINES
    rest = [count(language, "digest-more", more)] if more > 0 else []
    return [Heading(say(language, key)), Bullets((*shown, *rest))]


def _said(news: News) -> Iterator[Block]:
    if news.said:
        yield Heading(say(news.reader.language, "digest-said"))
        yield from news.said[:MOST_LINES]


def _line(position: Position, seat: int | None, language: str) -> str:
    title, mark = position.ruleset.meta.title, position.game.id.hex[-6:]
    others = listed([name for at, name in enumerate(position.names_in(language)) if at != seat], language)
    return say(language, "digest-game" if others else "digest-game-alone", title=title, mark=mark, others=others)


def _ending(position: Position, seat: int, language: str) -> str:
    ended = "; ".join(result(position, position.outcome or {}, language))
    return f"{_line(position, seat, language)}. {ended}"


def _read(house: MailContext, db: Connection, player: UUID, now: datetime) -> News | None:
    found: Any = db.execute(_PLAYER, {"player": player}).one_or_none()
    if found is None:
        return None
    news = News(Reader(*found))
    for each in db.execute(_WAITING, {"player": player, "limit": MOST_BOARDS}).all():
        position = _opened(house, db, each.game, news.reader.language)
        decision = position.ruleset.decision(position.state)
        token = links.issue(db, each.game, each.seat, decision, now)
        news.waiting.append((position, each.seat, MailLinks(house.settings.base_url, each.game, token)))
        news.count = each.total
        news.fewer = news.fewer or unsubscribe.link(house.settings, db, each.game, player, "digest")
    for each in _untold(db, player):
        news.untold.append(each.id)
        _add(house, db, news, each)
        news.fewer = news.fewer or unsubscribe.link(house.settings, db, each.game, player, "digest")
    return news


def _untold(db: Connection, player: UUID) -> Iterator[Any]:
    for told in (_UNTOLD, _PROBLEMS):
        yield from db.execute(told, {"player": player, "untold": UNTOLD}).all()


def _add(house: MailContext, db: Connection, news: News, row: Any) -> None:
    """Add what a single mail would have told; a turn is told of by the game that waits."""
    if row.kind == "turn-mail":
        return
    position = _opened(house, db, row.game, news.reader.language)
    if row.kind == "problem":
        news.problems += _problem(position, row, news.reader)
    elif row.kind == "game-over":
        news.over.append((position, row.seat))
    elif row.kind == "started" and position.game.status == "running":
        news.begun.append((position, row.seat))
    elif row.kind == "message":
        news.said += _said_at(db, position, row, news.reader)


def _problem(position: Position, row: Any, reader: Reader) -> Iterator[str]:
    if still(position, row.player_id, row.payload["what"]):
        sentence = say(reader.language, f"problem-{row.payload['what']}")
        at = next((index for index, seat in enumerate(position.seats) if seat.player_id == row.player_id), None)
        game = _line(position, at, reader.language)
        yield f"{game}. {sentence}"


def _said_at(db: Connection, position: Position, row: Any, reader: Reader) -> Iterator[Block]:
    names, table = position.names_in(reader.language), _line(position, row.seat, reader.language)
    for said in heard(db, position, row.seat, row.payload):
        at = clock_time(said.at, reader.language, reader.time_zone)
        yield remark(reader.language, names[said.seat], at, said.text, f"{table}. ")


def _opened(house: MailContext, db: Connection, game: UUID, language: str) -> Position:
    return harmless_names(house.games.open(db, game), language)
