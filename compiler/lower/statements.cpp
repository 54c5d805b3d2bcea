#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

void Lowering::statement(const Stmt* statement) {
  emptied_.clear();
  if (!statement || isa<NullStmt>(statement)) {
    return;
  }
  if (const auto* expression = dyn_cast<Expr>(statement)) {
    discard(expression);
    return empty_moved(expression);
  }
  switch (statement->getStmtClass()) {
    case Stmt::CompoundStmtClass: {
      ir::Statement* inner = add(ir::Statement::Kind::Block, statement->getBeginLoc());
      inner->body = new_block(inner, block_->level);
      nested(inner->body, statement);
      return;
    }
    case Stmt::DeclStmtClass:
      for (const Decl* decl : cast<DeclStmt>(statement)->decls()) {
        if (const auto* decomposition = dyn_cast<DecompositionDecl>(decl)) {
          declare_bindings(decomposition);
          empty_moved(decomposition->getInit());
        } else if (const auto* variable = dyn_cast<VarDecl>(decl)) {
          declare(variable);
          empty_moved(variable->getInit());
        }
      }
      return;
    case Stmt::IfStmtClass:
      return lower_if(cast<IfStmt>(statement));
    case Stmt::SwitchStmtClass:
      return lower_switch(cast<SwitchStmt>(statement));
    case Stmt::ForStmtClass:
      return lower_for(cast<ForStmt>(statement));
    case Stmt::WhileStmtClass:
      return lower_while(cast<WhileStmt>(statement));
    case Stmt::DoStmtClass:
      return lower_do(cast<DoStmt>(statement));
    case Stmt::CXXForRangeStmtClass:
      return lower_range_for(cast<CXXForRangeStmt>(statement));
    case Stmt::ReturnStmtClass:
      return lower_return(cast<ReturnStmt>(statement));
    case Stmt::BreakStmtClass:
      return lower_jump(statement, true);
    case Stmt::ContinueStmtClass:
      return lower_jump(statement, false);
    case Stmt::AttributedStmtClass:
      return this->statement(cast<AttributedStmt>(statement)->getSubStmt());
    case Stmt::GotoStmtClass:
      if (const auto found = labels_.find(cast<GotoStmt>(statement)->getLabel());
          found != labels_.end() && continuables_.back() == found->second) {
        ir::Statement* jump = add(ir::Statement::Kind::Continue, statement->getBeginLoc());
        jump->target = found->second;
        jump->site = ++jump->target->continue_sites;
        return;
      }
      [[fallthrough]];
    case Stmt::IndirectGotoStmtClass:
      unsupported(statement, Diagnostic::UnsupportedGoto);
      return;
    case Stmt::LabelStmtClass:  // What is wrong is the jump to it.
      return this->statement(cast<LabelStmt>(statement)->getSubStmt());
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass:
      unsupported(statement, Diagnostic::UnsupportedCaseLabel);
      return;
    case Stmt::CXXTryStmtClass:
      return lose(statement, Diagnostic::UnsupportedTry);
    case Stmt::GCCAsmStmtClass:
    case Stmt::MSAsmStmtClass:
      if (const auto* assembly = dyn_cast<GCCAsmStmt>(statement);
          assembly && assembly->getNumOutputs() + assembly->getNumInputs() +
                              assembly->getNumClobbers() + assembly->getNumLabels() ==
                          0) {
        ir::Statement* kept = add(ir::Statement::Kind::Text, statement->getBeginLoc());
        llvm::raw_string_ostream out(kept->text);
        out << (assembly->isVolatile() ? "asm volatile(" : "asm(");
        assembly->getAsmString()->outputString(out);
        out << ")";
        kept->harmless = true;
        return;
      }
      unsupported(statement, Diagnostic::UnsupportedAssembly);
      return;
    default:
      unsupported(statement, Diagnostic::UnsupportedStatement);
  }
}

void Lowering::nested(Block* block, const Stmt* body) {
  Block* outer = block_;
  block_ = block;
  if (const auto* compound = dyn_cast_or_null<CompoundStmt>(body)) {
    statements(llvm::ArrayRef(compound->body_begin(), compound->size()), compound);
  } else if (Stmt* only = const_cast<Stmt*>(body)) {
    statements(only, nullptr);
  }
  block_ = outer;
}

/// The statements of `compound`, or one without braces.
void Lowering::statements(llvm::ArrayRef<Stmt*> parts, const CompoundStmt* compound) {
  for (const Stmt* part : parts) {
    statement(part);
    // In a body lowered in place, what follows a guard is its other branch.
    if (is_guarding(part, compound)) {
      block_ = block_->statements.back()->otherwise;
    }
  }
}

bool Lowering::is_guarding(const Stmt* part, const CompoundStmt* compound) const {
  return compound && inline_depth_ > 0 && compound == inline_site_->callee->getBody() &&
         is_guard(part);
}

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

