// Pointers that exchange their targets: `std::swap(now, next)` between two steps of a simulation.
// Which of the targets each has is a number, and every statement that names them is lowered once
// for each value of it, with pointers that stay where they are.

#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

#include <functional>

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// Of one statement; with more the text would grow without bound.
constexpr unsigned most_copies = 64;

unsigned arm_count(const Expr* expression) {
  const auto* conditional = dyn_cast<ConditionalOperator>(expression->IgnoreParenImpCasts());
  return conditional
             ? arm_count(conditional->getTrueExpr()) + arm_count(conditional->getFalseExpr())
             : 1;
}

}  // namespace

/// Declares the number, where pointers of this scope exchange their targets.
bool Lowering::begin_pointer_swap(const CompoundStmt* scope) {
  auto pointers = SwappedPointers::find(scope, [&](const VarDecl* variable) {
    return context_.types.has_tangent(variable->getType());
  });
  if (!pointers) {
    return false;
  }
  const SourceLocation where = scope->getBeginLoc();
  std::vector<Binding> targets(pointers->target_count());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto* parameter = dyn_cast<ParmVarDecl>(pointers->variables()[i]);
    const auto found = parameter ? bindings_.find(parameter) : bindings_.end();
    if (parameter && (found == bindings_.end() || found->second.kind != Binding::Kind::Pointer ||
                      found->second.path.root->kind == Root::Kind::Memory)) {
      return false;
    }
    if (parameter) {
      targets[i] = bind_alias(iterator_path(found->second, where), true,
                              parameter->getNameAsString(), where);
    }
  }
  PointerPermutation made{std::move(*pointers), new_tag(where), std::move(targets), 0};
  block_->statements.back()->text = " = 0";
  permutations_.push_back(std::move(made));
  enter_state(permutations_.back(), 0);
  return true;
}

/// Binds the pointers as they are in `state`; to nothing where that is known at run time only.
void Lowering::enter_state(PointerPermutation& permutation, std::optional<unsigned> state) {
  permutation.known = state;
  if (permutation.targets.empty()) {
    return;
  }
  for (std::size_t i = 0; i < permutation.pointers.variables().size(); ++i) {
    bindings_[permutation.pointers.variables()[i]] =
        state ? permutation.targets[permutation.pointers.states()[*state][i]] : Binding();
  }
}

/// A pointer that takes part: bound to what it points to at first.
bool Lowering::declare_swapped(const VarDecl* variable) {
  for (PointerPermutation& permutation : permutations_) {
    const auto& variables = permutation.pointers.variables();
    const auto number =
        static_cast<std::size_t>(llvm::find(variables, variable) - variables.begin());
    if (number >= permutation.targets.size()) {
      continue;
    }
    auto target = permutation.known && !is_dynamic_pointer_value(variable->getInit())
                      ? pointer(variable->getInit())
                      : std::nullopt;
    if (!target || target->root->kind == Root::Kind::Memory) {
      permutation.targets.clear();
      return false;
    }
    target->type = variable->getType()->getPointeeType();
    permutation.targets[number] =
        bind_alias(std::move(*target), true, variable->getNameAsString(), variable->getLocation());
    enter_state(permutation, permutation.known);
    return true;
  }
  return false;
}

/// How many of `rest`, counted from its first, must be lowered together once for each state: what
/// they declare is not named behind them.
std::size_t Lowering::swapped_run(llvm::ArrayRef<Stmt*> rest, const CompoundStmt* compound) const {
  const auto declared_before = [&](const Stmt* later, std::size_t end) {
    return llvm::any_of(rest.take_front(end), [&](const Stmt* part) {
      const auto* declarations = dyn_cast<DeclStmt>(part);
      return declarations && llvm::any_of(declarations->decls(), [&](const Decl* declared) {
               const auto* variable = dyn_cast<VarDecl>(declared);
               return !variable || isa<DecompositionDecl>(variable) ||
                      mentions(later, variable) > 0;
             });
    });
  };
  std::size_t end = 1;
  for (std::size_t i = end; i < rest.size(); ++i) {
    if (declared_before(rest[i], end)) {
      end = i + 1;
    }
  }
  const bool guards = llvm::any_of(rest.take_front(end),
                                   [&](const Stmt* part) { return is_guarding(part, compound); });
  return guards ? rest.size() : end;
}

/// Lowers the first of `rest` where exchanged pointers take part in them. Returns: how many.
std::size_t Lowering::lower_swapped(llvm::ArrayRef<Stmt*> rest, const CompoundStmt* compound) {
  for (std::size_t at = permutations_.size(); at-- > 0;) {
    const SwappedPointers& pointers = permutations_[at].pointers;
    const SourceLocation where = rest.front()->getBeginLoc();
    if (permutations_[at].targets.empty()) {
      continue;
    }
    if (const std::size_t moves = pointers.leading_moves(rest)) {
      move_swapped(permutations_[at], rest.take_front(moves));
      return moves;
    }
    const bool branches = isa<IfStmt>(rest.front());
    if (!branches && pointers.moves_in(rest.front())) {
      enter_state(permutations_[at], std::nullopt);  // What it does when it is run again.
      continue;
    }
    const Stmt* named = rest.front();
    if (branches && pointers.moves_in(named)) {
      named = cast<IfStmt>(named)->getCond();
    }
    const auto states = static_cast<unsigned>(pointers.states().size());
    if (permutations_[at].known || !pointers.names(named) || copies_ * states > most_copies) {
      continue;
    }
    const std::size_t run = swapped_run(rest, compound);
    Block* const outer = block_;
    const auto before = known_states();
    copies_ *= states;
    for (unsigned state = 0; state < states; ++state) {
      Block* other = nullptr;
      if (state + 1 < states) {
        Value* test = form("$0 == " + std::to_string(state), context_.ast.BoolTy,
                           {load(permutations_[at].state, where)}, where);
        const ir::Statement* branch = add_if(test, where);
        block_ = branch->body;
        other = branch->otherwise;
      }
      Block* const arm = block_;
      enter_states(before);
      enter_state(permutations_[at], state);
      statements(rest.take_front(run), compound);
      block_ = other ? other : arm;
    }
    copies_ /= states;
    block_ = outer;
    for (const Stmt* part : rest.take_front(run)) {
      leave_swapping(part);
    }
    enter_state(permutations_[at], std::nullopt);
    return run;
  }
  return 0;
}

