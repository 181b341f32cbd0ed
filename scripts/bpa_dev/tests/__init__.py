"""Unit tests: python3 -B -m unittest discover -s scripts/bpa_dev/tests -t scripts"""
