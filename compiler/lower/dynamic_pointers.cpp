#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/function_names.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

bool makes_owner(const FunctionDecl* callee) {
  return is_std(callee, {"make_unique", "make_shared"});
}

/// True for functions that return the address of what they have, not a pointer kept somewhere.
bool returns_address(const Stmt* body) {
  if (!body || isa<LambdaExpr>(body)) {
    return false;
  }
  if (const auto* result = dyn_cast<ReturnStmt>(body); result && result->getRetValue()) {
    const Expr* value = result->getRetValue()->IgnoreParens();
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(value)) {
      if (cast->getCastKind() == CK_ArrayToPointerDecay) {
        return true;
      }
      value = cast->getSubExpr()->IgnoreParens();
    }
    const auto* operation = dyn_cast<UnaryOperator>(value);
    return isa<CXXThisExpr>(value) || (operation && operation->getOpcode() == UO_AddrOf);
  }
  return llvm::any_of(body->children(), [](const Stmt* child) { return returns_address(child); });
}

}  // namespace

/// True when a pointer could be made to an object with a name, which has its cotangent elsewhere.
bool Lowering::shows_named_object(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (expression && replaced_.contains(expression)) {
    return false;
  }
  const auto is_named_object = [&](const Expr* object) {
    const QualType type = object->getType();
    return context_.types.may_hold_real(type) && !context_.types.holds_only_pointers(type);
  };
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->getOpcode() == UO_AddrOf) {
    return is_named_object(operation->getSubExpr()) && !is_in_memory(operation);
  }
  if (isa<CXXThisExpr>(statement)) {
    return !self_ || self_->root->kind != Root::Kind::Memory;
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement);
      member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) {
    return false;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const auto* access = dyn_cast<CXXOperatorCallExpr>(call);
    const bool is_element = access && access->getOperator() == OO_Subscript;
    for (const Expr* argument : llvm::drop_begin(call->arguments(), is_element ? 1 : 0)) {
      const Expr* given = below_copies(argument);
      if (given->isGLValue() && !given->getType()->isScalarType() && is_named_object(given)) {
        return true;
      }
    }
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return shows_named_object(child); });
}

/// Some root for what lies in memory: all of it may overlap.
Root* Lowering::memory() {
  if (!function_.memory) {
    function_.memory = new_root(Root::Kind::Memory, "memory", context_.ast.CharTy,
                                function_.key.function->getLocation());
    function_.memory->has_tangent = true;
  }
  return function_.memory;
}

/// The object that `pointer` points to.
Path Lowering::pointee_path(Value* pointer, QualType object, SourceLocation where) {
  memory();
  Path path;
  path.root = new_root(Root::Kind::Memory, "memory", object, where);
  path.root->has_tangent = true;
  path.root->address = pointer;
  pointer->is_dynamic_pointer = true;
  path.type = object;
  return path;
}

/// A pointer to what `path` names in memory.
Value* Lowering::address_of(const Path& path, SourceLocation where) {
  if (path.steps.empty()) {
    return path.root->address;
  }
  Root* const place = bind_alias(path, false, "place", where).alias;
  Value* value = new_value(Value::Kind::Text, context_.ast.getPointerType(path.type), where);
  value->text = "(&" + hole(*place) + ")";
  define(value);
  return value;
}

