/// \file
/// The table of scalar derivative rules, as the lowering and the emission read it.

#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// One row of scalar.def. A partial is text over $0 $1 $2 (operands), $r (result), $T (type).
struct ScalarRule {
  std::string name;
  unsigned arity;
  std::vector<std::string> partials;

  bool needs_operand(unsigned partial, unsigned operand) const;
  bool needs_result(unsigned partial) const {
    return partials[partial].find("$r") != std::string::npos;
  }
  bool is_zero(unsigned partial) const { return partials[partial] == "0"; }
};

/// The rule of an operator ("add", "mul", …) or function name; null when there is none.
const ScalarRule* find_scalar_rule(llvm::StringRef name, unsigned arity);

/// The row of the function `name`, or null.
const ScalarRule* find_named_rule(llvm::StringRef name, unsigned arity);

/// The rule for a call of `function`: by its qualified name, or as a builtin. Null when there is
/// none.
const ScalarRule* find_scalar_rule(const clang::FunctionDecl* function);

/// The function of the run time that evaluates the row together with its slope, into a second
/// argument; empty where the slope alone costs less than the result does.
llvm::StringRef joint_evaluation(const ScalarRule& rule);

/// True for the sine, false for the cosine, of the rows that have a joint evaluation.
bool is_sine(const ScalarRule& rule);

/// The rule of a conversion between real types: the cotangent passes through.
const ScalarRule* conversion_rule();

}  // namespace ddx::compiler
