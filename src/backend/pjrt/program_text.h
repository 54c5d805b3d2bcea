/// \file
/// Programs in StableHLO, as compilers receive them.

#pragma once

#include "backend/pjrt/api.h"
#include "backend/pjrt/c_api.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace ddx::backend::pjrt {

/// A program in StableHLO.
struct ProgramText {
  std::string_view text;
  /// Says for people where the operation in a line (from 1) of the text comes from, e.g.
  /// "step.cpp:12"; empty: it is not known. What the compiler says of that line then ends with it.
  std::function<std::string(std::size_t line)> origin_of_line = {};
};

/// The struct of a program. It refers to the text.
[[nodiscard]] inline Extended<Program> to_raw(const ProgramText& program) noexcept {
  constexpr std::string_view format = "mlir";
  return {.value = {.head = {},
                    .code = const_cast<char*>(program.text.data()),  // It is only read.
                    .code_size = program.text.size(),
                    .format = format.data(),
                    .format_size = format.size()}};
}

}  // namespace ddx::backend::pjrt
