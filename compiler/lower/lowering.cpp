#include "compiler/lower/lowering.h"

#include "compiler/lower/all_parts.h"
#include "compiler/lower/library/moving_expressions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// `ddx::detail::primal`, through which every request goes.
bool is_primal(const FunctionDecl* function) {
  return function->getIdentifier() && function->getName() == "primal" &&
         function->getQualifiedNameAsString() == "ddx::detail::primal";
}

}  // namespace

void lower_function(const Context& context, Function& function) {
  AllParts all(context, function);
  const FunctionDecl* declaration = function.key.function;
  Level& level = function.levels.emplace_back();
  level.name = "r";
  function.level = &level;
  function.result = declaration->getReturnType();
  if (is_primal(declaration)) {
    function.result =
        function.result.getNonReferenceType().getUnqualifiedType();  // A gradient takes the value.
  }
  Block& body = function.blocks.emplace_back();
  body.level = &level;
  function.body = &body;
  all.parameters.lower_parameters();
  all.builder.enter(&body);
  for (const ParmVarDecl* parameter : declaration->parameters()) {
    const auto found = all.scope.bindings.find(parameter);
    if (found != all.scope.bindings.end() && found->second.kind == Binding::Kind::Pointer &&
        !parameter->getType()->isReferenceType() && may_change(parameter, declaration->getBody())) {
      found->second =
          all.iterators.make_iterator(found->second.path, parameter->getType(),
                                      parameter->getNameAsString(), parameter->getLocation());
    }
  }
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(declaration)) {
    all.constructors.lower_initialisers(constructor);
  }
  if (isa<CoroutineBodyStmt>(declaration->getBody())) {
    all.rejections.lose(declaration->getBody(), Diagnostic::UnsupportedCoroutine,
                        {declaration->getNameAsString()});
    return;
  }
  if (isa<CXXTryStmt>(declaration->getBody())) {
    all.rejections.lose(declaration->getBody(), Diagnostic::UnsupportedTry);
    return;
  }
  all.statements.nested(&body, declaration->getBody());
  all.effects.spread_writes();
  const auto& statements = body.statements;
  function.single_exit =
      function.return_sites == 0 ||
      (function.return_sites == 1 && statements.back()->kind == ir::Statement::Kind::Return);
}

}  // namespace ddx::compiler
