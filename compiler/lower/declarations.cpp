#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True for an expression that depends on what the function was called with.
bool names_local(const Stmt* statement) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(statement);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return statement && (isa<CXXThisExpr>(statement) || (variable && variable->hasLocalStorage()) ||
                       llvm::any_of(statement->children(), names_local));
}

}  // namespace

void Lowering::declare(const VarDecl* variable) {
  const QualType type = variable->getType();
  if (variable->hasGlobalStorage()) {  // Read and written like any other global.
    if (!variable->hasInit() || variable->hasConstantInitialization()) {
      return;
    }
    // Made when the function first runs, which may be after its derivative: a constant is
    // constructed again.
    if (!type.isConstQualified() || type->isReferenceType() ||
        !is_idempotent(variable->getInit()) || names_local(variable->getInit())) {
      unsupported(variable->getInit(), Diagnostic::UnsupportedStaticLocal,
                  {variable->getNameAsString()});
      function_.statements.back().where = variable->getLocation();
      function_.statements.back().always = true;
      return;
    }
  }
  if (is_scalarized(type) && declare_scalarized(variable)) {
    return;
  }
  if (is_iterator(type) && declare_iterator(variable)) {
    return;
  }
  if (context_.types.viewed(type)) {
    return declare_view(variable);
  }
  const bool by_value = !type->isReferenceType() || type.getNonReferenceType().isConstQualified();
  if (by_value && Types::is_callable(type.getNonReferenceType()) && declare_callable(variable)) {
    return;
  }
  if (is_storage(type)) {
    return declare_storage(variable);
  }
  if (type->isReferenceType()) {
    return declare_reference(variable);
  }
  if (type->isPointerType()) {
    return declare_pointer(variable);
  }
  if (auto built = variable->getInit() ? built_in_place(variable->getInit()) : std::nullopt) {
    built->type = type;
    bindings_[variable] =
        bind_alias(*built, false, variable->getNameAsString(), variable->getLocation());
    return;
  }
  const Expr* initialiser = variable->getInit();
  Root* root =
      new_root(Root::Kind::Local, variable->getNameAsString(), type, variable->getLocation());
  root->is_constant = type.isConstQualified();
  block_->roots.push_back(root);
  declare_object(root, initialiser);
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = type;
  bindings_[variable] = bound;
}

void Lowering::declare_reference(const VarDecl* variable) {
  if (fixed_elements_.contains(variable)) {
    if (const auto copy = copy_of_inactive(variable->getInit())) {
      Binding bound;
      bound.kind = Binding::Kind::Object;
      bound.path = *copy;
      bindings_[variable] = bound;
      return;
    }
  }
  const Expr* initialiser = variable->getInit();
  const Expr* source = initialiser->IgnoreParens();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(source)) {
    source = cleanups->getSubExpr()->IgnoreParens();
  }
  if (const auto place = place_by_text(source, variable->getType(), variable->getNameAsString())) {
    bindings_[variable] = object_at(*place);
    return;
  }
  if (const auto path = lvalue(source)) {
    Path target = *path;
    target.type = variable->getType().getNonReferenceType();
    bindings_[variable] =
        bind_alias(target, false, variable->getNameAsString(), variable->getLocation());
    return;
  }
  reject_declaration(variable, Diagnostic::UnsupportedReference);
}

void Lowering::declare_pointer(const VarDecl* variable) {
  const Expr* initialiser = variable->getInit();
  const bool has_tangent = context_.types.has_tangent(variable->getType());
  if (initialiser && is_dynamic_pointer_value(initialiser)) {
    lost_pointer(initialiser);
    function_.statements.back().unplaced.push_back(variable);
    bindings_[variable] = {};
    return;
  }
  const std::size_t before = function_.statements.size();
  if (initialiser && has_tangent) {
    if (const auto bound = bind_iterator(variable, initialiser, variable->getLocation())) {
      bindings_[variable] = *bound;
      return;
    }
  }
  const CXXRecordDecl* pointee = Types::record(variable->getType()->getPointeeType());
  if (!has_tangent && initialiser && pointee && pointee->isPolymorphic() && !is_rebound(variable)) {
    Path whole;
    if (const auto path = pointer(initialiser); path && class_of(*path, &whole)) {
      Path target = *path;
      target.type = variable->getType()->getPointeeType();
      bindings_[variable] =
          bind_alias(target, true, variable->getNameAsString(), variable->getLocation());
      return;
    }
  }
  if (!has_tangent) {
    Root* root = new_root(Root::Kind::Local, variable->getNameAsString(), variable->getType(),
                          variable->getLocation());
    block_->roots.push_back(root);
    declare_object(root, initialiser);
    Binding bound;
    bound.kind = Binding::Kind::Object;
    bound.path.root = root;
    bound.path.type = variable->getType();
    bindings_[variable] = bound;
    return;
  }
  if (initialiser) {
    const Effects found = effects(initialiser);
    const bool is_new = function_.statements.size() == before;
    if (const auto text = found.lowers || !is_new ? std::nullopt : text_of(initialiser)) {
      return declare_unknown_pointer(variable, *text, found);
    }
    return reject_declaration(variable, Diagnostic::UnsupportedPointer);
  }
  ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, variable->getLocation());
  rejected->diagnostic = Diagnostic::UnsupportedUnsetPointer;
  rejected->unplaced.push_back(variable);
  rejected->facts = {variable->getNameAsString()};
  rejected->always = context_.types.is_dynamic_pointer(variable->getType());
  bindings_[variable] = {};
}

