/// \file
/// Effects of expressions that are carried over as text.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Finds what expressions that are carried over as text read and write, without lowering them.
class EffectFinder : Part {
 public:
  using Part::Part;

  /// True when the value of `statement` may depend on some real variable.
  bool mentions_real(const clang::Stmt* statement);
  /// What `statement`, carried over as text, reads, writes and calls.
  void note(ir::Statement* statement, const Effects& effects);
  /// The effects of `expression`.
  Effects of(const clang::Stmt* expression);
  /// Something may reach `object` from now on without naming it.
  void expose(const clang::Expr* object);
  /// What writes by address may write all whose address is passed on anywhere: a loop may come
  /// there first.
  void spread_writes();
  /// Adds the effects of `statement` to `into`; `mutates` where what it names is written.
  void collect(const clang::Stmt* statement, bool mutates, Effects& into);

 private:
  void note_changed(const clang::Expr* place, Effects& into);
  void note_root(const clang::VarDecl* variable, bool mutates, Effects& into);
  void note_binding(const Binding& binding, clang::QualType type, bool mutates, Effects& into);
};

}  // namespace ddx::compiler
