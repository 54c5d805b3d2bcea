/// Conditions that hold, or fail, at one value of a real: the branch there has a derivative of its
/// own.

#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/rules/scalar_rules.h"
#include "compiler/support/holds_reals.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True where the value moves with the variables in the expression: unlike that of a function which
/// is not known here, or has steps.
bool follows_its_variables(const Stmt* part) {
  if (const auto* call = dyn_cast<CallExpr>(part);
      call && !isa<CXXOperatorCallExpr, CXXMemberCallExpr>(call)) {
    const FunctionDecl* callee = call->getDirectCallee();
    const ScalarRule* rule = callee ? find_scalar_rule(callee) : nullptr;
    if (!rule || rule->is_zero(0)) {
      return false;
    }
  }
  return llvm::all_of(part->children(),
                      [](const Stmt* child) { return !child || follows_its_variables(child); });
}

/// True for functions of namespace ddx: the user cannot change them.
bool is_of_ddx(const FunctionDecl* function) {
  const NamespaceDecl* outermost = nullptr;
  for (const DeclContext* context = function; context; context = context->getParent()) {
    if (const auto* space = dyn_cast<NamespaceDecl>(context)) {
      outermost = space;
    }
  }
  return outermost && outermost->getName() == "ddx";
}

bool is_constant(const Expr* expression, ASTContext& context) {
  Expr::EvalResult result;
  return !expression->isValueDependent() && expression->EvaluateAsRValue(result, context) &&
         !result.HasSideEffects;
}

}  // namespace

void Expressions::note_exact_comparisons(ir::Statement* branch, const Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  if (const auto* negation = dyn_cast<UnaryOperator>(condition);
      negation && negation->getOpcode() == UO_LNot) {
    return note_exact_comparisons(branch, negation->getSubExpr());
  }
  const auto* operation = dyn_cast<BinaryOperator>(condition);
  if (operation && operation->isLogicalOp()) {
    note_exact_comparisons(branch, operation->getLHS());
    return note_exact_comparisons(branch, operation->getRHS());
  }
  const Expr* compared = condition;  // Of a real alone, the condition is that it is not 0.
  const bool equality = operation && operation->isEqualityOp();
  if (equality) {
    const bool left = is_constant(operation->getLHS(), context_.ast);
    const bool right = is_constant(operation->getRHS(), context_.ast);
    compared = left ? operation->getRHS() : operation->getLHS();
    if (left == right) {
      return;
    }
  }
  const SourceManager& sources = context_.sema.getSourceManager();
  const SourceLocation where = condition->getExprLoc();
  // Derivatives are text without a file.
  const bool of_the_user =
      where.isValid() && !sources.isInSystemHeader(where) &&
      sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(where))) &&
      !in_library(function_.key.function) && !is_of_ddx(function_.key.function);
  if (!of_the_user || !compared->getType()->isRealFloatingType() ||
      !follows_its_variables(compared)) {
    return;
  }
  ExactComparison noted;
  noted.where = where;
  noted.holds = equality && operation->getOpcode() == BO_EQ;
  noted.text = Lexer::getSourceText(CharSourceRange::getTokenRange(condition->getSourceRange()),
                                    sources, context_.ast.getLangOpts())
                   .str();
  const Effects found = effects_.of(compared);
  noted.reads.assign(found.reads.begin(), found.reads.end());
  branch->exact.push_back(std::move(noted));
}

}  // namespace ddx::compiler
