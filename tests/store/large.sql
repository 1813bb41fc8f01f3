-- 20,000 games of 4,000 players, most of them finished, and of all that goes along with them something for each game.
insert into player (id, name, language, created_at, email, email_verified, email_confirmed)
select md5('player' || mod(n, 4000))::uuid, 'Player ' || n, 'en', now(), 'p' || n || '@example.org', mod(n, 2) = 0, true from generate_series(1, 4000) n;
insert into token (hash, player_id, created_at, id, label, scopes, last_four)
select sha256(n::text::bytea), md5('player' || mod(n, 4000))::uuid, now(), md5('token' || n)::uuid, 'l', 'games:read', '0000'
  from generate_series(1, 4000) n;
insert into game (id, ruleset, seats, options, commitment, host, status, access, created_at, version, awaited, since, name)
select md5('game' || n)::uuid, 'new-corp-order', 2, '{}', 'c', md5('player' || mod(n, 4000))::uuid,
       (case when mod(n, 20) = 0 then 'running' when mod(n, 200) = 1 then 'open' else 'finished' end)::game_status,
       (case when mod(n, 2) = 0 then 'public' else 'invitation' end)::game_access,
       now() - n * interval '1 minute', 10, case when mod(n, 20) = 0 then '{0}' else '{}' end::int[], now(), 'Table ' || n from generate_series(1, 20000) n;
insert into seat (game_id, seat, player_id, nonce, joined_at)
select md5('game' || n)::uuid, seat, md5('player' || mod(n + seat, 4000))::uuid, '00', now() from generate_series(1, 20000) n, generate_series(0, 1) seat;
insert into seed select md5('game' || n)::uuid, '\x00' from generate_series(1, 20000) n;
insert into lobby_event (game_id, seq, name, data, seat, at, head)
select md5('game' || n)::uuid, seq, 'seat-taken', '{}', 0, now(), '\x00' from generate_series(1, 20000) n, generate_series(1, 3) seq;
insert into event (game_id, seq, name, data, door, decision, at)
select md5('game' || n)::uuid, seq, 'something-said', '{}', 'api', 1, now() from generate_series(1, 20000) n, generate_series(1, 10) seq;
insert into outbox (dedupe_key, kind, game_id, payload, state, not_before, done_at)
select 'turn-mail:' || n, 'turn-mail', md5('game' || n)::uuid, '{}', (case when mod(n, 10) = 0 then 'pending' else 'done' end)::outbox_state,
       now() + interval '1 day', now() from generate_series(1, 20000) n;
insert into idempotency (principal, key, request_hash, game_id, first_seq, last_seq)
select md5('player' || mod(n, 4000))::uuid, 'key' || n, '\x00', md5('game' || n)::uuid, 1, 2 from generate_series(1, 20000) n;
insert into action_link (hash, game_id, seat, decision, created_at, expires_at, player_id)
select sha256(n::text::bytea), md5('game' || n)::uuid, 0, 1, now(), now(), md5('player' || mod(n, 4000))::uuid from generate_series(1, 20000) n;
insert into talk (game_id, number, seat, text, at) select md5('game' || n)::uuid, 1, 0, 'Hello', now() from generate_series(1, 20000) n;
insert into note (game_id, player_id, text, at) select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, 'Hm', now() from generate_series(1, 20000) n;
insert into seat_request (id, game_id, seat, player_id, created_at)
select md5('game' || n)::uuid, md5('game' || n)::uuid, 0, md5('player' || mod(n, 4000))::uuid, now() from generate_series(1, 20000) n;
insert into mail_mute select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid from generate_series(1, 20000) n;
insert into former_player (game_id, seat, player_id, joined_at, left_at, until_seq)
select md5('game' || n)::uuid, 0, md5('player' || mod(n + 2, 4000))::uuid, now(), now(), 5 from generate_series(1, 20000) n;
insert into move_order (game_id, player_id, place, action, conditions, named, given_at)
select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, 0, '{}', '[]', false, now() from generate_series(1, 20000) n;
insert into absence (id, player_id, begins, ends, created_at)
select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, now() + n * interval '1 day', now() + (n + 1) * interval '1 day', now() from generate_series(1, 20000) n;
insert into inbound_mail (digest, link, player_id, game_id, sealed, own, received_at)
select sha256(n::text::bytea), '\x00', md5('player' || mod(n, 4000))::uuid, md5('game' || n)::uuid, '\x00', true, now() from generate_series(1, 20000) n;
insert into webhook (id, player_id, game_id, url, events, created_at)
select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, md5('game' || n)::uuid, 'https://example.org', '{}', now() from generate_series(1, 20000) n;
insert into channel (id, player_id, kind, label, messages, created_at)
select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, 'ntfy', 'l', '{}', now() from generate_series(1, 20000) n;
insert into report (id, reporter, reported, about, game_id, quoted, words, created_at)
select md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, md5('player' || mod(n + 1, 4000))::uuid, 'name', md5('game' || n)::uuid, 'q', 'w', now() from generate_series(1, 20000) n;
insert into mail_request (address_hash, cause, asked_at) select sha256(n::text::bytea), 'c', now() from generate_series(1, 20000) n;
insert into mail_trouble (address_hash, cause, status, score, noted_at, suppressed)
select sha256(n::text::bytea), 'bounce', '5.1.1', 1, now(), false from generate_series(1, 20000) n;
insert into invitation (id, game_id, inviter, email, created_at, expires_at)
select md5('game' || n)::uuid, md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, 'p' || n || '@example.org', now(), now()
  from generate_series(1, 20000) n;
