"""What branch weights are worth in a compiler: programs built in several ways, counted and timed."""
