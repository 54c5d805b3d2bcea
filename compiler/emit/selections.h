/// \file
/// Branches whose reverse runs whether they were taken or not.

#pragma once

#include "compiler/emit/part.h"

namespace ddx::compiler {

/// Reverses branches that depend on data and append to a vector without a branch, which would be
/// predicted wrongly in both sweeps: the cotangents are chosen by address and the factors masked,
/// by a variable `arm` of the type ddx::detail::Selection.
class Selections : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// True for a branch in a loop that does little but append to a vector whose adjoint is an array:
  /// its reverse is then one of products and sums, which may be run with zeros. No loop with such a
  /// branch can be vectorised.
  bool is_selectable(const ir::Statement& branch);
  void reverse_selected(ir::Statement& branch);
  /// True while the reverse of such a branch is written.
  [[nodiscard]] bool is_selected() const { return is_selected_; }

 private:
  bool is_found_outside(const ir::Value& factor, const ir::Statement& branch);
  bool is_accessed_before(const ir::Path& load, const ir::Statement& branch);
  bool is_selectable_part(const ir::Statement& part, const ir::Statement& branch);

  bool is_selected_ = false;
};

}  // namespace ddx::compiler
