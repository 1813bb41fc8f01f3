"""What the game says, in English, German and French."""
