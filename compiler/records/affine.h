/// \file
/// Indices that move by one with a loop's counter.

#pragma once

#include "compiler/ir/ir.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// An index of the form base + counter + constant, in one iteration of a loop.
struct AffineIndex {
  std::string base;  ///< Text with holes that the loop does not change; empty for zero.
  long constant = 0;
};

/// `index` as the sum that it is, if the counter of `loop` stands in it once, as a term of its own,
/// and everything else can be said before the loop.
std::optional<AffineIndex> affine_index(const ir::Function& function, const ir::Step& index,
                                        const ir::Statement& loop);

/// `text` as it reads before `loop`: constants that its body declares are put in their places.
/// Nothing where it names what exists only in the body. That the loop changes no root of it is for
/// the caller to see.
std::optional<std::string> before_loop(const ir::Function& function, const std::string& text,
                                       const ir::Statement& loop);

}  // namespace ddx::compiler
