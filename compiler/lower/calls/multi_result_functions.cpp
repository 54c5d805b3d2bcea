#include "compiler/lower/calls/multi_result_functions.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/rejections.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

bool MultiResultFunctions::split_call(const FunctionDecl* callee, const Expr* source,
                                      llvm::ArrayRef<const Expr*> arguments, Value** value) {
  if (!callee->getIdentifier() || arguments.size() < 2 ||
      !(callee->isInStdNamespace() || callee->isExternC() || callee->getBuiltinID() != 0)) {
    return false;
  }
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  const auto is_called = [&](llvm::StringRef stem) {
    return name == stem || name == (stem + "f").str() || name == (stem + "l").str();
  };
  const bool has_fraction = is_called("modf");
  const bool has_exponent = is_called("frexp");
  const bool has_quotient = is_called("remquo");
  if (!has_fraction && !has_exponent && !has_quotient) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  llvm::SmallVector<Value*, 2> operands;
  for (const Expr* argument : arguments.drop_back()) {
    operands.push_back(
        expressions_.convert(expressions_.rvalue(argument), source->getType(), where));
  }
  const auto target = places_.pointer(arguments.back());
  if (!target || llvm::is_contained(operands, nullptr)) {
    *value = rejections_.unsupported(source, Diagnostic::UnsupportedArgument);
    return true;
  }
  const QualType other = target->type.getUnqualifiedType();
  if (has_fraction) {
    builder_.store(*target, named_operation("trunc", "std::trunc($0)", other, operands, where),
                   where);
    *value =
        named_operation("", "ddx::detail::fractional_part($0)", source->getType(), operands, where);
  } else if (has_exponent) {
    Value* exponent = builder_.form("ddx::detail::binary_exponent($0)", other, operands, where);
    builder_.store(*target, exponent, where);
    operands.push_back(builder_.form("-$0", other, {exponent}, where));
    *value = named_operation("ldexp", "std::ldexp($0, $1)", source->getType(), operands, where);
  } else {
    builder_.store(
        *target, builder_.form("ddx::detail::low_quotient($0, $1)", other, operands, where), where);
    *value =
        named_operation("remainder", "std::remainder($0, $1)", source->getType(), operands, where);
  }
  return true;
}

/// An operation spelled `text`, with the derivative of the function `rule`; without name, that of
/// the identity.
Value* MultiResultFunctions::named_operation(llvm::StringRef rule, std::string text, QualType type,
                                             llvm::ArrayRef<Value*> operands,
                                             SourceLocation where) {
  Value* value = builder_.new_value(Value::Kind::Operation, type, where);
  value->text = std::move(text);
  value->rule = rule.empty() ? conversion_rule()
                             : find_named_rule(rule, static_cast<unsigned>(operands.size()));
  value->operands.assign(operands.begin(), operands.end());
  builder_.define(value);
  return value;
}

std::optional<Value*> MultiResultFunctions::lower_by_rule(const CallSite& site) {
  Value* value = nullptr;
  return split_call(site.callee, site.source, site.arguments, &value) ? std::optional(value)
                                                                      : std::nullopt;
}

}  // namespace ddx::compiler
