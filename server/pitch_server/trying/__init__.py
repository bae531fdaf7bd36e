"""Quick games with a bot, for its author: what they show, wherever the bots run."""
