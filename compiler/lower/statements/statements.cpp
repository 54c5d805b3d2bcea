#include "compiler/lower/statements/statements.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/lower/statements/loops.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/lower/texts.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

void Statements::statement(const Stmt* statement) {
  if (!statement || isa<NullStmt>(statement)) {
    return;
  }
  if (const auto* expression = dyn_cast<Expr>(statement)) {
    expressions_.discard(expression);
    return moved_objects_.check_moves(expression);
  }
  switch (statement->getStmtClass()) {
    case Stmt::CompoundStmtClass: {
      ir::Statement* inner = builder_.add(ir::Statement::Kind::Block, statement->getBeginLoc());
      inner->body = builder_.new_block(inner, builder_.block()->level);
      nested(inner->body, statement);
      return;
    }
    case Stmt::DeclStmtClass:
      for (const Decl* decl : cast<DeclStmt>(statement)->decls()) {
        if (const auto* decomposition = dyn_cast<DecompositionDecl>(decl)) {
          declarations_.declare_bindings(decomposition);
          moved_objects_.check_moves(decomposition->getInit());
        } else if (const auto* variable = dyn_cast<VarDecl>(decl)) {
          declarations_.declare(variable);
          moved_objects_.check_moves(variable->getInit());
        }
      }
      return;
    case Stmt::IfStmtClass:
      return lower_if(cast<IfStmt>(statement));
    case Stmt::SwitchStmtClass:
      return lower_switch(cast<SwitchStmt>(statement));
    case Stmt::ForStmtClass:
      return loops_.lower_for(cast<ForStmt>(statement));
    case Stmt::WhileStmtClass:
      return loops_.lower_while(cast<WhileStmt>(statement));
    case Stmt::DoStmtClass:
      return loops_.lower_do(cast<DoStmt>(statement));
    case Stmt::CXXForRangeStmtClass:
      return loops_.lower_range_for(cast<CXXForRangeStmt>(statement));
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
          found != labels_.end() && scope_.continuables.back() == found->second) {
        ir::Statement* jump = builder_.add(ir::Statement::Kind::Continue, statement->getBeginLoc());
        jump->target = found->second;
        jump->site = ++jump->target->continue_sites;
        return;
      }
      [[fallthrough]];
    case Stmt::IndirectGotoStmtClass:
      rejections_.unsupported(statement, Diagnostic::UnsupportedGoto);
      return;
    case Stmt::LabelStmtClass:  // What is wrong is the jump to it.
      return this->statement(cast<LabelStmt>(statement)->getSubStmt());
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass:
      rejections_.unsupported(statement, Diagnostic::UnsupportedCaseLabel);
      return;
    case Stmt::CXXTryStmtClass:
      return rejections_.lose(statement, Diagnostic::UnsupportedTry);
    case Stmt::GCCAsmStmtClass:
    case Stmt::MSAsmStmtClass:
      if (const auto* assembly = dyn_cast<GCCAsmStmt>(statement);
          assembly && assembly->getNumOutputs() + assembly->getNumInputs() +
                              assembly->getNumClobbers() + assembly->getNumLabels() ==
                          0) {
        ir::Statement* kept = builder_.add(ir::Statement::Kind::Text, statement->getBeginLoc());
        llvm::raw_string_ostream out(kept->text);
        out << (assembly->isVolatile() ? "asm volatile(" : "asm(");
        assembly->getAsmString()->outputString(out);
        out << ")";
        kept->harmless = true;
        return;
      }
      rejections_.unsupported(statement, Diagnostic::UnsupportedAssembly);
      return;
    default:
      rejections_.unsupported(statement, Diagnostic::UnsupportedStatement);
  }
}

void Statements::nested(Block* block, const Stmt* body) {
  Block* outer = builder_.block();
  builder_.enter(block);
  if (const auto* compound = dyn_cast_or_null<CompoundStmt>(body)) {
    statements(llvm::ArrayRef(compound->body_begin(), compound->size()), compound);
  } else if (Stmt* only = const_cast<Stmt*>(body)) {
    statements(only, nullptr);
  }
  builder_.enter(outer);
}

/// The statements of `compound`, or one without braces.
void Statements::statements(llvm::ArrayRef<Stmt*> parts, const CompoundStmt* compound) {
  for (const Stmt* part : parts) {
    statement(part);
    // In a body lowered in place, what follows a guard is its other branch.
    if (is_guarding(part, compound)) {
      builder_.enter(builder_.block()->statements.back()->otherwise);
    }
  }
}

