"""The pages that prove a game: its record, its replay, its analysis."""
