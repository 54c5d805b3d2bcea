#include "ddx/data/samples.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx::data {
namespace samples_test {

using ddx::testing::message_of;
using Words = std::vector<std::string>;

/// Samples that are made when asked for, and notes which were.
struct Squares {
  mutable std::vector<std::size_t> asked = {};

  [[nodiscard]] std::size_t size() const { return 5; }
  [[nodiscard]] int operator[](std::size_t place) const {
    asked.push_back(place);
    return static_cast<int>(place * place);
  }
};
static_assert(Samples<Squares> && Samples<Words> && !Samples<int>);
static_assert(std::is_same_v<SampleOf<Words>, std::string>);

template <Samples T>
std::vector<SampleOf<T>> all_of(const T& samples) {
  std::vector<SampleOf<T>> all;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    all.push_back(samples[i]);
  }
  return all;
}

TEST(Sampled, TakesTheNamedSamplesInTheirOrder) {
  const Words words = {"a", "b", "c"};
  EXPECT_EQ(all_of(Sampled(words, {2, 0, 2, 1})), (Words{"c", "a", "c", "b"}));
  EXPECT_EQ(Sampled(words, {}).size(), 0U);
  // A sample of a vector is not copied.
  EXPECT_EQ(&Sampled(words, {1})[0], &words[1]);
}

TEST(Sampled, IsLazy) {
  const Squares squares;
  const Sampled chosen(squares, {4, 3});
  EXPECT_TRUE(squares.asked.empty());
  EXPECT_EQ(chosen[1], 9);
  EXPECT_EQ(squares.asked, (std::vector<std::size_t>{3}));
}

TEST(Sampled, WhatDoesNotExistIsAnError) {
  const Squares squares;
  EXPECT_EQ(message_of<UsageError>([&] { Sampled(squares, {0, 5}); }), "Sampled: sample 5 of 5");
  EXPECT_EQ(message_of<UsageError>([&] { Sampled(squares, {-1}); }), "Sampled: sample -1 of 5");
}

TEST(Concatenated, IsOneAfterTheOther) {
  const Squares squares;
  const std::vector<int> more = {7, 8};
  const std::vector<int> none;
  EXPECT_EQ(all_of(Concatenated(squares, more)), (std::vector<int>{0, 1, 4, 9, 16, 7, 8}));
  EXPECT_EQ(all_of(Concatenated(more, squares)), (std::vector<int>{7, 8, 0, 1, 4, 9, 16}));
  EXPECT_EQ(all_of(Concatenated(none, more)), more);
  EXPECT_EQ(Concatenated(none, none).size(), 0U);
}

}  // namespace samples_test
}  // namespace ddx::data