std::optional<const Stmt*> constant_branch(const IfStmt* source, ASTContext& context) {
  if (source->isConsteval() || source->getConditionVariableDeclStmt()) {
    return std::nullopt;
  }
  if (source->isConstexpr()) {
    const auto taken = source->getNondiscardedCase(context);
    return taken ? std::optional<const Stmt*>(*taken) : std::nullopt;
  }
  bool holds = false;
  const Expr* condition = source->getCond();
  if (condition->isValueDependent() || condition->HasSideEffects(context) ||
      !condition->EvaluateAsBooleanCondition(holds, context, /*InConstantContext=*/false)) {
    return std::nullopt;
  }
  return holds ? source->getThen() : source->getElse();
}

void Lowering::lower_if(const IfStmt* source) {
  if (source->isConsteval()) {
    return statement(source->isNegatedConsteval() ? source->getThen() : source->getElse());
  }
  if (const auto taken = constant_branch(source, context_.ast)) {
    if (source->getInit()) {
      statement(source->getInit());
    }
    // What a body lowered in place returns is needed behind the branch.
    return inline_depth_ > 0 ? nested(block_, *taken) : statement(*taken);
  }
  ir::Statement* scope = nullptr;
  Block* outer = block_;
  if (source->getInit() || source->getConditionVariableDeclStmt()) {
    scope = add(ir::Statement::Kind::Block, source->getBeginLoc());
    scope->body = new_block(scope, block_->level);
    block_ = scope->body;
    if (source->getInit()) {
      statement(source->getInit());
    }
    if (source->getConditionVariableDeclStmt()) {
      statement(source->getConditionVariableDeclStmt());
    }
  }
  if (const auto same = compares_functions(source->getCond())) {
    nested(block_, *same ? source->getThen() : source->getElse());
    block_ = outer;
    return;
  }
  ir::Statement* branch = add_if(condition(source->getCond()), source->getBeginLoc());
  note_exact_comparisons(branch, source->getCond());
  nested(branch->body, source->getThen());
  nested(branch->otherwise, source->getElse());
  block_ = outer;
}

void Lowering::lower_switch(const SwitchStmt* source) {
  Block* outer = block_;
  if (source->getInit() || source->getConditionVariableDeclStmt()) {
    ir::Statement* scope = add(ir::Statement::Kind::Block, source->getBeginLoc());
    scope->body = new_block(scope, block_->level);
    block_ = scope->body;
    if (source->getInit()) {
      statement(source->getInit());
    }
    if (source->getConditionVariableDeclStmt()) {
      statement(source->getConditionVariableDeclStmt());
    }
  }
  const auto* body = dyn_cast<CompoundStmt>(source->getBody());
  Value* selector = rvalue(source->getCond());
  empty_moved(source->getCond());
  ir::Statement* chosen = add(ir::Statement::Kind::Switch, source->getBeginLoc());
  chosen->value = selector;
  if (!body) {
    block_ = outer;
    unsupported(source->getBody(), Diagnostic::UnsupportedSwitchBody);
    return;
  }
  breakables_.push_back(chosen);
  Block* around = block_;
  for (const Stmt* part : body->body()) {
    std::vector<std::string> labels;
    while (const auto* label = dyn_cast<SwitchCase>(part)) {
      if (const auto* labelled = dyn_cast<CaseStmt>(label)) {
        const auto spell = [&](const Expr* value) {
          return llvm::toString(value->EvaluateKnownConstInt(context_.ast), 10);
        };
        std::string text = spell(labelled->getLHS());
        if (labelled->getRHS()) {
          text += " ... " + spell(labelled->getRHS());
        }
        labels.push_back(source->getCond()->getType()->isEnumeralType()
                             ? "case static_cast<" +
                                   context_.names.type(source->getCond()->getType()) + ">(" + text +
                                   "):"
                             : "case " + text + ":");
      } else {
        labels.push_back("default:");
      }
      part = label->getSubStmt();
    }
    if (!labels.empty()) {
      SwitchSegment segment;
      segment.labels = std::move(labels);
      segment.body = new_block(chosen, around->level);
      chosen->segments.push_back(std::move(segment));
    }
    if (chosen->segments.empty()) {
      if (const auto* names = dyn_cast<DeclStmt>(part);
          names &&
          llvm::none_of(names->decls(), [](const Decl* decl) { return isa<VarDecl>(decl); })) {
        continue;  // A using-declaration, say: every name is resolved already.
      }
      lose(part, Diagnostic::UnsupportedBeforeCase);
      continue;
    }
    block_ = chosen->segments.back().body;
    statement(part);
    block_ = around;
  }
  breakables_.pop_back();
  block_ = outer;
}

namespace {

/// True where the language moves a variable out of the function that ends.
bool returns_local(const Expr* result) {
  const auto* construction = dyn_cast<CXXConstructExpr>(result);
  if (!construction || construction->getNumArgs() != 1) {
    return false;
  }
  const auto* cast = dyn_cast<ImplicitCastExpr>(construction->getArg(0)->IgnoreParens());
  return cast && cast->isXValue() && isa<DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
}

}  // namespace

