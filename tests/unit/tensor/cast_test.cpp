#include "ddx/tensor/cast.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx {
namespace cast_test {

const Device devices[] = {Device::naive(), Device()};

/// What the elements are as another type, on every device.
template <class From, class To>
void expect_cast(const Tensor<From>& from, const Tensor<To>& to) {
  for (const Device device : devices) {
    EXPECT_EQ(cast<To>(from.to(device)), to)
        << to_string(dtype_of<From>) << " to " << to_string(dtype_of<To>) << " on "
        << to_string(device);
  }
}

template <class Scalar>
void expect_equal_bits(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  ASSERT_EQ(a.count(), b.count());
  for (std::size_t i = 0; i < a.count(); ++i) {
    ASSERT_EQ(a.elements()[i].bits(), b.elements()[i].bits()) << i;
  }
}

TEST(Cast, FloatingToIntegerTruncatesAndClamps) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor<float> x{-infinity, -1e10F, -129, -1.9F, 1.9F, 300, 70000, 5e9F, NAN};
  expect_cast(x, Tensor<std::int8_t>{-128, -128, -128, -1, 1, 127, 127, 127, 0});
  expect_cast(x, Tensor<std::uint8_t>{0, 0, 0, 0, 1, 255, 255, 255, 0});
  expect_cast(x, Tensor<std::int16_t>{-32768, -32768, -129, -1, 1, 300, 32767, 32767, 0});
  expect_cast(x, Tensor<std::uint16_t>{0, 0, 0, 0, 1, 300, 65535, 65535, 0});
  expect_cast(x, Tensor<std::uint32_t>{0, 0, 0, 0, 1, 300, 70000, 4294967295, 0});
  expect_cast(Tensor<double>{-1, 1e30, 1.9, 0x1p63},
              Tensor<std::uint64_t>{0, ~std::uint64_t{0}, 1, std::uint64_t{1} << 63});
  expect_cast(Tensor<double>{-1e30, 1e30},
              Tensor<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()});
  expect_cast(Tensor<Half>{65504, -65504, 2.75, -infinity},
              Tensor<std::int16_t>{32767, -32768, 2, -32768});
  expect_cast(Tensor<BFloat16>{1000, -1000, -2.75}, Tensor<std::int8_t>{127, -128, -2});
}

TEST(Cast, IntegersKeepTheirLowBits) {
  const Tensor<std::int64_t> x{-1, 127, 128, 255, 256, 65537, 4294967297, -32769};
  expect_cast(x, Tensor<std::int8_t>{-1, 127, -128, -1, 0, 1, 1, -1});
  expect_cast(x, Tensor<std::uint8_t>{255, 127, 128, 255, 0, 1, 1, 255});
  expect_cast(x, Tensor<std::int16_t>{-1, 127, 128, 255, 256, 1, 1, 32767});
  expect_cast(x, Tensor<std::uint16_t>{65535, 127, 128, 255, 256, 1, 1, 32767});
  expect_cast(x, Tensor<std::uint32_t>{4294967295, 127, 128, 255, 256, 65537, 1, 4294934527});
  expect_cast(Tensor<std::int8_t>{-1, 5}, Tensor<std::uint64_t>{~std::uint64_t{0}, 5});
  expect_cast(Tensor<std::uint64_t>{~std::uint64_t{0}, 7}, Tensor<std::int64_t>{-1, 7});
}

TEST(Cast, IntegersRoundToTheNearestFloatingNumber) {
  expect_cast(Tensor<std::int32_t>{2049, 2051, 65519, 65520, -70000},
              Tensor<Half>{2048, 2052, 65504, INFINITY, -INFINITY});
  expect_cast(Tensor<std::uint16_t>{257, 259, 65535}, Tensor<BFloat16>{256, 260, 65536});
  expect_cast(Tensor<std::uint64_t>{~std::uint64_t{0}}, Tensor<double>{0x1p64});
  expect_cast(Tensor<std::uint32_t>{4294967295}, Tensor<float>{0x1p32F});
}

TEST(Cast, ToBoolAndBack) {
  expect_cast(Tensor<Half>{0, -Half(0), std::numeric_limits<Half>::denorm_min(), -3},
              Tensor<bool>{false, false, true, true});
  expect_cast(Tensor<float>{NAN}, Tensor<bool>{true});
  expect_cast(Tensor<std::uint64_t>{0, std::uint64_t{1} << 63}, Tensor<bool>{false, true});
  expect_cast(Tensor<bool>{true, false}, Tensor<BFloat16>{1, 0});
}

/// Every bit pattern as float and back, on both devices, and every number between neighbours.
template <class Narrow>
void expect_every_pattern() {
  std::vector<Narrow> all;
  std::vector<float> numbers;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    all.push_back(Narrow::from_bits(static_cast<std::uint16_t>(bits)));
    const auto number = static_cast<float>(all.back());
    numbers.push_back(number);
    if ((bits & 0x7FFFU) < Narrow::infinity_bits) {
      const auto next = static_cast<float>(Narrow::from_bits(static_cast<std::uint16_t>(bits + 1)));
      const float middle = number + (next - number) / 2;
      numbers.push_back(middle);
      numbers.push_back(std::nextafter(middle, 0.0F));
      numbers.push_back(std::nextafter(middle, std::copysign(INFINITY, middle)));
    }
  }
  const auto count = [](const auto& list) {
    return Shape{static_cast<Shape::Extent>(list.size())};
  };
  const Tensor<float> wide = cast<float>(Tensor<Narrow>(count(all), all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto expected = static_cast<float>(all[i]);
    ASSERT_TRUE(wide.elements()[i] == expected ||
                (std::isnan(expected) && std::isnan(wide.elements()[i])))
        << i;
    ASSERT_EQ(std::signbit(wide.elements()[i]), std::signbit(expected)) << i;
  }
  expect_equal_bits(cast<Narrow>(Tensor<float>(count(numbers), numbers)),
                    cast<Narrow>(Tensor<float>(count(numbers), numbers, Device::naive())));
  const auto rounded = cast<Narrow>(Tensor<float>(count(numbers), numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_EQ(rounded.elements()[i].bits(), Narrow(numbers[i]).bits()) << numbers[i];
  }
}

TEST(Cast, EveryPatternOfHalf) {
  expect_every_pattern<Half>();
}

TEST(Cast, EveryPatternOfBFloat16) {
  expect_every_pattern<BFloat16>();
}

TEST(Cast, ItsCotangentIsCastBack) {
  const auto y = cast_vjp<BFloat16>(Tensor<float>{1, 2.001F});
  EXPECT_EQ(y.value, (Tensor<BFloat16>{1, 2}));
  EXPECT_EQ(y.pullback(Tensor<BFloat16>{0.5, -3}), (Tensor<float>{0.5F, -3}));
  EXPECT_TRUE(y.pullback(Tensor<BFloat16>()).is_symbolic_zero());
  const auto narrow = cast_vjp<double>(Tensor<Half>{1});
  EXPECT_EQ(narrow.pullback(Tensor<double>{0.1}), (Tensor<Half>{0.1}));
}

}  // namespace cast_test
}  // namespace ddx
