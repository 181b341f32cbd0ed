// Ends the process, even if other threads of the host are running.

#include "llvm/Support/Signals.h"

#include <cstdlib>

// Removes the files that the host has begun to write, and ends the process with a failure status. No exit handler runs
// and no buffer is flushed. Other threads of the host can be running, and the buffers can contain an incomplete module.
extern "C" void bpa_end_process() {
  llvm::sys::RunInterruptHandlers();
  std::_Exit(1);
}
