/// \file
/// The element types of tensors as PJRT names them.

#pragma once

#include "ddx/core/dtype.h"

#include "backend/pjrt/c_api.h"

#include <optional>

namespace ddx::backend::pjrt {

/// What PJRT calls an element type.
[[nodiscard]] BufferType buffer_type_of(DType dtype) noexcept;

/// The element type that PJRT calls this; none where tensors do not have it.
[[nodiscard]] std::optional<DType> element_type_of(BufferType type) noexcept;

}  // namespace ddx::backend::pjrt
