/// \file
/// Pointers that take over each other's targets: `std::swap(now, next)`.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace ddx::compiler {

/// The pointers of one scope that are initialised there (or are its parameters) and from then on
/// only take over each other's targets, by statements of their own: moves. Few states are possible
/// then: which of the first targets each of them has.
class SwappedPointers {
 public:
  /// `scope`: the braces that declare them. `may_join`: whether a pointer variable can take part.
  ///
  /// Returns: nothing where there are none, where something else may change them, or where their
  /// states are many.
  static std::optional<SwappedPointers> find(
      const clang::CompoundStmt* scope, llvm::function_ref<bool(const clang::VarDecl*)> may_join);

  /// Those with a target of their own come first.
  const std::vector<const clang::VarDecl*>& variables() const { return variables_; }
  std::size_t target_count() const { return target_count_; }

  /// For each state the number of the target that each variable has. In the first state each has
  /// its own.
  const std::vector<std::vector<unsigned>>& states() const { return states_; }

  /// How many of the first statements of `rest` are moves.
  std::size_t leading_moves(llvm::ArrayRef<clang::Stmt*> rest) const;

  /// The state that `moves` lead to.
  unsigned after(unsigned state, llvm::ArrayRef<clang::Stmt*> moves) const;

  bool moves_in(const clang::Stmt* statement) const;
  bool names(const clang::Stmt* statement) const;

 private:
  /// `to = from`, or an exchange of the two.
  struct Move {
    const clang::VarDecl* to = nullptr;
    const clang::VarDecl* from = nullptr;
    bool swaps = false;
    bool declares = false;
  };

  static std::optional<Move> move(const clang::Stmt* statement);
  void collect_moves(const clang::Stmt* statement);
  bool keep_own_moves();
  bool is_declared_here(const clang::VarDecl* variable) const;
  bool number_variables(llvm::function_ref<bool(const clang::VarDecl*)> may_join);
  bool has_several_arrays() const;
  bool only_moves(const clang::Stmt* statement) const;
  bool only_read(const clang::Expr* expression) const;
  bool collect_states();
  void collect_runs(const clang::Stmt* statement,
                    std::vector<std::vector<clang::Stmt*>>& runs) const;
  std::vector<unsigned> moved(std::vector<unsigned> state,
                              llvm::ArrayRef<clang::Stmt*> moves) const;

  const clang::CompoundStmt* scope_ = nullptr;
  llvm::DenseMap<const clang::Stmt*, Move> moves_;
  std::vector<const clang::VarDecl*> variables_;
  llvm::DenseMap<const clang::VarDecl*, unsigned> numbers_;
  std::size_t target_count_ = 0;
  std::vector<std::vector<unsigned>> states_;
};

}  // namespace ddx::compiler
