/// \file
/// How loops are compiled, for the time of a test.

#pragma once

#include "ddx/backend/loop_compilation.h"

#include <utility>

namespace ddx::testing {

/// Chooses, and goes back to what was chosen before.
class LoopChoice {
 public:
  explicit LoopChoice(backend::LoopCompilation chosen)
      : before_(backend::set_loop_compilation(std::move(chosen))) {}
  ~LoopChoice() { backend::set_loop_compilation(std::move(before_)); }
  LoopChoice(const LoopChoice&) = delete;
  LoopChoice& operator=(const LoopChoice&) = delete;

 private:
  backend::LoopCompilation before_;
};

}  // namespace ddx::testing
