#include "backend/pjrt/element_types.h"

#include "ddx/core/dtype.h"

#include "backend/pjrt/c_api.h"

#include <optional>

namespace ddx::backend::pjrt {

BufferType buffer_type_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::f32:
      return BufferType::F32;
    case DType::f64:
      return BufferType::F64;
    case DType::i32:
      return BufferType::S32;
    case DType::i64:
      return BufferType::S64;
    case DType::u8:
      return BufferType::U8;
    case DType::boolean:
      return BufferType::Pred;
    case DType::f16:
      return BufferType::F16;
    case DType::bf16:
      return BufferType::Bf16;
    case DType::i8:
      return BufferType::S8;
    case DType::i16:
      return BufferType::S16;
    case DType::u16:
      return BufferType::U16;
    case DType::u32:
      return BufferType::U32;
    case DType::u64:
      return BufferType::U64;
    case DType::c64:
      return BufferType::C64;
    case DType::c128:
      return BufferType::C128;
  }
  return BufferType::Invalid;
}

std::optional<DType> element_type_of(BufferType type) noexcept {
  for (const DTypeInfo& row : dtype_table) {
    if (buffer_type_of(row.dtype) == type) {
      return row.dtype;
    }
  }
  return std::nullopt;
}

}  // namespace ddx::backend::pjrt
