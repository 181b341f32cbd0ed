// How the process ends in the middle of the host's work.

#include "llvm/Support/Signals.h"

#include <cstdlib>

// Removes the files that the host has begun to write, and ends the process as a failure. Nothing else is run and no
// buffer is flushed: other threads of the host may be at work, and what stdout has been given of a module is no module.
extern "C" void bpa_end_process() {
  llvm::sys::RunInterruptHandlers();
  std::_Exit(1);
}
