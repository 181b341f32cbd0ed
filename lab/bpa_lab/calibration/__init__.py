"""Fits the numbers of LLVM's rules to programs with profiles."""
