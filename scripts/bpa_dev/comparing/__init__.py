"""Comparisons of the output of our passes with the output of LLVM's passes, for `parity` and `transform-parity`."""
