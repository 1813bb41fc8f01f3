"""Pages of tables before they begin: lobby, new tables, invitations, challenges, lists of games."""
