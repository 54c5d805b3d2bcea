#include "ddx/data/text/token_windows.h"

#include "ddx/core/error.h"
#include "ddx/data/epoch.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace token_windows_test {

using ddx::testing::message_of;
using Places = std::vector<std::int64_t>;
using Tokens = std::vector<std::int32_t>;
static_assert(Dataset<TokenWindows>);

TEST(TokenWindows, TargetsAreOnePlaceOn) {
  const TokenWindows windows({10, 11, 12, 13, 14, 15, 16}, {.length = 3});
  EXPECT_EQ(windows.size(), 4);
  const auto batch = windows.batch(Places{3, 0});
  EXPECT_EQ(batch.inputs.shape(), (Shape{2, 3}));
  EXPECT_EQ(batch.inputs.values(), (Tokens{13, 14, 15, 10, 11, 12}));
  EXPECT_EQ(batch.targets.values(), (Tokens{14, 15, 16, 11, 12, 13}));
  EXPECT_EQ(windows.batch(Places{}).inputs.shape(), (Shape{0, 3}));
}

TEST(TokenWindows, StrideSkipsBeginnings) {
  // With 8 tokens the run that begins at the fourth would lack what follows its last token.
  const TokenWindows windows({0, 1, 2, 3, 4, 5, 6, 7}, {.length = 4, .stride = 3});
  EXPECT_EQ(windows.size(), 2);
  EXPECT_EQ(windows.batch(Places{1}).targets.values(), (Tokens{4, 5, 6, 7}));
  EXPECT_EQ(TokenWindows({0, 1, 2, 3, 4, 5, 6}, {.length = 4, .stride = 3}).size(), 1);
}

TEST(TokenWindows, RefusesWhatIsTooShort) {
  EXPECT_EQ(TokenWindows({1, 2}, {.length = 1}).size(), 1);
  EXPECT_EQ(message_of<UsageError>([] { TokenWindows({1, 2, 3}, {.length = 3}); }),
            "TokenWindows: 3 tokens, a run of 3 and the token after it need more");
  EXPECT_EQ(message_of<UsageError>([] { TokenWindows({1, 2, 3}, {.length = 0}); }),
            "TokenWindows: length is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { TokenWindows({1, 2, 3}, {.length = 1, .stride = -2}); }),
            "TokenWindows: stride is -2, at least 1 is required");
  EXPECT_EQ(
      message_of<UsageError>([] { (void)TokenWindows({1, 2, 3}, {.length = 1}).batch(Places{2}); }),
      "TokenWindows: sample 2 of 2");
}

}  // namespace token_windows_test
}  // namespace ddx::data
