// Ends the process in the middle of the host's work.

#include "llvm/Support/Signals.h"

#include <cstdlib>

// Removes the files that the host has begun to write, and ends the process as a failure. Nothing else runs and no
// buffer is flushed: other threads of the host may be running, and what they have written to stdout is not a complete
// module.
extern "C" void bpa_end_process() {
  llvm::sys::RunInterruptHandlers();
  std::_Exit(1);
}
