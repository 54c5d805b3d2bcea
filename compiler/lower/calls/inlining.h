/// \file
/// Bodies lowered where they are called.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/calls/receiver.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/part.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>

namespace ddx::compiler {

/// Who a body that is lowered in place belongs to.
struct InlinedSelf {
  std::optional<ir::Path> path;
  ir::Root* alias = nullptr;
  std::shared_ptr<ScalarizedObject> scalarized;
};

/// Lowers bodies of functions where they are called.
class Inlining : Part {
 public:
  using Part::Part;

  /// True for a call that is lowered in place because of the scalarized objects that it is handed:
  /// it may bind their pointers again, knows them by a base class, or is a mere accessor.
  bool is_inlined(const clang::FunctionDecl* callee, const Receiver& object,
                  llvm::ArrayRef<const clang::Expr*> arguments);
  /// Binds the parameters of a body that is lowered in place to what the call hands over.
  bool bind_parameters(const clang::FunctionDecl* callee, const clang::Expr* source,
                       llvm::ArrayRef<const clang::Expr*> arguments);
  /// True where the body of `callee` can be lowered in place: one exit, and no recursion.
  bool may_inline(const clang::FunctionDecl* callee) const;
  /// Lowers `first` and the body of `callee`, whose parameters are bound, where the call stands.
  void lower_in_place(const clang::FunctionDecl* callee, const clang::Expr* source,
                      const InlinedSelf& self, llvm::function_ref<void()> first, Binding* result);
  /// The same for a function whose result is known by a path or by its members.
  Binding inline_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                      const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments);
  /// True for a call that changes a part of an object with reals: as text it would write the
  /// whole object, its body says which part.
  bool writes_a_part(const clang::FunctionDecl* callee, const Effects& found);
  /// A call whose body is lowered in its place.
  ir::Value* call_in_place(const clang::FunctionDecl* body, const clang::Expr* source,
                           const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                           std::optional<ir::Path>* reference);
  /// `if (this == &other) { return *this; }` and the like: what follows it is the other branch,
  /// where that ends with the same.
  bool is_guard(const clang::Stmt* statement) const;

 private:
  bool find_self(const clang::CXXMethodDecl* method, const clang::Expr* source,
                 const Receiver& object, InlinedSelf* self);
  bool has_single_exit(const clang::Stmt* body) const;
  bool inline_body(const clang::FunctionDecl* callee, const clang::Expr* source,
                   const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                   Binding* result, ir::Value** value);
};

}  // namespace ddx::compiler
