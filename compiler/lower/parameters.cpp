#include "compiler/lower/parameters.h"

#include "compiler/ir/overlap.h"
#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/scope.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

ParameterFacts Parameters::next_facts() {
  return next_parameter_ < function_.key.parameters.size()
             ? function_.key.parameters[next_parameter_++]
             : ParameterFacts{};
}

/// Makes the root or roots that represent one parameter, in the order in which a caller passes
/// them.
Binding Parameters::expand_parameter(QualType type, std::string name, const VarDecl* decl) {
  const SourceLocation where = decl ? decl->getLocation() : function_.key.function->getLocation();
  Binding bound;
  if (context_.types.is_scalarized(type)) {
    return Types::is_closure(type) ? expand_closure(Types::record(type), name)
                                   : expand_object(type, name);
  }
  const QualType plain = type.getNonReferenceType();
  if (Types::is_callable(plain)) {
    if (next_target_ < function_.key.targets.size() && function_.key.targets[next_target_]) {
      if (is_call_operator(function_.key.targets[next_target_])) {
        return expand_functor(cast<CXXMethodDecl>(function_.key.targets[next_target_++]), name);
      }
      bound.kind = Binding::Kind::Function;
      bound.function = function_.key.targets[next_target_++];
      return bound;
    }
    ++next_target_;
  }
  if (const auto element = context_.types.viewed(plain)) {
    bound = expand_parameter(context_.ast.getPointerType(*element), name, decl);
    bound.kind = Binding::Kind::View;
    bound.extent = expand_parameter(context_.ast.getSizeType(), name + "_extent", decl).path.root;
    bound.iterator = plain.getUnqualifiedType();
    return bound;
  }
  const ParameterFacts facts = next_facts();
  const bool has_tangent = context_.types.has_tangent(type);
  Root::Kind kind = Root::Kind::Scalar;
  std::string spelled;
  QualType object = plain;
  if (const auto iterator = context_.types.iterator(plain)) {
    kind = Root::Kind::Pointer;
    object = iterator->element;
    spelled = context_.names.type(object) + "*";
  } else if (type->isReferenceType() || (has_tangent && !Types::is_real(plain))) {
    kind = Root::Kind::Reference;
    spelled = context_.names.type(plain) + "&";
  } else {
    spelled = context_.names.type(plain.getUnqualifiedType());
  }
  Root* root = builder_.new_root(kind, name, object, where);
  root->is_constant = object.isConstQualified() && kind != Root::Kind::Scalar;
  root->is_unchanged = facts.is_unchanged;
  root->group = facts.group;
  root->noalias_group = facts.noalias_group;
  root->varied = facts.active || facts.is_computed_from_active;
  root->is_null = facts.is_null;
  function_.parameters.push_back(root);
  function_.parameter_types.push_back(spelled);
  bound.kind = kind == Root::Kind::Pointer ? Binding::Kind::Pointer : Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = object;
  if (kind == Root::Kind::Pointer) {
    bound.path.steps.emplace_back();  // The element pointed to: number 0.
    bound.iterator = plain->isPointerType() ? QualType() : plain.getUnqualifiedType();
  }
  return bound;
}

Binding Parameters::expand_closure(const CXXRecordDecl* record, const std::string& name) {
  auto scalarized = std::make_shared<ScalarizedObject>();
  scalarized->record = record;
  auto field = record->field_begin();
  for (const LambdaCapture& capture : record->captures()) {
    const QualType type = (*field)->getType();
    const LambdaCaptureKind kind = capture.getCaptureKind();
    const bool by_value = kind == LCK_ByCopy || kind == LCK_StarThis;
    const bool fixed = by_value && record->getLambdaCallOperator()->isConst();
    if (capture.capturesThis()) {
      const QualType object = by_value ? type : type->getPointeeType();
      scalarized->captures.push_back(
          expand_parameter(context_.ast.getLValueReferenceType(fixed ? object.withConst() : object),
                           name + "_this", nullptr));
    } else {
      const ValueDecl* variable = capture.getCapturedVar();
      const bool reference = !by_value || (!Types::is_closure(type) && !type->isPointerType());
      const QualType passed =
          reference && !type->isReferenceType()
              ? context_.ast.getLValueReferenceType(fixed ? type.withConst() : type)
              : type;
      scalarized->captures.push_back(
          expand_parameter(passed, variable->getNameAsString(), dyn_cast<VarDecl>(variable)));
    }
    ++field;
  }
  Binding bound;
  bound.kind = Binding::Kind::Closure;
  bound.closure = scalarized;
  return bound;
}

