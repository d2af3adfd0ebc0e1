// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded before the C library. The n-th of the calls that VQSCOPE_FAULT_CALLS lists, on files below
// VQSCOPE_FAULT_FOLDER, fails with VQSCOPE_FAULT_ERRNO, or ends the process: "kill" before the call, "kill_after" it,
// "kill_half" in the middle of a write. VQSCOPE_FAULT_AT=0 counts alone; the count goes into VQSCOPE_FAULT_COUNT.
// VQSCOPE_FAULT_WITHOUT lists what the system cannot do: tmpfile, rename_flags, link, proc. VQSCOPE_FAULT_ROOM is how
// many MiB of addresses main may take on top of what the libraries have.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Whether a comma-separated list has the word.
bool lists(const char* list, const char* word) {
  const std::size_t size = std::strlen(word);
  for (const char* at = std::strstr(list, word); at; at = std::strstr(at + 1, word))
    if ((at == list || at[-1] == ',') && (at[size] == '\0' || at[size] == ',')) return true;
  return false;
}

enum class Fault { none, error, kill, kill_after, kill_half };

struct Plan {
  const char* calls = setting("VQSCOPE_FAULT_CALLS");
  const char* folder = setting("VQSCOPE_FAULT_FOLDER");
  const char* how = setting("VQSCOPE_FAULT_ERRNO");
  const char* count = setting("VQSCOPE_FAULT_COUNT");
  const char* without = setting("VQSCOPE_FAULT_WITHOUT");
  const char* room = setting("VQSCOPE_FAULT_ROOM");
  long at = std::atol(setting("VQSCOPE_FAULT_AT"));
  bool allocations = lists(calls, "new");

  Fault fault() const {
    if (std::strcmp(how, "kill") == 0) return Fault::kill;
    if (std::strcmp(how, "kill_after") == 0) return Fault::kill_after;
    return std::strcmp(how, "kill_half") == 0 ? Fault::kill_half : Fault::error;
  }
};

const Plan& plan() {
  static const Plan made;
  return made;
}

std::atomic<long> counted = 0;
std::atomic<bool> in_main = false;

Fault next_fault() { return ++counted == plan().at ? plan().fault() : Fault::none; }

/// Whether `path`, of the folder that is open as `folder`, lies below the plan's folder.
bool is_below(int folder, const char* path) {
  const std::size_t size = std::strlen(plan().folder);
  if (size == 0) return false;
  if (path[0] == '/') return std::strncmp(path, plan().folder, size) == 0;
  char link[64];
  char place[PATH_MAX];
  if (folder == AT_FDCWD)
    std::snprintf(link, sizeof link, "/proc/self/cwd");
  else
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, place, sizeof place);
  return length >= static_cast<long>(size) && std::strncmp(place, plan().folder, size) == 0;
}

void die() { raise(SIGKILL); }

/// `call` succeeds; false: it failed as planned, or never returned.
template <class Call>
auto with_fault(const char* name, int folder, const char* path, const Call& call) -> decltype(call()) {
  const bool counts = lists(plan().calls, name) && is_below(folder, path);
  const Fault fault = counts ? next_fault() : Fault::none;
  if (fault == Fault::kill) die();
  if (fault == Fault::error) return errno = std::atoi(plan().how), -1;
  const auto done = call();
  if (fault == Fault::kill_after || fault == Fault::kill_half) die();
  return done;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int open_at(int folder, const char* path, int flags, unsigned mode) {
  if ((flags & O_TMPFILE) == O_TMPFILE && lists(plan().without, "tmpfile") && is_below(folder, path))
    return errno = EOPNOTSUPP, -1;
  return with_fault("open", folder, path,
                    [&] { return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode)); });
}

unsigned mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, unsigned) : 0;
}

void report() {
  if (plan().count[0] == '\0') return;
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%ld\n", counted.load());
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, plan().count, O_CREAT | O_TRUNC | O_WRONLY, 0600));
  syscall(SYS_write, file, text, size);
  syscall(SYS_close, file);
}

int (*real_main)(int, char**, char**) = nullptr;

void limit_memory() {
  if (plan().room[0] == '\0') return;
  char text[64] = "";
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY));
  syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  const auto taken = static_cast<rlim_t>(std::atol(text) * sysconf(_SC_PAGESIZE));
  const rlim_t most = taken + (static_cast<rlim_t>(std::atol(plan().room)) << 20);
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
}

