#include "compiler/lower/library/tuples.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Path Tuples::part_path(Path whole, unsigned position) {
  const CXXRecordDecl* record = Types::record(whole.type);
  const QualType type = context_.types.parts(whole.type)[position];
  if (record->getName() == "pair") {
    for (const FieldDecl* field : record->fields()) {
      if (field->getName() == (position == 0 ? "first" : "second")) {
        return field_path(whole, field);
      }
    }
  }
  Step step;
  step.part = static_cast<int>(position);
  step.of_sum_type = Types::container(whole.type) == Container::SumType;
  whole.type = whole.type.isConstQualified() ? type.withConst() : type;
  whole.steps.push_back(step);
  return whole;
}

std::optional<unsigned> Tuples::part_named(const FunctionDecl* get, QualType whole) {
  const TemplateArgumentList* written = get->getTemplateSpecializationArgs();
  if (!written || written->size() == 0) {
    return std::nullopt;
  }
  const TemplateArgument& chosen = written->get(0);
  const std::vector<QualType> parts = context_.types.parts(whole);
  if (chosen.getKind() == TemplateArgument::Integral) {
    return static_cast<unsigned>(chosen.getAsIntegral().getZExtValue());
  }
  for (unsigned i = 0; chosen.getKind() == TemplateArgument::Type && i < parts.size(); ++i) {
    if (context_.ast.hasSameType(parts[i], chosen.getAsType())) {
      return i;
    }
  }
  return std::nullopt;
}

bool Tuples::initialise_parts(const Path& whole, llvm::ArrayRef<const Expr*> values, bool raw) {
  const std::vector<QualType> parts = context_.types.parts(whole.type);
  if (values.size() != parts.size()) {
    return false;
  }
  for (unsigned i = 0; i < parts.size(); ++i) {
    Path part = part_path(whole, i);
    part.type = part.type.getUnqualifiedType();
    initialisers_.initialise(part, values[i], raw);
  }
  return true;
}

bool Tuples::make_parts(const FunctionDecl* callee, const Expr* source,
                        llvm::ArrayRef<const Expr*> arguments, std::optional<Path>* reference) {
  const bool makes = callee->isInStdNamespace() && callee->getIdentifier() &&
                     (callee->getName() == "make_pair" || callee->getName() == "make_tuple");
  if (!makes || Types::container(source->getType()) != Container::StdPair ||
      !context_.types.has_tangent(source->getType())) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  Path whole;
  whole.root = builder_.new_root(Root::Kind::Local, "parts", source->getType(), where);
  whole.type = whole.root->type;
  ir::Statement* declaration = builder_.declare_local(whole.root, where);
  const bool raw = context_.copies.needs_storage(whole.type);
  declaration->in_storage = raw;
  declaration->text = "{}";
  *reference = whole;
  const bool made = initialise_parts(whole, arguments, raw);
  if (raw) {
    initialisers_.complete_object(whole.root);
  }
  return made;
}

/// `expression`, where it is a call of the function `name` of namespace std; else null.
static const CallExpr* std_call(const Expr* expression, llvm::StringRef name) {
  const auto* call = dyn_cast<CallExpr>(expression->IgnoreImplicit());
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isInStdNamespace() && callee->getIdentifier() &&
                 callee->getName() == name
             ? call
             : nullptr;
}

bool Tuples::assign_tied(const Expr* target, const Expr* value) {
  const CallExpr* tied = std_call(target, "tie");
  if (!tied || Types::container(value->getType()) != Container::StdPair) {
    return false;
  }
  const SourceLocation where = target->getExprLoc();
  const Path whole = places_.materialise(value->IgnoreParens());
  const auto parts = context_.types.parts(whole.type);
  for (unsigned i = 0; i < parts.size() && i < tied->getNumArgs(); ++i) {
    const Expr* variable = tied->getArg(i);
    const CXXRecordDecl* record = Types::record(variable->getType());
    if (record && in_library(record) && record->getName() == "_Swallow_assign") {
      continue;  // std::ignore.
    }
    if (const auto path = places_.lvalue(variable)) {
      Value* part = builder_.load(part_path(whole, i), where);
      const bool scalar = path->type->isScalarType();
      builder_.store(
          *path, scalar ? expressions_.convert(part, path->type.getUnqualifiedType(), where) : part,
          where);
    } else {
      rejections_.unsupported(variable, Diagnostic::UnsupportedAssignment);
    }
  }
  return true;
}

