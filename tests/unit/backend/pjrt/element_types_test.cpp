#include "backend/pjrt/element_types.h"

#include "ddx/core/dtype.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <string>

namespace ddx::backend::pjrt {
namespace element_types_test {

/// The size in the name of a type of PJRT: U16, C128; of PRED, one byte.
std::size_t bytes_by_number(BufferType type) {
  switch (type) {
    case BufferType::Pred:
    case BufferType::S8:
    case BufferType::U8:
      return 1;
    case BufferType::S16:
    case BufferType::U16:
    case BufferType::F16:
    case BufferType::Bf16:
      return 2;
    case BufferType::S32:
    case BufferType::U32:
    case BufferType::F32:
      return 4;
    case BufferType::S64:
    case BufferType::U64:
    case BufferType::F64:
    case BufferType::C64:
      return 8;
    case BufferType::C128:
      return 16;
    case BufferType::Invalid:
      return 0;
  }
  return 0;
}

TEST(PjrtElementTypes, EachHasOneOfItsSizeAndComesBack) {
  std::set<BufferType> used;
  for (const DTypeInfo& row : dtype_table) {
    const BufferType type = buffer_type_of(row.dtype);
    EXPECT_EQ(bytes_by_number(type), row.bytes) << row.text;
    EXPECT_EQ(element_type_of(type), row.dtype) << row.text;
    used.insert(type);
  }
  EXPECT_EQ(used.size(), dtype_count);
}

// The numbers of PJRT's header.
TEST(PjrtElementTypes, NumbersAreThoseOfPjrt) {
  EXPECT_EQ(static_cast<int>(buffer_type_of(DType::boolean)), 1);
  EXPECT_EQ(static_cast<int>(buffer_type_of(DType::i32)), 4);
  EXPECT_EQ(static_cast<int>(buffer_type_of(DType::u64)), 9);
  EXPECT_EQ(static_cast<int>(buffer_type_of(DType::f32)), 11);
  EXPECT_EQ(static_cast<int>(buffer_type_of(DType::bf16)), 13);
  EXPECT_EQ(static_cast<int>(buffer_type_of(DType::c128)), 15);
}

TEST(PjrtElementTypes, OthersAreNone) {
  EXPECT_EQ(element_type_of(BufferType::Invalid), std::nullopt);
  EXPECT_EQ(element_type_of(static_cast<BufferType>(16)), std::nullopt);
}

}  // namespace element_types_test
}  // namespace ddx::backend::pjrt
