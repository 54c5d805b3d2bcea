/// \file
/// The options of ddx::while_loop.

#pragma once

#include <cstdint>
#include <optional>

namespace ddx {

/// How long `while_loop` may go on.
struct WhileLoopOptions {
  std::optional<std::int64_t> most_turns = {};  ///< It ends after so many.
};

}  // namespace ddx