/// The elements of a pair, a tuple or a std::array, each an lvalue; none where they cannot be
/// named.
std::optional<llvm::SmallVector<const Expr*>> Tuples::elements(const Expr* tuple) {
  llvm::SmallVector<const Expr*> result;
  const CallExpr* references = std_call(tuple, "tie");
  references = references ? references : std_call(tuple, "forward_as_tuple");
  if (references) {
    result.append(references->arg_begin(), references->arg_end());
    return result;
  }
  const SourceLocation where = tuple->getExprLoc();
  const bool is_array = Types::container(tuple->getType()) == Container::StdArray;
  const bool is_tuple = Types::container(tuple->getType()) == Container::StdPair;
  const auto whole = is_array || is_tuple ? places_.lvalue(tuple) : std::nullopt;
  if (!whole) {
    return std::nullopt;
  }
  const std::size_t count =
      is_array ? context_.types.array_size(whole->type) : context_.types.parts(whole->type).size();
  for (unsigned i = 0; i < count; ++i) {
    const auto part_in_array = [&] {
      Value* place = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
      return *element_path(whole, place, context_.types.element(whole->type));
    };
    const Path part = is_array ? part_in_array() : part_path(*whole, i);
    auto* named = new (context_.ast) OpaqueValueExpr(where, part.type, VK_LValue);
    scope_.places[named] = object_at(part);
    result.push_back(named);
  }
  return result;
}

bool Tuples::apply(const FunctionDecl* callee, const Expr* source,
                   llvm::ArrayRef<const Expr*> arguments, Value** value,
                   std::optional<Path>* reference) {
  if (!callee->isInStdNamespace() || !callee->getIdentifier() || callee->getName() != "apply" ||
      arguments.size() != 2) {
    return false;
  }
  const CXXMethodDecl* const method = operator_called_by(callee, arguments[0]);
  const Binding target = method ? Binding() : callables_.callable(arguments[0]);
  if (!method && target.kind == Binding::Kind::None) {
    return false;
  }
  auto handed = elements(arguments[1]);
  if (!handed) {
    return false;
  }
  for (unsigned i = static_cast<unsigned>(handed->size()); method && i < method->getNumParams();
       ++i) {
    auto* taken = const_cast<ParmVarDecl*>(method->getParamDecl(i));
    if (!taken->hasDefaultArg() || taken->hasUninstantiatedDefaultArg()) {
      return false;
    }
    handed->push_back(CXXDefaultArgExpr::Create(context_.ast, source->getExprLoc(), taken, nullptr,
                                                const_cast<CXXRecordDecl*>(method->getParent())));
  }
  *value = method ? calls_.lower_call(method, source, arguments[0], *handed, reference)
                  : callables_.call_target(target, source, *handed, reference);
  return true;
}

Value* Tuples::get(const CallSite& site) {
  const auto path = places_.lvalue(site.arguments[0]);
  const Container kind = path ? Types::container(path->type) : Container::None;
  const auto* written = site.callee->getTemplateSpecializationArgs();
  if (kind == Container::StdArray && written &&
      written->get(0).getKind() == TemplateArgument::Integral) {
    const auto position = written->get(0).getAsIntegral().getZExtValue();
    Value* index =
        builder_.literal(std::to_string(position), context_.ast.getSizeType(), site.where());
    *site.reference = element_path(path, index, context_.types.element(path->type));
    return nullptr;
  }
  if (kind == Container::StdPair) {
    if (const auto position = part_named(site.callee, path->type)) {
      *site.reference = part_path(*path, *position);
      return nullptr;
    }
  }
  return rejections_.unsupported(site.source, Diagnostic::UnsupportedLibraryCall,
                                 {site.callee->getQualifiedNameAsString()});
}

std::optional<Value*> Tuples::lower_by_rule(const CallSite& site) {
  if (is_std(site.callee, {"get"}) && site.arguments.size() == 1) {
    return get(site);
  }
  if (make_parts(site.callee, site.source, site.arguments, site.reference)) {
    return nullptr;
  }
  if (Value* applied = nullptr;
      apply(site.callee, site.source, site.arguments, &applied, site.reference)) {
    return applied;
  }
  if (site.method && site.object.expression && site.method->getOverloadedOperator() == OO_Equal &&
      site.arguments.size() == 1 && assign_tied(site.object.expression, site.arguments[0])) {
    return nullptr;
  }
  return std::nullopt;
}

}  // namespace ddx::compiler
