#include "ddx/io/stored_conversion.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include "tests/support/temporary_folder.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::io {
namespace stored_conversion_test {

using ddx::testing::message_of;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// An array of these elements; of 16 bits as their patterns.
template <class Element>
StoredTensor stored(DType dtype, const std::vector<Element>& elements) {
  StoredTensor array{dtype, Shape{static_cast<Shape::Extent>(elements.size())}, {}};
  array.bytes.resize(elements.size() * sizeof(Element));
  std::memcpy(array.bytes.data(), elements.data(), array.bytes.size());
  return array;
}

template <class Element>
std::vector<Element> elements_of(const StoredTensor& array) {
  std::vector<Element> elements(array.bytes.size() / sizeof(Element));
  std::memcpy(elements.data(), array.bytes.data(), array.bytes.size());
  return elements;
}

std::vector<std::uint16_t> all_patterns() {
  std::vector<std::uint16_t> patterns(1 << 16);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    patterns[i] = static_cast<std::uint16_t>(i);
  }
  return patterns;
}

/// The number of a pattern by the definition of the format: sign, exponent, fraction.
double value_of(std::uint16_t pattern, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (pattern >> fraction_bits) & ((1 << exponent_bits) - 1);
  const double fraction = std::ldexp(pattern & ((1 << fraction_bits) - 1), -fraction_bits);
  double value = 0;
  if (exponent == (1 << exponent_bits) - 1) {
    value = fraction == 0 ? infinity : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - bias);
  } else {
    value = std::ldexp(1 + fraction, exponent - bias);
  }
  return pattern >> 15 != 0 ? -value : value;
}

TEST(StoredConversion, EveryNumberOf16BitsIsExactInWiderOnesAndComesBack) {
  const auto patterns = all_patterns();
  for (const auto dtype : {DType::f16, DType::bf16}) {
    const auto narrow = stored(dtype, patterns);
    const auto single = converted(narrow, DType::f32);
    const auto wide = converted(narrow, DType::f64);
    EXPECT_EQ(single.dtype, DType::f32);
    EXPECT_EQ(wide.shape, (Shape{1 << 16}));
    const auto singles = elements_of<float>(single);
    const auto wides = elements_of<double>(wide);
    const auto from_single = elements_of<std::uint16_t>(converted(single, dtype));
    const auto from_wide = elements_of<std::uint16_t>(converted(wide, dtype));
    ASSERT_EQ(wides.size(), patterns.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const double value = value_of(patterns[i], dtype == DType::f16 ? 5 : 8);
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(singles[i]) && std::isnan(wides[i])) << i;
        ASSERT_TRUE(std::isnan(value_of(from_single[i], dtype == DType::f16 ? 5 : 8))) << i;
        continue;
      }
      ASSERT_EQ(std::bit_cast<std::uint64_t>(wides[i]), std::bit_cast<std::uint64_t>(value)) << i;
      ASSERT_EQ(static_cast<double>(singles[i]), value) << i;
      ASSERT_EQ(from_single[i], patterns[i]);
      ASSERT_EQ(from_wide[i], patterns[i]);
    }
  }
}

// By hand: f16 has 11 significant bits, bf16 8, f32 24.
TEST(StoredConversion, NarrowerNumbersAreRoundedOnceToTheNearestTiesToEven) {
  const auto e = [](int power) { return std::ldexp(1.0, power); };
  const auto wide = stored<double>(DType::f64, {1 + e(-11), 1 + 3 * e(-11), 1 + e(-11) + e(-40),
                                                65519.0, 65520.0, -1e300, e(-25), e(-24), -0.0});
  EXPECT_EQ(elements_of<std::uint16_t>(converted(wide, DType::f16)),
            (std::vector<std::uint16_t>{0x3C00, 0x3C02, 0x3C01, 0x7BFF, 0x7C00, 0xFC00, 0x0000,
                                        0x0001, 0x8000}));
  const auto more = stored<double>(DType::f64, {1 + e(-8), 1 + 3 * e(-8), 1 + e(-8) + e(-40)});
  EXPECT_EQ(elements_of<std::uint16_t>(converted(more, DType::bf16)),
            (std::vector<std::uint16_t>{0x3F80, 0x3F82, 0x3F81}));
  const auto single = stored<float>(DType::f32, {1.00390625F, 3.4e38F, -3.4e38F});
  EXPECT_EQ(elements_of<std::uint16_t>(converted(single, DType::bf16)),
            (std::vector<std::uint16_t>{0x3F80, 0x7F80, 0xFF80}));
  const auto doubles = stored<double>(DType::f64, {1 + e(-24), 1 + 3 * e(-24), 1e39});
  EXPECT_EQ(elements_of<float>(converted(doubles, DType::f32)),
            (std::vector<float>{1.0F, static_cast<float>(1 + e(-22)),
                                std::numeric_limits<float>::infinity()}));
}

