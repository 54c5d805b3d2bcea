#include "core/call_stack/called_function.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sys/uio.h>
#include <unistd.h>

namespace ddx {
namespace {

#if defined(__x86_64__)

/// What lies at an address; none where nothing does.
template <class T>
std::optional<T> read(std::uintptr_t address) noexcept {
  T value;
  const iovec here{&value, sizeof value};
  const iovec there{reinterpret_cast<void*>(address), sizeof value};
  // Through the kernel, which says so where there is no memory.
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == sizeof value ? std::optional(value)
                                                                            : std::nullopt;
}

/// The address that the four bytes before `end` tell, counted from there.
template <std::size_t Size>
std::uintptr_t relative(const std::array<std::uint8_t, Size>& bytes, std::size_t place,
                        std::uintptr_t end) noexcept {
  std::int32_t distance = 0;
  std::memcpy(&distance, bytes.data() + place, sizeof distance);
  return end + static_cast<std::uintptr_t>(std::intptr_t{distance});
}

/// Where a function of the table by which functions of other libraries are called leads to; else
/// the function itself.
std::optional<std::uintptr_t> behind_linkage(std::uintptr_t function) noexcept {
  constexpr std::array<std::uint8_t, 4> endbr64 = {0xF3, 0x0F, 0x1E, 0xFA};
  const auto bytes = read<std::array<std::uint8_t, 16>>(function);
  if (!bytes) {
    return function;
  }
  std::size_t at = 0;
  if (std::memcmp(bytes->data(), endbr64.data(), endbr64.size()) == 0) {
    at += endbr64.size();
  }
  if ((*bytes)[at] == 0xF2) {  // bnd
    ++at;
  }
  if ((*bytes)[at] != 0xFF || (*bytes)[at + 1] != 0x25) {  // jmp *distance(%rip)
    return function;
  }
  return read<std::uintptr_t>(relative(*bytes, at + 2, function + at + 6));
}

#endif

}  // namespace

std::optional<std::uintptr_t> called_function(std::uintptr_t return_address) noexcept {
#if defined(__x86_64__)
  const auto bytes = read<std::array<std::uint8_t, 6>>(return_address - 6);
  if (!bytes) {
    return std::nullopt;
  }
  const std::uintptr_t told = relative(*bytes, 2, return_address);
  if ((*bytes)[1] == 0xE8) {  // call distance(%rip)
    return behind_linkage(told);
  }
  if ((*bytes)[0] == 0xFF && (*bytes)[1] == 0x15) {  // call *distance(%rip)
    return read<std::uintptr_t>(told);
  }
#else
  static_cast<void>(return_address);
#endif
  return std::nullopt;
}

}  // namespace ddx
