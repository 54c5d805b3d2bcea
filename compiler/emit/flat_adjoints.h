/// \file
/// Vectors whose adjoints are known as pointers to those of their elements.

#pragma once

#include "compiler/analysis/array_part.h"
#include "compiler/emit/part.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// A vector in an object, the elements of whose adjoint a pointer is known to.
struct FlatField {
  ArrayPart part;
  clang::QualType element;
  std::string name;
  std::string pointer;  ///< What the name denotes, outside of the loop.
};

/// Knows which vectors have adjoints by pointer at this place of the reverse sweep: a pointer can
/// be `__restrict`, from which the optimiser knows that arrays are apart.
class FlatAdjoints : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// Decides for which vector parameters the reverse sweep takes a pointer to the adjoints of the
  /// elements: where no statement treats the vector as a whole.
  void decide_flat_adjoints();

  /// The local vectors whose adjoints `loop` reaches by element only, and nothing around it by
  /// pointer: each is an array of its own, which a pointer parameter can say.
  llvm::SmallVector<const ir::Root*> flat_in(const ir::Statement& loop) const;
  /// The vectors in objects from outside of `loop` whose adjoints it reaches by element only. Not
  /// of objects that may be one by two names.
  std::vector<FlatField> flat_fields_in(const ir::Statement& loop);

  void add(const ir::Root& vector) { vectors_.insert(&vector); }
  /// What stands between the two calls, made with the same arguments, knows these by pointer.
  void enter(llvm::ArrayRef<const ir::Root*> vectors, llvm::ArrayRef<FlatField> fields);
  void leave(llvm::ArrayRef<const ir::Root*> vectors, llvm::ArrayRef<FlatField> fields);

  [[nodiscard]] bool is_flat(const ir::Root& root) const { return vectors_.contains(&root); }
  /// What is known by a pointer of the array that `path` names, or something in it; null for
  /// nothing.
  [[nodiscard]] const FlatField* flat_field(const ir::Path& path) const;
  /// The adjoints of a vector's elements, by pointer.
  std::string adjoint_elements(const ir::Path& vector);
  /// The adjoint of the array that `element` is one of, where a pointer to it is at hand.
  std::optional<std::string> flat_array_of(const ir::Path& element);

 private:
  llvm::DenseSet<const ir::Root*> vectors_;
  std::vector<FlatField> fields_;
};

}  // namespace ddx::compiler
