// Which LLVM has loaded the plugin. Nothing of LLVM is called that the plugin is linked with: it may be the wrong one.

#include <dlfcn.h>
#include <unwind.h>

#include <cstdlib>
#include <cstring>

namespace {

// The object that an address is in. The dynamic linker knows of all.
Dl_info objectOf(const void *address) {
  Dl_info info = {};
  if (!dladdr(address, &info))
    info = {};
  return info;
}

// The object that has called into ours: libLLVM, or a program that LLVM is linked into.
Dl_info caller() {
  struct Search {
    void *own;
    Dl_info found;
  } search = {objectOf(reinterpret_cast<const void *>(&caller)).dli_fbase, {}};
  _Unwind_Backtrace(
      [](_Unwind_Context *frame, void *data) {
        auto &search = *static_cast<Search *>(data);
        // A return address may be that of whatever stands behind a call at the end of a function.
        Dl_info info = objectOf(reinterpret_cast<const void *>(_Unwind_GetIP(frame) - 1));
        if (info.dli_fbase == search.own)
          return _URC_NO_REASON;
        search.found = info;
        return _URC_NORMAL_STOP;
      },
      &search);
  return search.found;
}

// The function of that name in an object itself, not in one that it depends on.
template <typename Function> Function *find(const Dl_info &object, const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (void *handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
    found = dlsym(handle, name);
    dlclose(handle);
  }
  bool isInside = found && objectOf(found).dli_fbase == object.dli_fbase;
  return isInside ? reinterpret_cast<Function *>(found) : nullptr;
}

// The version in the name of a library: libLLVM-14.so.1, libLLVM.so.19.1. 0 is none.
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

// The major version of the LLVM that is calling us, or 0 where there is no telling.
extern "C" unsigned bpa_host_version() {
  Dl_info host = caller();
  if (!host.dli_fbase)
    return 0;
  // This function came with LLVM 16.
  unsigned major = 0;
  if (auto *getVersion = find<void(unsigned *, unsigned *, unsigned *)>(host, "LLVMGetVersion"))
    getVersion(&major, nullptr, nullptr);
  return major ? major : versionInName(host.dli_fname);
}

// Ends the process as a failure. The LLVM that is calling us, if it can be found, removes the files that it has begun.
extern "C" void bpa_leave_host() {
  if (auto *removeFiles = find<void()>(caller(), "_ZN4llvm3sys20RunInterruptHandlersEv"))
    removeFiles();
  std::_Exit(1);
}
