#include "compiler/lower/statements/declarations.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/inactive_places.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

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

void Declarations::declare(const VarDecl* variable) {
  const QualType type = variable->getType();
  if (variable->hasGlobalStorage()) {  // Read and written like any other global.
    if (!variable->hasInit() || variable->hasConstantInitialization()) {
      return;
    }
    // Made when the function first runs, which may be after its derivative: a constant is
    // constructed again.
    if (!type.isConstQualified() || type->isReferenceType() ||
        !is_idempotent(variable->getInit()) || names_local(variable->getInit())) {
      rejections_.unsupported(variable->getInit(), Diagnostic::UnsupportedStaticLocal,
                              {variable->getNameAsString()});
      function_.statements.back().where = variable->getLocation();
      function_.statements.back().always = true;
      return;
    }
  }
  if (context_.types.is_scalarized(type) && scalarized_objects_.declare_scalarized(variable)) {
    return;
  }
  if (iterators_.is_iterator(type) && iterators_.declare_iterator(variable)) {
    return;
  }
  if (context_.types.viewed(type)) {
    return views_.declare_view(variable);
  }
  const bool by_value = !type->isReferenceType() || type.getNonReferenceType().isConstQualified();
  if (by_value && Types::is_callable(type.getNonReferenceType()) &&
      callables_.declare_callable(variable)) {
    return;
  }
  if (is_storage(type)) {
    return synthesised_code_.declare_storage(variable);
  }
  if (type->isReferenceType()) {
    return declare_reference(variable);
  }
  if (type->isPointerType()) {
    return declare_pointer(variable);
  }
  const Expr* initialiser = variable->getInit();
  Root* root = builder_.new_root(Root::Kind::Local, variable->getNameAsString(), type,
                                 variable->getLocation());
  root->is_constant = type.isConstQualified();
  builder_.keep(root);
  initialisers_.declare_object(root, initialiser);
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = type;
  scope_.bindings[variable] = bound;
}

void Declarations::declare_reference(const VarDecl* variable) {
  if (scope_.fixed_elements.contains(variable)) {
    if (const auto copy = copy_of_inactive(variable->getInit())) {
      Binding bound;
      bound.kind = Binding::Kind::Object;
      bound.path = *copy;
      scope_.bindings[variable] = bound;
      return;
    }
  }
  const Expr* initialiser = variable->getInit();
  const Expr* source = initialiser->IgnoreParens();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(source)) {
    source = cleanups->getSubExpr()->IgnoreParens();
  }
  if (const auto place = inactive_places_.place_by_text(source, variable->getType(),
                                                        variable->getNameAsString())) {
    scope_.bindings[variable] = object_at(*place);
    return;
  }
  if (const auto path = places_.lvalue(source)) {
    Path target = *path;
    target.type = variable->getType().getNonReferenceType();
    scope_.bindings[variable] =
        places_.bind_alias(target, false, variable->getNameAsString(), variable->getLocation());
    return;
  }
  reject_declaration(variable, Diagnostic::UnsupportedReference);
}

void Declarations::declare_pointer(const VarDecl* variable) {
  const Expr* initialiser = variable->getInit();
  const bool has_tangent = context_.types.has_tangent(variable->getType());
  if (initialiser && dynamic_pointers_.is_dynamic_pointer_value(initialiser)) {
    dynamic_pointers_.lost_pointer(initialiser);
    function_.statements.back().unplaced.push_back(variable);
    scope_.bindings[variable] = {};
    return;
  }
  const std::size_t before = function_.statements.size();
  if (initialiser && has_tangent) {
    if (const auto bound =
            iterators_.bind_iterator(variable, initialiser, variable->getLocation())) {
      scope_.bindings[variable] = *bound;
      return;
    }
  }
  if (!has_tangent) {
    Root* root = builder_.new_root(Root::Kind::Local, variable->getNameAsString(),
                                   variable->getType(), variable->getLocation());
    builder_.keep(root);
    initialisers_.declare_object(root, initialiser);
    Binding bound;
    bound.kind = Binding::Kind::Object;
    bound.path.root = root;
    bound.path.type = variable->getType();
    scope_.bindings[variable] = bound;
    return;
  }
  if (initialiser) {
    const Effects found = effects_.of(initialiser);
    const bool is_new = function_.statements.size() == before;
    if (const auto text = found.lowers || !is_new ? std::nullopt : texts_.text_of(initialiser)) {
      return declare_unknown_pointer(variable, *text, found);
    }
    return reject_declaration(variable, Diagnostic::UnsupportedPointer);
  }
  ir::Statement* rejected = builder_.add(ir::Statement::Kind::Unsupported, variable->getLocation());
  rejected->diagnostic = Diagnostic::UnsupportedUnsetPointer;
  rejected->unplaced.push_back(variable);
  rejected->facts = {variable->getNameAsString()};
  rejected->always = context_.types.is_dynamic_pointer(variable->getType());
  scope_.bindings[variable] = {};
}

