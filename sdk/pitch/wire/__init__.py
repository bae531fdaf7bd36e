"""The wire: frames as values, and the one bridge from them to messages."""
