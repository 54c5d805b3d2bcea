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

/// The part of an index in front of an inner loop, of the form (counter + row) * distance + rest.
struct RowIndex {
  std::string distance;  ///< Text with holes that the loop does not change.
  long row = 0;
  std::string rest;  ///< As AffineIndex::base.
};

/// `base` of an affine index as it moves with the counter of `loop`, if that stands in it once, in
/// a product with something that can be said before the loop, as everything else can.
std::optional<RowIndex> row_index(const ir::Function& function, const std::string& base,
                                  const ir::Statement& loop);

/// `text` as it reads before `loop`: constants that its body declares are put in their places.
/// Nothing where it names what exists only in the body. That the loop changes no root of it is for
/// the caller to see.
std::optional<std::string> before_loop(const ir::Function& function, const std::string& text,
                                       const ir::Statement& loop);

}  // namespace ddx::compiler
