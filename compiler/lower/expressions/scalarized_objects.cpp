/// Objects that keep references, scalarized: such an object is the list of what its members
/// denote, as a lambda is that of its captures.

#include "compiler/lower/expressions/scalarized_objects.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

std::optional<Binding> ScalarizedObjects::member_binding(const MemberExpr* member) {
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  if (!field || !scope_.is_in_scalarized(member->getBase())) {
    return std::nullopt;
  }
  const Binding whole = scalarized(member->getBase());
  if (whole.kind == Binding::Kind::Closure) {
    const Binding* part = scope_.member_of(*whole.closure, field);
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

Binding ScalarizedObjects::scalarized(const Expr* expression) {
  const std::size_t before = function_.statements.size();
  Binding made = closure(expression);
  if (made.kind == Binding::Kind::None && expression->isGLValue() &&
      function_.statements.size() == before) {
    if (const auto path = places_.lvalue(expression)) {
      made.kind = Binding::Kind::Object;
      made.path = *path;
    }
  }
  return made;
}

Binding ScalarizedObjects::scalarized_at(const Path& object) {
  Binding made;
  made.kind = Binding::Kind::Closure;
  made.closure = std::make_shared<ScalarizedObject>();
  made.closure->record = Types::record(object.type);
  const std::function<void(const Path&, const CXXRecordDecl*)> collect =
      [&](const Path& part, const CXXRecordDecl* record) {
        for (const CXXBaseSpecifier& base : record->bases()) {
          const CXXRecordDecl* of_base = Types::record(base.getType());
          collect(places_.base_path(part, of_base), of_base);
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
          if (!refers && context_.types.is_scalarized(type)) {
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
Binding ScalarizedObjects::make_member(QualType type, const Expr* initialiser,
                                       const std::string& name, bool moves) {
  const SourceLocation where = initialiser->getExprLoc();
  Binding made;
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(initialiser)) {
    initialiser = with_default->getExpr();
  }
  if (context_.types.is_scalarized(type)) {
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
    made = callables_.callable(initialiser);
    if (made.kind != Binding::Kind::None) {
      return made;
    }
  }
  if (context_.types.viewed(plain)) {
    return views_.view(initialiser).value_or(Binding{});
  }
  const auto kind = context_.types.iterator(plain);
  if (kind && type->isReferenceType()) {
    return {};
  }
  if (kind) {
    const std::size_t before = function_.statements.size();
    if (const auto target = places_.pointer(initialiser)) {
      Path start = *target;
      start.type = kind->element;
      const bool has_neighbours = !start.steps.empty() && start.steps.back().is_element();
      return has_neighbours && (moves || !plain->isPointerType())
                 ? iterators_.make_iterator(std::move(start), plain, name, where)
                 : places_.bind_alias(std::move(start), true, name, where);
    }
    if (function_.statements.size() != before || !plain->isPointerType()) {
      return {};
    }
  }
  if (type->isReferenceType()) {
    const auto path = places_.lvalue(initialiser);
    if (!path) {
      return {};
    }
    Path target = *path;
    target.type = plain;
    return places_.bind_alias(target, false, name, where);
  }
  Root* root = builder_.new_root(Root::Kind::Local, name, type, where);
  builder_.keep(root);
  root->has_tangent = root->has_tangent && !kind;  // A pointer to reals that are not known here.
  initialisers_.declare_object(root, initialiser);
  made.kind = Binding::Kind::Object;
  made.path.root = root;
  made.path.type = type;
  return made;
}

bool ScalarizedObjects::declare_scalarized(const VarDecl* variable) {
  const Expr* init = variable->getInit();
  const QualType type = variable->getType();
  const std::size_t before = function_.statements.size();
  Binding bound = init ? scalarized(init) : Binding{};
  if (bound.kind == Binding::Kind::Object) {
    Path target = bound.path;
    target.type = type.getNonReferenceType();
    if (type->isReferenceType()) {
      scope_.bindings[variable] =
          places_.bind_alias(target, false, variable->getNameAsString(), variable->getLocation());
      return true;
    }
    bound = scalarized_at(bound.path);
    bound = bound.kind == Binding::Kind::Closure ? copy_closure(bound, variable->getNameAsString())
                                                 : bound;
  }
  if (bound.kind == Binding::Kind::Closure) {
    scope_.bindings[variable] = bound;
    return true;
  }
  if (!Types::is_closure(type) && function_.statements.size() == before) {
    return false;
  }
  if (Types::is_closure(type)) {
    declarations_.reject_declaration(variable, Diagnostic::UnsupportedForeignLambda);
    return true;
  }
  const auto members = context_.types.scalarized_members(type);
  const auto member = llvm::find_if(members, [&](const FieldDecl* field) {
    return field->getType()->isReferenceType() || field->getType()->isPointerType();
  });
  declarations_.reject_declaration(
      variable, Diagnostic::UnsupportedObjectWithPointer,
      {readable_type(type, context_.ast),
       (member == members.end() ? members.front() : *member)->getNameAsString(),
       member != members.end() && (*member)->getType()->isReferenceType() ? "reference"
                                                                          : "pointer"});
  return true;
}

/// A base class of what `whole` denotes, or a class derived from it: a scalarized object is
/// the same by each of its classes.
Binding ScalarizedObjects::converted(Binding whole, const CastExpr& cast) {
  if (whole.kind != Binding::Kind::Object || !names_same_object(cast)) {
    return whole;
  }
  const bool to_base =
      cast.getCastKind() == CK_DerivedToBase || cast.getCastKind() == CK_UncheckedDerivedToBase;
  std::optional<Path> path = whole.path;
  if (to_base) {
    path = places_.hides_base(cast) ? std::nullopt
                                    : std::optional(places_.base_path(whole.path, cast));
  } else if (cast.getCastKind() == CK_BaseToDerived) {
    path = places_.derived_path(whole.path, cast.getType()->getAsCXXRecordDecl());
  }
  if (!path) {
    return {};
  }
  whole.path = *path;
  return whole;
}

Binding ScalarizedObjects::scalarized_of_list(const InitListExpr* list) {
  const CXXRecordDecl* record =
      context_.types.is_scalarized(list->getType()) ? Types::record(list->getType()) : nullptr;
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
