#include "compiler/rules/slope_functions.h"

#include "compiler/rules/scalar_rules.h"

#include "llvm/ADT/StringSwitch.h"

#include <utility>

namespace ddx::compiler {

namespace {

constexpr std::pair<const char*, const char*> kinds[] = {
    {"float", "f32"}, {"double", "f64"}, {"long double", "f80"}};

/// The type of an operand of `rule`: an integer has a type of its own.
std::string operand_type(const ScalarRule& rule, unsigned operand, const std::string& real) {
  const bool scales = operand == 1;
  return llvm::StringSwitch<std::string>(rule.name)
      .Cases("ldexp", "scalbn", scales ? "int" : real)
      .Case("scalbln", scales ? "long" : real)
      .Default(real);
}

/// `partial` with the names of parameters in place of $0, $1, $2, $r, and `real` in place of $T.
std::string filled(const std::string& partial, const std::string& real) {
  std::string text;
  for (std::size_t i = 0; i < partial.size(); ++i) {
    if (partial[i] != '$') {
      text += partial[i];
      continue;
    }
    const char name = partial[++i];
    text += name == 'T' ? real : name == 'r' ? "r" : std::string("x") + name;
  }
  return text;
}

std::string slope_function(const ScalarRule& rule, unsigned partial, const std::string& real,
                           const std::string& kind) {
  std::string parameters;
  for (unsigned operand = 0; operand < rule.arity; ++operand) {
    parameters += operand_type(rule, operand, real) + " x" + std::to_string(operand) + ", ";
  }
  parameters += real + " r";
  const std::string number = std::to_string(rule.arity);
  const std::string operand = std::to_string(partial);
  const std::string name = "ddx_slope_" + rule.name + "_" + number + "_" + operand + "_" + kind;
  return "[[gnu::used]] static inline " + real + " " + name + "(" + parameters +
         ") noexcept __asm__(\"ddx.slope." + rule.name + "." + number + "." + operand + "." + kind +
         "\");\nstatic inline " + real + " " + name + "(" + parameters + ") noexcept { return " +
         filled(rule.partials[partial], real) + "; }\n";
}

}  // namespace

std::string slope_functions() {
  std::string text;
  for (const ScalarRule& rule : scalar_rules()) {
    const bool is_named_function = rule.name.find_first_of(" :") == std::string::npos;
    for (unsigned i = 0; is_named_function && i < rule.arity; ++i) {
      for (const auto& [real, kind] : kinds) {
        text += rule.is_zero(i) ? "" : slope_function(rule, i, real, kind);
      }
    }
  }
  return text;
}

}  // namespace ddx::compiler
