/// \file
/// Lvalues and pointers as access paths.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/calls/receiver.h"
#include "compiler/lower/part.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// True for a cast by which a const object may be written.
bool removes_const(const clang::CastExpr& cast);

/// Lowers lvalues and pointers to access paths.
class Places : Part {
 public:
  using Part::Part;

  /// The path of the object that an lvalue names, or nothing.
  std::optional<ir::Path> lvalue(const clang::Expr* expression);
  /// The object that `expression` names, also where it is a call whose text would do for its value.
  std::optional<ir::Path> place(const clang::Expr* expression);
  /// The path of the element that a pointer or iterator points to, or nothing.
  std::optional<ir::Path> pointer(const clang::Expr* expression);
  /// The path of a variable that denotes an object. A global one gets its root here.
  std::optional<ir::Path> variable_path(const clang::VarDecl* variable,
                                        clang::SourceLocation where);
  /// The object of class `record` whose base class `base` names, where the path came through it.
  std::optional<ir::Path> derived_path(std::optional<ir::Path> base,
                                       const clang::CXXRecordDecl* record);
  /// The path of a temporary with the value of `expression`.
  ir::Path materialise(const clang::Expr* expression);
  /// Each base class on the way of the conversion is a step of its own, as in the tangents.
  ir::Path base_path(ir::Path base, const clang::CastExpr& to_base);
  /// True for a conversion to a base class that the tangent of the class leaves out.
  bool hides_base(const clang::CastExpr& to_base);
  /// The path of the base class `record` of the object at `base`.
  ir::Path base_path(ir::Path base, const clang::CXXRecordDecl* record);
  /// Declares the reference or pointer by which text names `path`.
  Binding bind_alias(ir::Path path, bool is_pointer, const std::string& name,
                     clang::SourceLocation where);
  /// The path of what a member function is called on.
  std::optional<ir::Path> object_path(const Receiver& object);

 private:
  std::optional<ir::Path> member_path(const clang::MemberExpr* member);
};

}  // namespace ddx::compiler
