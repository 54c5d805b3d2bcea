#include "ddx/io/crc32c.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ddx::io {
namespace crc32c_test {

using Bytes = std::vector<std::uint8_t>;

TEST(Crc32c, IsThatOfTheStandardsExamples) {
  // RFC 3720, appendix B.4.
  EXPECT_EQ(crc32c(Bytes(32, 0)), 0x8A9136AAU);
  EXPECT_EQ(crc32c(Bytes(32, 0xFF)), 0x62A8AB43U);
  Bytes rising(32);
  std::iota(rising.begin(), rising.end(), std::uint8_t{0});
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
  const Bytes falling(rising.rbegin(), rising.rend());
  EXPECT_EQ(crc32c(falling), 0x113FDB5CU);
}

TEST(Crc32c, OfNothingIsZero) {
  EXPECT_EQ(crc32c({}), 0U);
}

TEST(Crc32c, IsMaskedAsTensorFlowDoes) {
  // As TensorBoard 2.21 gives for b"123456789".
  EXPECT_EQ(masked_crc32c(Bytes{'1', '2', '3', '4', '5', '6', '7', '8', '9'}), 0xC78AB0E5U);
}

}  // namespace crc32c_test
}  // namespace ddx::io
