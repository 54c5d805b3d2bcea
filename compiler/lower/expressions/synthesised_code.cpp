// What synthesised text is written with, so that derivatives can be differentiated again: entries,
// zeros with a shape, objects built in raw storage.

#include "compiler/lower/expressions/synthesised_code.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True for what `ddx/ad/detail` declares.
bool is_runtime(const Decl* declaration) {
  const auto* space = dyn_cast<NamespaceDecl>(declaration->getDeclContext());
  const auto* outer = space ? dyn_cast<NamespaceDecl>(space->getDeclContext()) : nullptr;
  return space && outer && space->getName() == "detail" && outer->getName() == "ddx" &&
         outer->getDeclContext()->isTranslationUnit();
}

bool is_entry(const FunctionDecl* function) {
  return function->getName() == "value_with_gradient_entry" ||
         function->getName() == "value_with_rows_entry" ||
         function->getName() == "pullback_entry" ||
         function->getName() == "value_with_differential_entry";
}

}  // namespace

bool is_storage(QualType type) {
  const CXXRecordDecl* record = Types::record(type);
  return record && record->getIdentifier() && record->getName() == "Storage" && is_runtime(record);
}

void SynthesisedCode::declare_storage(const VarDecl* variable) {
  const auto* record = cast<ClassTemplateSpecializationDecl>(Types::record(variable->getType()));
  llvm::StringRef name = variable->getName();
  name.consume_back("_storage");
  Root* root =
      builder_.new_root(Root::Kind::Local, name.str(), record->getTemplateArgs().get(0).getAsType(),
                        variable->getLocation());
  ir::Statement* declaration = builder_.declare_local(root, root->where);
  declaration->in_storage = true;
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = root->type;
  scope_.bindings[variable] = bound;
}

bool SynthesisedCode::construct_in_place(const CXXNewExpr* allocation) {
  if (allocation->getNumPlacementArgs() != 1 || allocation->isArray() ||
      !allocation->getInitializer()) {
    return false;
  }
  const auto* address = dyn_cast<UnaryOperator>(allocation->getPlacementArg(0)->IgnoreParenCasts());
  if (!address || address->getOpcode() != UO_AddrOf ||
      !context_.ast.hasSameUnqualifiedType(address->getSubExpr()->getType(),
                                           allocation->getAllocatedType())) {
    return false;
  }
  const auto place = places_.lvalue(address->getSubExpr());
  if (place) {
    initialisers_.initialise(*place, allocation->getInitializer(), true);
  }
  return place.has_value();
}

const FunctionDecl* SynthesisedCode::part_of_entry(const FunctionDecl* callee,
                                                   llvm::ArrayRef<const Expr*> arguments) {
  if (!callee->getIdentifier() || !is_runtime(callee) || !is_entry(callee) ||
      !callee->getParamDecl(0)->getType().getNonReferenceType()->isFunctionPointerType()) {
    return callee;
  }
  llvm::StringRef name;
  if (callee->isDefined()) {
    name = context_.entry_parts.find_own(callee);
  } else if (const Binding target = callables_.callable(arguments[0]);
             target.kind == Binding::Kind::Function) {
    name = context_.entry_parts.find(callee, target.function);
  }
  if (!name.empty()) {
    for (const NamedDecl* found :
         context_.ast.getTranslationUnitDecl()->lookup(&context_.ast.Idents.get(name))) {
      if (const auto* part = dyn_cast<FunctionDecl>(found)) {
        return part;
      }
    }
  }
  return callee;
}

