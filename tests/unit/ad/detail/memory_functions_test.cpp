#include "ddx/ad/detail/memory_functions.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace memory_functions_test {

using ddx::detail::MemoryFunction;
using ddx::detail::MemoryFunctions;

/// Bytes whose addresses stand in for functions, 16 bytes apart.
char code[16 * 1000];

const void* function(std::size_t number) {
  return &code[16 * number];
}

MemoryFunction entry(std::size_t number) {
  return {function(number), &code[16 * number + 1], &code[16 * number + 2], &code[16 * number + 3]};
}

std::vector<MemoryFunction> entries(std::size_t first, std::size_t count) {
  std::vector<MemoryFunction> all;
  for (std::size_t i = first; i < first + count; ++i) {
    all.push_back(entry(i));
  }
  return all;
}

bool is_found(std::size_t number) {
  try {
    return MemoryFunctions::find(function(number))->primal == function(number);
  } catch (const ddx::UsageError&) {
    return false;
  }
}

TEST(MemoryFunctions, FindWhatTheUnitsKnowThatAreLoaded) {
  const auto first = entries(0, 10);
  const auto second = entries(10, 700);
  EXPECT_FALSE(is_found(3));
  std::optional<MemoryFunctions::Table> of_first(std::in_place, first.data(), first.size());
  EXPECT_TRUE(is_found(3));
  EXPECT_FALSE(is_found(11));
  std::optional<MemoryFunctions::Table> of_second(std::in_place, second.data(), second.size());
  for (std::size_t i = 0; i < 710; ++i) {
    const MemoryFunction* const found = MemoryFunctions::find(function(i));
    ASSERT_EQ(found, i < 10 ? &first[i] : &second[i - 10]);
  }
  EXPECT_FALSE(is_found(710));
  of_first.reset();
  EXPECT_FALSE(is_found(3));
  EXPECT_TRUE(is_found(11));
  of_second.reset();
  EXPECT_FALSE(is_found(11));
}

TEST(MemoryFunctions, AFunctionOfTwoUnitsIsFoundWhileOneIsLoaded) {
  const auto same = entries(0, 1);
  const MemoryFunctions::Table first(same.data(), 1);
  {
    const MemoryFunctions::Table second(same.data(), 1);
    EXPECT_TRUE(is_found(0));
  }
  EXPECT_TRUE(is_found(0));
}

TEST(MemoryFunctions, AUnitWithoutFunctionsHasNone) {
  const MemoryFunctions::Table none(nullptr, 0);
  EXPECT_FALSE(is_found(0));
}

TEST(MemoryFunctions, NameTheAddressOfAnUnknownOne) {
  for (const void* const unknown :
       {reinterpret_cast<const void*>(0x12340), static_cast<const void*>(nullptr)}) {
    try {
      (void)MemoryFunctions::find(unknown);
      ADD_FAILURE();
    } catch (const ddx::UsageError& error) {
      EXPECT_EQ(std::string(error.what()),
                std::string("a call through a pointer: the function at address ") +
                    (unknown == nullptr ? "0x0" : "0x12340") +
                    ", of which no unit of the program that is loaded has a derivative");
    }
  }
}

TEST(MemoryFunctions, AreFoundByManyThreadsAtOnce) {
  const auto all = entries(0, 900);
  const MemoryFunctions::Table table(all.data(), all.size());
  std::vector<std::thread> threads;
  std::vector<std::size_t> found(8);
  for (std::size_t& count : found) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        count += MemoryFunctions::find(function(i)) == &all[i] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(found, std::vector<std::size_t>(8, all.size()));
}

}  // namespace memory_functions_test