bool Lowering::is_static_pointer(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (isa<CXXThisExpr>(expression)) {
    return true;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = bindings_.find(dyn_cast<VarDecl>(reference->getDecl()));
    return found != bindings_.end() && found->second.kind == Binding::Kind::Pointer;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    if (cast->getCastKind() == CK_LValueToRValue) {
      const Expr* variable = cast->getSubExpr()->IgnoreParens();
      if (const auto capture = capture_of(variable)) {
        return capture->kind != Binding::Kind::Object || !capture->path.type->isPointerType();
      }
      return isa<DeclRefExpr>(variable) && is_static_pointer(variable);
    }
    return cast->getCastKind() == CK_ArrayToPointerDecay ||
           (cast->getCastKind() != CK_NullToPointer && is_static_pointer(cast->getSubExpr()));
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    return operation->getOpcode() == UO_AddrOf;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    const bool left = operation->getLHS()->getType()->isPointerType();
    return operation->isAdditiveOp() &&
           is_static_pointer(left ? operation->getLHS() : operation->getRHS());
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return is_static_pointer(conditional->getTrueExpr()) ||
           is_static_pointer(conditional->getFalseExpr());
  }
  if (const auto* made = dyn_cast<CallExpr>(expression)) {
    const FunctionDecl* callee = made->getDirectCallee();
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
    if (callee && callee->getQualifiedNameAsString().starts_with("ddx::detail::held_if")) {
      return true;  // What an optional or a variant with a name holds.
    }
    if (callee && in_library(callee)) {  // Iterators denote places that are known.
      return !method ||
             !context_.types.is_dynamic_pointer(context_.ast.getRecordType(method->getParent()));
    }
    const FunctionDecl* body = callee ? visible_body(callee) : nullptr;
    return body && returns_address(body->getBody());
  }
  return false;
}

bool Lowering::is_dynamic_pointer_value(const Expr* expression) {
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
      reference && expression->getType()->isPointerType()) {
    const auto found = bindings_.find(dyn_cast<VarDecl>(reference->getDecl()));
    if (found != bindings_.end() && found->second.in_memory) {
      return true;
    }
  }
  if (!expression->getType()->isPointerType()) {
    return false;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts())) {
    const Binding* const part = known_member(member);  // Of an object that is scalarized.
    if (part && part->in_memory) {
      return true;
    }
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(expression->IgnoreParenImpCasts())) {
    return allocation->getNumPlacementArgs() == 0 &&
           context_.types.has_tangent(allocation->getAllocatedType());
  }
  if (names_owned_array(expression)) {
    return true;
  }
  const Expr* plain = expression->IgnoreParenImpCasts();
  if (const auto* operation = dyn_cast<BinaryOperator>(plain)) {  // Elsewhere in what is there.
    const bool left = operation->getLHS()->getType()->isPointerType();
    return operation->getOpcode() == BO_Add || operation->getOpcode() == BO_Sub ||
                   operation->isCompoundAssignmentOp()
               ? is_dynamic_pointer_value(left ? operation->getLHS() : operation->getRHS())
               : false;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(plain);
      operation && operation->isIncrementDecrementOp()) {
    return is_dynamic_pointer_value(operation->getSubExpr());
  }
  return is_in_memory(expression) ||
         (context_.types.is_dynamic_pointer(expression->getType()) &&
          !is_static_pointer(expression) && !is_global_pointer(expression));
}

/// True for a text in which a number changes: that must be lowered.
bool Lowering::changes_number(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (!statement || (expression && replaced_.contains(expression))) {
    return false;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp() && Types::is_real(operation->getLHS()->getType())) {
    return true;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->isIncrementDecrementOp() && Types::is_real(operation->getType())) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [this](const Stmt* child) { return changes_number(child); });
}

/// True when something in `statement` must be lowered before its text can be printed.
bool Lowering::makes_objects(const Stmt* statement) {
  if (!statement || isa<LambdaExpr>(statement)) {
    return false;
  }
  if (const auto* expression = dyn_cast<Expr>(statement);
      expression && (replaced_.contains(expression) || function_from_lambda(expression))) {
    return false;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(statement)) {
    return context_.types.may_hold_real(allocation->getAllocatedType());
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl* callee = call->getDirectCallee();
    const bool keeps = llvm::any_of(call->arguments(), [&](const Expr* argument) {
      return function_argument_to_keep(call, argument) != nullptr;
    });
    if (!callee || (!in_library(callee) && !only_moves_pointers(callee)) || makes_owner(callee) ||
        keeps) {
      return true;
    }
  }
  if (const auto* made = dyn_cast<CXXConstructExpr>(statement); made && function_to_keep(made)) {
    return true;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(statement);
      name && Types::is_function_object(name->getType()) &&
      fixed_target(name).stands_for_callable()) {
    return true;  // No such object exists yet.
  }
  if (const auto* made = dyn_cast<Expr>(statement); made && makes_here(made)) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return makes_objects(child); });
}

