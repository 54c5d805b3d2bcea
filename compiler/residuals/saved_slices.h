/// \file
/// Elements that counted loops load one after the other, and that the reverse sweep needs again:
/// copied at once.

#pragma once

#include "compiler/analysis/writes.h"
#include "compiler/ir/ir.h"
#include "compiler/residuals/affine.h"
#include "compiler/support/context.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// Finds slices that can be copied in front of loops, so that loads at neighbouring places are kept
/// once, and the loop itself saves nothing.
class SavedSlices {
 public:
  SavedSlices(ir::Function& function, const Context& context, const Writes& writes)
      : function_(function), context_(context), writes_(writes) {}

  /// Makes `load`, which differs from one iteration of `loop` to the next, an element of a slice.
  /// Returns false where it cannot be one: it is not certain that every element of the slice is
  /// loaded, and the copy could read behind the array.
  bool copy(ir::Value& load, ir::Statement& loop);

  /// True when `load` is among, or next to, elements that are copied anyway.
  bool joins(const ir::Value& load);

  /// True when the elements that `load` reads, one in each iteration, can be copied at once.
  bool may_copy(const ir::Value& load);

 private:
  /// What a load in a counted loop reads.
  struct Element {
    std::string array;
    AffineIndex index;
    bool certain = false;  ///< Every iteration loads it.
  };

  bool is_fixed(const std::string& text, const ir::Statement* loop);
  std::optional<std::string> fixed_before(const std::string& text, const ir::Statement& loop);
  std::optional<std::string> array_text(const ir::Path& load, const ir::Statement& loop);
  bool count_alike(const ir::Statement& a, const ir::Statement& b);
  ir::SavedSlice* copied_before(const std::string& array, const AffineIndex& index,
                                const ir::Root& root, const ir::Statement& loop);
  ir::Statement* varies_in(const ir::Value& value);
  std::optional<Element> element_in(const ir::Value& value, const ir::Statement& loop);
  ir::SavedSlice* slice_for(const ir::Value& load, const Element& element,
                            const ir::Statement& loop);
  void place(ir::SavedSlice& slice, const ir::Root& root);

  ir::Function& function_;
  const Context& context_;
  const Writes& writes_;
};

}  // namespace ddx::compiler
