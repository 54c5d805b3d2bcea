#include "compiler/lower/lowering.h"

#include "clang/AST/CXXInheritance.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// The class of the whole object that `path` names or names a base of, where it is known; `whole`
/// is then the object's path.
const CXXRecordDecl* Lowering::class_of(const Path& path, Path* whole) {
  *whole = path;
  while (!whole->steps.empty() && whole->steps.back().base) {
    whole->steps.pop_back();
  }
  const bool constant = path.type.isConstQualified();
  const auto of_type = [&](QualType type) {
    const CXXRecordDecl* record = Types::record(type);
    whole->type = constant ? type.withConst() : type;
    return record;
  };
  const Root& root = *whole->root;
  if (whole->steps.empty()) {
    const CXXRecordDecl* record = Types::record(root.type);
    const bool exact = root.kind == Root::Kind::Local || root.kind == Root::Kind::Global ||
                       root.is_most_derived || (record && record->isEffectivelyFinal());
    return exact ? of_type(root.type) : nullptr;
  }
  const Step& last = whole->steps.back();
  if (last.field) {
    return of_type(last.field->getType());
  }
  const bool held = root.type->isPointerType();
  if (whole->steps.size() == 1 && (held || root.kind == Root::Kind::Pointer)) {
    const QualType pointee = held ? root.type->getPointeeType() : root.type;
    const CXXRecordDecl* record = Types::record(pointee);
    return record && (root.is_most_derived || record->isEffectivelyFinal()) ? of_type(pointee)
                                                                            : nullptr;
  }
  const QualType sequence = sequence_of(*whole).type;
  if (last.part >= 0) {
    return of_type(Types::parts(sequence)[static_cast<std::size_t>(last.part)]);
  }
  return Types::container(sequence) == Container::None ? nullptr
                                                       : of_type(context_.types.element(sequence));
}

/// The part of `object`, of class `record`, that is the base class `base`.
std::optional<Path> Lowering::part_of_class(Path object, const CXXRecordDecl* record,
                                            const CXXRecordDecl* base) {
  if (record->getCanonicalDecl() == base->getCanonicalDecl()) {
    return object;
  }
  CXXBasePaths paths(/*FindAmbiguities=*/true, /*RecordPaths=*/true, /*DetectVirtual=*/true);
  if (!record->isDerivedFrom(base, paths) || paths.getDetectedVirtual() ||
      paths.isAmbiguous(context_.ast.getCanonicalType(context_.ast.getRecordType(base)))) {
    return std::nullopt;
  }
  for (const CXXBasePathElement& step : paths.front()) {
    object = base_path(object, step.Base->getType()->getAsCXXRecordDecl());
  }
  return object;
}

/// Passes the whole object to a parameter that is a base class of it, so that the callee knows the
/// class too.
bool Lowering::expand_whole(ir::Statement* made, const Path& path, bool is_constant) {
  Path whole;
  const CXXRecordDecl* record = class_of(path, &whole);
  const CXXRecordDecl* declared = Types::record(path.type);
  const bool is_handle = whole.steps.size() < path.steps.size() && declared && declared->isEmpty();
  if (!record || !declared || !(declared->isPolymorphic() || callee_casts_ || is_handle)) {
    return false;
  }
  expand_path(made, whole, false, is_constant);
  made->arguments.back().whole = record;
  made->by_name = false;
  return true;
}