bool Statements::is_guarding(const Stmt* part, const CompoundStmt* compound) const {
  return compound && scope_.inline_depth > 0 && compound == scope_.inline_site->callee->getBody() &&
         inlining_.is_guard(part);
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

void Statements::lower_if(const IfStmt* source) {
  if (source->isConsteval()) {
    return statement(source->isNegatedConsteval() ? source->getThen() : source->getElse());
  }
  if (const auto taken = constant_branch(source, context_.ast)) {
    if (source->getInit()) {
      statement(source->getInit());
    }
    // What a body lowered in place returns is needed behind the branch.
    return scope_.inline_depth > 0 ? nested(builder_.block(), *taken) : statement(*taken);
  }
  ir::Statement* scope = nullptr;
  Block* outer = builder_.block();
  if (source->getInit() || source->getConditionVariableDeclStmt()) {
    scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
    scope->body = builder_.new_block(scope, builder_.block()->level);
    builder_.enter(scope->body);
    if (source->getInit()) {
      statement(source->getInit());
    }
    if (source->getConditionVariableDeclStmt()) {
      statement(source->getConditionVariableDeclStmt());
    }
  }
  if (const auto same = synthesised_code_.compares_functions(source->getCond())) {
    nested(builder_.block(), *same ? source->getThen() : source->getElse());
    builder_.enter(outer);
    return;
  }
  ir::Statement* branch =
      builder_.add_if(expressions_.condition(source->getCond()), source->getBeginLoc());
  expressions_.note_exact_comparisons(branch, source->getCond());
  nested(branch->body, source->getThen());
  nested(branch->otherwise, source->getElse());
  builder_.enter(outer);
}

void Statements::lower_switch(const SwitchStmt* source) {
  Block* outer = builder_.block();
  if (source->getInit() || source->getConditionVariableDeclStmt()) {
    ir::Statement* scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
    scope->body = builder_.new_block(scope, builder_.block()->level);
    builder_.enter(scope->body);
    if (source->getInit()) {
      statement(source->getInit());
    }
    if (source->getConditionVariableDeclStmt()) {
      statement(source->getConditionVariableDeclStmt());
    }
  }
  const auto* body = dyn_cast<CompoundStmt>(source->getBody());
  Value* selector = expressions_.rvalue(source->getCond());
  moved_objects_.check_moves(source->getCond());
  ir::Statement* chosen = builder_.add(ir::Statement::Kind::Switch, source->getBeginLoc());
  chosen->value = selector;
  if (!body) {
    builder_.enter(outer);
    rejections_.unsupported(source->getBody(), Diagnostic::UnsupportedSwitchBody);
    return;
  }
  scope_.breakables.push_back(chosen);
  Block* around = builder_.block();
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
      segment.body = builder_.new_block(chosen, around->level);
      chosen->segments.push_back(std::move(segment));
    }
    if (chosen->segments.empty()) {
      if (const auto* names = dyn_cast<DeclStmt>(part);
          names &&
          llvm::none_of(names->decls(), [](const Decl* decl) { return isa<VarDecl>(decl); })) {
        continue;  // A using-declaration, say: every name is resolved already.
      }
      rejections_.lose(part, Diagnostic::UnsupportedBeforeCase);
      continue;
    }
    builder_.enter(chosen->segments.back().body);
    statement(part);
    builder_.enter(around);
  }
  scope_.breakables.pop_back();
  builder_.enter(outer);
}