/// Names the object that `made` is declared as, in the place of `expression`.
void Lowering::replace(const Expr* expression, const Root& made) {
  const bool moves = made.type->isRecordType();
  replace(expression, moves ? "std::move(" + hole(made) + ")" : hole(made));
}

void Lowering::replace(const Expr* expression, std::string text) {
  replaced_[expression] = std::move(text);
  hoisted_.push_back(expression);
}

/// Lowers what in `expression` makes objects or calls functions, so that the rest of it is text.
bool Lowering::hoist(const Expr* expression) {
  if (!makes_objects(expression)) {
    return true;
  }
  const Expr* source = below_copies(expression);
  const auto declare_as = [&](QualType type) {
    Root* root =
        new_root(Root::Kind::Local, "made", type.getUnqualifiedType(), source->getExprLoc());
    root->is_dynamic_pointer = true;
    block_->roots.push_back(root);
    return root;
  };
  if (const auto* allocation = dyn_cast<CXXNewExpr>(source)) {
    Root* made = create(allocation);
    if (made) {
      replace(source, *made);
    }
    return made != nullptr;
  }
  if (isa<DeclRefExpr>(source) && Types::is_function_object(source->getType())) {
    const Binding target = fixed_target(source);
    std::optional<std::string> text;
    if (target.kind == Binding::Kind::Function) {
      text = "&" + context_.names.function(target.function);
    } else if (target.kind == Binding::Kind::Closure) {
      text = kept_function(source);
    }
    if (text) {
      Root* root = declare_as(source->getType());
      root->has_tangent = false;
      ir::Statement* declaration = add(ir::Statement::Kind::Declare, root->where);
      declaration->root = root;
      declaration->text = " = " + *text;
      replace(source, hole(*root));
    }
    return text.has_value();
  }
  if (const Expr* object = function_to_keep(source)) {
    const auto text = kept_function(object);
    if (text) {
      replace(source,
              context_.names.type(source->getType().getUnqualifiedType()) + "(" + *text + ")");
    }
    return text.has_value();
  }
  const bool bound = isa<MaterializeTemporaryExpr>(expression->IgnoreParenImpCasts());
  if (!bound && source->isPRValue() && context_.types.move_works(source->getType()) &&
      (isa<ConditionalOperator>(source) || makes_here(source) ||
       (isa<CallExpr>(source) && !in_library(cast<CallExpr>(source)->getDirectCallee())))) {
    return false;  // To move it on would make something unseen.
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(source)) {
    Root* root = declare_as(conditional->getType());
    if (context_.types.needs_storage(root->type)) {
      return false;  // Nothing to assign to that makes nothing itself.
    }
    if (!(context_.types.holds_only_pointers(root->type) ||
          (root->type->isPointerType() && leads_to_memory(conditional))) ||
        makes_objects(conditional->getCond())) {
      return false;
    }
    root->has_tangent = false;
    ir::Statement* declaration = add(ir::Statement::Kind::Declare, root->where);
    declaration->root = root;
    declaration->text = "{}";
    bool known = true;
    for_each_arm(conditional, root->where, [&](const Expr* arm) {
      const auto text = dynamic_pointer_text(arm);
      known = known && text;
      if (text) {
        add_text(hole(*root) + " = " + text->text, *text, arm->getExprLoc(), {root});
      }
    });
    replace(source, *root);
    return known;
  }
  if (const auto* call = dyn_cast<CallExpr>(source)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee) {
      return false;
    }
    if (makes_owner(callee)) {
      Root* owner = create_owned(call);
      if (owner) {
        replace(source, *owner);
      }
      return owner != nullptr;
    }
    if (!in_library(callee) && !only_moves_pointers(callee)) {
      std::optional<Path> reference;
      Value* value = this->call(call, &reference);
      if (reference) {
        const bool is_pointer = call->getType()->isPointerType();
        if (is_pointer && reference->root->kind != Root::Kind::Memory) {
          return false;
        }
        Value* address = is_pointer ? address_of(*reference, source->getExprLoc()) : nullptr;
        if (is_pointer) {
          value = address;
        } else {
          replace(source, hole(*bind_alias(*reference, false, "made", source->getExprLoc()).alias));
          return true;
        }
      }
      if (!value || value->has_tangent) {
        return false;
      }
      Root* root = declare_as(call->getType());
      root->has_tangent = false;
      ir::Statement* declaration = add(ir::Statement::Kind::Declare, root->where);
      declaration->root = root;
      declaration->value = value;
      replace(source, *root);
      return true;
    }
    return llvm::all_of(source->children(), [&](const Stmt* child) {
      const auto* part = cast_or_null<Expr>(child);
      const Expr* object = part ? function_argument_to_keep(call, part) : nullptr;
      const auto text = object ? kept_function(object) : std::nullopt;
      if (text) {
        replace(part, *text);
      }
      return !part || (object ? text.has_value() : hoist(part));
    });
  }
  if (const auto* cast = dyn_cast<ExplicitCastExpr>(source);
      cast && makes_here(below_copies(cast->getSubExpr()))) {
    replace(source, *materialise(below_copies(cast->getSubExpr())).root);
    return true;
  }
  if (makes_here(source)) {
    const Path made = materialise(source);
    replace(source, *made.root);
    return true;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(source);
      operation && (operation->isLogicalOp() || operation->isAssignmentOp())) {
    return false;
  }
  if (isa<StmtExpr, CXXThrowExpr>(source)) {
    return false;
  }
  return llvm::all_of(source->children(), [&](const Stmt* child) {
    return !child || (isa<Expr>(child) && hoist(cast<Expr>(child)));
  });
}

