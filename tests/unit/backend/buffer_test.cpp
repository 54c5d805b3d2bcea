#include "ddx/backend/buffer.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace buffer_test {

TEST(Buffer, IsAlignedAndAsLargeAsAskedFor) {
  for (std::size_t bytes = 0; bytes < 5000; bytes = bytes * 5 / 4 + 1) {
    const Buffer buffer(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % Buffer::alignment, 0U) << bytes;
    std::memset(buffer.data(), 1, bytes);  // Sanitizers object where the block is too small.
  }
}

TEST(Buffer, CopiesShareAndMovesDoNot) {
  Buffer first(10);
  EXPECT_TRUE(first.unshared());
  Buffer second = first;
  EXPECT_FALSE(first.unshared());
  EXPECT_EQ(first.data(), second.data());
  const Buffer third = std::move(second);
  EXPECT_EQ(second.data(), nullptr);  // NOLINT: what a move leaves behind is part of the contract.
  first = Buffer();
  EXPECT_TRUE(third.unshared());
  EXPECT_FALSE(Buffer().unshared());
}

TEST(Buffer, SelfAssignmentKeepsTheBlock) {
  Buffer buffer(10);
  const std::byte* data = buffer.data();
  const Buffer& same = buffer;
  buffer = same;
  EXPECT_EQ(buffer.data(), data);
  EXPECT_TRUE(buffer.unshared());
}

TEST(Buffer, AFreedBlockIsUsedAgainOnItsThread) {
  const std::byte* data = Buffer(1000).data();
  EXPECT_EQ(Buffer(1000).data(), data);
}

TEST(Buffer, MayBeFreedOnAnotherThread) {
  std::vector<Buffer> buffers;
  for (int i = 0; i < 100; ++i) {
    buffers.emplace_back(1000);
  }
  std::thread([taken = std::move(buffers)]() mutable { taken.clear(); }).join();
  EXPECT_NE(Buffer(1000).data(), nullptr);
}

TEST(Buffer, RejectsWhatNoMemoryHolds) {
  EXPECT_EQ(testing::thrown<EnvironmentError>(
                [] { (void)Buffer(std::numeric_limits<std::size_t>::max()); }),
            "allocate: 18446744073709551615 bytes are more than any memory has");
}

TEST(Buffer, BorrowedMemoryIsGivenBackWithTheLastCopyAndNeverUnshared) {
  alignas(Buffer::alignment) std::byte memory[64] = {};
  int given_back = 0;
  Buffer first = Buffer::borrowed(memory, &given_back,
                                  [](void* owner) noexcept { ++*static_cast<int*>(owner); });
  EXPECT_EQ(first.data(), memory);
  EXPECT_FALSE(first.unshared());
  Buffer second = first;
  first = Buffer();
  EXPECT_FALSE(second.unshared());
  EXPECT_EQ(given_back, 0);
  second = Buffer(10);
  EXPECT_EQ(given_back, 1);
}

}  // namespace buffer_test
}  // namespace ddx::backend
