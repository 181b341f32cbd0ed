"""Programs of the corpus with the hints that `bpa hints --patch` writes."""
