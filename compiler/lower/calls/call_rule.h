/// \file
/// Calls that are lowered by rules of their own.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/lower/calls/receiver.h"
#include "compiler/request/registry.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

#include <optional>

namespace ddx::compiler {

/// A call of a function that is known.
struct CallSite {
  const clang::FunctionDecl* callee = nullptr;
  const clang::CXXMethodDecl* method = nullptr;  ///< The callee, where it is a member.
  const clang::Expr* source = nullptr;           ///< The whole call.
  Receiver object;                               ///< Of a member function.
  llvm::ArrayRef<const clang::Expr*> arguments;  ///< Without the object.
  /// Gets the object or lvalue that the call results in.
  std::optional<ir::Path>* reference = nullptr;
  bool needs_place = false;    ///< Which object the result names must be known.
  bool of_scalarized = false;  ///< A member of a scalarized object.
  /// Whose derivative is used, if one is; known to the rules for other functions only.
  const RegisteredDerivative* registered = nullptr;

  [[nodiscard]] clang::SourceLocation where() const { return source->getExprLoc(); }
  [[nodiscard]] bool of_lambda() const { return of_scalarized && method->getParent()->isLambda(); }
};

/// A rule for calls of one kind. `Calls` has the list of rules; the first that knows a call
/// lowers it.
class CallRule {
 public:
  /// Lowers a call of this kind. Returns: its value, null where it has none; nothing for a call of
  /// another kind, of which nothing has been lowered then.
  virtual std::optional<ir::Value*> lower_by_rule(const CallSite& site) = 0;

 protected:
  ~CallRule() = default;
};

}  // namespace ddx::compiler
