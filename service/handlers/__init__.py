"""The write path: every change of a game goes through here."""
