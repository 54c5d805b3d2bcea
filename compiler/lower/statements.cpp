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