/// An object that a function value denotes.
Binding Parameters::expand_functor(const CXXMethodDecl* method, const std::string& name) {
  const CXXRecordDecl* record = method->getParent();
  if (record->isLambda()) {
    Binding lambda = expand_closure(record, name);
    lambda.function = method;
    return lambda;
  }
  const QualType type = context_.ast.getRecordType(record);
  Binding bound = expand_parameter(
      context_.ast.getLValueReferenceType(method->isConst() ? type.withConst() : type), name,
      nullptr);
  if (bound.kind == Binding::Kind::Object) {
    bound.kind = Binding::Kind::Functor;
    bound.function = method;
  }
  return bound;
}

/// A scalarized object: each member is a parameter, by reference where the object holds it.
Binding Parameters::expand_object(QualType type, const std::string& name) {
  Binding bound;
  bound.kind = Binding::Kind::Closure;
  bound.closure = std::make_shared<ScalarizedObject>();
  const QualType object = type.getNonReferenceType();
  bound.closure->record = context_.types.scalarized_class(type);
  for (const FieldDecl* field : context_.types.scalarized_members(type)) {
    const QualType of = field->getType();
    const bool refers = of->isReferenceType() || of->isPointerType() || context_.types.viewed(of) ||
                        context_.types.iterator(of);
    const QualType held = object.isConstQualified() && !field->isMutable() ? of.withConst() : of;
    bound.closure->captures.push_back(
        expand_parameter(refers ? of : context_.ast.getLValueReferenceType(held),
                         name + "_" + field->getNameAsString(), nullptr));
  }
  return bound;
}

/// Inside a lambda's body its captures go by the names of the captured variables.
void Parameters::bind_captures(const ScalarizedObject& scalarized) {
  auto binding = scalarized.captures.begin();
  for (const LambdaCapture& capture : scalarized.record->captures()) {
    if (capture.capturesThis() && binding->kind == Binding::Kind::Closure) {
      scope_.self_scalarized = binding->closure;
    } else if (capture.capturesThis()) {
      scope_.self = binding->path;
    } else {
      scope_.bind_name(capture.getCapturedVar(), *binding);
    }
    ++binding;
  }
}

void Parameters::lower_parameters() {
  const FunctionDecl* declaration = function_.key.function;
  if (const auto* method = dyn_cast<CXXMethodDecl>(declaration); method && method->isInstance()) {
    if (method->getParent()->isLambda()) {
      bind_captures(*expand_closure(method->getParent(), "closure").closure);
    } else {
      QualType object = context_.ast.getRecordType(method->getParent());
      if (method->isConst()) {
        object = object.withConst();
      }
      builder_.release_name("self");
      if (context_.types.is_scalarized(object)) {
        scope_.self_scalarized = expand_object(object, "self").closure;
        builder_.reserve_name("self");
      } else {
        scope_.self =
            expand_parameter(context_.ast.getLValueReferenceType(object), "self", nullptr).path;
      }
    }
  }
  for (const ParmVarDecl* parameter : declaration->parameters()) {
    scope_.bindings[parameter] =
        expand_parameter(parameter->getType(), parameter->getNameAsString(), parameter);
  }
  for (Root* parameter : function_.parameters) {
    parameter->exclusive = true;
    parameter->exclusive_adjoint = true;
    for (const Root* other : function_.parameters) {
      if (other != parameter && other->kind != Root::Kind::Scalar &&
          share_group(*parameter, *other)) {
        parameter->exclusive = false;
        parameter->exclusive_adjoint = parameter->exclusive_adjoint && !other->varied;
      }
    }
  }
}

}  // namespace ddx::compiler
