"""Pages of competition: leaderboards, leagues, tournaments, daily deals."""
