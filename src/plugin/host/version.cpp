// Finds the LLVM that has loaded the plugin. This code calls no function of LLVM directly, because the plugin can be
// linked with a wrong version of LLVM.

#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif

#include <cstdint>
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

#ifdef __linux__
// The bytes of the build ID of a loaded object. The linker writes the ID, which differs for each build of the object.
struct BuildId {
  const void *base;
  const unsigned char *start;
  size_t size;
};

// Sets the ID of an object if the base address of the object is `base`. Returns whether it is.
int readBuildId(dl_phdr_info *object, size_t, void *result) {
  auto *id = static_cast<BuildId *>(result);
  Dl_info known = objectOf(reinterpret_cast<const void *>(object->dlpi_addr + object->dlpi_phdr[0].p_vaddr));
  if (known.dli_fbase != id->base)
    return 0;
  for (int number = 0; number < object->dlpi_phnum; ++number) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[number];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *next = reinterpret_cast<const unsigned char *>(object->dlpi_addr + segment.p_vaddr);
    const unsigned char *end = next + segment.p_memsz;
    while (next + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(next);
      auto padded = [](size_t size) { return (size + 3) & ~size_t(3); };
      const unsigned char *name = next + sizeof *note, *text = name + padded(note->n_namesz);
      next = text + padded(note->n_descsz);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
        id->start = text;
        id->size = note->n_descsz;
      }
    }
  }
  return 1;
}
#endif

} // namespace

// The size of the build ID of the host's libLLVM, and the start of the ID. If the ID is unknown, or if LLVM is a part of
// the program, the size is 0.
extern "C" size_t bpa_host_build_id(const unsigned char **start) {
#ifdef __linux__
  Dl_info object = host();
  if (!object.dli_fbase || !versionInName(object.dli_fname))
    return 0;
  BuildId id = {object.dli_fbase, nullptr, 0};
  dl_iterate_phdr(readBuildId, &id);
  *start = id.start;
  return id.size;
#else
  return 0;
#endif
}

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
