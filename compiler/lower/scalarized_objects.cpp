/// Objects that keep references, scalarized: such an object is the list of what its members
/// denote, as a lambda is that of its captures.

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True for a conversion that names the same object, or a base class of it or one derived from it.
bool names_same_object(const CastExpr& cast) {
  switch (cast.getCastKind()) {
    case CK_NoOp:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
    case CK_BaseToDerived:
      return true;
    default:
      return false;
  }
}

}  // namespace

Binding* Lowering::member_of(ScalarizedObject& scalarized, const FieldDecl* field) {
  const auto members =
      context_.types.scalarized_members(context_.ast.getRecordType(scalarized.record));
  const auto found = llvm::find(members, field);
  return found == members.end()
             ? nullptr
             : &scalarized.captures[static_cast<std::size_t>(found - members.begin())];
}

/// True where `object`, or what it is a base class of, is a scalarized object.
bool Lowering::is_in_scalarized(const Expr* object) {
  for (;;) {
    object = object->IgnoreParens();
    const QualType type = object->getType();
    if (isa<CXXThisExpr>(object)) {
      return self_scalarized_ != nullptr;
    }
    if (!type->isPointerType() && is_scalarized(type)) {
      return true;
    }
    if (const auto* cast = dyn_cast<CastExpr>(object); cast && names_same_object(*cast)) {
      object = cast->getSubExpr();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(object)) {
      object = temporary->getSubExpr();
    } else if (const auto* operation = dyn_cast<UnaryOperator>(object);
               operation && operation->getOpcode() == UO_Deref) {
      object = operation->getSubExpr();
    } else {
      const auto* reference = dyn_cast<DeclRefExpr>(object);
      const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      const auto found = variable ? bindings_.find(variable) : bindings_.end();
      return found != bindings_.end() && found->second.kind == Binding::Kind::Closure;
    }
  }
}

/// The scalarized object that `expression` names, where nothing has to be evaluated for that.
std::shared_ptr<ScalarizedObject> Lowering::known_scalarized(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (isa<CXXThisExpr>(expression)) {
    return self_scalarized_;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    return names_same_object(*cast) ? known_scalarized(cast->getSubExpr()) : nullptr;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    return operation->getOpcode() == UO_Deref ? known_scalarized(operation->getSubExpr()) : nullptr;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = bindings_.find(dyn_cast<VarDecl>(reference->getDecl()));
    return found != bindings_.end() && found->second.kind == Binding::Kind::Closure
               ? found->second.closure
               : nullptr;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    const Binding* part = known_member(member);
    return part && part->kind == Binding::Kind::Closure ? part->closure : nullptr;
  }
  return nullptr;
}

const Binding* Lowering::known_member(const MemberExpr* member) {
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  const auto whole = field ? known_scalarized(member->getBase()) : nullptr;
  return whole ? member_of(*whole, field) : nullptr;
}

/// What a member denotes whose object is scalarized; nothing for members of other objects.
std::optional<Binding> Lowering::member_binding(const MemberExpr* member) {
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  if (!field || !is_in_scalarized(member->getBase())) {
    return std::nullopt;
  }
  const Binding whole = scalarized(member->getBase());
  if (whole.kind == Binding::Kind::Closure) {
    const Binding* part = member_of(*whole.closure, field);
    return part ? *part : Binding{};
  }
  const QualType type = field->getType();
  const bool by_value = !type->isReferenceType() && !type->isPointerType() &&
                        !Types::is_callable(type) && !context_.types.viewed(type) &&
                        !context_.types.iterator(type);
  if (whole.kind != Binding::Kind::Object || !by_value) {
    return Binding{};
  }
  Binding part;
  part.kind = Binding::Kind::Object;
  part.path = field_path(whole.path, field);
  return part;
}

/// The object that `expression` names or makes: scalarized, or, where it lies in a container, say,
/// by its path.
Binding Lowering::scalarized(const Expr* expression) {
  const std::size_t before = function_.statements.size();
  Binding made = closure(expression);
  if (made.kind == Binding::Kind::None && expression->isGLValue() &&
      function_.statements.size() == before) {
    if (const auto path = lvalue(expression)) {
      made.kind = Binding::Kind::Object;
      made.path = *path;
    }
  }
  return made;
}

/// An object that exists, by its members; what its references mean is not known.
Binding Lowering::scalarized_at(const Path& object) {
  Binding made;
  made.kind = Binding::Kind::Closure;
  made.closure = std::make_shared<ScalarizedObject>();
  made.closure->record = Types::record(object.type);
  const std::function<void(const Path&, const CXXRecordDecl*)> collect =
      [&](const Path& part, const CXXRecordDecl* record) {
        for (const CXXBaseSpecifier& base : record->bases()) {
          const CXXRecordDecl* of_base = Types::record(base.getType());
          collect(base_path(part, of_base), of_base);
        }
        for (const FieldDecl* field : record->fields()) {
          const QualType type = field->getType();
          Binding member;
          const bool refers = type->isReferenceType() || context_.types.viewed(type) ||
                              context_.types.iterator(type);
          if (!refers) {
            member.kind = Binding::Kind::Object;
            member.path = field_path(part, field);
          }
          if (!refers && is_scalarized(type)) {
            member = scalarized_at(member.path);
          }
          if (member.kind == Binding::Kind::None) {
            made.kind = Binding::Kind::None;
          }
          made.closure->captures.push_back(std::move(member));
        }
      };
  collect(object, made.closure->record);
  return made;
}

