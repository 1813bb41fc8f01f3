"""What every game has to keep to, checked on random games of it; for games of anybody."""
