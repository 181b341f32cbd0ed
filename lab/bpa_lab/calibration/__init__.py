"""Numbers for LLVM's rules, fitted to programs with profiles."""
