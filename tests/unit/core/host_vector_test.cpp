#include "ddx/core/host_vector.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx {
namespace host_vector_test {

using testing::thrown;

TEST(HostVector, HasTheElements) {
  EXPECT_EQ(host_vector<int>("split", 3, 7), (std::vector<int>{7, 7, 7}));
  EXPECT_TRUE(host_vector_with_room<int>("split", 3).empty());
  EXPECT_GE(host_vector_with_room<int>("split", 3).capacity(), 3U);
}

TEST(HostVector, NoMemoryIsAnErrorOfTheEnvironment) {
  // 2^57 bytes: more than addresses; and more elements than a vector counts.
  constexpr std::int64_t many = std::int64_t{1} << 54;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(thrown<EnvironmentError>([] { (void)host_vector<double>("split", many); }),
            "split: the system has no memory for 18014398509481984 elements");
  EXPECT_EQ(thrown<EnvironmentError>([] { (void)host_vector<double>("split", most); }),
            "split: the system has no memory for 9223372036854775807 elements");
  EXPECT_EQ(thrown<EnvironmentError>([] { (void)host_vector_with_room<double>("fft", many); }),
            "fft: the system has no memory for 18014398509481984 elements");
  EXPECT_EQ(thrown<EnvironmentError>([] { (void)host_vector_with_room<double>("fft", most); }),
            "fft: the system has no memory for 9223372036854775807 elements");
}

}  // namespace host_vector_test
}  // namespace ddx
