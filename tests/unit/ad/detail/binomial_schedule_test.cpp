#include "ddx/ad/detail/binomial_schedule.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace binomial_schedule_test {

using ddx::detail::binomial;
using ddx::detail::repetitions;
using ddx::detail::stride;

TEST(BinomialSchedule, CountsCombinations) {
  EXPECT_EQ(binomial(0, 5), 1U);
  EXPECT_EQ(binomial(5, 0), 1U);
  EXPECT_EQ(binomial(3, 4), 35U);
  EXPECT_EQ(binomial(10, 10), 184756U);
  EXPECT_EQ(binomial(1, 999), 1000U);
  EXPECT_EQ(binomial(60, 60), ddx::detail::most_steps);
}

TEST(BinomialSchedule, FindsTheLeastRepetitions) {
  EXPECT_EQ(repetitions(1, 4), 0U);
  EXPECT_EQ(repetitions(5, 4), 1U);
  EXPECT_EQ(repetitions(6, 4), 2U);
  EXPECT_EQ(repetitions(1000, 10), 4U);     // C(14, 4) = 1001.
  EXPECT_EQ(repetitions(1000000, 20), 8U);  // C(27, 7) = 888030.
  EXPECT_EQ(repetitions(100, 1), 99U);
}

/// The least number of steps that are run again to reverse `steps` of them, by trying all
/// schedules.
std::vector<std::vector<std::size_t>> least_advances(std::size_t most, std::size_t snapshots) {
  std::vector<std::vector<std::size_t>> least(snapshots + 1, std::vector<std::size_t>(most + 1));
  for (std::size_t s = 1; s <= snapshots; ++s) {
    for (std::size_t l = 2; l <= most; ++l) {
      least[s][l] = s == 1 ? l * (l - 1) / 2 : std::numeric_limits<std::size_t>::max();
      for (std::size_t m = 1; s > 1 && m < l; ++m) {
        least[s][l] = std::min(least[s][l], m + least[s - 1][l - m] + least[s][m]);
      }
    }
  }
  return least;
}

TEST(BinomialSchedule, IsAsGoodAsTheBest) {
  const std::size_t most = 120;
  const auto least = least_advances(most, 9);
  for (std::size_t s = 2; s < least.size(); ++s) {
    for (std::size_t l = 2; l <= most; ++l) {
      const std::size_t m = stride(l, s);
      ASSERT_GE(m, 1U);
      ASSERT_LT(m, l);
      EXPECT_EQ(m + least[s - 1][l - m] + least[s][m], least[s][l]) << l << " steps, " << s;
      // The closed form.
      const std::size_t r = repetitions(l, s);
      EXPECT_EQ(least[s][l], r * l - binomial(s + 1, r - 1)) << l << " steps, " << s;
    }
  }
}

}  // namespace binomial_schedule_test
