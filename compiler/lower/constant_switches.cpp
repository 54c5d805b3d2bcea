/// Switches over a parameter of a body that is lowered in place, where the call hands over a
/// constant: as `v[1]` of a class whose `operator[]` chooses among its members.

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;

namespace {

/// True for a statement that leaves the switch around it from within another statement.
bool breaks(const Stmt* statement) {
  return statement &&
         !isa<LambdaExpr, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(statement) &&
         (isa<BreakStmt>(statement) ||
          llvm::any_of(statement->children(), [](const Stmt* child) { return breaks(child); }));
}

/// The statement behind its labels; `matches` becomes true where one of them is for `value`.
const Stmt* behind_labels(const Stmt* statement, const llvm::APSInt* value, ASTContext& context,
                          bool* matches) {
  while (const auto* label = dyn_cast<SwitchCase>(statement)) {
    const auto* labelled = dyn_cast<CaseStmt>(label);
    if (!value) {
      *matches = *matches || !labelled;
    } else if (labelled) {
      const llvm::APSInt low = labelled->getLHS()->EvaluateKnownConstInt(context);
      const llvm::APSInt high =
          labelled->getRHS() ? labelled->getRHS()->EvaluateKnownConstInt(context) : low;
      *matches = *matches || (llvm::APSInt::compareValues(low, *value) <= 0 &&
                              llvm::APSInt::compareValues(*value, high) <= 0);
    }
    statement = label->getSubStmt();
  }
  return statement;
}

}  // namespace

std::optional<llvm::APSInt> Lowering::known_integer(const Expr* expression) const {
  const Expr* bare = expression->IgnoreParenImpCasts();
  if (const auto* reference = dyn_cast<DeclRefExpr>(bare)) {
    const auto found = constants_.find(dyn_cast<VarDecl>(reference->getDecl()));
    if (found != constants_.end()) {
      return found->second;
    }
  }
  Expr::EvalResult result;
  if (expression->isValueDependent() || !expression->getType()->isIntegralOrEnumerationType() ||
      !expression->EvaluateAsInt(result, context_.ast)) {
    return std::nullopt;
  }
  return result.Val.getInt();
}

/// Before the body of `callee` is lowered in place: which of its parameters are constants.
void Lowering::note_constants(const FunctionDecl* callee, llvm::ArrayRef<const Expr*> arguments) {
  for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams(); ++i) {
    const ParmVarDecl* parameter = callee->getParamDecl(i);
    const auto value = parameter->getType()->isIntegralOrEnumerationType() &&
                               !may_change(parameter, callee->getBody())
                           ? known_integer(arguments[i])
                           : std::nullopt;
    constants_.erase(parameter);
    if (value) {
      constants_.try_emplace(parameter, *value);
    }
  }
}

/// The statements that run, up to the break or return at their end, where the value is known.
std::optional<llvm::SmallVector<const Stmt*>> Lowering::taken_segment(
    const SwitchStmt* source) const {
  const auto* body = dyn_cast<CompoundStmt>(source->getBody());
  const auto value = !source->getInit() && !source->getConditionVariableDeclStmt() && body
                         ? known_integer(source->getCond())
                         : std::nullopt;
  if (!value) {
    return std::nullopt;
  }
  for (const llvm::APSInt* wanted : {&*value, static_cast<const llvm::APSInt*>(nullptr)}) {
    llvm::SmallVector<const Stmt*> taken;
    bool runs = false;
    for (const Stmt* labelled : body->body()) {
      const Stmt* part = behind_labels(labelled, wanted, context_.ast, &runs);
      if (!runs || isa<NullStmt>(part)) {
        continue;
      }
      if (isa<BreakStmt>(part)) {
        return taken;
      }
      if (isa<DeclStmt>(part) || breaks(part)) {
        return std::nullopt;
      }
      taken.push_back(part);
      if (isa<ReturnStmt>(part)) {
        return taken;
      }
    }
    if (runs) {
      return taken;
    }
  }
  return llvm::SmallVector<const Stmt*>();
}

}  // namespace ddx::compiler
