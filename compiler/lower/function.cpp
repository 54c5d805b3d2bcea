#include "compiler/ir/overlap.h"
#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Lowering::Lowering(const Context& context, Function& function)
    : context_(context),
      function_(function),
      printer_(
          context.ast, context.names,
          [this](const ValueDecl* name) -> std::optional<std::string> {
            const auto* variable = dyn_cast<VarDecl>(name);
            if (!variable) {
              const auto named = structured_names_.find(cast<BindingDecl>(name));
              if (named != structured_names_.end()) {
                return spell_path(named->second);
              }
              const auto part = structured_.find(cast<BindingDecl>(name));
              Binding binding;
              binding.kind = Binding::Kind::Object;
              binding.path = part == structured_.end() ? Path() : part->second;
              return binding.path.root && !binding.path.root->has_tangent ? spell_path(binding)
                                                                          : std::nullopt;
            }
            const auto found = bindings_.find(variable);
            if (found == bindings_.end()) {
              return variable->hasGlobalStorage() || variable->isConstexpr()
                         ? std::optional<std::string>(context_.names.variable(variable))
                         : std::nullopt;
            }
            const Binding& binding = found->second;
            if (binding.kind == Binding::Kind::Function) {
              return context_.names.function(binding.function);
            }
            if (binding.kind == Binding::Kind::Closure && binding.closure->captures.empty()) {
              return context_.names.closure(binding.closure->record);
            }
            if (binding.kind == Binding::Kind::Object || binding.kind == Binding::Kind::Pointer ||
                binding.kind == Binding::Kind::View) {
              return spell_path(binding);
            }
            return std::nullopt;
          },
          [this]() -> std::optional<std::string> {
            if (!self_) {
              return std::nullopt;
            }
            Binding binding;
            binding.kind = Binding::Kind::Object;
            binding.path = *self_;
            binding.alias = self_alias_;
            return spell_path(binding);
          },
          [this](const Expr* expression) -> const std::string* {
            const auto found = replaced_.find(expression);
            return found == replaced_.end() ? nullptr : &found->second;
          },
          [this](const MemberExpr* member) -> std::optional<std::optional<std::string>> {
            const Binding* part = known_member(member);
            if (!part) {
              return std::nullopt;
            }
            if (part->kind == Binding::Kind::Function) {
              return std::optional(context_.names.function(part->function));
            }
            const bool has_text = part->kind == Binding::Kind::Object ||
                                  part->kind == Binding::Kind::Pointer ||
                                  part->kind == Binding::Kind::View;
            return has_text ? spell_path(*part) : std::nullopt;
          },
          [this](const OpaqueValueExpr* stands_for) -> std::optional<std::string> {
            const auto found = places_.find(stands_for);
            return found == places_.end() ? std::nullopt : spell_path(found->second);
          }) {
  for (const char* reserved : {"r", "arena", "seed", "self", "exit", "std", "ddx"}) {
    taken_.insert(reserved);
  }
}

/// A binding as text with holes; nothing when its path has no name of its own.
std::optional<std::string> Lowering::spell_path(const Binding& binding) {
  const Path& path = binding.path;
  if (binding.kind == Binding::Kind::View) {
    return spell_view(binding);
  }
  if (binding.position || !binding.iterator.isNull()) {
    return spell_iterator(binding);
  }
  if (binding.alias) {
    return hole(*binding.alias);
  }
  if (!path.root) {
    return std::nullopt;
  }
  std::string text = hole(*path.root);
  if (binding.kind == Binding::Kind::Pointer) {
    const bool is_whole = path.root->kind == Root::Kind::Pointer && path.steps.size() == 1 &&
                          path.steps[0].index.empty();
    return is_whole ? std::optional<std::string>(text) : std::nullopt;
  }
  for (const Step& step : path.steps) {
    if (step.is_element()) {
      return std::nullopt;
    }
    if (step.of_number) {
      text = "ddx::detail::parts(" + text + ")[" + std::to_string(step.part) + "]";
    } else if (step.of_sum_type) {
      text = "ddx::detail::held<" + std::to_string(step.part) + ">(" + text + ")";
    } else if (step.part >= 0) {
      text = "std::get<" + std::to_string(step.part) + ">(" + text + ")";
    }
    if (step.field) {
      text += "." + context_.names.field(step.field);
    }
  }
  return text;
}

