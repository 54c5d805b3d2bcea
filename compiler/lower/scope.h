/// \file
/// What names denote at the point being lowered.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/support/context.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// True for a conversion that names the same object, or a base class of it or one derived from it.
bool names_same_object(const clang::CastExpr& cast);

/// What names and expressions denote at the point being lowered, and what lies around that point.
/// The parts that enter and leave bodies, loops and calls set its fields and restore them.
struct Scope {
  explicit Scope(const Context& context) : context_(context) {}

  /// What a variable or a structured binding denotes.
  std::optional<Binding> bound_to(const clang::ValueDecl* name) const;
  /// Lets `name` denote `binding`, or nothing.
  void bind_name(const clang::ValueDecl* name, const std::optional<Binding>& binding);
  /// True where `object`, or what it is a base class of, is a scalarized object.
  bool is_in_scalarized(const clang::Expr* object);
  /// What `field` of the object denotes; null where the object has no such member.
  Binding* member_of(ScalarizedObject& scalarized, const clang::FieldDecl* field);
  /// The scalarized object that `expression` names, where nothing has to be evaluated for that.
  std::shared_ptr<ScalarizedObject> known_scalarized(const clang::Expr* expression);
  /// What a member of such an object denotes, or null.
  const Binding* known_member(const clang::MemberExpr* member);
  /// The variable or member that `expression` names, if it has a place of its own.
  const Binding* named_iterator(const clang::Expr* expression);

  // Names.
  llvm::DenseMap<const clang::VarDecl*, Binding> bindings;
  llvm::DenseMap<const clang::BindingDecl*, Binding> structured;  ///< Text needs their alias.
  llvm::DenseSet<const clang::VarDecl*> fixed_elements;  ///< References that a copy replaces.

  // Expressions.
  /// Arguments that are functions: what they denote in the call being lowered.
  llvm::DenseMap<const clang::Expr*, Binding> meant;
  /// Expressions made here that denote a place.
  llvm::DenseMap<const clang::Expr*, Binding> places;
  /// Expressions whose text is the name of what they made.
  llvm::DenseMap<const clang::Expr*, std::string> replaced;

  // The object of the member function.
  std::optional<ir::Path> self;
  ir::Root* self_alias = nullptr;
  std::shared_ptr<ScalarizedObject> self_scalarized;  ///< Where it is scalarized.

  // The call at hand.
  const clang::Expr* discarded = nullptr;  ///< A call whose result nothing reads.
  bool needs_place = false;  ///< Text is no answer for the next call: which object it names is.

  // The body lowered in place.
  unsigned inline_depth = 0;
  const ir::InlineSite* inline_site = nullptr;
  Binding* inline_result = nullptr;
  ir::Value* inline_value = nullptr;  ///< The number that it returns.

  // What `break` and `continue` leave.
  std::vector<ir::Statement*> breakables;
  std::vector<ir::Statement*> continuables;

 private:
  const Context& context_;
};

}  // namespace ddx::compiler
