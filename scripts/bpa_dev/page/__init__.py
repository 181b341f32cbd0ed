"""The page that `bpa report` makes, in a real browser."""
