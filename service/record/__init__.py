"""Game record: a whole game as lines of JSON that anybody can read, check and replay; no database."""
