/// \file
/// Functions with several results.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <string>

namespace ddx::compiler {

/// Lowers functions that return one result and store others, such as std::frexp.
class MultiResultFunctions : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

 private:
  /// modf, frexp and remquo, which give one result by pointer: two operations, the first of which
  /// has no derivative.
  bool split_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                  llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value);
  ir::Value* named_operation(llvm::StringRef rule, std::string text, clang::QualType type,
                             llvm::ArrayRef<ir::Value*> operands, clang::SourceLocation where);
};

}  // namespace ddx::compiler