TEST(StoredConversion, BetweenTheTwoOf16BitsRoundsToo) {
  // 1 + 2^-10 has 11 significant bits, bf16 8; 2^17 is beyond f16.
  const auto half = stored<std::uint16_t>(DType::f16, {0x3C01, 0x4000, 0x0001});
  EXPECT_EQ(elements_of<std::uint16_t>(converted(half, DType::bf16)),
            (std::vector<std::uint16_t>{0x3F80, 0x4000, 0x3380}));
  const auto brain = stored<std::uint16_t>(DType::bf16, {0x3F81, 0x4800});
  EXPECT_EQ(elements_of<std::uint16_t>(converted(brain, DType::f16)),
            (std::vector<std::uint16_t>{0x3C08, 0x7C00}));
}

TEST(StoredConversion, BytesMayBeginAnywhere) {
  std::vector<std::uint8_t> bytes = {9, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0};
  const StoredView view{DType::f32, Shape{2}, std::span<const std::uint8_t>(bytes).subspan(1)};
  EXPECT_EQ(elements_of<double>(converted(view, DType::f64)), (std::vector<double>{1, -2}));
}

TEST(StoredConversion, ToItsOwnDTypeAnArrayIsCopied) {
  const StoredTensor truths{DType::boolean, Shape{2}, {0, 1}};
  EXPECT_EQ(converted(truths, DType::boolean), truths);
  const StoredTensor empty{DType::f16, Shape{0, 3}, {}};
  EXPECT_EQ(converted(empty, DType::f64), (StoredTensor{DType::f64, Shape{0, 3}, {}}));
}

TEST(StoredConversion, WhatDoesNotFitIsRefused) {
  const auto error = [](const StoredTensor& array, DType dtype) {
    return message_of<UsageError>([&] { (void)converted(array, dtype); });
  };
  EXPECT_EQ(error({DType::i32, Shape{1}, {0, 0, 0, 0}}, DType::f32),
            "converted: from i32 to f32: only f16, bf16, f32 and f64 are converted");
  EXPECT_EQ(error({DType::f32, Shape{1}, {0, 0, 0, 0}}, DType::c64),
            "converted: from f32 to c64: only f16, bf16, f32 and f64 are converted");
  EXPECT_EQ(error({DType::f32, Shape{2}, {0, 0, 0, 0}}, DType::f64),
            "converted: an array of dtype f32 and shape [2] takes 8 bytes, it has 4");
  EXPECT_EQ(error({DType::f32, Shape{}, {}, "array \"x\" is not supported"}, DType::f64),
            "converted: array \"x\" is not supported");
}

TEST(StoredConversion, IntoMemoryThatBeginsAnywhere) {
  const auto brain = stored<std::uint16_t>(DType::bf16, {0x3F81, 0xC000});
  std::vector<std::uint8_t> memory(9, 7);
  convert_into(view_of(brain), DType::f32, std::span(memory).subspan(1));
  EXPECT_EQ(memory, (std::vector<std::uint8_t>{7, 0, 0, 0x81, 0x3F, 0, 0, 0, 0xC0}));
  EXPECT_EQ(message_of<UsageError>([&] { convert_into(view_of(brain), DType::f32, memory); }),
            "convert_into: the elements take 8 bytes, the memory has 9");
}

}  // namespace stored_conversion_test
}  // namespace ddx::io
