#include "backend/content_hash.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <vector>

namespace ddx::backend {
namespace content_hash_test {

TEST(ContentHash, DiffersWithEachByteTheLengthAndWhatIsBefore) {
  const std::vector<std::byte> bytes(21, std::byte{1});
  std::set<std::uint64_t> hashes{content_hash(bytes), content_hash(bytes, 7)};
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    hashes.insert(content_hash(std::span(bytes).first(length)));
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::byte> changed = bytes;
    changed[i] = std::byte{0};
    hashes.insert(content_hash(changed));
  }
  EXPECT_EQ(hashes.size(), 2 + 2 * bytes.size());
  EXPECT_EQ(content_hash(bytes), content_hash(std::vector<std::byte>(21, std::byte{1})));
}

}  // namespace content_hash_test
}  // namespace ddx::backend
