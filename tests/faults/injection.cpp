#include "injection.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

// glibc's own, which what stands in front of them calls.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace ddx::faults {
namespace {

constexpr int nothing = -1;
constinit std::atomic<int> chosen{nothing};
constinit std::atomic<std::uint64_t> calls{0};
constinit std::atomic<std::uint64_t> first{0};
constinit std::atomic<std::uint64_t> last{0};
constinit std::atomic<bool> traced{false};
constinit thread_local bool is_paused = false;

/// Libraries that end the process where they have no memory: their memory is always there.
bool is_of_a_library_that_ends_the_process(const void* caller) noexcept {
  constexpr std::array<std::string_view, 6> names{"LLVM",   "gfortran", "blas",
                                                  "lapack", "dnnl",     "gomp"};
  Dl_info info;
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) {
    return false;
  }
  const std::string_view file = info.dli_fname;
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return file.find(name) != std::string_view::npos;
  });
}

/// Counts a call, and returns whether it must fail.
[[gnu::always_inline]] inline bool fails(Fault fault) noexcept {
  if (chosen.load(std::memory_order_relaxed) != static_cast<int>(fault) || is_paused ||
      is_of_a_library_that_ends_the_process(__builtin_return_address(0))) {
    return false;
  }
  const std::uint64_t number = ++calls;
  if (number < first || number > last) {
    return false;
  }
  if (traced) {
    print_stack();
  }
  return true;
}

/// The function of this name that is next in the order of the libraries.
template <class Function>
Function* next(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int failed(int error) noexcept {
  errno = error;
  return -1;
}

void* memory_of(std::size_t bytes, std::size_t alignment) noexcept {
  return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? __libc_malloc(bytes)
                                                       : __libc_memalign(alignment, bytes);
}

[[gnu::always_inline]] inline void* new_memory(std::size_t bytes, std::size_t alignment) {
  void* const memory = fails(Fault::New) ? nullptr : memory_of(bytes == 0 ? 1 : bytes, alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

std::string_view to_string(Fault fault) noexcept {
  switch (fault) {
    case Fault::New:
      return "new";
    case Fault::Malloc:
      return "malloc";
    case Fault::Open:
      return "open";
    case Fault::Read:
      return "read";
    case Fault::Write:
      return "write";
    case Fault::Sync:
      return "sync";
    case Fault::Rename:
      return "rename";
  }
  __builtin_unreachable();
}

void begin(const Injection& injection) noexcept {
  chosen = nothing;
  calls = 0;
  first = injection.first;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  last = injection.count > most - injection.first ? most : injection.first + injection.count - 1;
  chosen = static_cast<int>(injection.fault);
}

std::uint64_t end() noexcept {
  chosen = nothing;
  return calls;
}

Paused::Paused() noexcept : before_(std::exchange(is_paused, true)) {}
Paused::~Paused() {
  is_paused = before_;
}

void set_traced(bool is_traced) noexcept {
  traced = is_traced;
}

void print_stack() noexcept {
  const Paused paused;
  void* frames[40];
  const int count = backtrace(frames, 40);
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
  (void)!::write(STDERR_FILENO, "\n", 1);
}

}  // namespace ddx::faults

using ddx::faults::failed;
using ddx::faults::fails;
using ddx::faults::Fault;
using ddx::faults::new_memory;
using ddx::faults::next;

void* operator new(std::size_t bytes) {
  return new_memory(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return new_memory(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*nothrow*/) noexcept {
  return fails(Fault::New) ? nullptr : ddx::faults::memory_of(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t& /*nothrow*/) noexcept {
  return fails(Fault::New) ? nullptr
                           : ddx::faults::memory_of(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

extern "C" {

void* malloc(std::size_t bytes) {
  if (fails(Fault::Malloc)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  if (fails(Fault::Malloc)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
  if (fails(Fault::Malloc)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(memory, bytes);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (fails(Fault::Malloc)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  static auto* const real = next<decltype(mmap)>("mmap");
  return real(address, bytes, protection, flags, file, offset);
}

int open(const char* name, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  if (fails(Fault::Open)) {
    return failed(EACCES);
  }
  return openat(AT_FDCWD, name, flags, mode);
}

int open64(const char* name, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  return open(name, flags, mode);
}

int mkstemp(char* name) {
  if (fails(Fault::Open)) {
    return failed(EACCES);
  }
  static auto* const real = next<decltype(mkstemp)>("mkstemp");
  return real(name);
}

std::FILE* fopen(const char* name, const char* mode) {
  if (fails(Fault::Open)) {
    errno = EACCES;
    return nullptr;
  }
  static auto* const real = next<decltype(fopen)>("fopen");
  return real(name, mode);
}

std::FILE* fopen64(const char* name, const char* mode) {
  return fopen(name, mode);
}

ssize_t read(int file, void* bytes, std::size_t count) {
  if (fails(Fault::Read)) {
    return failed(EIO);
  }
  static auto* const real = next<decltype(read)>("read");
  return real(file, bytes, count);
}

std::size_t fread(void* items, std::size_t bytes, std::size_t count, std::FILE* stream) {
  if (fails(Fault::Read)) {
    errno = EIO;
    return 0;
  }
  static auto* const real = next<decltype(fread)>("fread");
  return real(items, bytes, count, stream);
}

ssize_t write(int file, const void* bytes, std::size_t count) {
  if (fails(Fault::Write)) {
    return failed(ENOSPC);
  }
  static auto* const real = next<decltype(write)>("write");
  return real(file, bytes, count);
}

ssize_t writev(int file, const iovec* pieces, int count) {
  if (fails(Fault::Write)) {
    return failed(ENOSPC);
  }
  static auto* const real = next<decltype(writev)>("writev");
  return real(file, pieces, count);
}

int fsync(int file) {
  if (fails(Fault::Sync)) {
    return failed(EIO);
  }
  static auto* const real = next<decltype(fsync)>("fsync");
  return real(file);
}

int fdatasync(int file) {
  if (fails(Fault::Sync)) {
    return failed(EIO);
  }
  static auto* const real = next<decltype(fdatasync)>("fdatasync");
  return real(file);
}

int rename(const char* from, const char* to) {
  if (fails(Fault::Rename)) {
    return failed(EXDEV);
  }
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

}  // extern "C"
