"""Generated messages; only pitch.wire.convert uses them."""
