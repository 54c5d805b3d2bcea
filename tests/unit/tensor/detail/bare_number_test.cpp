#include "ddx/tensor/detail/bare_number.h"

#include "ddx/core/error.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/bitwise.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/pairwise.h"
#include "ddx/tensor/ranges.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx {
namespace bare_number_test {

using testing::thrown;

std::string unfit(const std::string& number, const std::string& dtype, const std::string& range) {
  return "number beside a tensor: " + number + " does not fit the element type " + dtype + ", " +
         range + "; cast the tensor to a wider type";
}

/// A message without the place that ends it.
std::string without_place(const std::string& message) {
  return message.substr(0, message.find(" ("));
}

TEST(BareNumber, IntegersThatFitAreTaken) {
  const Tensor<std::uint8_t> bytes{1, 2};
  EXPECT_EQ(bytes + 253, (Tensor<std::uint8_t>{254, 255}));
  EXPECT_EQ(bytes * 2U, (Tensor<std::uint8_t>{2, 4}));
  EXPECT_EQ((Tensor<std::int8_t>{1, 2} - std::int64_t{-125}), (Tensor<std::int8_t>{126, 127}));
  EXPECT_EQ((Tensor<std::uint64_t>{1} + ~std::uint64_t{0}), (Tensor<std::uint64_t>{0}));
  EXPECT_EQ(full<std::uint8_t>({2}, 255), (Tensor<std::uint8_t>{255, 255}));
}

TEST(BareNumber, IntegersThatDoNotFitAreErrors) {
  Tensor<std::uint8_t> bytes{1, 2};
  const Tensor<std::uint32_t> words{1, 2};
  const Tensor<std::int16_t> shorts{1, 2};
  const std::vector<std::function<void()>> too_large{
      [&] { (void)(bytes + 300); },
      [&] { (void)(300 - bytes); },
      [&] { bytes *= 300; },
      [&] { (void)maximum(bytes, 300); },
      [&] { (void)equal(bytes, 300); },
      [&] { (void)select(equal(bytes, 1), bytes, 300); },
      [&] { (void)clip(bytes, 0, 300); },
      [&] { (void)pad(bytes, {1}, {1}, 300); },
      [&] { (void)remainder(bytes, 300); },
      [&] { (void)left_shift(bytes, 300); },
      [&] { (void)full<std::uint8_t>({2}, 300); },
      [&] { (void)arange<std::uint8_t>(0, 300); }};
  for (const auto& f : too_large) {
    EXPECT_EQ(without_place(thrown<UsageError>(f)), unfit("300", "u8", "0 to 255"));
  }
  EXPECT_EQ(bytes, (Tensor<std::uint8_t>{1, 2}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)(words * -1); }),
            unfit("-1", "u32", "0 to 4294967295") + " (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(shorts + 32768U); }),
            unfit("32768", "i16", "-32768 to 32767") + " (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)equal(equal(bytes, 1), 2); }),
            unfit("2", "bool", "0 to 1") + " (here)");
}

}  // namespace bare_number_test
}  // namespace ddx
