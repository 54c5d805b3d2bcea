/// \file
/// Library calls on inactive objects.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/part.h"

#include <string>

namespace ddx::compiler {

/// Carries library calls on inactive objects over as text.
class InactiveCalls : Part, public CallRule {
 public:
  using Part::Part;

  /// A call that no real goes into, and whose result may stay text.
  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// Output of active values: the text is carried over, so that it is written once, by the forward
  /// sweep. A stream in memory, or an array, counts as touched by what is written to it.
  bool write_output(const clang::Expr* expression);
  /// A call of the library on a member without reals of an object with some, a string of messages
  /// say: text, that changes nothing which has a tangent. `value` is what it returns, if anything.
  bool inactive_member_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                            const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                            ir::Value** value);
  /// A call of the library that changes an object without reals, by what it learns from numbers
  /// (bits, texts): text. `value` is what it returns, if anything. The object counts as made of the
  /// numbers.
  bool inactive_library_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                             const clang::Expr* object,
                             llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value);

 private:
  bool is_given_constants(const CallSite& site);
  bool are_text(llvm::ArrayRef<const clang::Expr*> expressions);
  ir::Value* carry_over(const clang::Expr* source, const Effects& found, const std::string& text,
                        bool is_kept);
};

}  // namespace ddx::compiler
