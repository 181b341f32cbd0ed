"""What `scripts/bench` and `scripts/growth` share: the tools, measured runs of `opt`, and shapes of functions."""