/// Calls before and after main belong to the libraries.
int counted_main(int count, char** words, char** environment) {
  limit_memory();
  in_main = true;
  const int status = real_main(count, words, environment);
  in_main = false;
  report();
  return status;
}

void* allocated(std::size_t size, std::size_t alignment = 0) noexcept {
  if (plan().allocations && in_main && next_fault() == Fault::error) return nullptr;
  return alignment ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                   : std::malloc(size ? size : 1);
}

/// By the standard: a new-handler may have reserved memory.
void* allocated_or_throw(std::size_t size, std::size_t alignment = 0) {
  for (;;) {
    if (void* memory = allocated(size, alignment)) return memory;
    const auto handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  return next<decltype(&__libc_start_main)>("__libc_start_main")(counted_main, count, words, init, fini, rtld_fini,
                                                                 stack_end);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char*, int, ...) __attribute__((alias("open")));

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(folder, path, flags, mode);
}
int openat64(int, const char*, int, ...) __attribute__((alias("openat")));

/// The program looks there before it gives a file its name.
int access(const char* path, int mode) noexcept {
  if (lists(plan().without, "proc") && std::strncmp(path, "/proc/", 6) == 0) return errno = ENOENT, -1;
  return static_cast<int>(syscall(SYS_faccessat, AT_FDCWD, path, mode));
}

ssize_t write(int file, const void* bytes, size_t size) {
  return with_fault("write", file, ".", [&] {
    const bool half = plan().at != 0 && counted == plan().at && plan().fault() == Fault::kill_half;
    return static_cast<ssize_t>(syscall(SYS_write, file, bytes, half ? size / 2 : size));
  });
}

ssize_t read(int file, void* bytes, size_t size) {
  return with_fault("read", file, ".", [&] { return static_cast<ssize_t>(syscall(SYS_read, file, bytes, size)); });
}

int fsync(int file) {
  return with_fault("fsync", file, ".", [&] { return static_cast<int>(syscall(SYS_fsync, file)); });
}
int fdatasync(int) __attribute__((alias("fsync")));

int ftruncate(int file, off_t size) noexcept {
  return with_fault("ftruncate", file, ".", [&] { return static_cast<int>(syscall(SYS_ftruncate, file, size)); });
}
int ftruncate64(int, off_t) noexcept __attribute__((alias("ftruncate")));

int close(int file) {
  return with_fault("close", file, ".", [&] { return static_cast<int>(syscall(SYS_close, file)); });
}

int renameat2(int from, const char* name, int to, const char* target, unsigned how) noexcept {
  if (how != 0 && lists(plan().without, "rename_flags") && is_below(from, name)) return errno = EINVAL, -1;
  return with_fault("rename", from, name,
                    [&] { return static_cast<int>(syscall(SYS_renameat2, from, name, to, target, how)); });
}
int renameat(int from, const char* name, int to, const char* target) noexcept {
  return renameat2(from, name, to, target, 0);
}
int rename(const char* name, const char* target) noexcept { return renameat2(AT_FDCWD, name, AT_FDCWD, target, 0); }

int linkat(int from, const char* name, int to, const char* target, int flags) noexcept {
  if (lists(plan().without, "link") && is_below(to, target)) return errno = EPERM, -1;
  return with_fault("link", to, target,
                    [&] { return static_cast<int>(syscall(SYS_linkat, from, name, to, target, flags)); });
}

int unlinkat(int folder, const char* name, int flags) noexcept {
  // Counted only for kills: an unremovable file stays for every caller.
  if (plan().fault() == Fault::error) return static_cast<int>(syscall(SYS_unlinkat, folder, name, flags));
  return with_fault("unlink", folder, name,
                    [&] { return static_cast<int>(syscall(SYS_unlinkat, folder, name, flags)); });
}
}

void* operator new(std::size_t size) { return allocated_or_throw(size); }
void* operator new[](std::size_t size) { return allocated_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocated(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocated(size); }
void* operator new(std::size_t size, std::align_val_t at) { return allocated_or_throw(size, std::size_t(at)); }
void* operator new[](std::size_t size, std::align_val_t at) { return allocated_or_throw(size, std::size_t(at)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
