"""The pages of competition: leaderboards, leagues, tournaments, the deal of a day."""
