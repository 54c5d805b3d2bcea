#include "ddx/data/in_batches.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <ranges>
#include <vector>

namespace ddx::data {
namespace in_batches_test {

using Numbers = std::vector<int>;

template <class Batches>
std::vector<Numbers> pieces_of(const Batches& batches) {
  std::vector<Numbers> pieces;
  for (const auto& piece : batches) {
    pieces.emplace_back(piece.begin(), piece.end());
  }
  return pieces;
}

TEST(InBatches, CutsASequence) {
  const Numbers numbers = {1, 2, 3, 4, 5};
  const auto batches = in_batches(numbers, 2);
  EXPECT_EQ(batches.size(), 3);
  EXPECT_EQ(pieces_of(batches), (std::vector<Numbers>{{1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(batches[1].data(), &numbers[2]);  // Nothing is copied.
  EXPECT_EQ(pieces_of(in_batches(numbers, 2, {.drop_last = true})),
            (std::vector<Numbers>{{1, 2}, {3, 4}}));
  EXPECT_EQ(pieces_of(in_batches(numbers, 9)), (std::vector<Numbers>{numbers}));
  EXPECT_EQ(in_batches(Numbers(), 2).size(), 0);
}

TEST(InBatches, IsLazy) {
  int made = 0;
  const auto squares = std::views::iota(0, 100) | std::views::transform([&](int i) {
                         ++made;
                         return i * i;
                       });
  const auto piece = in_batches(squares, 10)[3];
  EXPECT_EQ(made, 0);
  EXPECT_EQ(piece[2], 32 * 32);
  EXPECT_EQ(made, 1);
}

TEST(InBatches, PiecesOfNothingAreAnError) {
  EXPECT_EQ(ddx::testing::message_of<UsageError>([] { (void)in_batches(Numbers(), 0); }),
            "Epoch: batch size is 0, at least 1 is required");
}

TEST(InBatches, PartsOfPiecesAreAnError) {
  EXPECT_EQ(ddx::testing::message_of<UsageError>(
                [] { (void)in_batches(Numbers(), 1, {.part = {.number = 1, .count = 3}}); }),
            "in_batches: pieces of a sequence are whole, part 1 of 3 was asked for");
}

}  // namespace in_batches_test
}  // namespace ddx::data
