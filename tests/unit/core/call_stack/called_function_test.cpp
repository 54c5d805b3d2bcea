#include "core/call_stack/called_function.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>

namespace ddx {
namespace called_function_test {

#if defined(__x86_64__)

std::uintptr_t address(std::uintptr_t (*function)()) {
  return reinterpret_cast<std::uintptr_t>(function);
}

/// The address that it returns to.
[[gnu::noinline]] std::uintptr_t return_address() {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

TEST(CalledFunction, OfADirectCallIsTold) {
  EXPECT_EQ(called_function(return_address()), address(return_address));
}

std::uintptr_t seen = 0;

int compare(const void* /*a*/, const void* /*b*/) {
  seen = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  return 0;
}

TEST(CalledFunction, OfACallByAPointerIsNotTold) {
  std::array<int, 2> numbers{1, 2};
  std::qsort(numbers.data(), 2, sizeof(int), compare);
  ASSERT_NE(seen, 0U);
  const auto called = called_function(seen);
  EXPECT_NE(called.value_or(0), reinterpret_cast<std::uintptr_t>(&compare));
}

TEST(CalledFunction, WhereNoMemoryIsThereIsNone) {
  EXPECT_EQ(called_function(4096), std::nullopt);
}

TEST(CalledFunction, TheTableOfDynamicLinkingIsSeenThrough) {
  // jmp *6(%rip), and behind the eight bytes that it takes with endbr64, the address.
  alignas(8) std::array<std::uint8_t, 64> code{};
  const std::uintptr_t target = address(return_address);
  const auto put = [&](std::size_t place, auto... bytes) {
    ((code[place++] = static_cast<std::uint8_t>(bytes)), ...);
  };
  put(0, 0xF3, 0x0F, 0x1E, 0xFA, 0xFF, 0x25, 6, 0, 0, 0);
  std::memcpy(&code[16], &target, sizeof target);
  // call -29(%rip): from 29 to 0.
  put(24, 0xE8, 0xE3, 0xFF, 0xFF, 0xFF);
  // call *-24(%rip): from 40 to 16.
  put(34, 0xFF, 0x15, 0xE8, 0xFF, 0xFF, 0xFF);
  const auto begin = reinterpret_cast<std::uintptr_t>(code.data());
  EXPECT_EQ(called_function(begin + 29), target);
  EXPECT_EQ(called_function(begin + 40), target);
}

#endif

}  // namespace called_function_test
}  // namespace ddx
