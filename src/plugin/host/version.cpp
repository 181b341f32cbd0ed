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

#ifdef __linux__
// A shared object or program, according to the dynamic linker. `dladdr` would search all symbols of the object, which
// takes millions of instructions for libLLVM.
struct Object {
  uintptr_t address;
  const char *name = "";
  dl_phdr_info loaded = {};

  // Whether the object is known.
  explicit operator bool() const { return loaded.dlpi_phdr; }
  bool operator==(const Object &other) const { return loaded.dlpi_phdr == other.loaded.dlpi_phdr; }
};

// Sets the object if `loaded` contains its address. Returns whether it does.
int isObjectOf(dl_phdr_info *loaded, size_t, void *result) {
  auto *object = static_cast<Object *>(result);
  for (int number = 0; number < loaded->dlpi_phnum; ++number) {
    const ElfW(Phdr) &segment = loaded->dlpi_phdr[number];
    uintptr_t start = loaded->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && object->address >= start && object->address - start < segment.p_memsz) {
      object->name = loaded->dlpi_name;
      object->loaded = *loaded;
      return 1;
    }
  }
  return 0;
}

// The object that contains `address`.
Object objectOf(const void *address) {
  Object object = {reinterpret_cast<uintptr_t>(address)};
  dl_iterate_phdr(isObjectOf, &object);
  return object;
}
#else
struct Object {
  const void *base = nullptr;
  const char *name = "";

  explicit operator bool() const { return base; }
  bool operator==(const Object &other) const { return base == other.base; }
};

Object objectOf(const void *address) {
  Dl_info info = {};
  return dladdr(address, &info) ? Object{info.dli_fbase, info.dli_fname} : Object();
}
#endif

// The object with the host's LLVM: libLLVM, or a program that contains LLVM. The dynamic linker searches the host and
// its libraries before the plugin and its libraries.
Object host() { return objectOf(dlsym(RTLD_DEFAULT, "LLVMContextCreate")); }

// The function `name` of `object`, or null if `object` has no such function. Libraries that `object` depends on are not
// searched.
template <typename Function> Function *find(const Object &object, const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  return found && object && objectOf(found) == object ? reinterpret_cast<Function *>(found) : nullptr;
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

// The size of the build ID of the host's libLLVM, and the start of the ID. The linker writes the ID, which differs for
// each build. If the ID is unknown, or if LLVM is a part of the program, the size is 0.
extern "C" size_t bpa_host_build_id(const unsigned char **start) {
#ifdef __linux__
  Object object = host();
  if (!object || !versionInName(object.name))
    return 0;
  for (int number = 0; number < object.loaded.dlpi_phnum; ++number) {
    const ElfW(Phdr) &segment = object.loaded.dlpi_phdr[number];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *next = reinterpret_cast<const unsigned char *>(object.loaded.dlpi_addr + segment.p_vaddr);
    const unsigned char *end = next + segment.p_memsz;
    while (next + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(next);
      auto padded = [](size_t size) { return (size + 3) & ~size_t(3); };
      const unsigned char *name = next + sizeof *note, *text = name + padded(note->n_namesz);
      next = text + padded(note->n_descsz);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
        *start = text;
        return note->n_descsz;
      }
    }
  }
#endif
  return 0;
}

// The major version of the host's LLVM, or 0 if the version is unknown.
extern "C" unsigned bpa_host_version() {
  Object object = host();
  if (!object)
    return 0;
  // LLVM 16 introduced `LLVMGetVersion`.
  unsigned major = 0;
  if (auto *getVersion = find<void(unsigned *, unsigned *, unsigned *)>(object, "LLVMGetVersion"))
    getVersion(&major, nullptr, nullptr);
  return major ? major : versionInName(object.name);
}

// Ends the process with a failure status. If the host's LLVM is found, the function first removes the unfinished files
// of this LLVM.
extern "C" void bpa_leave_host() {
  if (auto *removeFiles = find<void()>(host(), "_ZN4llvm3sys20RunInterruptHandlersEv"))
    removeFiles();
  std::_Exit(1);
}