/// True for an assignment that the compiler generates, and that copies or moves dynamic pointers
/// alone.
bool Lowering::only_moves_pointers(const FunctionDecl* callee) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (!method || method->isUserProvided() ||
      !(method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    return false;
  }
  const QualType type = context_.ast.getRecordType(method->getParent());
  return !context_.types.has_tangent(type) && context_.types.holds_only_pointers(type) &&
         !(method->isMoveAssignmentOperator() ? context_.types.move_works(type)
                                              : context_.types.copy_works(type));
}

/// True for a member of an object with a name: to read it, memory is not.
bool Lowering::lies_in_named_object(const Expr* place) {
  const Expr* object = place->IgnoreParenImpCasts();
  while (const auto* member = dyn_cast<MemberExpr>(object)) {
    object = member->getBase()->IgnoreParenImpCasts();
    if (member->isArrow() && !isa<CXXThisExpr>(object)) {
      return false;
    }
  }
  if (isa<CXXThisExpr>(object)) {
    return self_ && self_->root->kind != Root::Kind::Memory;
  }
  const auto* reference = dyn_cast<DeclRefExpr>(object);
  const auto found =
      reference ? bindings_.find(dyn_cast<VarDecl>(reference->getDecl())) : bindings_.end();
  return found != bindings_.end() && found->second.kind == Binding::Kind::Object &&
         found->second.path.root && found->second.path.root->kind != Root::Kind::Memory;
}

/// The text of an expression that moves about in memory, once what it makes is made.
std::optional<PointerText> Lowering::dynamic_pointer_text(const Expr* expression) {
  const std::size_t before = hoisted_.size();
  const bool known = hoist(expression);
  const bool moves_pointers = known && !changes_number(expression) &&
                              !shows_named_object(expression) && !has_opaque_effects(expression);
  const auto text = moves_pointers ? text_of(expression) : std::nullopt;
  std::optional<PointerText> result;
  if (text) {
    // Numbers in it decide which pointer is meant; objects in it have their pointers read or
    // written.
    result = PointerText{*text, effects(expression)};
    llvm::erase_if(result->effects.reads, [](const Root* root) { return root->has_tangent; });
    llvm::erase_if(result->effects.writes, [](const Root* root) { return root->has_tangent; });
    if (!lies_in_named_object(expression)) {
      result->effects.reads.push_back(memory());
    }
  }
  for (; hoisted_.size() > before; hoisted_.pop_back()) {
    replaced_.erase(hoisted_.back());  // The same expression may be lowered again.
  }
  return result;
}

void Lowering::add_text(std::string text, const PointerText& pointer_found, SourceLocation where,
                        llvm::ArrayRef<Root*> writes) {
  ir::Statement* statement = add(ir::Statement::Kind::Text, where);
  statement->text = std::move(text);
  note(statement, pointer_found.effects);
  statement->text_writes.append(writes.begin(), writes.end());
}

