"""Measures the effect of branch weights: builds variants of programs, counts their instructions, and times them."""
