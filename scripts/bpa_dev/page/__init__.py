"""Tests of the page that `bpa report` writes, in Chromium."""
