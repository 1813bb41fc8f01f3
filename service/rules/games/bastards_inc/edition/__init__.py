"""Every number of the game (edition `boardroom-1`): what is changed here changes the game, and its balance."""