void Lowering::lower_return(const ReturnStmt* source) {
  const Expr* result = source->getRetValue();
  if (inline_depth_ > 0) {
    const auto* chosen = conditional_lvalue_ && result
                             ? dyn_cast<ConditionalOperator>(result->IgnoreParens())
                             : nullptr;
    if (chosen) {
      inline_result_->kind = Binding::Kind::Object;
      return visit_conditional_lvalue(chosen, *std::exchange(conditional_lvalue_, nullptr));
    }
    if (result) {
      const bool is_pointer = is_iterator(result->getType()) ||
                              (result->getType()->isPointerType() && !result->isGLValue());
      if (context_.types.viewed(result->getType())) {
        *inline_result_ = view(result).value_or(Binding{});
      } else if (is_scalarized(result->getType()) ||
                 (result->isGLValue() && is_in_scalarized(result))) {
        *inline_result_ = scalarized(result);
      } else if (result->getType()->isVoidType()) {
        discard(result);
        return empty_moved(result);
      } else if (!result->isGLValue() && result->getType()->isScalarType() && !is_pointer) {
        inline_value_ = rvalue(result);
        return empty_moved(result);
      } else if (!is_pointer && !result->isGLValue()) {
        const VarDecl* const built =
            context_.types.move_works(result->getType()) ? source->getNRVOCandidate() : nullptr;
        const auto local = built ? variable_path(built, result->getExprLoc()) : std::nullopt;
        inline_result_->kind = Binding::Kind::Object;
        inline_result_->path = local ? *local : materialise(result);
        if (!local) {
          empty_moved(result);
        }
      } else if (const auto path = is_pointer ? pointer(result) : place(result)) {
        inline_result_->kind = is_pointer ? Binding::Kind::Pointer : Binding::Kind::Object;
        inline_result_->path = *path;
      }
      if (inline_result_->kind == Binding::Kind::None) {
        lose(result, Diagnostic::UnsupportedReferenceResult);
      }
    }
    return;
  }
  Value* value = nullptr;
  if (result && !result->getType()->isVoidType()) {
    const Expr* stripped = result->IgnoreParens();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(stripped)) {
      stripped = cleanups->getSubExpr()->IgnoreParens();
    }
    if (is_dynamic_pointer_value(stripped) && !function_.result->isReferenceType()) {
      value = lost_pointer(stripped);
    } else if (result->getType()->isRecordType() &&
               !context_.types.has_tangent(result->getType()) &&
               context_.types.holds_only_pointers(result->getType())) {
      const auto found = context_.types.move_works(result->getType())
                             ? std::nullopt
                             : dynamic_pointer_text(stripped);
      if (found) {
        const bool moves = returns_local(stripped);
        value = text_value(stripped, found->effects,
                           moves ? "std::move(" + found->text + ")" : found->text);
        value->cheap = true;  // Returned where it stands, or moved.
      } else {
        value = lost_pointer(stripped);
      }
    } else if (function_.result->isReferenceType() || function_.result->isPointerType()) {
      lose(result, Diagnostic::UnsupportedReferenceResult);
    } else if (Types::is_closure(result->getType())) {
      lose(result, Diagnostic::UnsupportedReturnedLambda);
    } else if (result->getType()->isRecordType()) {
      if (!context_.types.has_tangent(result->getType())) {
        value = plain_value(stripped);
      } else {
        // What the language may build in the place of the result is not copied first.
        const VarDecl* const built = source->getNRVOCandidate();
        const auto local = built && !built->getType()->isReferenceType() &&
                                   Types::container(built->getType()) == Container::StdVector
                               ? variable_path(built, result->getExprLoc())
                               : std::nullopt;
        const bool in_place =
            local && local->steps.empty() && local->root->kind == ir::Root::Kind::Local;
        const Path made = in_place ? *local : materialise(stripped);
        if (!in_place) {
          empty_moved(stripped);
        }
        value = load(made, result->getExprLoc());
      }
    } else {
      value = rvalue(stripped);
      empty_moved(stripped);
    }
  } else if (result) {
    discard(result);
    empty_moved(result);
  }
  ir::Statement* leave = add(ir::Statement::Kind::Return, source->getReturnLoc());
  leave->value = value;
  leave->site = ++function_.return_sites;
}

void Lowering::lower_jump(const Stmt* source, bool is_break) {
  const bool labelled = llvm::any_of(labels_, [&](const auto& label) {
    return !is_break && label.second == continuables_.back();
  });
  if (labelled) {  // It passes over what stands behind the label.
    unsupported(source, Diagnostic::UnsupportedGoto);
    return;
  }
  ir::Statement* jump = add(is_break ? ir::Statement::Kind::Break : ir::Statement::Kind::Continue,
                            source->getBeginLoc());
  jump->target = is_break ? breakables_.back() : continuables_.back();
  jump->site = is_break ? ++jump->target->break_sites : ++jump->target->continue_sites;
}

}  // namespace ddx::compiler
