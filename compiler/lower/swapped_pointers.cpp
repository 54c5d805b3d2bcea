#include "compiler/lower/swapped_pointers.h"

#include "compiler/lower/moving_expressions.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace ddx::compiler {

using namespace clang;

namespace {

constexpr std::size_t most_states = 6;

const VarDecl* pointer_variable(const Expr* expression) {
  const VarDecl* variable = named_variable(expression);
  return variable && variable->getType()->isPointerType() && variable->hasLocalStorage() ? variable
                                                                                         : nullptr;
}

/// True where the one can take the other's target as it is, not as that of a base class.
bool point_alike(const VarDecl* a, const VarDecl* b) {
  const auto pointee = [](const VarDecl* variable) {
    return variable->getType()->getPointeeType().getCanonicalType().getUnqualifiedType();
  };
  return pointee(a) == pointee(b);
}

/// The variable whose elements or members, or which itself, `pointer` points to.
const VarDecl* array_of(const Expr* pointer) {
  for (;;) {
    pointer = pointer->IgnoreParenImpCasts();
    if (const auto* unary = dyn_cast<UnaryOperator>(pointer)) {
      pointer = unary->getSubExpr();
    } else if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(pointer)) {
      pointer = subscript->getBase();
    } else if (const auto* of_member = dyn_cast<CXXMemberCallExpr>(pointer)) {
      pointer = of_member->getImplicitObjectArgument();
    } else if (const auto* member = dyn_cast<MemberExpr>(pointer)) {
      pointer = member->getBase();
    } else if (const auto* operation = dyn_cast<BinaryOperator>(pointer)) {
      pointer = operation->getLHS();
    } else if (const auto* call = dyn_cast<CallExpr>(pointer); call && call->getNumArgs() > 0) {
      pointer = call->getArg(0);
    } else {
      const auto* reference = dyn_cast<DeclRefExpr>(pointer);
      return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    }
  }
}

}  // namespace

std::optional<SwappedPointers::Move> SwappedPointers::move(const Stmt* statement) {
  if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
    const auto* variable =
        declarations->isSingleDecl() ? dyn_cast<VarDecl>(declarations->getSingleDecl()) : nullptr;
    if (!variable || !variable->getType()->isPointerType() || !variable->hasLocalStorage() ||
        !variable->getInit()) {
      return std::nullopt;
    }
    const VarDecl* from = pointer_variable(variable->getInit());
    return from && point_alike(variable, from) ? std::optional(Move{variable, from, false, true})
                                               : std::nullopt;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (!expression) {
    return std::nullopt;
  }
  expression = expression->IgnoreParens();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    expression = cleanups->getSubExpr();
  }
  const Expr* first = nullptr;
  const Expr* second = nullptr;
  const auto* call = dyn_cast<CallExpr>(expression);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const bool swaps = callee && callee->isInStdNamespace() && callee->getIdentifier() &&
                     callee->getName() == "swap" && call->getNumArgs() == 2;
  if (const auto* operation = dyn_cast<BinaryOperator>(expression);
      operation && operation->getOpcode() == BO_Assign) {
    first = operation->getLHS();
    second = operation->getRHS();
  } else if (swaps) {
    first = call->getArg(0);
    second = call->getArg(1);
  } else {
    return std::nullopt;
  }
  const VarDecl* to = pointer_variable(first);
  const VarDecl* from = pointer_variable(second);
  return to && from && point_alike(to, from) ? std::optional(Move{to, from, swaps, false})
                                             : std::nullopt;
}

/// The moves that are statements of their own.
void SwappedPointers::collect_moves(const Stmt* statement) {
  if (!statement || isa<LambdaExpr>(statement)) {
    return;
  }
  if (const auto found = move(statement)) {
    moves_[statement] = *found;
    return;
  }
  if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt, SwitchCase,
          AttributedStmt>(statement)) {
    for (const Stmt* child : statement->children()) {
      collect_moves(child);
    }
  }
}

