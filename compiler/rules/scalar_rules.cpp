#include "compiler/rules/scalar_rules.h"

#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSwitch.h"

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

const std::vector<ScalarRule>& table() {
  static const std::vector<ScalarRule> rows = {
#define DDX_OPERATOR_RULE(name, arity, ...) {"operator " #name, arity, split(#__VA_ARGS__)},
#define DDX_SCALAR_RULE(name, arity, ...) {#name, arity, split(#__VA_ARGS__)},
#include "compiler/rules/scalar.def"
  };
  return rows;
}

const ScalarRule* find(const std::string& name, unsigned arity) {
  for (const ScalarRule& rule : table()) {
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

const ScalarRule* conversion_rule() {
  static const ScalarRule rule{"conversion", 1, {"1"}};
  return &rule;
}

}  // namespace ddx::compiler
