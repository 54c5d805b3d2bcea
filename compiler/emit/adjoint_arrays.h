/// \file
/// Adjoints of local vectors in arrays of the arena.

#pragma once

#include "compiler/emit/part.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace ddx::compiler {

/// Decides which local vectors have their adjoints in arrays of the arena, where they cost no
/// allocation, and a pointer says all that there is to say of them; and writes what declares,
/// changes and releases these arrays.
class AdjointArrays : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// Decides for all vectors, and whether the adjoint of the result is taken over from the caller
  /// as it stands.
  void decide_adjoint_arrays();

  [[nodiscard]] bool contains(const ir::Root* root) const { return arrays_.contains(root); }
  /// True where the adjoint of a vector is known by a pointer to its elements.
  [[nodiscard]] bool is_array(const ir::Root& root) const;
  /// A vector that is not left before its scope ends has its length saved there, once.
  [[nodiscard]] bool is_saved_at_end(const ir::Root& root) const;
  /// The number of elements, as far as the reverse sweep has come.
  std::string array_length(const ir::Root& root);
  /// The vector that is declared with what a call returns, and whose adjoint the reverse of the
  /// call takes over; null where there is none.
  [[nodiscard]] const ir::Root* handed_back_to(const ir::Value& result) const;
  /// Among the vectors: the one whose adjoint is the caller's cotangent of the result; or null.
  [[nodiscard]] const ir::Root* taken_over() const { return taken_over_; }

  void declare_arrays(const ir::Block& block);
  void release_arrays(const ir::Block& block);
  /// Undoes what made a vector longer, or filled it.
  void reverse_growth(ir::Statement& statement);

 private:
  std::string array_mark(const ir::Block& block);

  struct Array {
    bool appended = false;  ///< The reverse sweep counts where it ends.
  };
  llvm::DenseMap<const ir::Root*, Array> arrays_;
  const ir::Root* taken_over_ = nullptr;
};

/// True when all that is done with the value, an object as a whole, is to copy it.
bool is_handed_over(const ir::Value& whole);

/// True when the object declared is what a call returns, and the reverse of the call takes over the
/// elements of its adjoint.
bool is_handed_back(const ir::Statement& declaration);

}  // namespace ddx::compiler
