// What has to be done before the process ends in the middle of its work.

#include "llvm/Support/Signals.h"

// Removes the files that the host has begun to write.
extern "C" void bpa_remove_unfinished_files() { llvm::sys::RunInterruptHandlers(); }
