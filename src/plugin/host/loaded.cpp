// How long the plugin is there.

#include <dlfcn.h>

// Has the plugin stay loaded to the end of the process, also where the host unloads what it has loaded.
extern "C" void bpa_stay_loaded() {
  Dl_info own = {};
  // The handle is never closed. Where the plugin is linked into a program, there is nothing to be found or to be unloaded.
  if (dladdr(reinterpret_cast<const void *>(&bpa_stay_loaded), &own))
    dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
