"""Fits the weights and probabilities of LLVM's rules to profiled programs."""
