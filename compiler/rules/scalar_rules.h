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
  /// How many operands the value is computed from, the first ones: those behind are only
  /// differentiated by. All, where 0.
  unsigned printed = 0;

  bool needs_operand(unsigned partial, unsigned operand) const;
  bool needs_result(unsigned partial) const {
    return partials[partial].find("$r") != std::string::npos;
  }
  bool is_zero(unsigned partial) const { return partials[partial] == "0"; }
};

/// All rows, in the order of scalar.def.
const std::vector<ScalarRule>& scalar_rules();

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

/// One row of powers.def: the partials of r^k.
struct PowerRule {
  std::string name;
  unsigned arity;
  unsigned degree;    ///< The least k.
  std::string power;  ///< r^degree.
  std::vector<std::string> partials;
};

/// The row of powers.def for the function of `rule`, or null.
const PowerRule* find_power_rule(const ScalarRule& rule);

/// One object for all rules equal to `rule`, which lives as long as the process.
const ScalarRule* kept_rule(ScalarRule rule);

/// Which 0 makes a slope times a cotangent, or a tangent, 0 whatever the other factor is: 0 times
/// infinity or NaN must not spread where it means nothing.
enum class Masking {
  None,      ///< Of arithmetic, for speed; and where a NaN is meant.
  ByFactor,  ///< That of what nothing used, and of a constant.
  BySlope,   ///< That of an argument which is not selected.
};

/// How a partial of `rule` is multiplied by the tangent of an operand, or by a cotangent.
Masking masking_of_tangent(const ScalarRule& rule, unsigned operand);
Masking masking_of_cotangent(const ScalarRule& rule);

/// True for functions whose slope is infinite where their result is 0, and may be elsewhere.
bool is_singular_at_zero(const ScalarRule& rule);

/// True for the function that returns its operand, and of which only the slope says where it is.
bool is_identity(const ScalarRule& rule);

/// The function that derivatives of derivatives compute in place of that of `rule`; empty for
/// others.
llvm::StringRef value_in_derivatives(const ScalarRule& rule);

/// The rule of a conversion between real types: the cotangent passes through.
const ScalarRule* conversion_rule();

}  // namespace ddx::compiler
