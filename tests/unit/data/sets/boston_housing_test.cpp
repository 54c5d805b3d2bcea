#include "ddx/data/sets/boston_housing.h"

#include "ddx/core/shape.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::data {
namespace boston_housing_test {

using ddx::testing::read_error;

// The first two lines of the published file.
const std::string two_lines =
    " 0.00632  18.00   2.310  0  0.5380  6.5750  65.20  4.0900   1  296.0  15.30 396.90   4.98  "
    "24.00\n"
    " 0.02731   0.00   7.070  0  0.4690  6.4210  78.90  4.9671   2  242.0  17.80 396.90   9.14  "
    "21.60\n";

TEST(BostonHousing, SeparatesFeaturesAndPrices) {
  const ddx::testing::TemporaryFolder folder;
  const auto houses = read_boston_housing(ddx::testing::write_text(folder, "a", two_lines));
  EXPECT_EQ(houses.features.shape(), (Shape{2, 13}));
  EXPECT_EQ((houses.features[{0, 0}]), 0.00632F);
  EXPECT_EQ((houses.features[{0, 12}]), 4.98F);
  EXPECT_EQ((houses.features[{1, 1}]), 0.0F);
  EXPECT_EQ(houses.prices, Tensor<float>({2, 1}, {24.0F, 21.6F}));
}

TEST(BostonHousing, WrongLinesAreNamed) {
  const auto error = [](const std::string& text) {
    return read_error("read_boston_housing", text, read_boston_housing);
  };
  EXPECT_EQ(error(two_lines + " 1 2 3\n"), ", line 3: 3 numbers, 14 are expected");
  EXPECT_EQ(error(two_lines + "\n"), ", line 3: 0 numbers, 14 are expected");
  EXPECT_EQ(error("1 2 3 4 5 6 7 8 9 10 11 x 13 14"),
            ", line 1: a value is \"x\", not such a number");
  EXPECT_EQ(error("1 2 3 4 5 6 7 8 9 10 11 inf 13 14"), ", line 1: a value is \"inf\", not finite");
  EXPECT_EQ(error(""), ": the file is empty");
}

}  // namespace boston_housing_test
}  // namespace ddx::data