/// Leaves out the moves of variables that other scopes declare. False where such ones and those of
/// this scope move each other.
bool SwappedPointers::keep_own_moves() {
  llvm::DenseSet<const VarDecl*> own;
  for (const auto& [statement, found] : moves_) {
    for (const VarDecl* variable : {found.to, found.from}) {
      if (is_declared_here(variable)) {
        own.insert(variable);
      }
    }
  }
  for (std::size_t before = own.size() + 1; before != own.size();) {
    before = own.size();
    for (const auto& [statement, found] : moves_) {
      if (found.declares && own.contains(found.from)) {
        own.insert(found.to);
      }
    }
  }
  std::vector<const Stmt*> others;
  for (const auto& [statement, found] : moves_) {
    if (own.contains(found.to) != own.contains(found.from)) {
      return false;
    }
    if (!own.contains(found.to)) {
      others.push_back(statement);
    }
  }
  for (const Stmt* other : others) {
    moves_.erase(other);
  }
  return !moves_.empty();
}

/// By the scope itself or, as a parameter, by the function whose body it is.
bool SwappedPointers::is_declared_here(const VarDecl* variable) const {
  if (const auto* parameter = dyn_cast<ParmVarDecl>(variable)) {
    const auto* function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
    return function && function->getBody() == scope_;
  }
  return llvm::any_of(scope_->body(), [&](const Stmt* part) {
    const auto* declarations = dyn_cast<DeclStmt>(part);
    return declarations && llvm::is_contained(declarations->decls(), variable);
  });
}

/// Numbers the variables that are moved. A declaration counts as a move only where something else
/// takes part in moves with what it declares.
bool SwappedPointers::number_variables(llvm::function_ref<bool(const VarDecl*)> may_join) {
  llvm::DenseSet<const VarDecl*> taking_part;
  for (const auto& [statement, found] : moves_) {
    if (!found.declares) {
      taking_part.insert(found.to);
      taking_part.insert(found.from);
    }
  }
  for (auto entry = moves_.begin(); entry != moves_.end();) {
    const auto next = std::next(entry);
    if (!taking_part.contains(entry->second.to)) {
      moves_.erase(entry);
    }
    entry = next;
  }
  llvm::DenseSet<const VarDecl*> copies;
  for (const auto& [statement, found] : moves_) {
    if (found.declares) {
      copies.insert(found.to);
      taking_part.insert(found.from);
    }
  }
  // In the order of their declarations, which a set of pointers does not have.
  std::vector<const VarDecl*> ordered(taking_part.begin(), taking_part.end());
  if (!llvm::all_of(ordered, may_join)) {
    return false;
  }
  llvm::sort(ordered, [&](const VarDecl* a, const VarDecl* b) {
    const bool copy_a = copies.contains(a);
    const bool copy_b = copies.contains(b);
    return copy_a != copy_b ? copy_b : a->getLocation() < b->getLocation();
  });
  for (const VarDecl* variable : ordered) {
    if (!copies.contains(variable)) {
      if (!is_declared_here(variable) || !(isa<ParmVarDecl>(variable) || variable->getInit())) {
        return false;
      }
      ++target_count_;
    }
    numbers_[variable] = static_cast<unsigned>(variables_.size());
    variables_.push_back(variable);
  }
  return target_count_ >= 2;
}

/// Pointers into one array are distinguished by their places in it.
bool SwappedPointers::has_several_arrays() const {
  const VarDecl* first = nullptr;
  for (std::size_t i = 0; i < target_count_; ++i) {
    const VarDecl* variable = variables_[i];
    const VarDecl* array = isa<ParmVarDecl>(variable) ? variable : array_of(variable->getInit());
    if (array && first && array != first) {
      return true;
    }
    first = first ? first : array;
  }
  return llvm::any_of(moves_, [](const auto& entry) { return entry.second.swaps; });
}

/// True for what reads a variable, or one of several.
bool SwappedPointers::only_read(const Expr* expression) const {
  const auto* conditional = dyn_cast<ConditionalOperator>(expression->IgnoreParens());
  return conditional
             ? only_moves(conditional->getCond()) && only_read(conditional->getTrueExpr()) &&
                   only_read(conditional->getFalseExpr())
             : named_variable(expression) != nullptr || only_moves(expression);
}

