#include "ddx/ops/attribute_fields.h"

#include "ddx/core/random_key.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <cmath>
#include <gtest/gtest.h>
#include <variant>

namespace ddx::ops {
namespace attribute_fields_test {

TEST(AttributeFields, OneChangedFieldMakesAttributesDifferentAndTheirHashToo) {
  const Attributes plain = WindowAttributes{};
  WindowAttributes changed;
  changed.high[2] = 1;
  EXPECT_TRUE(identical(plain, WindowAttributes{}));
  EXPECT_EQ(hash_of(plain), hash_of(WindowAttributes{}));
  EXPECT_FALSE(identical(plain, changed));
  EXPECT_NE(hash_of(plain), hash_of(changed));
}

TEST(AttributeFields, StructsOfEqualFieldsAreDifferent) {
  EXPECT_FALSE(identical(AxisAttributes{1}, AxesAttributes{1}));
}

TEST(AttributeFields, NumbersAreComparedByTheirBits) {
  EXPECT_TRUE(identical(ScaleAttributes{NAN}, ScaleAttributes{NAN}));
  EXPECT_FALSE(identical(ScaleAttributes{0.0}, ScaleAttributes{-0.0}));
}

TEST(AttributeFields, KeysCountWithBothHalves) {
  const auto key = [](std::uint64_t upper) {
    return RandomBernoulliAttributes{RandomKey::from_state({7, upper}), 0.5};
  };
  EXPECT_TRUE(identical(key(1), key(1)));
  EXPECT_FALSE(identical(key(1), key(2)));
}

TEST(AttributeFields, DefaultsAreOfTheStructThatTheRowNames) {
  EXPECT_TRUE(std::holds_alternative<MatmulAttributes>(default_attributes(Op::matmul)));
  EXPECT_TRUE(std::holds_alternative<NoAttributes>(default_attributes(Op::add)));
}

TEST(AttributeFields, AKernelGetsTheStructItself) {
  const Attributes attributes = MatmulAttributes{true, false};
  const auto* const given = static_cast<const MatmulAttributes*>(struct_of(attributes));
  EXPECT_TRUE(given->transpose_left);
  EXPECT_TRUE(identical(attributes_from(Op::matmul, given), attributes));
}

TEST(AttributeFields, NoOperationHasMoreRunTimeFieldsThanTheMost) {
  EXPECT_EQ(run_time_field_count(RandomNormalAttributes{}), 3U);
  EXPECT_EQ(run_time_field_count(WindowAttributes{}), 0U);
  for (const OpInfo& row : op_table) {
    EXPECT_LE(run_time_field_count(default_attributes(row.op)), max_run_time_fields) << row.name;
  }
}

}  // namespace attribute_fields_test
}  // namespace ddx::ops
