"""Comparisons of what our passes and LLVM's print or write; used by `parity` and `transform-parity`."""