/// A virtual call: of the overrider, where the object's class is known; else a branch for each
/// class of the unit that the object may have.
Value* Lowering::call_virtual(const CXXMethodDecl* method, const Expr* source,
                              const Receiver& object, llvm::ArrayRef<const Expr*> arguments,
                              std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const std::optional<Path> path =
      object.known || context_.types.has_tangent(context_.ast.getRecordType(method->getParent())) ||
              object.expression->isGLValue() ||
              isa<DeclRefExpr, CXXThisExpr>(object.expression->IgnoreParenImpCasts())
          ? object_path(object)
          : std::nullopt;
  const auto resolved = [&](const CXXRecordDecl* record, const Path& whole,
                            std::optional<Path>* made) -> Value* {
    const auto* target = method->getCorrespondingMethodInClass(record, true);
    const auto part = target ? part_of_class(whole, record, target->getParent()) : std::nullopt;
    if (!part) {
      return unsupported(source, Diagnostic::UnsupportedVirtualCall,
                         {method->getQualifiedNameAsString()});
    }
    Binding binding;
    binding.kind = Binding::Kind::Object;
    binding.path = *part;
    Receiver receiver(binding);
    receiver.resolved = true;
    return lower_call(target, source, receiver, arguments, made);
  };
  Path whole;
  if (const CXXRecordDecl* record = path ? class_of(*path, &whole) : nullptr) {
    return resolved(record, whole, reference);
  }
  std::optional<std::string> text;
  Effects found;
  if (!object.known) {
    found = effects(object.expression);
    text = found.lowers ? std::nullopt : text_of(object.expression);
    if (text && object.expression->getType()->isPointerType()) {
      text = "(*" + *text + ")";
    }
  } else if (path->steps.empty()) {
    text = hole(*path->root);
    found.reads.push_back(path->root);
  }
  const auto classes = context_.types.concrete_classes(method->getParent());
  if (!text || source->isGLValue() || classes.empty()) {
    return unsupported(source, Diagnostic::UnsupportedVirtualCall,
                       {method->getQualifiedNameAsString()});
  }
  // The object under a name of its own, as a constant: an error where it is active.
  const QualType pointee = object.known ? path->type
                           : object.expression->getType()->isPointerType()
                               ? object.expression->getType()->getPointeeType()
                               : object.expression->getType();
  const auto declare_pointer_to = [&](QualType type, const std::string& initialiser,
                                      llvm::ArrayRef<Root*> reads) {
    Root* root = new_root(Root::Kind::Local, "object", context_.ast.getPointerType(type), where);
    root->has_tangent = false;
    ir::Statement* declaration = declare_local(root, where);
    declaration->text = " = " + initialiser;
    declaration->reads.assign(reads.begin(), reads.end());
    if (!method->isConst()) {
      declaration->text_writes.assign(reads.begin(), reads.end());  // By the member called.
    }
    declaration->diagnostic = Diagnostic::UnsupportedVirtualCall;
    declaration->facts = {method->getQualifiedNameAsString()};
    return root;
  };
  Root* const held = declare_pointer_to(pointee, "&" + *text, found.reads);
  const Dispatch dispatch = begin_dispatch(source);
  for (const CXXRecordDecl* record : classes) {
    const QualType of = context_.ast.getRecordType(record);
    Value* test = new_value(Value::Kind::Text, context_.ast.BoolTy, where);
    test->text = "ddx::detail::is_exactly<" + context_.names.type(of) + ">(*" + hole(*held) + ")";
    test->reads = {held};
    define(test);
    add_target(dispatch, test, [&](std::optional<Path>* made) {
      const QualType qualified = pointee.isConstQualified() ? of.withConst() : of;
      Root* const exact = declare_pointer_to(
          qualified,
          "static_cast<" + context_.names.type(context_.ast.getPointerType(qualified)) + ">(" +
              hole(*held) + ")",
          {held});
      exact->is_most_derived = true;
      Path target;
      target.root = exact;
      target.steps.emplace_back();
      target.type = qualified;
      return resolved(record, target, made);
    });
  }
  return end_dispatch(dispatch,
                      "ddx::detail::throw_unknown_class(*" + hole(*held) + ", \"" +
                          method->getQualifiedNameAsString() + "\")",
                      {held}, reference);
}

/// An object with a table of virtual functions, which only its constructor can make: it is made as
/// it stands, then its members get the same values again, step by step.
bool Lowering::declare_polymorphic(Root* root, const CXXConstructExpr* construction) {
  const CXXConstructorDecl* constructor = construction->getConstructor();
  const FunctionDecl* definition = visible_body(constructor);
  if (Types::record(root->type)->getNumVBases() > 0 || !definition ||
      constructor->isCopyOrMoveConstructor() ||
      !initialises_only(cast<CXXConstructorDecl>(definition))) {
    return false;
  }
  constructor = cast<CXXConstructorDecl>(definition);
  std::string text;
  if (!bind_constructor_arguments(constructor, construction, &text)) {
    return false;
  }
  root->type = root->type.getUnqualifiedType();  // The members are written once more.
  root->is_constant = false;
  ir::Statement* declaration = add(ir::Statement::Kind::Declare, root->where);
  declaration->root = root;
  declaration->text = text.empty() ? "" : "(" + text + ")";
  Path path;
  path.root = root;
  path.type = root->type.getUnqualifiedType();
  return repeat_constructor(path, constructor, construction);
}

