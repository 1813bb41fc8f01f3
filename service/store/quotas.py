"""Quotas of a day (UTC), counted in one table: mails to others by account and network address, and other acts by name.

A bot spends its owner's quota. A network address has two counts, so that newcomers there, who may be anybody, do not
use up the quota of those with a confirmed address. Causers are stored as digests that are meaningless the next day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.shared.refusal import RateLimited

NEWCOMER: Final = 20
"""Mails a day until the account's own address is confirmed; also for people without an account."""
KNOWN: Final = 200
"""Mails a day with a confirmed address."""
DAY: Final = 86_400

_SPEND = text("""
with account as (
  select coalesce(o.id, p.id) as id, coalesce(o.email_confirmed, p.email_confirmed) as known
    from player p left join player o on o.id = p.owner where p.id = :account
), quota as (
  select known, cast(case when known then :known else :newcomer end as integer) as most
    from (select coalesce((select known from account), false) as known) as asking
), causer as (
  select 'account:' || id as name from account
  union all select 'network:' || known || ':' || cast(:network as text) from quota
)
insert into mail_budget (day, causer, spent)
select :day, sha256(convert_to(cast(:day as date) || ':' || name, 'UTF8')), :mails
  from causer, quota where name is not null and :mails <= most
 order by 2
on conflict (day, causer) do update set spent = mail_budget.spent + excluded.spent
  where mail_budget.spent + excluded.spent <= (select most from quota)
returning causer
""")


_COUNT = text("""
insert into mail_budget (day, causer, spent)
select :day, sha256(convert_to(cast(:day as date) || ':' || cast(:name as text), 'UTF8')), 1 where :most > 0
on conflict (day, causer) do update set spent = mail_budget.spent + 1 where mail_budget.spent < :most
returning spent
""")
_ACCOUNT = text("select coalesce(owner, id) from player where id = :player")


class MailsSpent(RateLimited):
    """The day's mails are used up; there are new ones in so many `seconds`."""

    def __init__(self, seconds: int, case: Literal["mails", "player"] = "mails") -> None:
        super().__init__(case, bucket="mails", seconds=seconds)
        self.seconds = self.retry_after = seconds


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a request: every quota times the factor, counted for the network address too, if given."""

    factor: float
    network: str | None = None

    def quota(self, usual: int) -> int:
        """Return a quota times the factor, at least 1."""
        return max(1, round(usual * self.factor))


UNCOUNTED: Final = Budget(0)


def spend(db: Connection, budget: Budget, account: UUID | None, mails: int, now: datetime) -> None:
    """Count caused mails, all or none; MailsSpent, after which the transaction has to be rolled back."""
    if not mails or not budget.factor:
        return
    values = {
        "account": account,
        "network": budget.network,
        "day": now.astimezone(UTC).date(),
        "mails": mails,
        "newcomer": budget.quota(NEWCOMER),
        "known": budget.quota(KNOWN),
    }
    counted = len(db.execute(_SPEND, values).all())
    if counted < (account is not None) + (budget.network is not None):
        raise MailsSpent(seconds_left(now))


def spend_on_player(db: Connection, way: str, sender: UUID, recipient: UUID, most: int, now: datetime) -> bool:
    """Count a mail from a player to another by a way; beyond `most` in a day count nothing and return False.

    A bot spends its owner's quota.
    """
    account = db.execute(_ACCOUNT, {"player": sender}).scalar()
    return count_once(db, f"{way}{account}:{recipient}", most, now)


def count_once(db: Connection, name: str, most: int, now: datetime) -> bool:
    """Count an act under a name; beyond `most` in a day count nothing and return False."""
    values = {"day": now.astimezone(UTC).date(), "name": name, "most": most}
    return db.execute(_COUNT, values).one_or_none() is not None


def seconds_left(now: datetime) -> int:
    """Return the seconds until the next day's quotas."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((today + timedelta(days=1) - now).total_seconds()) + 1
