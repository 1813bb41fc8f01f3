"""The game record: a whole game as lines of JSON that anybody can read and play again (README.md)."""