void Statements::lower_return(const ReturnStmt* source) {
  const Expr* result = source->getRetValue();
  if (scope_.inline_depth > 0) {
    if (result) {
      const bool is_pointer = iterators_.is_iterator(result->getType()) ||
                              (result->getType()->isPointerType() && !result->isGLValue());
      if (context_.types.viewed(result->getType())) {
        *scope_.inline_result = views_.view(result).value_or(Binding{});
      } else if (context_.types.is_scalarized(result->getType()) ||
                 (result->isGLValue() && scope_.is_in_scalarized(result))) {
        *scope_.inline_result = scalarized_objects_.scalarized(result);
      } else if (result->getType()->isVoidType()) {
        expressions_.discard(result);
        return moved_objects_.check_moves(result);
      } else if (!result->isGLValue() && result->getType()->isScalarType() && !is_pointer) {
        scope_.inline_value = expressions_.rvalue(result);
        return moved_objects_.check_moves(result);
      } else if (!is_pointer && !result->isGLValue()) {
        scope_.inline_result->kind = Binding::Kind::Object;
        scope_.inline_result->path = places_.materialise(result);
        moved_objects_.check_moves(result);
      } else if (const auto path = is_pointer ? places_.pointer(result) : places_.place(result)) {
        scope_.inline_result->kind = is_pointer ? Binding::Kind::Pointer : Binding::Kind::Object;
        scope_.inline_result->path = *path;
      }
      if (scope_.inline_result->kind == Binding::Kind::None) {
        rejections_.lose(result, Diagnostic::UnsupportedReferenceResult);
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
    if (dynamic_pointers_.is_dynamic_pointer_value(stripped) &&
        !function_.result->isReferenceType()) {
      value = dynamic_pointers_.lost_pointer(stripped);
    } else if (result->getType()->isRecordType() &&
               !context_.types.has_tangent(result->getType()) &&
               context_.types.holds_only_pointers(result->getType())) {
      value = dynamic_pointers_.lost_pointer(stripped);
    } else if (function_.result->isReferenceType() || function_.result->isPointerType()) {
      rejections_.lose(result, Diagnostic::UnsupportedReferenceResult);
    } else if (Types::is_closure(result->getType())) {
      rejections_.lose(result, Diagnostic::UnsupportedReturnedLambda);
    } else if (result->getType()->isRecordType()) {
      if (!context_.types.has_tangent(result->getType())) {
        value = expressions_.plain_value(stripped);
      } else {
        // What the language may build in the place of the result is not copied first.
        const VarDecl* const built = source->getNRVOCandidate();
        const auto local = built && !built->getType()->isReferenceType() &&
                                   Types::container(built->getType()) == Container::StdVector
                               ? places_.variable_path(built, result->getExprLoc())
                               : std::nullopt;
        const bool in_place =
            local && local->steps.empty() && local->root->kind == ir::Root::Kind::Local;
        const Path made = in_place ? *local : places_.materialise(stripped);
        if (!in_place) {
          moved_objects_.check_moves(stripped);
        }
        value = builder_.load(made, result->getExprLoc());
      }
    } else {
      value = expressions_.rvalue(stripped);
      moved_objects_.check_moves(stripped);
    }
  } else if (result) {
    expressions_.discard(result);
    moved_objects_.check_moves(result);
  }
  ir::Statement* leave = builder_.add(ir::Statement::Kind::Return, source->getReturnLoc());
  leave->value = value;
  leave->site = ++function_.return_sites;
}

void Statements::lower_jump(const Stmt* source, bool is_break) {
  const bool labelled = llvm::any_of(labels_, [&](const auto& label) {
    return !is_break && label.second == scope_.continuables.back();
  });
  if (labelled) {  // It passes over what stands behind the label.
    rejections_.unsupported(source, Diagnostic::UnsupportedGoto);
    return;
  }
  ir::Statement* jump = builder_.add(
      is_break ? ir::Statement::Kind::Break : ir::Statement::Kind::Continue, source->getBeginLoc());
  jump->target = is_break ? scope_.breakables.back() : scope_.continuables.back();
  jump->site = is_break ? ++jump->target->break_sites : ++jump->target->continue_sites;
}

const LabelStmt* label_of_increment(const Stmt* body) {
  const auto* compound = dyn_cast_or_null<CompoundStmt>(body);
  if (!compound || compound->size() < 2 || !isa<CompoundStmt>(compound->body_begin()[0])) {
    return nullptr;
  }
  return dyn_cast<LabelStmt>(compound->body_begin()[1]);
}

void Statements::lower_labelled_body(ir::Statement* loop, const Stmt* body,
                                     const LabelStmt* label) {
  const auto* compound = cast<CompoundStmt>(body);
  labels_[label->getDecl()] = loop;
  nested(loop->body, compound->body_begin()[0]);
  labels_.erase(label->getDecl());
  loop->increment = builder_.new_block(loop, loop->inner);
  loop->uses_goto = loop->continue_sites > 0;
  Block* outer = builder_.enter(loop->increment);
  statement(label->getSubStmt());
  for (const Stmt* part : llvm::drop_begin(compound->body(), 2)) {
    statement(part);
  }
  builder_.enter(outer);
}

}  // namespace ddx::compiler
