// After a call of `llvmGetPassPluginInfo`, `dlclose` does not unload the plugin, because the process still needs the
// static variables of the plugin.
// RUN: %cxx %s %llvm_flags -ldl -o %t
// RUN: %t %plugin | FileCheck %s
// CHECK: only loaded: gone
// CHECK: described: there

#include "../Inputs/pass_plugin.h"

#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using Describe = llvm::PassPluginLibraryInfo();

// Loads and unloads the plugin in `file`, and prints whether the plugin is still loaded.
static void unload(const char *file, bool describe) {
  void *plugin = dlopen(file, RTLD_NOW);
  if (!plugin)
    llvm::report_fatal_error(dlerror());
  if (describe)
    reinterpret_cast<Describe *>(dlsym(plugin, "llvmGetPassPluginInfo"))();
  dlclose(plugin);
  llvm::outs() << (dlopen(file, RTLD_LAZY | RTLD_NOLOAD) ? "there\n" : "gone\n");
}

int main(int, char **arguments) {
  llvm::outs() << "only loaded: ";
  unload(arguments[1], false);
  llvm::outs() << "described: ";
  unload(arguments[1], true);
}
