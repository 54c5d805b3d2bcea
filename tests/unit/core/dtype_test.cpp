#include "ddx/core/dtype.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ddx {
namespace dtype_test {

static_assert(dtype_of<float> == DType::f32 && dtype_of<bool> == DType::boolean);
static_assert(dtype_of<Half> == DType::f16 && dtype_of<BFloat16> == DType::bf16);
static_assert(TensorScalar<std::uint8_t> && !TensorScalar<long double> &&
              !TensorScalar<std::string>);
static_assert(FloatingScalar<double> && FloatingScalar<Half> && FloatingScalar<BFloat16> &&
              !FloatingScalar<std::int32_t> && !FloatingScalar<std::uint16_t>);

TEST(DType, RowsStandInTheOrderOfTheEnumerators) {
  for (std::size_t i = 0; i < dtype_count; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(dtype_table[i].dtype), i);
  }
}

TEST(DType, VisitGivesTheTypeOfTheRow) {
  for (const auto& row : dtype_table) {
    visit(row.dtype, [&](auto element) {
      EXPECT_EQ(dtype_of<decltype(element)>, row.dtype);
      EXPECT_EQ(sizeof element, row.bytes) << row.text;
    });
  }
}

TEST(DType, ComplexTypesKnowTheirParts) {
  EXPECT_TRUE(is_complex(DType::c64) && is_complex(DType::c128) && !is_complex(DType::f64));
  EXPECT_EQ(part_dtype(DType::c64), DType::f32);
  EXPECT_EQ(part_dtype(DType::c128), DType::f64);
  EXPECT_EQ(part_dtype(DType::i32), DType::i32);
  EXPECT_EQ(complex_dtype(DType::f32), DType::c64);
  EXPECT_EQ(complex_dtype(DType::f64), DType::c128);
}

TEST(DType, PrintsItsName) {
  EXPECT_EQ(to_string(DType::i64), "i64");
  EXPECT_EQ(to_string(DType::boolean), "bool");
  EXPECT_EQ(to_string(DType::bf16), "bf16");
  EXPECT_EQ(to_string(DType::u64), "u64");
  EXPECT_EQ(info(DType::u8).stablehlo, "ui8");
  EXPECT_EQ(info(DType::u32).stablehlo, "ui32");
}

}  // namespace dtype_test
}  // namespace ddx
