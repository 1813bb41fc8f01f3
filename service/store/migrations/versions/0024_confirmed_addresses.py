"""An address is confirmed before mails go there, and whoever causes mails has a budget of them."""

from __future__ import annotations

from alembic import op

revision = "0024"
down_revision = "0022"
branch_labels = None
depends_on = None

_TABLES = """
alter table player
  add column email_confirmed boolean not null default false,
  add constraint player_verified_check check (email_confirmed or not email_verified) not valid;
create index player_email on player (lower(email)) where email is not null;
create table mail_request (
  address_hash bytea primary key,
  cause text not null,
  asked_at timestamptz not null
);
create table mail_request_link (
  hash bytea primary key,
  address_hash bytea not null,
  player_id uuid references player on delete set null,
  created_at timestamptz not null
);
create index mail_request_link_player on mail_request_link (player_id);
create table mail_budget (
  day date not null,
  causer bytea not null,
  spent integer not null,
  primary key (day, causer)
);
alter table invitation
  add column mailed boolean not null default false,
  add column language text,
  add column message text;
create index sign_in_email on sign_in (email);
"""
# Confirmed is the address of whoever has signed in with it, has come by an invitation that was mailed to it, or has
# acted by a link or a reply of a mail. Those who play already, or are owed a mail, go on getting them: no due mail of a
# running game is lost.
_CONFIRMED = """
update player p set email_confirmed = true
 where p.email is not null and (
   p.email_verified
   or exists (select from invitation i join seat s on s.game_id = i.game_id and s.player_id = p.id
               where i.email = lower(p.email))
   or exists (select from inbound_mail m where m.player_id = p.id)
   or exists (select from seat s join game g on g.id = s.game_id where s.player_id = p.id and g.status = 'running')
   or exists (select from seat s join event e on e.game_id = s.game_id and e.seat = s.seat
               where s.player_id = p.id and e.door in ('link', 'reply'))
   or exists (select from seat s join outbox o on o.game_id = s.game_id and o.state = 'pending'
               where s.player_id = p.id
                 and (s.seat = cast(o.payload ->> 'seat' as integer) or o.payload ->> 'player' = cast(p.id as text))));
alter table player validate constraint player_verified_check;
"""
# An invitation by mail was the one mail to an address that nobody has confirmed.
_ASKED = """
update invitation set mailed = email is not null or player_id is not null;
insert into mail_request (address_hash, cause, asked_at)
select distinct on (email) sha256(convert_to(email, 'UTF8')), 'invitation:' || id, created_at
  from invitation where email is not null order by email, created_at desc
on conflict do nothing;
"""


def upgrade() -> None:
    """Create everything, and derive whose address is confirmed from what there is."""
    for statements in (_TABLES, _CONFIRMED, _ASKED):
        op.execute(statements)