/// What a member of the given type denotes that `initialiser` gives its value.
Binding Lowering::make_member(QualType type, const Expr* initialiser, const std::string& name,
                              bool moves) {
  const SourceLocation where = initialiser->getExprLoc();
  Binding made;
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(initialiser)) {
    initialiser = with_default->getExpr();
  }
  if (is_scalarized(type)) {
    made = scalarized(initialiser);
    if (made.kind == Binding::Kind::Object) {
      made = scalarized_at(made.path);
      made = made.kind == Binding::Kind::Closure && !type->isReferenceType()
                 ? copy_closure(made, name)
                 : made;
    }
    return made;
  }
  const QualType plain = type.getNonReferenceType();
  if (Types::is_callable(plain)) {
    made = callable(initialiser);
    if (made.kind != Binding::Kind::None) {
      return made;
    }
  }
  if (context_.types.viewed(plain)) {
    return view(initialiser).value_or(Binding{});
  }
  const auto kind = context_.types.iterator(plain);
  if (kind && type->isReferenceType()) {
    return {};
  }
  if (kind) {
    const std::size_t before = function_.statements.size();
    if (const auto target = pointer(initialiser)) {
      Path start = *target;
      start.type = kind->element;
      const bool has_neighbours = !start.steps.empty() && start.steps.back().is_element();
      return has_neighbours && (moves || !plain->isPointerType())
                 ? make_iterator(std::move(start), plain, name, where)
                 : bind_alias(std::move(start), true, name, where);
    }
    if (function_.statements.size() != before || !plain->isPointerType()) {
      return {};
    }
  }
  if (type->isReferenceType()) {
    const auto path = lvalue(initialiser);
    if (!path) {
      return {};
    }
    Path target = *path;
    target.type = plain;
    return bind_alias(target, false, name, where);
  }
  Root* root = new_root(Root::Kind::Local, name, type, where);
  block_->roots.push_back(root);
  root->has_tangent = root->has_tangent && !kind;  // A pointer to reals that are not known here.
  declare_object(root, initialiser);
  made.kind = Binding::Kind::Object;
  made.path.root = root;
  made.path.type = type;
  return made;
}

/// A local object or reference. False for one that is no scalarized object, but lies in a
/// container, say.
bool Lowering::declare_scalarized(const VarDecl* variable) {
  const Expr* init = variable->getInit();
  const QualType type = variable->getType();
  const std::size_t before = function_.statements.size();
  Binding bound = init ? scalarized(init) : Binding{};
  if (bound.kind == Binding::Kind::Object) {
    Path target = bound.path;
    target.type = type.getNonReferenceType();
    if (type->isReferenceType()) {
      bindings_[variable] =
          bind_alias(target, false, variable->getNameAsString(), variable->getLocation());
      return true;
    }
    bound = scalarized_at(bound.path);
    bound = bound.kind == Binding::Kind::Closure ? copy_closure(bound, variable->getNameAsString())
                                                 : bound;
  }
  if (bound.kind == Binding::Kind::Closure) {
    bindings_[variable] = bound;
    return true;
  }
  if (!Types::is_closure(type) && function_.statements.size() == before) {
    return false;
  }
  if (Types::is_closure(type)) {
    reject_declaration(variable, Diagnostic::UnsupportedForeignLambda);
    return true;
  }
  const auto members = context_.types.scalarized_members(type);
  const auto member = llvm::find_if(members, [&](const FieldDecl* field) {
    return field->getType()->isReferenceType() || field->getType()->isPointerType();
  });
  reject_declaration(
      variable, Diagnostic::UnsupportedObjectWithPointer,
      {readable_type(type, context_.ast),
       (member == members.end() ? members.front() : *member)->getNameAsString(),
       member != members.end() && (*member)->getType()->isReferenceType() ? "reference"
                                                                          : "pointer"});
  return true;
}

/// A base class of what `whole` denotes, or a class derived from it: a scalarized object is
/// the same by each of its classes.
Binding Lowering::converted(Binding whole, const CastExpr& cast) {
  if (whole.kind != Binding::Kind::Object || !names_same_object(cast)) {
    return whole;
  }
  const bool to_base =
      cast.getCastKind() == CK_DerivedToBase || cast.getCastKind() == CK_UncheckedDerivedToBase;
  std::optional<Path> path = whole.path;
  if (to_base) {
    path = hides_base(cast) ? std::nullopt : std::optional(base_path(whole.path, cast));
  } else if (cast.getCastKind() == CK_BaseToDerived) {
    path = derived_path(whole.path, cast.getType()->getAsCXXRecordDecl());
  }
  if (!path) {
    return {};
  }
  whole.path = *path;
  return whole;
}

Binding Lowering::scalarized_of_list(const InitListExpr* list) {
  const CXXRecordDecl* record =
      is_scalarized(list->getType()) ? Types::record(list->getType()) : nullptr;
  if (!record || record->isLambda()) {
    return {};
  }
  if (list->isTransparent()) {
    return closure(list->getInit(0));
  }
  Binding made;
  made.closure = std::make_shared<ScalarizedObject>();
  made.closure->record = record;
  made.closure->captures.resize(context_.types.scalarized_members(list->getType()).size());
  if (initialise_members(made.closure, record, list, record->getNameAsString())) {
    made.kind = Binding::Kind::Closure;
  }
  return made;
}

}  // namespace ddx::compiler
