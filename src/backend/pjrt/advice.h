/// \file
/// What a user can do about errors that plugins report in words of their own.

#pragma once

#include "backend/pjrt/status.h"

#include <string>
#include <string_view>

namespace ddx::backend::pjrt {

/// What has happened and what to do, where the message is one that CUDA or XLA is known to write if
/// there is no GPU, the driver is too old, another process has the GPU for itself, or the GPU has
/// lost the work of this process; else empty.
[[nodiscard]] std::string_view advice_for(const Status& status) noexcept;

/// Whether a device, or the host, had not enough memory: by the code, or by CUDA's words.
[[nodiscard]] bool is_out_of_memory(const Status& status) noexcept;

/// Renders as to_string; where there is advice, as "ADVICE; MESSAGE (CODE)" on one line.
/// Of a message that there is no memory, the first line too.
[[nodiscard]] std::string with_advice(const Status& status);

}  // namespace ddx::backend::pjrt
