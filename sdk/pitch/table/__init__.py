"""The table: the referee of one game as a pure state machine, and the price of faults."""