/// A pointer to reals that are no object of this function: an object without tangent.
void Lowering::declare_unknown_pointer(const VarDecl* variable, const std::string& text,
                                       const Effects& found) {
  Root* root = new_root(Root::Kind::Local, variable->getNameAsString(), variable->getType(),
                        variable->getLocation());
  root->has_tangent = false;
  ir::Statement* declaration = declare_local(root, root->where);
  declaration->text = " = " + text;
  note(declaration, found);
  declaration->diagnostic = Diagnostic::UnsupportedPointer;
  if (const auto cause = find_cause(variable->getInit())) {
    declaration->diagnostic = cause->diagnostic;
    declaration->facts = cause->facts;
    declaration->where = cause->where;
  }
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = variable->getType();
  bindings_[variable] = bound;
}

/// Gives `variable` no place; what is wrong with it is said once.
void Lowering::reject_declaration(const VarDecl* variable, Diagnostic diagnostic,
                                  std::vector<std::string> facts) {
  bindings_[variable] = {};
  unsupported(variable->getInit(), diagnostic, std::move(facts));
  function_.statements.back().unplaced.push_back(variable);
}

/// A copy of an object without reals that only its text names, what an iterator of a map means say.
std::optional<Path> Lowering::copy_of_inactive(const Expr* object) {
  if (const auto path = lvalue(object)) {
    return path;
  }
  const Effects found = effects(object);
  const auto text = found.lowers ? std::nullopt : text_of(object);
  if (!text) {
    return std::nullopt;
  }
  Root* root = new_root(Root::Kind::Local, "copy", object->getType().getUnqualifiedType(),
                        object->getExprLoc());
  ir::Statement* declaration = declare_local(root, root->where);
  declaration->text = " = " + *text;
  note(declaration, found);
  Path path;
  path.root = root;
  path.type = root->type.withConst();
  return path;
}

void Lowering::declare_bindings(const DecompositionDecl* decomposition) {
  std::optional<Path> source;
  const QualType type = decomposition->getType();
  if (fixed_elements_.contains(decomposition)) {
    source = copy_of_inactive(decomposition->getInit());
  } else if (type->isReferenceType()) {
    source = place_by_text(decomposition->getInit(), type, "decomposed");
    source = source ? source : lvalue(decomposition->getInit());
  } else {
    source = materialise(decomposition->getInit());
  }
  if (!source) {
    reject_declaration(decomposition, Diagnostic::UnsupportedBinding);
    return;
  }
  if (const auto wrong = name_parts(decomposition, *source)) {
    reject_declaration(decomposition, *wrong,
                       {readable_type(decomposition->getType(), context_.ast)});
  }
}

/// Names the parts of the object at `source`. Returns: what is in the way.
std::optional<Diagnostic> Lowering::name_parts(const DecompositionDecl* decomposition,
                                               const Path& source) {
  const Container kind = Types::container(source.type);
  unsigned position = 0;
  for (const BindingDecl* binding : decomposition->bindings()) {
    const auto* member =
        binding->getHoldingVar() ? nullptr : dyn_cast<MemberExpr>(binding->getBinding());
    if (member) {
      name_part(binding, field_path(source, cast<FieldDecl>(member->getMemberDecl())));
    } else if (kind == Container::StdPair) {
      name_part(binding, part_path(source, position));
    } else if (kind == Container::StdArray || kind == Container::CArray) {
      structured_[binding] = *element_path(
          source,
          literal(std::to_string(position), context_.ast.getSizeType(), binding->getLocation()),
          context_.types.element(source.type));
    } else {
      return binding->getHoldingVar() ? Diagnostic::UnsupportedTupleBinding
                                      : Diagnostic::UnsupportedBinding;
    }
    ++position;
  }
  return std::nullopt;
}

/// What a structured binding denotes; text can name it where it holds no numbers.
void Lowering::name_part(const BindingDecl* binding, const Path& part) {
  structured_[binding] = part;
  structured_names_.erase(binding);
  if (part.type->isRecordType() && !context_.types.may_hold_real(part.type)) {
    structured_names_[binding] =
        bind_alias(part, false, binding->getNameAsString(), binding->getLocation());
  }
}

}  // namespace ddx::compiler
