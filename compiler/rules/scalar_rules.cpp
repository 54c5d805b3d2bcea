#include "compiler/rules/scalar_rules.h"

#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <utility>

namespace ddx::compiler {

namespace {

/// Cuts the row's token text at the commas outside parentheses.
std::vector<std::string> split(llvm::StringRef text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) {
    part = llvm::StringRef(part).trim().str();
  }
  return parts;
}

const ScalarRule* find(const std::string& name, unsigned arity) {
  for (const ScalarRule& rule : scalar_rules()) {
    if (rule.name == name && rule.arity == arity) {
      return &rule;
    }
  }
  return nullptr;
}

/// `name` without the suffix by which the C library marks float and long double.
const ScalarRule* find_c_name(llvm::StringRef name, unsigned arity) {
  if (const ScalarRule* rule = find(name.str(), arity)) {
    return rule;
  }
  return name.ends_with("f") || name.ends_with("l") ? find(name.drop_back().str(), arity) : nullptr;
}

}  // namespace

const std::vector<ScalarRule>& scalar_rules() {
  static const std::vector<ScalarRule> rows = {
#define DDX_OPERATOR_RULE(name, arity, ...) {"operator " #name, arity, split(#__VA_ARGS__)},
#define DDX_SCALAR_RULE(name, arity, ...) {#name, arity, split(#__VA_ARGS__)},
#include "compiler/rules/scalar.def"
  };
  return rows;
}

bool ScalarRule::needs_operand(unsigned partial, unsigned operand) const {
  return partials[partial].find("$" + std::to_string(operand)) != std::string::npos;
}

const ScalarRule* find_scalar_rule(llvm::StringRef name, unsigned arity) {
  return find("operator " + name.str(), arity);
}

const ScalarRule* find_named_rule(llvm::StringRef name, unsigned arity) {
  return find(name.str(), arity);
}

const ScalarRule* find_scalar_rule(const clang::FunctionDecl* function) {
  if (!function->getIdentifier() || llvm::isa<clang::CXXMethodDecl>(function)) {
    return nullptr;
  }
  const llvm::StringRef name = function->getName();
  const unsigned arity = function->getNumParams();
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    const clang::QualType type = parameter->getType().getNonReferenceType();
    if (!type->isRealFloatingType() && !type->isIntegerType()) {
      return nullptr;
    }
  }
  if (function->isInStdNamespace()) {
    const ScalarRule* rule = find("std::" + name.str(), arity);
    return rule ? rule : find(name.str(), arity);
  }
  if (function->isTemplateInstantiation() && !function->getDeclContext()->isTranslationUnit()) {
    const std::string qualified = function->getQualifiedNameAsString();
    return llvm::StringRef(qualified).starts_with("ddx::detail::") ? find(qualified, arity)
                                                                   : nullptr;
  }
  llvm::StringRef builtin = name;
  if (builtin.consume_front("__builtin_")) {
    return find_c_name(builtin, arity);
  }
  if (function->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
      (function->isExternC() || function->getBuiltinID() != 0)) {
    return find_c_name(name, arity);
  }
  return nullptr;
}

llvm::StringRef joint_evaluation(const ScalarRule& rule) {
  return llvm::StringSwitch<llvm::StringRef>(rule.name)
      .Case("sin", "ddx::detail::sine_and_slope")
      .Case("cos", "ddx::detail::cosine_and_slope")
      .Default("");
}

bool is_sine(const ScalarRule& rule) {
  return rule.name == "sin";
}

const PowerRule* find_power_rule(const ScalarRule& rule) {
  static const std::vector<PowerRule> rows = {
#define DDX_POWER_RULE(name, arity, degree, power, ...) \
  {#name, arity, degree, #power, split(#__VA_ARGS__)},
#include "compiler/rules/powers.def"
  };
  for (const PowerRule& row : rows) {
    if (row.name == rule.name && row.arity == rule.arity) {
      return &row;
    }
  }
  return nullptr;
}

const ScalarRule* kept_rule(ScalarRule rule) {
  static std::map<std::pair<std::string, std::vector<std::string>>, ScalarRule> known;
  const std::pair key(rule.name, rule.partials);
  return &known.emplace(key, std::move(rule)).first->second;
}

Masking masking_of_cotangent(const ScalarRule& rule) {
  const bool arithmetic =
      &rule == conversion_rule() || llvm::StringRef(rule.name).starts_with("operator ");
  return arithmetic ? Masking::None : Masking::ByFactor;
}

Masking masking_of_tangent(const ScalarRule& rule, unsigned operand) {
  return llvm::StringSwitch<Masking>(rule.name)
      .Case("ddx::detail::singular_at_zero", Masking::None)
      .Cases("std::max", "std::min", "std::clamp", "fmax", "fmin", "fdim", Masking::BySlope)
      .Case("ddx::detail::scaled", operand == 1 ? Masking::BySlope : Masking::ByFactor)
      .Default(masking_of_cotangent(rule));
}

llvm::StringRef value_in_derivatives(const ScalarRule& rule) {
  return llvm::StringSwitch<llvm::StringRef>(rule.name)
      .Case("ddx::detail::slope_at_singularity", "ddx::detail::singular_slope")
      .Case("ddx::detail::tangent_of_root", "ddx::detail::singular_tangent")
      .Case("ddx::detail::ratio_or_zero", "ddx::detail::singular_ratio")
      .Default("");
}

bool is_singular_at_zero(const ScalarRule& rule) {
  return llvm::StringSwitch<bool>(rule.name)
      .Cases("sqrt", "cbrt", "hypot", "acos", "acosh", true)
      .Default(false);
}

bool is_identity(const ScalarRule& rule) {
  return rule.name == "ddx::detail::singular_at_zero";
}

const ScalarRule* conversion_rule() {
  static const ScalarRule rule{"conversion", 1, {"1"}, 0};
  return &rule;
}

}  // namespace ddx::compiler
