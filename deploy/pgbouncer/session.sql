-- The limits of a session stand at the role where a pooler shares connections: psql --dbname=boardroom --file=session.sql
-- They begin with the next connection, so have PgBouncer make new ones afterwards (RECONNECT in its console).
alter role boardroom_app in database boardroom set timezone = 'UTC';
alter role boardroom_app in database boardroom set statement_timeout = '3500ms';
alter role boardroom_app in database boardroom set lock_timeout = '3s';
alter role boardroom_app in database boardroom set idle_in_transaction_session_timeout = '10s';
alter role boardroom_app in database boardroom set plan_cache_mode = 'force_generic_plan';
alter role boardroom_app in database boardroom set jit = 'off';
