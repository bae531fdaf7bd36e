"""What a bot is made of: the base class, its views, its session and the runner."""
