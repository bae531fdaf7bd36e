"""Tables in play: the clock of an instance and the driver of a referee."""
