/// \file
/// How long a tokenizer may make a text.

#pragma once

#include <cstddef>

namespace ddx::data::detail {

/// Throws an EnvironmentError where a step made more than 64 bytes of each byte, and more than
/// 1 MiB: steps that each repeat the text would fill the memory.
void check_growth(std::size_t bytes_before, std::size_t bytes_after);

}  // namespace ddx::data::detail