ParameterFacts Lowering::next_facts() {
  return next_parameter_ < function_.key.parameters.size()
             ? function_.key.parameters[next_parameter_++]
             : ParameterFacts{};
}

/// Makes the root or roots that represent one parameter, in the order in which a caller passes
/// them.
Binding Lowering::expand_parameter(QualType type, std::string name, const VarDecl* decl) {
  const SourceLocation where = decl ? decl->getLocation() : function_.key.function->getLocation();
  Binding bound;
  if (is_scalarized(type)) {
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
  if (facts.whole) {
    return expand_whole_parameter(type, name, where, facts);
  }
  if (const auto iterator = context_.types.iterator(plain)) {
    kind = Root::Kind::Pointer;
    object = iterator->element;
    spelled = context_.names.type(object) + "*";
  } else if (type->isReferenceType() || (has_tangent && !Types::is_real(plain)) ||
             context_.types.move_works(plain)) {
    kind = Root::Kind::Reference;
    spelled = context_.names.type(plain) + "&";
  } else {
    spelled = context_.names.type(plain.getUnqualifiedType());
  }
  Root* root = new_root(kind, name, object, where);
  root->is_constant = object.isConstQualified() && kind != Root::Kind::Scalar;
  root->is_most_derived = !type->isReferenceType() && !plain->isPointerType();
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

/// A parameter that the callers hand a whole object, of a class derived from the declared one.
Binding Lowering::expand_whole_parameter(QualType type, const std::string& name,
                                         SourceLocation where, const ParameterFacts& facts) {
  const QualType declared =
      type->isPointerType() ? type->getPointeeType() : type.getNonReferenceType();
  QualType object = context_.ast.getRecordType(facts.whole);
  object = declared.isConstQualified() ? object.withConst() : object;
  Root* root = new_root(Root::Kind::Reference, name, object, where);
  root->is_constant = object.isConstQualified();
  root->is_most_derived = true;
  root->is_unchanged = facts.is_unchanged;
  root->group = facts.group;
  root->noalias_group = facts.noalias_group;
  root->varied = facts.active || facts.is_computed_from_active;
  function_.parameters.push_back(root);
  function_.parameter_types.push_back(context_.names.type(object) + "&");
  Path whole;
  whole.root = root;
  whole.type = object;
  Binding bound;
  bound.kind = type->isPointerType() ? Binding::Kind::Pointer : Binding::Kind::Object;
  bound.path = part_of_class(whole, facts.whole, Types::record(declared)).value_or(whole);
  return bound;
}

Binding Lowering::expand_closure(const CXXRecordDecl* record, const std::string& name) {
  auto scalarized = std::make_shared<ScalarizedObject>();
  scalarized->record = record;
  auto field = record->field_begin();
  for (const LambdaCapture& capture : record->captures()) {
    const QualType type = (*field)->getType();
    if (capture.capturesThis()) {
      Binding object = expand_parameter(
          type->isPointerType() ? context_.ast.getLValueReferenceType(type->getPointeeType())
                                : context_.ast.getLValueReferenceType(type),
          name + "_this", nullptr);
      scalarized->captures.push_back(object);
    } else {
      const ValueDecl* variable = capture.getCapturedVar();
      const bool by_value = capture.getCaptureKind() == LCK_ByCopy;
      const bool reference = !by_value || (!Types::is_closure(type) && !type->isPointerType());
      const bool fixed = by_value && record->getLambdaCallOperator()->isConst();
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

std::optional<Binding> Lowering::bound_to(const ValueDecl* name) const {
  if (const auto* part = dyn_cast<BindingDecl>(name)) {
    const auto found = structured_.find(part);
    if (found == structured_.end()) {
      return std::nullopt;
    }
    Binding binding;
    binding.kind = Binding::Kind::Object;
    binding.path = found->second;
    const auto named = structured_names_.find(part);
    return named == structured_names_.end() ? binding : named->second;
  }
  const auto found = bindings_.find(cast<VarDecl>(name));
  return found == bindings_.end() ? std::nullopt : std::optional<Binding>(found->second);
}

void Lowering::bind_name(const ValueDecl* name, const std::optional<Binding>& binding) {
  if (const auto* part = dyn_cast<BindingDecl>(name)) {
    if (binding && binding->kind == Binding::Kind::Object) {
      structured_[part] = binding->path;
      structured_names_.erase(part);
      if (binding->alias) {
        structured_names_[part] = *binding;
      }
    } else {
      structured_.erase(part);
      structured_names_.erase(part);
    }
  } else if (binding) {
    bindings_[cast<VarDecl>(name)] = *binding;
  } else {
    bindings_.erase(cast<VarDecl>(name));
  }
}

/// An object that a function value denotes.
Binding Lowering::expand_functor(const CXXMethodDecl* method, const std::string& name) {
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
Binding Lowering::expand_object(QualType type, const std::string& name) {
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
void Lowering::bind_captures(const ScalarizedObject& scalarized) {
  auto binding = scalarized.captures.begin();
  for (const LambdaCapture& capture : scalarized.record->captures()) {
    if (capture.capturesThis() && binding->kind == Binding::Kind::Closure) {
      self_scalarized_ = binding->closure;
    } else if (capture.capturesThis()) {
      self_ = binding->path;
    } else {
      bind_name(capture.getCapturedVar(), *binding);
    }
    ++binding;
  }
}

void Lowering::lower_parameters() {
  const FunctionDecl* declaration = function_.key.function;
  if (const auto* method = dyn_cast<CXXMethodDecl>(declaration); method && method->isInstance()) {
    if (method->getParent()->isLambda()) {
      bind_captures(*expand_closure(method->getParent(), "closure").closure);
    } else {
      QualType object = context_.ast.getRecordType(method->getParent());
      if (method->isConst()) {
        object = object.withConst();
      }
      taken_.erase("self");
      if (is_scalarized(object)) {
        self_scalarized_ = expand_object(object, "self").closure;
        taken_.insert("self");
      } else {
        self_ = expand_parameter(context_.ast.getLValueReferenceType(object), "self", nullptr).path;
      }
    }
  }
  for (const ParmVarDecl* parameter : declaration->parameters()) {
    bindings_[parameter] =
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

/// `using Base::Base;`: the constructor of the base class gets what the inherited one was given.
void Lowering::forward_to_inherited(const CXXConstructorDecl* constructor,
                                    const CXXInheritedCtorInitExpr* inherited, const Path& base) {
  llvm::SmallVector<const Expr*> arguments;
  for (ParmVarDecl* parameter : constructor->parameters()) {
    const QualType type = parameter->getType();
    Expr* given = DeclRefExpr::Create(context_.ast, NestedNameSpecifierLoc(), SourceLocation(),
                                      parameter, /*RefersToEnclosingVariableOrCapture=*/false,
                                      inherited->getExprLoc(), type.getNonReferenceType(),
                                      type->isRValueReferenceType() ? VK_XValue : VK_LValue);
    if (!type->isReferenceType() && !type->isScalarType()) {
      return lose(inherited, Diagnostic::UnsupportedInitialiser);  // It would be copied once more.
    }
    if (!type->isReferenceType()) {
      given = ImplicitCastExpr::Create(context_.ast, type, CK_LValueToRValue, given, nullptr,
                                       VK_PRValue, FPOptionsOverride());
    }
    arguments.push_back(given);
  }
  construct_call(inherited->getConstructor(), base, inherited, arguments);
}

void Lowering::lower_initialisers(const CXXConstructorDecl* constructor) {
  for (const CXXCtorInitializer* initialiser : constructor->inits()) {
    if (initialiser->isBaseInitializer()) {
      if (initialiser->isBaseVirtual()) {
        lose(initialiser->getInit(), Diagnostic::UnsupportedVirtualBase,
             {initialiser->getBaseClass()->getAsCXXRecordDecl()->getNameAsString()});
        continue;
      }
      const Path base = base_path(*self_, initialiser->getBaseClass()->getAsCXXRecordDecl());
      if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(initialiser->getInit())) {
        forward_to_inherited(constructor, inherited, base);
      } else {
        initialise(base, initialiser->getInit(), true);
      }
    } else if (initialiser->isDelegatingInitializer()) {
      initialise(*self_, initialiser->getInit(), true);
    } else if (initialiser->isMemberInitializer()) {
      const FieldDecl* field = initialiser->getMember();
      if (field->getType()->isReferenceType()) {
        lose(initialiser->getInit(), Diagnostic::UnsupportedReferenceMember,
             {field->getNameAsString(), field->getParent()->getNameAsString()});
        continue;
      }
      Path target = field_path(*self_, field);
      target.type = target.type.getUnqualifiedType();
      initialise(target, initialiser->getInit(), true);
    } else if (const IndirectFieldDecl* member = initialiser->getIndirectMember();
               member && member->getChainingSize() == 2 &&
               Types::is_shared_name(member->getAnonField()->getParent())) {
      const auto* shared = cast<FieldDecl>(*member->chain_begin());
      initialise(field_path(*self_, shared), initialiser->getInit(), true);
    } else {
      lose(initialiser->getInit(), Diagnostic::UnsupportedInitialiser);
    }
    empty_moved(initialiser->getInit());
  }
}

namespace {

/// `ddx::detail::primal`, through which every request goes.
bool is_primal(const FunctionDecl* function) {
  return function->getIdentifier() && function->getName() == "primal" &&
         function->getQualifiedNameAsString() == "ddx::detail::primal";
}

}  // namespace

void Lowering::run() {
  const FunctionDecl* declaration = function_.key.function;
  Level& level = function_.levels.emplace_back();
  level.name = "r";
  function_.level = &level;
  function_.result = declaration->getReturnType();
  if (is_primal(declaration)) {
    function_.result =
        function_.result.getNonReferenceType().getUnqualifiedType();  // A gradient takes the value.
  }
  Block& body = function_.blocks.emplace_back();
  body.level = &level;
  function_.body = &body;
  lower_parameters();
  block_ = &body;
  for (const ParmVarDecl* parameter : declaration->parameters()) {
    const auto found = bindings_.find(parameter);
    if (found != bindings_.end() && found->second.kind == Binding::Kind::Pointer &&
        !parameter->getType()->isReferenceType() && may_change(parameter, declaration->getBody())) {
      found->second = make_iterator(found->second.path, parameter->getType(),
                                    parameter->getNameAsString(), parameter->getLocation());
    }
  }
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(declaration)) {
    lower_initialisers(constructor);
  }
  if (isa<CoroutineBodyStmt>(declaration->getBody())) {
    lose(declaration->getBody(), Diagnostic::UnsupportedCoroutine,
         {declaration->getNameAsString()});
    return;
  }
  if (isa<CXXTryStmt>(declaration->getBody())) {
    lose(declaration->getBody(), Diagnostic::UnsupportedTry);
    return;
  }
  nested(&body, declaration->getBody());
  spread_writes();
  const auto& statements = body.statements;
  function_.single_exit =
      function_.return_sites == 0 ||
      (function_.return_sites == 1 && statements.back()->kind == ir::Statement::Kind::Return);
}

}  // namespace ddx::compiler
