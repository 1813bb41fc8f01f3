"""Log of a game as values: recorded events, their codec, chain and fold; no database."""