/// Evaluates the arguments of a constructor, and binds its parameters to them.
bool Lowering::bind_constructor_arguments(const CXXConstructorDecl* constructor,
                                          const CXXConstructExpr* construction, std::string* text) {
  for (unsigned i = 0; i < construction->getNumArgs(); ++i) {
    const ParmVarDecl* parameter = constructor->getParamDecl(i);
    const QualType type = parameter->getType();
    const Expr* argument = construction->getArg(i);
    if (is_scalarized(type) || Types::is_callable(type.getNonReferenceType()) ||
        type->isPointerType()) {
      return false;
    }
    Binding binding;
    binding.kind = Binding::Kind::Object;
    if (type->isReferenceType()) {
      const auto path = lvalue(argument);
      if (!path) {
        return false;
      }
      Path target = *path;
      target.type = type.getNonReferenceType();
      binding = bind_alias(target, false, parameter->getNameAsString(), argument->getExprLoc());
    } else {
      Root* root =
          new_root(Root::Kind::Local, parameter->getNameAsString(), type, argument->getExprLoc());
      block_->roots.push_back(root);
      declare_object(root, argument);
      binding.path.root = root;
      binding.path.type = type;
    }
    bindings_[parameter] = binding;
    if (text) {
      const std::string name = hole(binding.alias ? *binding.alias : *binding.path.root);
      const bool moves = !type->isLValueReferenceType() && Types::record(type) != nullptr &&
                         context_.types.holds_only_pointers(type);
      *text += (text->empty() ? "" : ", ") + (moves ? "std::move(" + name + ")" : name);
    }
  }
  return true;
}

/// Runs a constructor once more on the object that it has made, without calling it.
bool Lowering::repeat_constructor(const Path& object, const CXXConstructorDecl* constructor,
                                  const CXXConstructExpr* source) {
  Self self{object, bind_alias(object, false, "object", source->getExprLoc()).alias, nullptr};
  bool done = false;
  lower_in_place(
      constructor, source, self, [&] { done = repeat_initialisers(object, constructor); }, nullptr);
  return done;
}

bool Lowering::repeat_initialisers(const Path& object, const CXXConstructorDecl* constructor) {
  for (const CXXCtorInitializer* initialiser : constructor->inits()) {
    if (initialiser->isBaseInitializer()) {
      const auto* base =
          dyn_cast<CXXConstructExpr>(initialiser->getInit()->IgnoreUnlessSpelledInSource());
      if (!base) {
        base = dyn_cast<CXXConstructExpr>(initialiser->getInit());
      }
      const FunctionDecl* definition = base ? visible_body(base->getConstructor()) : nullptr;
      if (!base || base->getConstructor()->isCopyOrMoveConstructor()) {
        return false;
      }
      if (!definition) {
        if (base->getConstructor()->isTrivial()) {
          continue;
        }
        return false;
      }
      const auto* made = cast<CXXConstructorDecl>(definition);
      const Path part = base_path(object, initialiser->getBaseClass()->getAsCXXRecordDecl());
      if (!bind_constructor_arguments(made, base, nullptr) ||
          !repeat_constructor(part, made, base)) {
        return false;
      }
      continue;
    }
    const FieldDecl* field = initialiser->getMember();
    if (field && context_.types.holds_only_pointers(field->getType())) {
      continue;  // The constructor has made it.
    }
    if (!field || field->getType()->isReferenceType() || field->getType()->isPointerType()) {
      return false;
    }
    Path target = field_path(object, field);
    target.type = target.type.getUnqualifiedType();
    if (!context_.types.has_tangent(target.type)) {
      continue;
    }
    const auto outer = std::exchange(self_, object);
    // What is const takes no assignment; a number can be made in its place.
    initialise(target, initialiser->getInit(),
               field->getType().isConstQualified() && field->getType()->isScalarType());
    if (field->getType().isConstQualified() && field->getType()->isScalarType()) {
      block_->statements.back()->constructs = true;
    }
    self_ = outer;
  }
  return true;
}

}  // namespace ddx::compiler
