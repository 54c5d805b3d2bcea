/// \file
/// Constructs of the text of derivatives.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

bool is_storage(clang::QualType type);

/// Lowers constructs that only the text of derivatives has.
class SynthesisedCode : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// `Storage<T> x_storage;`: an object that is built member by member.
  void declare_storage(const clang::VarDecl* variable);
  /// `::new (static_cast<void*>(&place)) T(value)`, where `place` has a name and is a `T`: its
  /// construction. What the place held before is forgotten.
  bool construct_in_place(const clang::CXXNewExpr* allocation);
  /// `callee`; of an entry for pointers, what this unit knows of it: where it must wait, and the
  /// function is known that it is called for, what has been written of it for that.
  const clang::FunctionDecl* part_of_entry(const clang::FunctionDecl* callee,
                                           llvm::ArrayRef<const clang::Expr*> arguments);
  /// `f == &function` where it is known which function `f` is, as in entries: whether it is that
  /// one.
  std::optional<bool> compares_functions(const clang::Expr* condition);
  /// What `f.cap_x` denotes, where `f` is a closure that is known by its captures, and what a
  /// member of a scalarized object does.
  std::optional<Binding> capture_of(const clang::Expr* expression);

 private:
  /// A call of what `ddx/ad/detail` declares and the compiler knows. Returns: whether it is one.
  bool runtime_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                    std::optional<ir::Path>* reference);
};

}  // namespace ddx::compiler
