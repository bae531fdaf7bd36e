"""Whatever can be sent to the open port of a server, while honest bots play there."""
