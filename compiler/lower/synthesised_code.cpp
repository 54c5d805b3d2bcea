// What synthesised text is written with, so that derivatives can be differentiated again: entries,
// zeros with a shape, objects built in raw storage.

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True for what `ddx/ad/detail` declares.
bool is_runtime(const Decl* declaration) {
  const auto* space = dyn_cast<NamespaceDecl>(declaration->getDeclContext());
  const auto* outer = space ? dyn_cast<NamespaceDecl>(space->getDeclContext()) : nullptr;
  return space && outer && space->getName() == "detail" && outer->getName() == "ddx" &&
         outer->getDeclContext()->isTranslationUnit();
}

bool is_entry(const FunctionDecl* function) {
  return function->getName() == "value_with_gradient_entry" ||
         function->getName() == "value_with_rows_entry" ||
         function->getName() == "pullback_entry" ||
         function->getName() == "value_with_differential_entry";
}

}  // namespace

bool Lowering::is_storage(QualType type) {
  const CXXRecordDecl* record = Types::record(type);
  return record && record->getIdentifier() && record->getName() == "Storage" && is_runtime(record);
}

/// `Storage<T> x_storage;`: an object that is built member by member.
void Lowering::declare_storage(const VarDecl* variable) {
  const auto* record = cast<ClassTemplateSpecializationDecl>(Types::record(variable->getType()));
  llvm::StringRef name = variable->getName();
  name.consume_back("_storage");
  Root* root = new_root(Root::Kind::Local, name.str(), record->getTemplateArgs().get(0).getAsType(),
                        variable->getLocation());
  ir::Statement* declaration = declare_local(root, root->where);
  declaration->in_storage = true;
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = root->type;
  bindings_[variable] = bound;
}

/// `::new (static_cast<void*>(&place)) T(value)`, where `place` has a name and is a `T`: its
/// construction. What the place held before is forgotten.
bool Lowering::construct_in_place(const CXXNewExpr* allocation) {
  if (allocation->getNumPlacementArgs() != 1 || allocation->isArray() ||
      !allocation->getInitializer()) {
    return false;
  }
  const auto* address = dyn_cast<UnaryOperator>(allocation->getPlacementArg(0)->IgnoreParenCasts());
  if (!address || address->getOpcode() != UO_AddrOf ||
      !context_.ast.hasSameUnqualifiedType(address->getSubExpr()->getType(),
                                           allocation->getAllocatedType())) {
    return false;
  }
  const auto place = lvalue(address->getSubExpr());
  if (place) {
    initialise(*place, allocation->getInitializer(), true);
  }
  return place.has_value();
}

/// The label behind the body of a loop, before its increment: `{ ... } next: ; increment`, as loops
/// are written whose increment is more than an expression.
const LabelStmt* Lowering::label_of_increment(const Stmt* body) {
  const auto* compound = dyn_cast_or_null<CompoundStmt>(body);
  if (!compound || compound->size() < 2 || !isa<CompoundStmt>(compound->body_begin()[0])) {
    return nullptr;
  }
  return dyn_cast<LabelStmt>(compound->body_begin()[1]);
}

/// The body of such a loop; a jump to the label continues it.
void Lowering::lower_labelled_body(ir::Statement* loop, const Stmt* body, const LabelStmt* label) {
  const auto* compound = cast<CompoundStmt>(body);
  labels_[label->getDecl()] = loop;
  nested(loop->body, compound->body_begin()[0]);
  labels_.erase(label->getDecl());
  loop->increment = new_block(loop, loop->inner);
  loop->uses_goto = loop->continue_sites > 0;
  Block* outer = std::exchange(block_, loop->increment);
  statement(label->getSubStmt());
  for (const Stmt* part : llvm::drop_begin(compound->body(), 2)) {
    statement(part);
  }
  block_ = outer;
}

/// `callee`; of an entry for pointers, what this unit knows of it: where it must wait, and the
/// function is known that it is called for, what has been written of it for that.
const FunctionDecl* Lowering::part_of_entry(const FunctionDecl* callee,
                                            llvm::ArrayRef<const Expr*> arguments) {
  if (!callee->getIdentifier() || !is_runtime(callee) || !is_entry(callee) ||
      !callee->getParamDecl(0)->getType().getNonReferenceType()->isFunctionPointerType()) {
    return callee;
  }
  llvm::StringRef name;
  if (callee->isDefined()) {
    name = context_.entry_parts.find_own(callee);
  } else if (const Binding target = callable(arguments[0]);
             target.kind == Binding::Kind::Function) {
    name = context_.entry_parts.find(callee, target.function);
  }
  if (!name.empty()) {
    for (const NamedDecl* found :
         context_.ast.getTranslationUnitDecl()->lookup(&context_.ast.Idents.get(name))) {
      if (const auto* part = dyn_cast<FunctionDecl>(found)) {
        return part;
      }
    }
  }
  return callee;
}

