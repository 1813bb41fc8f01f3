"""The pages of tables before they begin: the lobby, new tables, invitations, challenges, lists of games."""
