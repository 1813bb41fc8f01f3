"""Pages that prove a game: record, replay, analysis."""
