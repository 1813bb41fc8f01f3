"""Daily digest instead of single mails: games that wait for the player, games that have ended, remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import links, mail_preferences
from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Bullets, Button, Content, Heading, Hyperlink, Paragraph, Rule, Small
from service.mail.competition import digest_news, tournaments_untold
from service.mail.compose import MailReader, Stamp, add_identity_headers, compose_message
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks
from service.mail.lobby import asker_name, challenges_untold, open_seat_request, problem_stands
from service.mail.pace import what_was_played
from service.mail.people import friends_untold
from service.mail.play import pause_message, remark_block, remarks_of_others, take_back_message
from service.mail.preferences import IN_DIGEST
from service.mail.sentences import deadline_of, game_line, outcome_lines, player_name, times_of
from service.mail.strip_links import with_safe_names
from service.rules.bidi import isolated
from service.shared import clock
from service.store.games import Position
from service.store.outbox import OutboxRow
from service.texts.catalog import count, say
from service.texts.locales import listed
from service.texts.when import clock_time, deadline_text
from service.views.messages import KINDS

MAX_BOARDS: Final = 5
MAX_LINES: Final = 12
SENT: Final = "told in the digest"

_PLAYER = text("select name, email, language, time_zone from player where id = :player and email is not null")
_UNMUTED = "not exists (select from mail_mute m where m.game_id = s.game_id and m.player_id = s.player_id)"
_WAITING = text(f"""
select g.id as game, s.seat, count(*) over () as total
  from seat s join game g on g.id = s.game_id and s.seat = any(g.awaited)
 where s.player_id = :player and {_UNMUTED}
   and not exists (select from mail_wishes w where w.player_id = :player and 'turn' = any(w.unwanted))
 order by g.deadlines[array_position(g.awaited, s.seat)] nulls last, g.since, g.id limit :limit
""")  # noqa: S608 - constants
_OTHERS = text(f"""
select g.id as game, s.seat
  from seat s join game g on g.id = s.game_id and s.seat <> all(g.awaited)
 where s.player_id = :player and g.status = 'running' and {_UNMUTED}
   and exists (select from unnest(g.deadlines) as deadline where deadline > :now)
 order by (select min(deadline) from unnest(g.deadlines) as deadline), g.id limit :limit
""")  # noqa: S608 - constants
_PENDING = text(f"""
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


@dataclass(slots=True)
class Digest:
    """The contents of a digest as of `now`; games are (position, seat). `pending` are the outbox rows that it settles.

    `others` are games that wait for others, whom the reader may give time; alone they make no digest.
    """

    reader: MailReader
    now: datetime
    waiting: list[tuple[Position, int, MailLinks]] = field(default_factory=list)
    count: int = 0
    over: list[tuple[Position, int]] = field(default_factory=list)
    begun: list[tuple[Position, int]] = field(default_factory=list)
    others: list[tuple[Position, int]] = field(default_factory=list)
    lapsed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    proposals: list[str] = field(default_factory=list)
    challenges: list[str] = field(default_factory=list)
    leagues: list[str] = field(default_factory=list)
    said: list[Block] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)
    fewer: unsubscribe.Fewer | None = None

    def __bool__(self) -> bool:
        """Return whether the digest has any contents."""
        beside = (self.lapsed, self.problems, self.proposals, self.challenges, self.leagues, self.said)
        return any((self.waiting, self.over, self.begun, *beside))