/// The value of a dynamic pointer.
Value* Lowering::dynamic_pointer_value(const Expr* expression) {
  const Expr* source = expression->IgnoreParenImpCasts();
  const SourceLocation where = expression->getExprLoc();
  if (const auto* call = dyn_cast<CallExpr>(source);
      call && call->getDirectCallee() && !in_library(call->getDirectCallee())) {
    std::optional<Path> reference;
    Value* value = this->call(call, &reference);
    if (reference && reference->root->kind == Root::Kind::Memory && !call->isGLValue()) {
      return address_of(*reference, where);
    }
    if (value && !reference) {
      value->is_dynamic_pointer = true;
      return value;
    }
    return lost_pointer(expression);
  }
  const auto* access = dyn_cast<CXXOperatorCallExpr>(source);
  const bool arrow = access && access->getOperator() == OO_Arrow;
  auto text = dynamic_pointer_text(arrow ? access->getArg(0) : expression);
  if (!text) {
    return lost_pointer(expression);
  }
  if (arrow) {  // Clang's printer leaves it out.
    text->text = "(" + text->text + ").operator->()";
    text->effects.costly = true;
  }
  Value* value = text_value(expression, text->effects, text->text);
  value->is_dynamic_pointer = true;
  // To Clang, `this` of a const member is no pointer to const where it becomes that of a base
  // class.
  if (const QualType given = source->getType(); given->isPointerType() &&
                                                given->getPointeeType().isConstQualified() &&
                                                value->type->isPointerType()) {
    value->type = context_.ast.getPointerType(value->type->getPointeeType().withConst());
  }
  return value;
}

/// An error, whatever is active: where this leads to, and what is made there, is not known.
Value* Lowering::lost_pointer(const Expr* expression) {
  Value* value = unsupported(expression, Diagnostic::UnsupportedPointer);
  function_.statements.back().always = true;
  return value;
}

/// Assignments of dynamic pointers and the end of what they lead to, as statements.
bool Lowering::pointer_statement(const Expr* expression) {
  const Expr* source = expression->IgnoreParens();
  if (const auto* removal = dyn_cast<CXXDeleteExpr>(source)) {
    if (!is_dynamic_pointer_value(removal->getArgument()) ||
        is_global_pointer(removal->getArgument())) {
      return false;
    }
  } else if (const auto* step = dyn_cast<UnaryOperator>(source);
             step && step->isIncrementDecrementOp() && step->getType()->isPointerType()) {
    if (!is_dynamic_pointer_value(step->getSubExpr())) {
      return false;
    }
  } else if (const auto* moved = dyn_cast<CompoundAssignOperator>(source);
             moved && moved->getType()->isPointerType()) {
    if (!is_dynamic_pointer_value(moved->getLHS())) {
      return false;
    }
  } else if (const auto* set_member = dyn_cast<BinaryOperator>(source);
             set_member && set_member->getOpcode() == BO_Assign &&
             names_owned_array(set_member->getLHS()) && !is_global_pointer(set_member->getLHS())) {
    const auto* member = cast<MemberExpr>(set_member->getLHS()->IgnoreParens());
    const auto object = member->isArrow() ? pointer(member->getBase()) : lvalue(member->getBase());
    if (object) {
      set_owned_array(field_path(*object, cast<FieldDecl>(member->getMemberDecl())),
                      set_member->getRHS());
    } else {
      lost_pointer(set_member);
    }
    return true;
  } else if (const auto* operation = dyn_cast<BinaryOperator>(source);
             operation && operation->getOpcode() == BO_Assign) {
    const Expr* left = operation->getLHS()->IgnoreParens();
    const auto* reference = dyn_cast<DeclRefExpr>(left);
    const auto found =
        reference ? bindings_.find(dyn_cast<VarDecl>(reference->getDecl())) : bindings_.end();
    const bool in_memory = found != bindings_.end() && found->second.in_memory;
    const bool fixed = found != bindings_.end() && found->second.kind == Binding::Kind::Pointer;
    if (left->getType()->isPointerType() && is_global_pointer(left) &&
        is_dynamic_pointer_value(operation->getRHS())) {
      lost_pointer(operation);
      return true;
    }
    if (!left->getType()->isPointerType() || fixed || is_global_pointer(left) ||
        !(in_memory || context_.types.is_dynamic_pointer(left->getType())) ||
        !(is_dynamic_pointer_value(operation->getRHS()) ||
          operation->getRHS()->isNullPointerConstant(context_.ast,
                                                     Expr::NPC_NeverValueDependent))) {
      return false;
    }
  } else {
    return false;
  }
  const auto text = dynamic_pointer_text(source);
  if (!text) {
    return false;
  }
  add_text(text->text, *text, source->getExprLoc(), {});
  return true;
}

