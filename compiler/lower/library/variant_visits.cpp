// std::visit: a branch for each combination of alternatives.

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/function_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// What a call of a visitor with one combination of alternatives calls.
struct SumTypes::Visitor {
  const Expr* expression = nullptr;
  std::optional<Binding> closure;  ///< A lambda.
  std::optional<Path> object;      ///< An object of a class with call operators.
};

/// `std::visit(visitor, sums...)`: a branch for each combination of alternatives.
bool SumTypes::visit(const Expr* source, const Expr* visitor, llvm::ArrayRef<const Expr*> sums,
                     Value** value, std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  Visitor called;
  called.expression = below_temporary(visitor);
  const CXXRecordDecl* record = Types::record(called.expression->getType());
  if (!record || source->isGLValue()) {
    return false;
  }
  if (record->isLambda()) {
    called.closure = scalarized_objects_.closure(visitor);
    if (called.closure->kind != Binding::Kind::Closure) {
      return false;
    }
  } else if (!llvm::any_of(record->bases(), [](const CXXBaseSpecifier& base) {
               return Types::is_closure(base.getType());
             })) {
    called.object = called.expression->isGLValue()
                        ? places_.lvalue(called.expression)
                        : std::optional(places_.materialise(called.expression));
    if (!called.object) {
      return false;
    }
  }
  std::vector<Path> paths;
  for (const Expr* sum : sums) {
    const auto path = places_.lvalue(sum);
    if (!path || !Types::is_variant(path->type)) {
      return false;
    }
    paths.push_back(*path);
  }
  const QualType type = source->getType();
  std::optional<Path> result;
  if (!type->isVoidType()) {
    result.emplace();
    result->type = type.getUnqualifiedType();
    result->root = builder_.new_root(Root::Kind::Local, "visited", result->type, where);
    builder_.declare_local(result->root, where);
  }
  Block* const outer = builder_.block();
  const bool known = visit_alternatives(source, called, sums, paths, {}, result);
  builder_.enter(outer);
  *reference = result;
  *value = known ? nullptr : rejections_.unsupported(source, Diagnostic::UnsupportedVisitor);
  return true;
}

/// Branches over what the next of `paths` holds; with all alternatives known, makes the call.
bool SumTypes::visit_alternatives(const Expr* source, const Visitor& visitor,
                                  llvm::ArrayRef<const Expr*> sums, llvm::ArrayRef<Path> paths,
                                  llvm::SmallVector<Expr*> held,
                                  const std::optional<Path>& result) {
  const SourceLocation where = source->getExprLoc();
  if (held.size() == paths.size()) {
    return call_visitor(source, visitor, held, result);
  }
  const Path& path = paths[held.size()];
  const Expr* const sum = sums[held.size()];
  const unsigned count = static_cast<unsigned>(Types::parts(path.type).size());
  Block* const outer = builder_.block();
  bool known = true;
  for (unsigned i = 0; i < count && known; ++i) {
    const ir::Statement* branch = builder_.add_if(is_alternative(path, i, where), where);
    builder_.enter(branch->body);
    const Path part = tuples_.part_path(path, i);
    const bool moved = sum->isXValue();
    auto* named =
        new (context_.ast) OpaqueValueExpr(where, part.type, moved ? VK_XValue : VK_LValue);
    scope_.places[named] = context_.types.has_tangent(part.type)
                               ? object_at(part)
                               : places_.bind_alias(part, false, "held", where);
    auto with = held;
    with.push_back(named);
    known = visit_alternatives(source, visitor, sums, paths, with, result);
    builder_.enter(branch->otherwise);
  }
  ir::Statement* none = builder_.add(ir::Statement::Kind::Text, where);
  none->text = "ddx::detail::throw_no_alternative()";
  builder_.enter(outer);
  return known;
}

bool SumTypes::call_visitor(const Expr* source, const Visitor& visitor, llvm::ArrayRef<Expr*> held,
                            const std::optional<Path>& result) {
  const SourceLocation where = source->getExprLoc();
  llvm::SmallVector<Expr*> given(held.begin(), held.end());
  auto* object = new (context_.ast)
      OpaqueValueExpr(where, visitor.expression->getType().getNonReferenceType(), VK_LValue);
  if (visitor.object) {
    scope_.places[object] = object_at(*visitor.object);
  }
  const ExprResult resolved = context_.sema.BuildCallToObjectOfClassType(
      context_.sema.TUScope, object, where, given, where);
  const auto* call = resolved.isInvalid()
                         ? nullptr
                         : dyn_cast<CXXOperatorCallExpr>(resolved.get()->IgnoreImplicit());
  const auto* method = call ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
  if (!method) {
    return false;
  }
  std::optional<Binding> lambda = visitor.closure;
  if (!lambda && method->getParent()->isLambda()) {  // One of the lambdas that it is made of.
    const Expr* made = visitor.expression->IgnoreImplicit();
    if (const auto* cast = dyn_cast<CXXFunctionalCastExpr>(made)) {
      made = cast->getSubExpr()->IgnoreImplicit();
    }
    const auto* list = dyn_cast<InitListExpr>(made);
    const CXXRecordDecl* whole = Types::record(visitor.expression->getType());
    unsigned position = 0;
    for (const CXXBaseSpecifier& base : whole->bases()) {
      if (list && position < list->getNumInits() &&
          Types::record(base.getType()) == method->getParent()->getDefinition()) {
        lambda = scalarized_objects_.closure(list->getInit(position));
      }
      ++position;
    }
    if (!lambda || lambda->kind != Binding::Kind::Closure) {
      return false;
    }
  }
  const llvm::SmallVector<const Expr*> arguments(call->arg_begin() + 1, call->arg_end());
  std::optional<Path> made;
  Value* value = calls_.lower_call(method, source, lambda ? Receiver(*lambda) : Receiver(object),
                                   arguments, &made);
  if (made) {
    value = builder_.load(*made, where);
  }
  if (result && value) {
    builder_.store(
        *result,
        result->type->isScalarType() ? expressions_.convert(value, result->type, where) : value,
        where);
  }
  return !result || value;
}

}  // namespace ddx::compiler
