#include "ddx/ops/op.h"

#include "ddx/core/dtype.h"
#include "ddx/ops/reference.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <string_view>

namespace ddx::ops {
namespace op_test {

TEST(OpTable, RowsStandInTheOrderOfTheEnumerators) {
  for (std::size_t i = 0; i < op_count; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(op_table[i].op), i);
  }
}

TEST(OpTable, NamesAreDifferent) {
  std::set<std::string_view> names;
  for (const auto& row : op_table) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(to_string(row.op), row.name);
  }
}

TEST(OpTable, OperandsAgreeWithTheDomain) {
  for (const auto& row : op_table) {
    EXPECT_EQ(row.inputs == 0, row.domain == Domain::NoOperand) << row.name;
    EXPECT_GE(row.outputs, 1) << row.name;
    EXPECT_TRUE(row.inputs >= 0 || row.inputs == variadic) << row.name;
  }
}

TEST(OpTable, ReferenceKernelsExistExactlyForTheDTypesOfTheClass) {
  for (const auto& row : op_table) {
    for (const auto& type : dtype_table) {
      EXPECT_EQ(reference_kernel(row.op, type.dtype) != nullptr, contains(row.dtypes, type.dtype))
          << row.name << " " << type.text;
    }
  }
}

TEST(OpTable, OperationsOnBitsAreForIntegersAlone) {
  EXPECT_TRUE(contains(DTypeClass::Integer, DType::u8));
  EXPECT_TRUE(contains(DTypeClass::Integer, DType::i64));
  EXPECT_FALSE(contains(DTypeClass::Integer, DType::boolean));
  EXPECT_FALSE(contains(DTypeClass::Integer, DType::f32));
}

TEST(OpTable, LinearAlgebraIsForTheTwoLargeFloatingTypes) {
  for (const auto& type : dtype_table) {
    EXPECT_EQ(contains(DTypeClass::FullPrecision, type.dtype),
              type.text == "f32" || type.text == "f64");
  }
}

TEST(OpTable, ResultsOfComparisonsAndPositionsHaveTheirOwnDType) {
  EXPECT_EQ(result_dtype(Op::less, DType::f32), DType::boolean);
  EXPECT_EQ(result_dtype(Op::is_nan, DType::f64), DType::boolean);
  EXPECT_EQ(result_dtype(Op::argmax, DType::f64), DType::i32);
  EXPECT_EQ(result_dtype(Op::matmul, DType::f64), DType::f64);
}

}  // namespace op_test
}  // namespace ddx::ops
