// Finds the LLVM that has loaded the plugin. This code calls no function of LLVM directly, because the plugin can be
// linked with a wrong version of LLVM.

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace {

// The shared object or program that contains an address, according to the dynamic linker.
Dl_info objectOf(const void *address) {
  Dl_info info = {};
  if (!dladdr(address, &info))
    info = {};
  return info;
}

// The object with the host's LLVM: libLLVM, or a program that contains LLVM. The dynamic linker searches the host and
// its libraries before the plugin and its libraries.
Dl_info host() { return objectOf(dlsym(RTLD_DEFAULT, "LLVMContextCreate")); }

// The function `name` of `object`, or null if `object` has no such function. Libraries that `object` depends on are not
// searched.
template <typename Function> Function *find(const Dl_info &object, const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  bool isInside = found && object.dli_fbase && objectOf(found).dli_fbase == object.dli_fbase;
  return isInside ? reinterpret_cast<Function *>(found) : nullptr;
}

// The version in the name of a library such as libLLVM-14.so.1 or libLLVM.so.19.1. If the name contains no version, the
// result is 0.
int versionInName(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *starts[] = {"libLLVM-", "libLLVM.so."};
  for (const char *start : starts)
    if (!strncmp(name, start, strlen(start)))
      return atoi(name + strlen(start));
  return 0;
}

} // namespace

// The major version of the host's LLVM, or 0 if the version is unknown.
extern "C" unsigned bpa_host_version() {
  Dl_info object = host();
  if (!object.dli_fbase)
    return 0;
  // LLVM 16 introduced `LLVMGetVersion`.
  unsigned major = 0;
  if (auto *getVersion = find<void(unsigned *, unsigned *, unsigned *)>(object, "LLVMGetVersion"))
    getVersion(&major, nullptr, nullptr);
  return major ? major : versionInName(object.dli_fname);
}

// Ends the process with a failure status. If the host's LLVM is found, the function first removes the unfinished files
// of this LLVM.
extern "C" void bpa_leave_host() {
  if (auto *removeFiles = find<void()>(host(), "_ZN4llvm3sys20RunInterruptHandlersEv"))
    removeFiles();
  std::_Exit(1);
}
