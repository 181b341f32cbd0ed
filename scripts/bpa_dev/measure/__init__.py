"""What `scripts/dev bench` and `scripts/dev growth` share: measured runs of `opt`, shapes of functions, tables."""
