// Images in another size: recordings of PyTorch, hand-made examples, and what has no meaning.

#include "ddx/tensor/resize.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_windows.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <source_location>
#include <string>
#include <vector>

namespace ddx {
namespace resize_test {

using testing::numbers;
using testing::shape_in;
using testing::thrown;
using Doubles = Tensor<double>;

ResizeOptions options_in(const nlohmann::json& row) {
  static const std::map<std::string, Interpolation> modes = {
      {"nearest-exact", Interpolation::Nearest},
      {"bilinear", Interpolation::Bilinear},
      {"bicubic", Interpolation::Bicubic},
      {"area", Interpolation::Area}};
  return {.height = row["to"][0],
          .width = row["to"][1],
          .interpolation = modes.at(row["mode"]),
          .antialias = row["antialias"],
          .align_corners = row["align_corners"]};
}

/// The cotangent of the images, from that of the result.
Doubles resize_gradient(const Doubles& x, const ResizeOptions& options, const Doubles& dy) {
  const auto taps = detail::resize_taps("resize", x.shape(), options, DType::f64, x.device(),
                                        std::source_location());
  const auto [columns, to_columns] = detail::resample_vjp(x, taps.columns, 2);
  const auto [rows, to_rows] = detail::resample_vjp(columns, taps.rows, 1);
  return to_columns(to_rows(dy));
}

TEST(Resize, GivesTheValuesAndGradientsThatWereRecorded) {
  const auto table = testing::recorded_windows("resize");
  ASSERT_EQ(table.size(), 15U);
  for (const auto& row : table) {
    const Doubles x = numbers(shape_in(row, "x"), 1);
    const ResizeOptions options = options_in(row);
    const Doubles y = resize(x, options);
    EXPECT_EQ(y.shape(), (Shape{x.shape()[0], options.height, options.width, x.shape()[3]}));
    testing::expect_in(row, "y", y);
    testing::expect_in(row, "dx", resize_gradient(x, options, numbers(y.shape(), 50)));
  }
}

/// A row of pixels in another width.
std::vector<double> row_of(const std::vector<double>& x, std::int64_t width,
                           Interpolation interpolation, bool align_corners = false) {
  const Doubles image({1, 1, static_cast<std::int64_t>(x.size()), 1}, x);
  return resize(image, {.height = 1,
                        .width = width,
                        .interpolation = interpolation,
                        .align_corners = align_corners})
      .values();
}

TEST(Resize, OfAnAreaCountsPartsOfPixels) {
  // [0, 1.5), [1.5, 3): 2/3 of 3 and 1/3 of 6, then 1/3 of 6 and 2/3 of 0
  const auto y = row_of({3, 6, 0}, 2, Interpolation::Area);
  EXPECT_NEAR(y[0], 4, 1e-14);
  EXPECT_NEAR(y[1], 2, 1e-14);
  EXPECT_EQ(row_of({3, 6, 0}, 3, Interpolation::Area), (std::vector<double>{3, 6, 0}));
  // With corners aligned a pixel has (3 - 1) / (2 - 1) = 2: the second goes beyond the border.
  EXPECT_EQ(row_of({3, 5, 1}, 2, Interpolation::Area, true), (std::vector<double>{4, 1}));
  EXPECT_EQ(row_of({3, 5, 1}, 1, Interpolation::Area, true), (std::vector<double>{3}));
}

TEST(Resize, ToTheNearestPointWithCornersAligned) {
  // Places 0, 2/3, 4/3, 2
  EXPECT_EQ(row_of({1, 2, 3}, 4, Interpolation::Nearest, true), (std::vector<double>{1, 2, 2, 3}));
  EXPECT_EQ(row_of({1, 2, 3}, 1, Interpolation::Nearest, true), (std::vector<double>{1}));
}

TEST(Resize, ByKernelsLeavesOutWhatLiesBeyondTheBorder) {
  // Point 1 of 4 lies 1/4 and 3/4 from the two.
  EXPECT_NEAR(row_of({0, 1}, 4, Interpolation::Gaussian)[1], 1 / (1 + std::exp(1.0)), 1e-14);
  EXPECT_NEAR(row_of({0, 1}, 4, Interpolation::MitchellCubic)[1], 0.24665552, 1e-8);
  EXPECT_NEAR(row_of({0, 1}, 4, Interpolation::Lanczos5)[1], 0.24383180, 1e-7);
  for (const auto kernel : {Interpolation::Lanczos3, Interpolation::Lanczos5,
                            Interpolation::Gaussian, Interpolation::MitchellCubic}) {
    for (const double value : row_of({2, 2, 2, 2, 2}, 13, kernel)) {
      EXPECT_NEAR(value, 2, 1e-14) << "weights add up to one";
    }
    EXPECT_NEAR(row_of({5}, 1, kernel)[0], 5, 1e-14);
  }
}

TEST(Resize, OfNoImageIsEmpty) {
  EXPECT_EQ(resize(zeros<float>({0, 2, 2, 3}), {.height = 4, .width = 1}).shape(),
            (Shape{0, 4, 1, 3}));
}

TEST(Resize, TakesOneImageWithoutABatch) {
  const Tensor<float> image({2, 1, 1}, {0, 1});
  const auto y = resize(image, {.height = 4, .width = 1});
  EXPECT_EQ(y.shape(), (Shape{4, 1, 1}));
  EXPECT_EQ(y.values(), (std::vector<float>{0, 0.25F, 0.75F, 1}));
}

TEST(Resize, NamesWhatHasNoMeaning) {
  const auto x = zeros<float>({1, 2, 2, 1});
  const auto message = [&](const ResizeOptions& options) {
    return thrown<UsageError>([&] { (void)resize(x, options); });
  };
  EXPECT_EQ(message({.height = 0, .width = 1}),
            "resize: shape [1, 2, 2, 1] to 0 by 1 points, both need one or more (here)");
  EXPECT_EQ(
      message({.height = 1, .width = 1, .interpolation = Interpolation::Area, .antialias = true}),
      "resize: antialiasing has no meaning for the nearest point or the area (here)");
  EXPECT_EQ(message({.height = 1, .width = 1, .antialias = true, .align_corners = true}),
            "resize: antialiasing and aligned corners exclude each other (here)");
  EXPECT_EQ(message({.height = 1,
                     .width = 1,
                     .interpolation = Interpolation::Gaussian,
                     .align_corners = true}),
            "resize: corners are aligned for Nearest, Bilinear, Bicubic and Area alone (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)resize(zeros<float>({2, 2}), {.height = 1, .width = 1}); }),
      "resize: shape [2, 2] is neither [n, h, w, c] nor [h, w, c] (here)");
}

}  // namespace resize_test
}  // namespace ddx
