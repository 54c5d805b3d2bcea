/// \file
/// Iterators and pointers that move.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// Lowers iterators and pointers that move: each is a sequence and an integer position.
class Iterators : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// The object whose elements `elements` goes through.
  ir::Path sequence_of(const ir::Path& elements);
  /// The place of what `target` names within its sequence, as one signed integer.
  ir::Value* position_of(const ir::Path& target, clang::SourceLocation where);
  /// True when both names elements of one object, however the program runs.
  bool same_sequence(const ir::Path& a, const ir::Path& b);
  /// Makes `position` the place of an iterator in the sequence of `target`.
  Binding iterator_at(ir::Path target, ir::Root* position, clang::QualType type,
                      const std::string& name, clang::SourceLocation where);
  /// A variable of a pointer or iterator type that starts at `target`.
  Binding make_iterator(ir::Path target, clang::QualType type, const std::string& name,
                        clang::SourceLocation where);
  /// A parameter, capture or variable of pointer or iterator type that `source` initialises. It
  /// gets a place of its own where it may move; a reference to a variable is that variable.
  std::optional<Binding> bind_iterator(const clang::VarDecl* variable, const clang::Expr* source,
                                       clang::SourceLocation where);
  /// A copy that later moves of the original leave where it is.
  Binding copy_iterator(const Binding& from, clang::QualType type, const std::string& name,
                        clang::SourceLocation where);
  /// Where a variable of pointer or iterator type stands now.
  ir::Path iterator_path(const Binding& binding, clang::SourceLocation where);
  /// A moving pointer or iterator as text: its sequence and its position.
  std::string spell_iterator(const Binding& binding);
  /// The variable that `expression` moves or names, after its moves.
  const Binding* moving_iterator(const clang::Expr* expression);
  /// `++i`, `i--`, `i += n`, `i = j` for an iterator `i`. Returns where it stood before.
  std::optional<ir::Path> move_iterator(const clang::Expr* expression);
  /// True for an iterator that is an object of a class.
  bool is_iterator(clang::QualType type);
  /// `auto i = v.begin()`. Returns false where the sequence is not known.
  bool declare_iterator(const clang::VarDecl* variable);
  /// The difference or the order of two iterators in one sequence.
  ir::Value* compared(clang::BinaryOperatorKind opcode, const clang::Expr* source,
                      const clang::Expr* left, const clang::Expr* right);
  /// `begin()`, `end()` and similar of the sequence that `path` names.
  std::optional<ir::Path> sequence_end(std::optional<ir::Path> path, llvm::StringRef name,
                                       clang::QualType type, clang::SourceLocation where);

 private:
  /// Calls of iterators' members and of the functions that make or move iterators. Returns false
  /// for any other call.
  bool iterator_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                     const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                     ir::Value** value, std::optional<ir::Path>* reference);
  ir::Value* negated(ir::Value* value, clang::SourceLocation where);
  std::optional<ir::Path> advanced(std::optional<ir::Path> iterator, clang::QualType type,
                                   ir::Value* distance, bool backwards,
                                   clang::SourceLocation where);
  std::optional<ir::Path> dereferenced(std::optional<ir::Path> iterator, clang::QualType type,
                                       clang::SourceLocation where);
};

}  // namespace ddx::compiler
