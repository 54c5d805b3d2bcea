/// \file
/// The shapes of adjoints that only the forward sweep knows.

#pragma once

#include "compiler/emit/part.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// Saves in the forward sweep the shapes of objects when their scopes end, and those that
/// statements drop; follows the scopes around what the forward sweep is written for.
class Shapes : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// The statements that follow stand in `block`, up to the call of `leave`.
  void enter(const ir::Block& block) { scopes_.push_back({&block, shaped_.size()}); }
  void leave();
  /// An object is declared in the innermost block.
  void declare(const ir::Root& declared);
  /// The object of this name is not constructed yet, and is from the call of `complete` on.
  void begin(const ir::Root& declared) { incomplete_.insert(&declared); }
  void complete(const ir::Root& declared);

  /// Saves the shape of a variable where it is saved after each change.
  void save_shape(const ir::Root& root);
  /// Saves the shapes of what the innermost block declares.
  void save_shapes_at_end() { save_shapes_from(scopes_.back().first_shaped); }
  /// Saves the shapes of what is declared in the scopes that `jump` leaves.
  void save_shapes_left_by(const ir::Statement& jump);
  /// After what `changed` names may have got another size.
  void save_shape_of(const ir::Path& changed);
  /// The same after a change of the size of a vector. Where its shape is saved after each change,
  /// only what the change adds or drops is.
  void save_changed_shape(const ir::Statement& statement);
  /// The same after a call, for its arguments.
  void save_resized(const ir::Statement& call);
  /// Before `target` gets another size.
  void save_old_shape(const ir::Statement& statement, const std::string& target);
  /// In the reverse sweep: gives the adjoint of a vector the size again that it had before
  /// `statement`.
  void restore_size(const ir::Statement& statement, const std::string& target);

 private:
  void save_whole_shape(const ir::Root& shaped);
  [[nodiscard]] bool has_shape_at_end(const ir::Root& shaped) const;
  void save_shapes_from(std::size_t first);

  struct Scope {
    const ir::Block* block;
    std::size_t first_shaped;  ///< Number of the first object that is declared in it.
  };
  llvm::SmallVector<Scope> scopes_;
  std::vector<const ir::Root*> shaped_;  ///< In scope: objects with a shape when it ends.
  llvm::SmallPtrSet<const ir::Root*, 4> incomplete_;  ///< In raw storage, not yet constructed.
};

}  // namespace ddx::compiler