bool SynthesisedCode::runtime_call(const FunctionDecl* callee, const Expr* source,
                                   const Expr* object, llvm::ArrayRef<const Expr*> arguments,
                                   std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  if (object && is_storage(object->getType()) && callee->getIdentifier()) {
    const auto place = places_.lvalue(object);
    if (place && callee->getName() == "get") {
      *reference = place;
    } else if (place) {
      initialisers_.complete_object(place->root);
    }
    return place.has_value();
  }
  if (!callee->getIdentifier() || !is_runtime(callee)) {
    return false;
  }
  if (is_entry(callee) && !callee->isDefined()) {
    function_.is_deferred = true;
    return true;
  }
  if (sum_types_.runtime_sum_type_call(callee, source, arguments, reference)) {
    return true;
  }
  const llvm::StringRef name = callee->getName();
  const bool reserves = name == "reserve_like";
  if (name != "shape_like" && name != "set_zero" && name != "conform" && !reserves) {
    return false;
  }
  const auto tangent = places_.lvalue(arguments[0]);
  if (!tangent) {
    return false;
  }
  if (const auto text = reserves ? texts_.text_of(source) : std::nullopt) {
    const Effects found = effects_.of(source);
    ir::Statement* kept = builder_.add(ir::Statement::Kind::Text, where);
    kept->text = *text;
    kept->reads.assign(found.reads.begin(), found.reads.end());
    kept->harmless = true;
    kept->reserved = *tangent;
  }
  if (reserves) {
    return true;
  }
  const QualType type = tangent->type.getUnqualifiedType();
  if (name == "set_zero") {
    builder_.store(*tangent, builder_.literal(context_.names.type(type) + "{}", type, where),
                   where);
    return true;
  }
  const auto primal = places_.lvalue(arguments[1]);
  if (!primal || type->isArrayType()) {
    return false;
  }
  if (name == "shape_like") {
    Value* zeros =
        builder_.form("ddx::detail::zeros_shaped_like<" + context_.names.type(type) + ">($0)", type,
                      {builder_.load(*primal, where)}, where);
    builder_.store(*tangent, zeros, where);
    return true;
  }
  if (context_.types.is_flat_vector(type)) {
    const Binding alias = places_.bind_alias(*primal, false, "shape", where);
    Value* size = builder_.new_value(Value::Kind::Text, context_.ast.getSizeType(), where);
    size->text = hole(*alias.alias) + ".size()";
    size->reads = {alias.alias, primal->root};
    size->cheap = true;
    builder_.define(size);
    ir::Statement* shaped = builder_.add(ir::Statement::Kind::Vector, where);
    shaped->path = *tangent;
    shaped->action = ir::Statement::VectorAction::Resize;
    shaped->count = size;
    return true;
  }
  return !context_.types.is_shaped(type);
}

std::optional<bool> SynthesisedCode::compares_functions(const Expr* condition) {
  const auto* comparison = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!comparison || comparison->getOpcode() != BO_EQ) {
    return std::nullopt;
  }
  const auto* name = dyn_cast<DeclRefExpr>(comparison->getLHS()->IgnoreParenImpCasts());
  const auto* address = dyn_cast<UnaryOperator>(comparison->getRHS()->IgnoreParenImpCasts());
  const auto* function =
      address ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts()) : nullptr;
  const auto found = name && isa<VarDecl>(name->getDecl())
                         ? scope_.bindings.find(cast<VarDecl>(name->getDecl()))
                         : scope_.bindings.end();
  if (found == scope_.bindings.end() || found->second.kind != Binding::Kind::Function ||
      !function || !isa<FunctionDecl>(function->getDecl())) {
    return std::nullopt;
  }
  return found->second.function->getCanonicalDecl() == function->getDecl()->getCanonicalDecl();
}

std::optional<Binding> SynthesisedCode::capture_of(const Expr* expression) {
  const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParens());
  return member ? scalarized_objects_.member_binding(member) : std::nullopt;
}

std::optional<Value*> SynthesisedCode::lower_by_rule(const CallSite& site) {
  if (!runtime_call(site.callee, site.source, site.object.expression, site.arguments,
                    site.reference)) {
    return std::nullopt;
  }
  // Where an entry is waited for, this function is lowered again; what stands here is not used.
  return function_.is_deferred && !site.source->getType()->isVoidType()
             ? builder_.literal("", site.source->getType(), site.where())
             : nullptr;
}

}  // namespace ddx::compiler