/// A call of what `ddx/ad/detail` declares and the compiler knows. Returns: whether it is one.
bool Lowering::runtime_call(const FunctionDecl* callee, const Expr* source, const Expr* object,
                            llvm::ArrayRef<const Expr*> arguments, std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  if (object && is_storage(object->getType()) && callee->getIdentifier()) {
    const auto place = lvalue(object);
    if (place && callee->getName() == "get") {
      *reference = place;
    } else if (place) {
      complete_object(place->root);
    }
    return place.has_value();
  }
  if (!callee->getIdentifier() || !is_runtime(callee)) {
    return false;
  }
  if (is_entry(callee) && !callee->isDefined()) {
    function_.is_deferred = true;
    return true;
  }
  if (runtime_sum_type_call(callee, source, arguments, reference)) {
    return true;
  }
  const llvm::StringRef name = callee->getName();
  const bool reserves = name == "reserve_like";
  if (name != "shape_like" && name != "set_zero" && name != "conform" && !reserves) {
    return false;
  }
  const auto tangent = lvalue(arguments[0]);
  if (!tangent) {
    return false;
  }
  if (const auto text = reserves ? text_of(source) : std::nullopt) {
    const Effects found = effects(source);
    ir::Statement* kept = add(ir::Statement::Kind::Text, where);
    kept->text = *text;
    kept->reads.assign(found.reads.begin(), found.reads.end());
    kept->harmless = true;
    kept->reserved = *tangent;
  }
  if (reserves) {
    return true;
  }
  const QualType type = tangent->type.getUnqualifiedType();
  if (name == "set_zero") {
    store(*tangent, literal(context_.names.type(type) + "{}", type, where), where);
    return true;
  }
  const auto primal = lvalue(arguments[1]);
  if (!primal || type->isArrayType()) {
    return false;
  }
  if (name == "shape_like") {
    Value* zeros = form("ddx::detail::zeros_shaped_like<" + context_.names.type(type) + ">($0)",
                        type, {load(*primal, where)}, where);
    store(*tangent, zeros, where);
    return true;
  }
  if (context_.types.is_flat_vector(type)) {
    const Binding alias = bind_alias(*primal, false, "shape", where);
    Value* size = new_value(Value::Kind::Text, context_.ast.getSizeType(), where);
    size->text = hole(*alias.alias) + ".size()";
    size->reads = {alias.alias, primal->root};
    size->cheap = true;
    define(size);
    ir::Statement* shaped = add(ir::Statement::Kind::Vector, where);
    shaped->path = *tangent;
    shaped->action = ir::Statement::VectorAction::Resize;
    shaped->count = size;
    return true;
  }
  return !context_.types.is_shaped(type);
}

/// `f == &function` where it is known which function `f` is, as in entries: whether it is that one.
std::optional<bool> Lowering::compares_functions(const Expr* condition) {
  const auto* comparison = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!comparison || comparison->getOpcode() != BO_EQ) {
    return std::nullopt;
  }
  const auto* name = dyn_cast<DeclRefExpr>(comparison->getLHS()->IgnoreParenImpCasts());
  const auto* address = dyn_cast<UnaryOperator>(comparison->getRHS()->IgnoreParenImpCasts());
  const auto* function =
      address ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts()) : nullptr;
  const auto found = name && isa<VarDecl>(name->getDecl())
                         ? bindings_.find(cast<VarDecl>(name->getDecl()))
                         : bindings_.end();
  if (found == bindings_.end() || found->second.kind != Binding::Kind::Function || !function ||
      !isa<FunctionDecl>(function->getDecl())) {
    return std::nullopt;
  }
  return found->second.function->getCanonicalDecl() == function->getDecl()->getCanonicalDecl();
}

/// What `f.cap_x` denotes, where `f` is a closure that is known by its captures, and what a
/// member of a scalarized object does.
std::optional<Binding> Lowering::capture_of(const Expr* expression) {
  const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParens());
  return member ? member_binding(member) : std::nullopt;
}

}  // namespace ddx::compiler
