"""What a tournament will play: its settings, every game by arithmetic, decks from a seed. Pure."""