insert into invitation (id, game_id, inviter, player_id, created_at, expires_at)
select md5('invitation' || n)::uuid, md5('game' || n)::uuid, md5('player' || mod(n, 4000))::uuid, md5('player' || mod(n + 3, 4000))::uuid,
       now(), now()
  from generate_series(1, 20000) n;
insert into result (game_id, ruleset, seats, ended_at)
select md5('game' || n)::uuid, 'new-corp-order', 2, now() from generate_series(1, 20000) n;
insert into result_seat (number, seat, player_id, place)
select number, seat, md5('player' || mod(number + seat, 4000))::uuid, 1 + seat from result, generate_series(0, 1) seat;
insert into rating_step (player_id, ruleset, seats, number, before, mu, sigma)
select player_id, 'new-corp-order', 2, number, 25, 26, 5 from result_seat;
insert into rating (player_id, ruleset, seats, mu, sigma, games)
select md5('player' || n)::uuid, 'new-corp-order', 2, n / 100.0, 5, mod(n, 20) from generate_series(0, 3999) n;
insert into seal_key (id, public, since) values ('k', '\x00', now());
insert into seal (game_id, head, at, key, signature)
select md5('game' || n)::uuid, '\x00', now(), 'k', '\x00' from generate_series(1, 20000) n;
insert into sign_in (id, email, name, language, asked_at)
select md5('game' || n)::uuid, 'p' || n || '@example.org', 'n', 'en', now() from generate_series(1, 20000) n;
insert into league (id, slug, title, ruleset, options, pace, rounds, entry_days, created_at)
select md5('league' || n)::uuid, 'league-' || n, 'League ' || n, 'new-corp-order', '{}', '{"free": 0, "bank": 600, "credit": 0, "cap": 600}', 4, 7,
       now() - n * interval '1 minute' from generate_series(1, 5000) n;
insert into competition (id, league_id, number, title, ruleset, seats, options, pace, system, rounds, state, round, entry_until, created_at)
select md5('season' || n)::uuid, md5('league' || 1 + mod(n, 5000))::uuid, 1 + n / 5000, 'League', 'new-corp-order', 4, '{}',
       '{"free": 0, "bank": 600, "credit": 0, "cap": 600}', 'groups', 4, 'running', 1, now(), now() from generate_series(0, 9999) n;
insert into competition (id, host, title, ruleset, seats, options, pace, system, state, created_at)
select md5('cup' || n)::uuid, md5('player' || mod(n, 4000))::uuid, 'Cup ' || n, 'new-corp-order', 2, '{}',
       '{"free": 0, "bank": 600, "credit": 0, "cap": 600}', 'swiss', 'entry', now() - n * interval '1 minute' from generate_series(1, 20000) n;
-- The first season of the first league has all players, each of the tournaments five.
insert into entrant (competition_id, player_id, state, entered_at, rank, tier, group_number, place)
select md5('season0')::uuid, md5('player' || mod(n, 4000))::uuid, 'entered', now(), n, 1, 1 + n / 4, 1 + mod(n, 4) from generate_series(0, 3999) n;
insert into entrant (competition_id, player_id, state, entered_at)
select md5('cup' || n)::uuid, md5('player' || mod(n * 7 + k, 4000))::uuid, 'entered', now() from generate_series(1, 20000) n, generate_series(1, 5) k;
insert into pairing (id, competition_id, round, number, group_number, players, points)
select md5('pairing' || n)::uuid, md5('season0')::uuid, 1 + n / 1000, mod(n, 1000), 1 + mod(n, 1000),
       (select array_agg(md5('player' || 4 * mod(n, 1000) + k)::uuid) from generate_series(0, 3) k), '{12,8,4,0}' from generate_series(0, 3999) n;
insert into pairing (id, competition_id, round, number, players)
select md5('cuppairing' || n)::uuid, md5('cup' || n)::uuid, 1, 1, array[md5('player' || mod(n * 7 + 1, 4000))::uuid] from generate_series(1, 20000) n;
