"""Write path: every change of a game is made here."""
