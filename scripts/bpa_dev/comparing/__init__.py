"""Compares the output of passes of bpa with the output of LLVM's passes, for `parity` and `transform-parity`."""