/// True for the address of an object that lies in memory itself.
bool Lowering::is_in_memory(const Expr* pointer) {
  const Expr* source = pointer->IgnoreParenImpCasts();
  if (isa<CXXThisExpr>(source)) {
    return self_ && self_->root->kind == Root::Kind::Memory;
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(source)) {
    return is_in_memory(conditional->getTrueExpr()) && is_in_memory(conditional->getFalseExpr());
  }
  const auto* operation = dyn_cast<UnaryOperator>(source);
  if (!operation || operation->getOpcode() != UO_AddrOf) {
    return false;
  }
  return lies_in_memory(operation->getSubExpr());
}

/// True for a place in memory: its address is only known at run time.
bool Lowering::lies_in_memory(const Expr* place) {
  const Expr* object = place->IgnoreParenImpCasts();
  if (const auto* member = dyn_cast<MemberExpr>(object)) {
    const Expr* base = member->getBase();
    return member->isArrow() ? is_dynamic_pointer_value(base) || is_in_memory(base)
                             : lies_in_memory(base);
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(object)) {
    return operation->getOpcode() == UO_Deref &&
           (is_dynamic_pointer_value(operation->getSubExpr()) ||
            is_in_memory(operation->getSubExpr()));
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(object)) {
    return lies_in_memory(subscript->getBase()) || is_dynamic_pointer_value(subscript->getBase());
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(object)) {
    const QualType type = call->getArg(0)->getType();
    const bool deref = call->getOperator() == OO_Star || call->getOperator() == OO_Arrow;
    const bool element =
        call->getOperator() == OO_Subscript && context_.types.is_dynamic_pointer(type);
    return ((deref || element) && context_.types.is_dynamic_pointer(type)) ||
           (call->getOperator() == OO_Subscript && Types::container(type) != Container::None &&
            lies_in_memory(call->getArg(0)));
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(object)) {
    const auto* method = call->getMethodDecl();
    const Expr* container = call->getImplicitObjectArgument();
    return method && is_named(method, {"front", "back", "at"}) &&
           Types::container(container->getType()) != Container::None && lies_in_memory(container);
  }
  const auto* reference = dyn_cast<DeclRefExpr>(object);
  const auto found =
      reference ? bindings_.find(dyn_cast<VarDecl>(reference->getDecl())) : bindings_.end();
  return found != bindings_.end() && found->second.kind == Binding::Kind::Object &&
         found->second.path.root && found->second.path.root->kind == Root::Kind::Memory;
}

/// True for what a global variable leads to: nothing active is put there.
bool Lowering::is_global_pointer(const Expr* expression) {
  const Expr* source = below_copies(expression);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(source)) {
    return is_global_pointer(call->getImplicitObjectArgument());
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(source)) {
    return call->getNumArgs() > 0 && is_global_pointer(call->getArg(0));
  }
  if (const auto* member = dyn_cast<MemberExpr>(source)) {
    return is_global_pointer(member->getBase());
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(source)) {
    return is_global_pointer(subscript->getBase());
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(source)) {
    return is_global_pointer(operation->getSubExpr());
  }
  const auto* reference = dyn_cast<DeclRefExpr>(source);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage();
}