def send_digest(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), unless it would be empty. Raises as `Mailer.send` does.

    Games that wait are read anew; the other news are those since the last digest.
    """
    mailer, now = context.mailer, clock.now()
    with context.games.engine.begin() as db:
        digest = _read(context, db, UUID(row.payload["player"]), now)
    if mailer is None or digest is None or not digest:
        return "skipped"
    stamp = Stamp(row.id, mailer.mail_from, now)
    mailer.send(address_digest(digest, context.settings.base_url, stamp, row.payload["player"]))
    with context.games.engine.begin() as db:
        db.execute(_MARK, {"rows": digest.pending, "told": SENT})
    return "done"


def address_digest(digest: Digest, base: str, stamp: Stamp, about: object) -> EmailMessage:
    """Return the mail with all its headers: recipient, sender, `Precedence: bulk`, and the link for fewer mails.

    `base` is the address of the service; the Message-ID follows from `about`, which identifies the player.
    """
    reader = digest.reader
    message = compose_message(
        Address(player_name(reader.name, reader.language), addr_spec=reader.email), digest_mail(digest, base)
    )
    message["Precedence"] = "bulk"
    return add_identity_headers(unsubscribe.with_headers(message, digest.fewer), stamp, "digest", about)


def digest_mail(digest: Digest, base: str) -> Content:
    """Return the content of the mail: at most MAX_BOARDS tables, and how many more games wait."""
    reader = digest.reader
    language = reader.language
    subject = count(language, "digest-subject", digest.count) if digest.count else say(language, "digest-subject-none")
    blocks: list[Block] = [
        Paragraph(say(language, "digest-greeting", name=isolated(player_name(reader.name, reader.language)))),
        *_waiting(digest, base),
        *_section(language, "digest-lapsed", digest.lapsed),
        *_section(language, "digest-begun", [game_line(position, seat, language) for position, seat in digest.begun]),
        *_section(language, "digest-over", [_ending(position, seat, language) for position, seat in digest.over]),
        *_section(language, "digest-problems", digest.problems),
        *_section(language, "digest-proposals", digest.proposals),
        *_section(language, "digest-challenges", digest.challenges),
        *_section(language, "digest-leagues", digest.leagues),
        *([Heading(say(language, "digest-said")), *digest.said[:MAX_LINES]] if digest.said else []),
        *_awaited_others(digest, base),
        *([] if digest.waiting else [Button(say(language, "digest-games"), f"{base}/games")]),
        Rule(),
        *([Small(say(language, "digest-personal"))] if digest.waiting else []),
        *game_blocks.fewer_mails(language, f"{base}/settings/mail", digest.fewer),
    ]
    return Content(language, subject, _summary(digest) or subject, tuple(blocks))


def _summary(digest: Digest) -> str:
    if not digest.waiting:
        return ""
    language, (position, seat, _) = digest.reader.language, digest.waiting[0]
    game = game_line(position, seat, language)
    more = digest.count - 1
    return count(language, "digest-first-more", more, game=game) if more else say(language, "digest-first", game=game)


def _waiting(digest: Digest, base: str) -> Iterator[Block]:
    language = digest.reader.language
    for position, seat, urls in digest.waiting:
        yield Heading(game_line(position, seat, language))
        yield from (Paragraph(sentence) for sentence in times_of(position, seat, digest.now).own[:1])
        yield Button(say(language, "play-button", decision=position.decision), urls.page)
        yield from game_blocks.language_note(position.ruleset.meta, language)
        yield game_blocks.board(game_blocks.table_of(position, seat), url=urls.page)
        yield from game_blocks.chain_head(position, language)
    if digest.count > len(digest.waiting):
        yield Hyperlink(say(language, "digest-all", count=digest.count), f"{base}/games")


def _section(language: str, key: str, lines: Sequence[str]) -> list[Block]:
    if not lines:
        return []
    shown, more = lines[:MAX_LINES], len(lines) - MAX_LINES
    rest = [count(language, "digest-more", more)] if more > 0 else []
    return [Heading(say(language, key)), Bullets((*shown, *rest))]


def _ending(position: Position, seat: int, language: str) -> str:
    ended = "; ".join(outcome_lines(position, position.outcome or {}, language))
    return f"{game_line(position, seat, language)}. {ended}"


def _read(context: MailContext, db: Connection, player: UUID, now: datetime) -> Digest | None:
    found: Any = db.execute(_PLAYER, {"player": player}).one_or_none()
    if found is None:
        return None
    digest = Digest(MailReader(*found), now)
    for each in db.execute(_WAITING, {"player": player, "limit": MAX_BOARDS}).all():
        position = _opened(context, db, each.game, digest.reader.language)
        token = links.issue(db, each.game, each.seat, position.decision, now)
        mail_preferences.note_mailed(db, each.game, each.seat)
        digest.waiting.append((position, each.seat, MailLinks(context.settings.base_url, each.game, token)))
        digest.count = each.total
        digest.fewer = digest.fewer or unsubscribe.link(context.settings, db, each.game, player, "digest")
    for each in db.execute(_OTHERS, {"player": player, "now": now, "limit": MAX_BOARDS}).all():
        digest.others.append((_opened(context, db, each.game, digest.reader.language), each.seat))
    spoken = digest.reader.language
    asked = (*challenges_untold(context, db, player, spoken), *friends_untold(db, player, spoken))
    for row, sentence in (*asked, *tournaments_untold(db, player, spoken)):
        digest.pending.append(row)
        digest.challenges.append(sentence)
    for statement in (_PENDING, _PROBLEMS):
        for each in db.execute(statement, {"player": player, "untold": IN_DIGEST}).all():
            digest.pending.append(each.id)
            _add_row(context, db, digest, each, now)
            digest.fewer = digest.fewer or unsubscribe.link(context.settings, db, each.game, player, "digest")
    return digest


def _add_row(context: MailContext, db: Connection, digest: Digest, row: Any, now: datetime) -> None:
    """Add the news of an outbox row whose mail was left to the digest; a turn is among the games that wait."""
    if row.kind in ("turn-mail", "turn-withdrawn", "reminder"):
        return
    language, zone = digest.reader.language, digest.reader.time_zone
    if KINDS.get(row.kind) == "league":
        digest.leagues += digest_news(db, row, language, zone)
        return
    position = _opened(context, db, row.game, language)

    if row.kind == "problem" and problem_stands(position, row.player_id, row.payload["what"]):
        at = next((index for index, seat in enumerate(position.seats) if seat.player_id == row.player_id), None)
        sentence = say(language, f"problem-{row.payload['what']}")
        digest.problems.append(f"{game_line(position, at, language)}. {sentence}")
    elif row.kind == "seat-request" and (asked := open_seat_request(db, position, row.payload["request"])) is not None:
        sentence = say(language, "request-headline", name=asker_name(db, asked, language))
        digest.problems.append(f"{game_line(position, row.seat, language)}. {sentence}")
    elif row.kind == "game-over":
        digest.over.append((position, row.seat))
    elif row.kind == "started" and position.game.status == "running":
        digest.begun.append((position, row.seat))
    elif row.kind in {"pause", "take-back"}:
        if row.kind == "pause":
            message = pause_message(position, row.payload, now)
        else:
            message = take_back_message(db, position, row.payload, now)
        if message is not None:
            line = game_line(position, row.seat, position.seats[row.seat].language)
            digest.proposals.append(f"{line}. {message.headline}")
    elif row.kind == "message":
        names, table = position.names_in(language), game_line(position, row.seat, language)
        for said in remarks_of_others(db, position, row.seat, row.payload):
            spoken_at = clock_time(said.at, language, zone)
            digest.said.append(remark_block(language, names[said.seat], spoken_at, said.text, f"{table}. "))
    elif row.kind == "lapsed":
        played = what_was_played(db, position, row.seat, row.payload["version"])
        if played is not None:
            headline = say(language, f"lapsed-headline-{played.then}")
            digest.lapsed.append(f"{game_line(position, row.seat, language)}. {headline}")


def _opened(context: MailContext, db: Connection, game: UUID, language: str) -> Position:
    return with_safe_names(context.games.open(db, game), language)


def _awaited_others(digest: Digest, base: str) -> Iterator[Block]:
    """Yield the deadlines of others in games that wait for them, each with the way to give more time (T-16)."""
    language, zone = digest.reader.language, digest.reader.time_zone
    blocks: list[Block] = []
    for position, seat in digest.others:
        names = position.names_in(language)
        due = [(names[at], deadline) for at in sorted(position.awaited) if (deadline := deadline_of(position, at))]
        if due:
            until = [(name, deadline_text(language, zone, deadline, digest.now)) for name, deadline in due]
            waits = "; ".join(say(language, "digest-other-time", name=name, until=at) for name, at in until)
            give = say(language, "digest-give", names=listed([name for name, _ in due], language))
            blocks.append(Paragraph(f"{game_line(position, seat, language)}. {waits}."))
            blocks.append(Hyperlink(give, f"{base}/games/{position.game.id}"))
    if blocks:
        yield Heading(say(language, "digest-others"))
        yield from blocks
