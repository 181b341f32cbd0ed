
#include <dlfcn.h>

// Keeps the plugin loaded until the process ends, even if the host unloads it.
extern "C" void bpa_stay_loaded() {
  Dl_info own = {};
  // The handle of the plugin is never closed. If the plugin is linked into the program, no file is found and nothing
  // can be unloaded.
  if (dladdr(reinterpret_cast<const void *>(&bpa_stay_loaded), &own))
    dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