/// `auto& m = c ? a : b`, and pointers, where nothing states later which of them is meant: the
/// condition is lowered around what names the variable. Returns: how many of `rest` that was.
std::size_t Lowering::lower_chosen(llvm::ArrayRef<Stmt*> rest, const CompoundStmt* compound) {
  const auto* declarations = dyn_cast<DeclStmt>(rest.front());
  const auto* variable = declarations && declarations->isSingleDecl()
                             ? dyn_cast<VarDecl>(declarations->getSingleDecl())
                             : nullptr;
  const auto* conditional =
      variable && variable->getInit() && variable->hasLocalStorage()
          ? dyn_cast<ConditionalOperator>(variable->getInit()->IgnoreParenImpCasts())
          : nullptr;
  if (!conditional || !context_.types.has_tangent(variable->getType().getNonReferenceType())) {
    return 0;
  }
  const QualType type = variable->getType();
  const bool refers = type->isReferenceType() && conditional->isGLValue() &&
                      Types::container(type.getNonReferenceType()) != Container::None;
  const bool points = type->isPointerType() && !is_dynamic_pointer_value(variable->getInit()) &&
                      !may_change(variable, body_around(variable));
  const unsigned arms = arm_count(conditional);
  if ((!refers && !points) || copies_ * arms > most_copies) {
    return 0;
  }
  const std::size_t run = swapped_run(rest, compound);
  const auto before = known_states();
  const std::function<void(const ConditionalOperator*)> in_arms =
      [&](const ConditionalOperator* chosen) {
        for_each_arm(chosen, variable->getLocation(), [&](const Expr* arm) {
          enter_states(before);
          arm = arm->IgnoreParenImpCasts();
          if (const auto* inner = dyn_cast<ConditionalOperator>(arm)) {
            return in_arms(inner);
          }
          const bool decays = points && arm->getType()->isArrayType();
          auto target = points && !decays ? pointer(arm) : lvalue(arm);
          if (target && decays) {
            target = element_path(target, nullptr, type->getPointeeType());
          }
          if (target) {
            target->type = points ? type->getPointeeType() : type.getNonReferenceType();
            bindings_[variable] = bind_alias(std::move(*target), points,
                                             variable->getNameAsString(), variable->getLocation());
            return statements(rest.slice(1, run - 1), compound);
          }
          reject_declaration(
              variable, points ? Diagnostic::UnsupportedPointer : Diagnostic::UnsupportedReference);
        });
      };
  copies_ *= arms;
  in_arms(conditional);
  copies_ /= arms;
  for (const Stmt* part : rest.take_front(run)) {
    leave_swapping(part);
  }
  return run;
}

/// Behind a statement that may have moved pointers, or not.
void Lowering::leave_swapping(const Stmt* statement) {
  for (PointerPermutation& permutation : permutations_) {
    if (!permutation.targets.empty() && permutation.known &&
        permutation.pointers.moves_in(statement)) {
      enter_state(permutation, std::nullopt);
    }
  }
}

std::vector<std::optional<unsigned>> Lowering::known_states() const {
  std::vector<std::optional<unsigned>> states;
  for (const PointerPermutation& permutation : permutations_) {
    states.push_back(permutation.known);
  }
  return states;
}

/// For another branch: the pointers are as they were in front of it.
void Lowering::enter_states(const std::vector<std::optional<unsigned>>& states) {
  for (std::size_t i = 0; i < permutations_.size(); ++i) {
    enter_state(permutations_[i], states[i]);
  }
}

void Lowering::move_swapped(PointerPermutation& permutation, llvm::ArrayRef<Stmt*> moves) {
  const SourceLocation where = moves.front()->getBeginLoc();
  const QualType number = context_.ast.IntTy;
  const auto after = [&](unsigned state) {
    return std::to_string(permutation.pointers.after(state, moves));
  };
  if (permutation.known) {
    const unsigned next = permutation.pointers.after(*permutation.known, moves);
    store(permutation.state, literal(std::to_string(next), number, where), where);
    return enter_state(permutation, next);
  }
  std::string chosen = after(0);
  for (unsigned state = 1; state < permutation.pointers.states().size(); ++state) {
    chosen = "($0 == " + std::to_string(state) + " ? " + after(state) + " : " + chosen + ")";
  }
  store(permutation.state, form(chosen, number, {load(permutation.state, where)}, where), where);
}

}  // namespace ddx::compiler