/// True where the library puts elements into another order that hold no number themselves.
bool Lowering::reorders_pointers(const FunctionDecl* callee,
                                 llvm::ArrayRef<const Expr*> arguments) {
  if (arguments.empty() || !callee->getReturnType()->isVoidType() ||
      !is_named(callee, {"sort", "stable_sort", "partial_sort", "nth_element", "reverse"})) {
    return false;
  }
  QualType place = arguments[0]->getType();
  const auto* iterator =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(place->getAsCXXRecordDecl());
  if (iterator && iterator->getName() == "__normal_iterator") {
    place = iterator->getTemplateArgs().get(0).getAsType();
  }
  return place->isPointerType() && context_.types.holds_only_pointers(place->getPointeeType());
}

/// Members of smart pointers, and what the library does with objects that lead to memory.
bool Lowering::pointer_call(const FunctionDecl* callee, const Expr* source, const Expr* object,
                            llvm::ArrayRef<const Expr*> arguments, Value** value,
                            std::optional<Path>* reference) {
  if (!in_library(callee) || (!isa<CXXMethodDecl>(callee) &&
                              is_named(callee, {"move", "forward", "as_const", "get", "tie"}))) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const QualType held = object ? object->getType() : QualType();
  if (object && is_global_pointer(object)) {
    const bool changes = method && !method->isConst() &&
                         context_.types.holds_dynamic_pointer(held) &&
                         llvm::any_of(arguments, [&](const Expr* argument) {
                           return context_.types.holds_dynamic_pointer(argument->getType());
                         });
    *value = changes ? lost_pointer(source) : nullptr;
    return changes;
  }
  const bool on_link =
      method && object && Types::record(held) && context_.types.is_dynamic_pointer(held);
  const OverloadedOperatorKind kind = callee->getOverloadedOperator();
  const bool element = on_link && kind == OO_Subscript && arguments.size() == 1;
  if (on_link && (kind == OO_Arrow || kind == OO_Star || element || is_named(callee, {"get"}))) {
    Value* const index = element ? rvalue(arguments[0]) : nullptr;
    const auto text = dynamic_pointer_text(object);
    if (!text || (element && !index)) {
      return false;
    }
    const QualType pointee = Types::pointee_type(held);
    Value* address = new_value(Value::Kind::Text, context_.ast.getPointerType(pointee), where);
    address->text = "(" + text->text + ").get()";
    address->reads.assign(text->effects.reads.begin(), text->effects.reads.end());
    define(address);
    note(block_->statements.back(), text->effects);
    *reference = element ? offset(pointee_path(address, pointee, where), index)
                         : std::optional(pointee_path(address, pointee, where));
    return true;
  }
  if (makes_owner(callee) && context_.types.may_hold_real(source->getType())) {
    if (Root* owner = create_owned(cast<CallExpr>(source))) {
      Path path;
      path.root = owner;
      path.type = owner->type;
      *reference = path;
      return true;
    }
    *value = unsupported(source, Diagnostic::UnsupportedLibraryCall,
                         {callee->getQualifiedNameAsString()});
    return true;
  }
  const bool changes_container =
      method && object && !on_link && context_.types.holds_dynamic_pointer(held) &&
      (kind == OO_Equal || is_named(callee, {"push_back", "emplace_back", "pop_back", "clear",
                                             "resize", "insert", "erase", "assign", "swap",
                                             "reserve", "emplace", "push_front", "pop_front"}));
  const bool of_links = changes_container && context_.types.holds_only_pointers(
                                                 context_.ast.getRecordType(method->getParent()));
  const bool swaps =
      !method && is_named(callee, {"swap"}) && arguments.size() == 2 &&
      (context_.types.holds_only_pointers(arguments[0]->getType()) ||
       (is_dynamic_pointer_value(arguments[0]) && is_dynamic_pointer_value(arguments[1])));
  const bool reorders = !method && reorders_pointers(callee, arguments);
  if (!(on_link || of_links || swaps || reorders) ||
      llvm::any_of(arguments, [&](const Expr* argument) {
        return is_global_pointer(argument) &&
               context_.types.holds_dynamic_pointer(argument->getType());
      })) {
    return false;
  }
  const auto text = dynamic_pointer_text(source);
  if (!text) {
    return false;
  }
  if (source->getType()->isVoidType() || (source->isGLValue() && (kind == OO_Equal || of_links))) {
    add_text(text->text, *text, where, {});
    return true;
  }
  *value = text_value(source, text->effects, text->text);
  return true;
}

}  // namespace ddx::compiler
