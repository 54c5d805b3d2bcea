/// \file
/// Objects represented by their members.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/part.h"

#include <memory>
#include <optional>
#include <string>

namespace ddx::compiler {

/// Lowers lambdas and other objects that are represented by their members.
class ScalarizedObjects : Part {
 public:
  using Part::Part;

  /// What a lambda, or another scalarized object, denotes: `Binding::Kind::None` where that is
  /// unknown.
  Binding closure(const clang::Expr* expression);
  /// A copy of `from`: new variables for what it holds by value.
  Binding copy_closure(const Binding& from, const std::string& name);
  /// A copy of `of` with variables of its own for all that it refers to, as its copies have.
  /// Pointers stay.
  Binding copy_referents(Binding of);
  /// What a member denotes whose object is scalarized; nothing for members of other objects.
  std::optional<Binding> member_binding(const clang::MemberExpr* member);
  /// The object that `expression` names or makes: scalarized, or, where it lies in a container,
  /// say, by its path.
  Binding scalarized(const clang::Expr* expression);
  /// An object that exists, by its members; what its references mean is not known.
  Binding scalarized_at(const ir::Path& object);
  /// A local object or reference. False for one that is no scalarized object, but lies in a
  /// container, say.
  bool declare_scalarized(const clang::VarDecl* variable);
  /// Assigns member by member. False where a member keeps a reference, which cannot be bound again.
  bool assign_scalarized(const Binding& target, const Binding& source, clang::SourceLocation where);

 private:
  Binding make_closure(const clang::LambdaExpr* lambda, const std::string& name);
  Binding make_member(clang::QualType type, const clang::Expr* initialiser, const std::string& name,
                      bool moves);
  Binding converted(Binding whole, const clang::CastExpr& cast);
  Binding scalarized_of_list(const clang::InitListExpr* list);
  Binding returned(const clang::CallExpr* call);
  Binding constructed(const clang::CXXConstructExpr* construction);
  Binding construct_scalarized(const clang::CXXConstructExpr* construction);
  bool construct_members(const std::shared_ptr<ScalarizedObject>& scalarized,
                         const clang::CXXConstructExpr* construction, const std::string& name);
  bool initialise_members(const std::shared_ptr<ScalarizedObject>& scalarized,
                          const clang::CXXRecordDecl* record, const clang::InitListExpr* list,
                          const std::string& name);
};

}  // namespace ddx::compiler
