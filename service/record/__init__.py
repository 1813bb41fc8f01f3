"""The game record: a whole game as lines of JSON that anybody can read, check and play again; no database."""
