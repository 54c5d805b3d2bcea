#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

const CXXNewExpr* find_allocation(const Stmt* statement) {
  if (!statement) {
    return nullptr;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(statement)) {
    return allocation;
  }
  for (const Stmt* child : statement->children()) {
    if (const CXXNewExpr* found = find_allocation(child)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace

/// Makes an object in memory: its place first, then its parts, as stores into that place. Returns
/// the variable that points to it, or null.
Root* Lowering::create(const CXXNewExpr* allocation) {
  const SourceLocation where = allocation->getExprLoc();
  const QualType type = allocation->getAllocatedType().getUnqualifiedType();
  const CXXRecordDecl* record = Types::record(type);
  const auto* own = allocation->getOperatorNew();
  const auto* destructor = record ? record->getDestructor() : nullptr;
  const bool plain = destructor == nullptr || !destructor->isUserProvided() || in_library(record) ||
                     !mentions_real(destructor->getBody());
  if (allocation->isArray()) {
    const Expr* with = allocation->getInitializer();
    const auto* list = dyn_cast_or_null<InitListExpr>(with);
    const auto size = allocation->getArraySize();
    const bool empty = !with || isa<ImplicitValueInitExpr, CXXConstructExpr>(with) ||
                       (list && list->getNumInits() == 0);
    const auto* parens = dyn_cast_or_null<ParenListExpr>(with);
    const auto* made = dyn_cast_or_null<CXXConstructExpr>(with);
    const bool filled =
        with && (!made || made->requiresZeroInitialization() || made->isListInitialization());
    return !size || !*size || allocation->getNumPlacementArgs() > 0 ||
                   !(empty || (parens && parens->getNumExprs() == 0))
               ? nullptr
               : create_elements(type, *size, filled, where);
  }
  if (allocation->getNumPlacementArgs() > 0 || isa_and_nonnull<CXXMethodDecl>(own) ||
      type->isPointerType() || !plain || (record && record->getNumVBases() > 0)) {
    return nullptr;
  }
  const std::string spelled = context_.names.type(type);
  Root* made = new_root(Root::Kind::Local, "made", context_.ast.getPointerType(type), where);
  made->is_dynamic_pointer = true;
  block_->roots.push_back(made);
  const auto declare_as = [&](const std::string& text) {
    ir::Statement* declaration = add(ir::Statement::Kind::Declare, where);
    declaration->root = made;
    declaration->text = " = " + text;
  };
  const auto place = [&] { return pointee_path(value_in(*made, where), type, where); };
  const Expr* initialiser = allocation->getInitializer();
  if (record && record->isPolymorphic()) {
    const auto* construction = dyn_cast_or_null<CXXConstructExpr>(initialiser);
    const FunctionDecl* definition =
        construction ? visible_body(construction->getConstructor()) : nullptr;
    if (!construction || construction->getConstructor()->isCopyOrMoveConstructor()) {
      return nullptr;
    }
    if (!definition || !runs_again(cast<CXXConstructorDecl>(definition))) {
      return nullptr;
    }
    const auto* constructor = cast<CXXConstructorDecl>(definition);
    std::string text;
    if (!bind_constructor_arguments(constructor, construction, &text)) {
      return nullptr;
    }
    declare_as("new " + spelled + "(" + text + ")");
    return repeat_constructor(place(), constructor, construction) ? made : nullptr;
  }
  if (record && in_library(record) && !is_made_of_numbers(type)) {
    return nullptr;
  }
  declare_as("ddx::detail::allocate<" + spelled + ">()");
  const std::string guard = unique("unfinished");
  const auto add_plain = [&](std::string text) {
    ir::Statement* statement = add(ir::Statement::Kind::Text, where);
    statement->text = std::move(text);
    statement->harmless = true;
  };
  add_plain("ddx::detail::Unfinished<" + spelled + "> " + guard + "(" + hole(*made) + ")");
  const Path object = place();
  if (initialiser) {
    initialise(object, initialiser, true);
  } else if (record != nullptr && !record->hasTrivialDefaultConstructor()) {
    return nullptr;
  }
  add_plain(guard + ".finish()");
  return made;
}

/// `std::make_unique<T>(...)` and `std::make_shared<T>(...)`: a pointer of that class around an
/// object that is made here.
Root* Lowering::create_owned(const CallExpr* call) {
  const SourceLocation where = call->getExprLoc();
  const QualType owner_type = call->getType().getUnqualifiedType();
  const auto* specialisation =
      cast<ClassTemplateSpecializationDecl>(owner_type->getAsCXXRecordDecl());
  if (specialisation->getTemplateArgs().get(0).getAsType()->isArrayType()) {
    const bool unbounded =
        specialisation->getTemplateArgs().get(0).getAsType()->isIncompleteArrayType();
    Root* elements = unbounded && call->getNumArgs() == 1
                         ? create_elements(Types::pointee_type(owner_type), call->getArg(0),
                                           /*filled=*/true, where)
                         : nullptr;
    return elements ? owner_of(*elements, owner_type, where) : nullptr;
  }
  // What the object is made of is said by the body of a function of this library that does no more.
  llvm::SmallVector<const Expr*> arguments(call->arguments().begin(), call->arguments().end());
  const FunctionDecl* maker = maker_of(Types::pointee_type(owner_type), arguments, where);
  const FunctionDecl* body = maker ? visible_body(maker) : nullptr;
  const CXXNewExpr* allocation = body ? find_allocation(body->getBody()) : nullptr;
  if (!allocation) {
    return nullptr;
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const ParmVarDecl* parameter = body->getParamDecl(i);
    const Expr* given = arguments[i];
    Binding binding;
    if (context_.types.holds_only_pointers(given->getType()) && !given->isLValue()) {
      const auto text = dynamic_pointer_text(given);
      if (!text) {
        return nullptr;
      }
      Root* root =
          new_root(Root::Kind::Local, "given", given->getType().getUnqualifiedType(), where);
      root->has_tangent = false;
      ir::Statement* declaration = declare_local(root, where);
      declaration->text = " = " + text->text;
      note(declaration, text->effects);
      binding.kind = Binding::Kind::Object;
      binding.path.root = root;
      binding.path.type = root->type;
    } else {
      const auto path = lvalue(given);
      if (!path) {
        return nullptr;
      }
      binding = bind_alias(*path, false, "given", where);
    }
    bindings_[parameter] = binding;
  }
  Root* made = create(allocation);
  if (!made) {
    return nullptr;
  }
  return owner_of(*made, owner_type, where);
}

/// A smart pointer around what was made.
Root* Lowering::owner_of(const Root& made, QualType type, SourceLocation where) {
  Root* owner = new_root(Root::Kind::Local, "owner", type, where);
  owner->has_tangent = false;
  ir::Statement* declaration = declare_local(owner, where);
  declaration->text = "(" + hole(made) + ")";
  return owner;
}

}  // namespace ddx::compiler
