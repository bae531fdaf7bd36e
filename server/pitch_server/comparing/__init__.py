"""Which of two is better, how sure, when one may stop: the statistics of comparison.md. Pure."""
