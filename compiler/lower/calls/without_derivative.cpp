#include "compiler/lower/calls/without_derivative.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/rejections.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

std::optional<Value*> WithoutDerivative::lower_by_rule(const CallSite& site) {
  if (!site.callee->getIdentifier() || site.callee->getName() != "without_derivative" ||
      site.callee->getQualifiedNameAsString() != "ddx::without_derivative") {
    return std::nullopt;
  }
  function_.cuts = true;
  const Expr* argument = site.arguments[0];
  const QualType type = site.source->getType();
  if (argument->getType()->isScalarType()) {
    return builder_.form("$0", type, {expressions_.argument_value(argument, site.where())},
                         site.where());
  }
  const auto path = places_.lvalue(argument);
  return path ? builder_.form("$0", type, {builder_.load(*path, site.where())}, site.where())
              : rejections_.unsupported(site.source, Diagnostic::UnsupportedArgument);
}

}  // namespace ddx::compiler