/// True where nothing but moves changes a variable or knows where it lies.
bool SwappedPointers::only_moves(const Stmt* statement) const {
  if (!statement || moves_.contains(statement)) {
    return true;
  }
  if (const auto* cast = dyn_cast<ImplicitCastExpr>(statement);
      cast && cast->getCastKind() == CK_LValueToRValue) {
    return only_read(cast->getSubExpr());
  }
  const auto* reference = dyn_cast<DeclRefExpr>(statement);
  if (const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      variable && numbers_.contains(variable)) {
    return false;
  }
  return llvm::all_of(statement->children(), [&](const Stmt* child) { return only_moves(child); });
}

std::size_t SwappedPointers::leading_moves(llvm::ArrayRef<Stmt*> rest) const {
  std::size_t count = 0;
  while (count < rest.size() && moves_.contains(rest[count])) {
    ++count;
  }
  return count;
}

std::vector<unsigned> SwappedPointers::moved(std::vector<unsigned> state,
                                             llvm::ArrayRef<Stmt*> moves) const {
  for (const Stmt* statement : moves) {
    const Move& made = moves_.find(statement)->second;
    unsigned& to = state[numbers_.find(made.to)->second];
    unsigned& from = state[numbers_.find(made.from)->second];
    made.swaps ? std::swap(to, from) : void(to = from);
  }
  // What only these moves know may forget its target.
  for (const Stmt* statement : moves) {
    const Move& made = moves_.find(statement)->second;
    std::size_t here = 0;
    for (const Stmt* part : moves) {
      here += mentions(part, made.to);
    }
    if (made.declares && here == mentions(scope_, made.to)) {
      state[numbers_.find(made.to)->second] = 0;
    }
  }
  return state;
}

/// The moves that follow each other, in all braces.
void SwappedPointers::collect_runs(const Stmt* statement,
                                   std::vector<std::vector<Stmt*>>& runs) const {
  if (!statement) {
    return;
  }
  if (const auto* compound = dyn_cast<CompoundStmt>(statement)) {
    const llvm::ArrayRef<Stmt*> parts(compound->body_begin(), compound->size());
    for (std::size_t i = 0; i < parts.size();) {
      const std::size_t count = leading_moves(parts.drop_front(i));
      if (count > 0) {
        runs.push_back(parts.slice(i, count).vec());
      } else {
        collect_runs(parts[i], runs);
      }
      i += std::max<std::size_t>(count, 1);
    }
    return;
  }
  for (Stmt* child : const_cast<Stmt*>(statement)->children()) {
    if (child && moves_.contains(child)) {
      runs.push_back({child});
    } else {
      collect_runs(child, runs);
    }
  }
}

bool SwappedPointers::collect_states() {
  std::vector<std::vector<Stmt*>> runs;
  collect_runs(scope_, runs);
  std::vector<unsigned> first(variables_.size(), 0);
  for (unsigned i = 0; i < target_count_; ++i) {
    first[i] = i;
  }
  states_.push_back(first);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    for (const std::vector<Stmt*>& run : runs) {
      std::vector<unsigned> next = moved(states_[i], run);
      if (!llvm::is_contained(states_, next)) {
        states_.push_back(std::move(next));
      }
    }
    if (states_.size() > most_states) {
      return false;
    }
  }
  return true;
}

std::optional<SwappedPointers> SwappedPointers::find(
    const CompoundStmt* scope, llvm::function_ref<bool(const VarDecl*)> may_join) {
  SwappedPointers result;
  result.scope_ = scope;
  result.collect_moves(scope);
  if (result.moves_.empty() || !result.keep_own_moves() || !result.number_variables(may_join) ||
      !result.has_several_arrays() || !result.only_moves(scope) || !result.collect_states()) {
    return std::nullopt;
  }
  return result;
}

unsigned SwappedPointers::after(unsigned state, llvm::ArrayRef<Stmt*> moves) const {
  return static_cast<unsigned>(llvm::find(states_, moved(states_[state], moves)) - states_.begin());
}

bool SwappedPointers::moves_in(const Stmt* statement) const {
  return statement &&
         (moves_.contains(statement) ||
          llvm::any_of(statement->children(), [&](const Stmt* child) { return moves_in(child); }));
}

bool SwappedPointers::names(const Stmt* statement) const {
  return llvm::any_of(variables_,
                      [&](const VarDecl* variable) { return mentions(statement, variable) > 0; });
}

}  // namespace ddx::compiler
