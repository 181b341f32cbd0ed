"""Adds up the results of `rust-bpi<score;json>` over modules and programs."""
