"""A zoo of bots that misbehave, and two that don't: each a script, run as `python -m bots.NAME`.

What goes wrong in a bot's code, or in its process, is written with the public SDK; what goes
wrong on the wire with `bots.stream`, which sends whatever it is told to.
"""