/// A pointer to reals that are no object of this function: an object without tangent.
void Declarations::declare_unknown_pointer(const VarDecl* variable, const std::string& text,
                                           const Effects& found) {
  Root* root = builder_.new_root(Root::Kind::Local, variable->getNameAsString(),
                                 variable->getType(), variable->getLocation());
  root->has_tangent = false;
  ir::Statement* declaration = builder_.declare_local(root, root->where);
  declaration->text = " = " + text;
  effects_.note(declaration, found);
  declaration->diagnostic = Diagnostic::UnsupportedPointer;
  if (const auto cause = rejections_.find_cause(variable->getInit())) {
    declaration->diagnostic = cause->diagnostic;
    declaration->facts = cause->facts;
    declaration->where = cause->where;
  }
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = variable->getType();
  scope_.bindings[variable] = bound;
}

void Declarations::reject_declaration(const VarDecl* variable, Diagnostic diagnostic,
                                      std::vector<std::string> facts) {
  scope_.bindings[variable] = {};
  rejections_.unsupported(variable->getInit(), diagnostic, std::move(facts));
  function_.statements.back().unplaced.push_back(variable);
}

/// A copy of an object without reals that only its text names, what an iterator of a map means say.
std::optional<Path> Declarations::copy_of_inactive(const Expr* object) {
  if (const auto path = places_.lvalue(object)) {
    return path;
  }
  const Effects found = effects_.of(object);
  const auto text = found.lowers ? std::nullopt : texts_.text_of(object);
  if (!text) {
    return std::nullopt;
  }
  Root* root = builder_.new_root(Root::Kind::Local, "copy", object->getType().getUnqualifiedType(),
                                 object->getExprLoc());
  ir::Statement* declaration = builder_.declare_local(root, root->where);
  declaration->text = " = " + *text;
  effects_.note(declaration, found);
  Path path;
  path.root = root;
  path.type = root->type.withConst();
  return path;
}

void Declarations::declare_bindings(const DecompositionDecl* decomposition) {
  std::optional<Path> source;
  const QualType type = decomposition->getType();
  if (context_.types.is_scalarized(type)) {
    if (!name_members(decomposition)) {
      reject_declaration(decomposition, Diagnostic::UnsupportedBinding);
    }
    return;
  }
  if (scope_.fixed_elements.contains(decomposition)) {
    source = copy_of_inactive(decomposition->getInit());
  } else if (type->isReferenceType()) {
    source = inactive_places_.place_by_text(decomposition->getInit(), type, "decomposed");
    source = source ? source : places_.lvalue(decomposition->getInit());
  } else {
    source = places_.materialise(decomposition->getInit());
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

/// The same for a scalarized object. False where it is not known.
bool Declarations::name_members(const DecompositionDecl* decomposition) {
  const Binding whole = scalarized_objects_.scalarized(decomposition->getInit());
  if (whole.kind != Binding::Kind::Closure) {
    return false;
  }
  for (const BindingDecl* binding : decomposition->bindings()) {
    const auto* member =
        binding->getHoldingVar() ? nullptr : dyn_cast<MemberExpr>(binding->getBinding());
    const Binding* part =
        member ? scope_.member_of(*whole.closure, cast<FieldDecl>(member->getMemberDecl()))
               : nullptr;
    if (!part || part->kind == Binding::Kind::None) {
      return false;
    }
    scope_.structured[binding] = *part;
  }
  return true;
}

std::optional<Diagnostic> Declarations::name_parts(const DecompositionDecl* decomposition,
                                                   const Path& source) {
  const Container kind = Types::container(source.type);
  unsigned position = 0;
  for (const BindingDecl* binding : decomposition->bindings()) {
    const auto* member =
        binding->getHoldingVar() ? nullptr : dyn_cast<MemberExpr>(binding->getBinding());
    if (member) {
      name_part(binding, field_path(source, cast<FieldDecl>(member->getMemberDecl())));
    } else if (kind == Container::StdPair) {
      name_part(binding, tuples_.part_path(source, position));
    } else if (kind == Container::StdArray || kind == Container::CArray) {
      scope_.structured[binding] = object_at(
          *element_path(source,
                        builder_.literal(std::to_string(position), context_.ast.getSizeType(),
                                         binding->getLocation()),
                        context_.types.element(source.type)));
    } else {
      return binding->getHoldingVar() ? Diagnostic::UnsupportedTupleBinding
                                      : Diagnostic::UnsupportedBinding;
    }
    ++position;
  }
  return std::nullopt;
}

/// What a structured binding denotes; text can name it where it holds no numbers.
void Declarations::name_part(const BindingDecl* binding, const Path& part) {
  const bool has_alias = part.type->isRecordType() && !context_.types.may_hold_real(part.type);
  scope_.structured[binding] =
      has_alias
          ? places_.bind_alias(part, false, binding->getNameAsString(), binding->getLocation())
          : object_at(part);
}

}  // namespace ddx::compiler
