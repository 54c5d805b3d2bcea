/// \file
/// Who has called whom, on the way to an operation.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx {

/// The return addresses of a thread's calls, the innermost first. A value, of half a kilobyte.
class CallStack {
 public:
  /// Of the calling thread, here; as far out as there is room for.
  ///
  /// Cost:    some microseconds.
  [[nodiscard]] static CallStack current() noexcept;

  [[nodiscard]] std::span<const std::uintptr_t> return_addresses() const noexcept {
    return {addresses_.data(), count_};
  }

 private:
  // Derivatives nest some 20 calls that are not inlined in one another.
  static constexpr std::size_t most = 64;

  std::array<std::uintptr_t, most> addresses_;
  std::size_t count_ = 0;
};

}  // namespace ddx
