#include "compiler/memory/place_windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr std::int64_t largest_window = 4;  ///< Numbers.

/// The variables of a window, by the number of iterations that have used them.
class WindowVariables {
 public:
  WindowVariables(const PlaceWindow& window, Loop& loop, ScalarEvolution& evolution)
      : window_(window),
        loop_(loop),
        evolution_(evolution),
        expander_(evolution, loop.getHeader()->getModule()->getDataLayout(), "") {
    const auto is_before = [&](const WindowPlace& a, const WindowPlace& b) {
      return window.step > 0 ? a.distance > b.distance : a.distance < b.distance;
    };
    lead_ = min_element(window.places, is_before)->distance;
  }

  [[nodiscard]] bool fits() const {
    std::int64_t greatest = 0;
    for (const WindowPlace& one : window_.places) {
      const bool in_place = all_of(one.place->users(), [&](const User* user) {
        return getLoadStorePointerOperand(user) == one.place;
      });
      if (!in_place || (lead_ - one.distance) % window_.step != 0) {
        return false;
      }
      greatest = std::max(greatest, age_of(one.distance));
    }
    return greatest > 0 && greatest < largest_window;
  }

  void write(DominatorTree& dominators, LoopInfo& loops);

 private:
  /// The number of earlier iterations that have used the number at a distance.
  [[nodiscard]] std::int64_t age_of(std::int64_t distance) const {
    return (lead_ - distance) / window_.step;
  }
  [[nodiscard]] std::int64_t distance_at(std::size_t age) const {
    return lead_ - static_cast<std::int64_t>(age) * window_.step;
  }
  [[nodiscard]] const SCEV* bytes(std::int64_t number) const {
    return evolution_.getConstant(Type::getInt64Ty(evolution_.getContext()),
                                  static_cast<std::uint64_t>(number), /*isSigned=*/true);
  }
  void make_variables();
  void replace_places();
  Value* address(const SCEV* distance, Instruction* where);
  Value* load(const SCEV* distance, Instruction* where);
  void store(Value* value, const SCEV* distance, Instruction* where);

  const PlaceWindow& window_;
  Loop& loop_;
  ScalarEvolution& evolution_;
  SCEVExpander expander_;
  std::int64_t lead_;  ///< The distance of the number that an iteration is the first to use.
  SmallVector<AllocaInst*> variables_;
};

Value* WindowVariables::address(const SCEV* distance, Instruction* where) {
  Value* const offset =
      expander_.expandCodeFor(distance, Type::getInt64Ty(evolution_.getContext()), where);
  IRBuilder<> builder(where);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), window_.base, offset);
}

Value* WindowVariables::load(const SCEV* distance, Instruction* where) {
  Value* const place = address(distance, where);
  LoadInst* const made = IRBuilder<>(where).CreateLoad(window_.real, place);
  made->setMetadata(LLVMContext::MD_alias_scope, window_.scope);
  made->setMetadata(LLVMContext::MD_noalias, window_.others);
  return made;
}

void WindowVariables::store(Value* value, const SCEV* distance, Instruction* where) {
  Value* const place = address(distance, where);
  StoreInst* const made = IRBuilder<>(where).CreateStore(value, place);
  made->setMetadata(LLVMContext::MD_alias_scope, window_.scope);
  made->setMetadata(LLVMContext::MD_noalias, window_.others);
}

void WindowVariables::make_variables() {
  std::int64_t greatest = 0;
  for (const WindowPlace& one : window_.places) {
    greatest = std::max(greatest, age_of(one.distance));
  }
  BasicBlock& entry = loop_.getHeader()->getParent()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  for (std::int64_t age = 0; age <= greatest; ++age) {
    variables_.push_back(builder.CreateAlloca(window_.real));
  }
}

void WindowVariables::replace_places() {
  for (const WindowPlace& one : window_.places) {
    for (User* user : one.place->users()) {
      cast<Instruction>(user)->setMetadata(LLVMContext::MD_alias_scope, nullptr);
      cast<Instruction>(user)->setMetadata(LLVMContext::MD_noalias, nullptr);
    }
    one.place->replaceAllUsesWith(variables_[static_cast<std::size_t>(age_of(one.distance))]);
    one.place->eraseFromParent();
  }
}

void WindowVariables::write(DominatorTree& dominators, LoopInfo& loops) {
  make_variables();
  replace_places();
  const auto distance = [&](std::size_t age) {
    return evolution_.getAddExpr(window_.begin, bytes(distance_at(age)));
  };
  const auto moving = [&](std::size_t age) {
    return evolution_.getAddRecExpr(distance(age), bytes(window_.step), &loop_, SCEV::FlagAnyWrap);
  };
  const SCEV* const moved = evolution_.getMulExpr(window_.count, bytes(window_.step));
  const std::size_t last = variables_.size() - 1;
  Instruction* const before = loop_.getLoopPreheader()->getTerminator();
  for (std::size_t age = 1; age <= last; ++age) {
    Value* const value = load(distance(age), before);
    IRBuilder<>(before).CreateStore(value, variables_[age]);
  }
  Instruction* const first = &*loop_.getHeader()->getFirstInsertionPt();
  Value* const value = load(moving(0), first);
  IRBuilder<>(first).CreateStore(value, variables_[0]);
  Instruction* const end = loop_.getLoopLatch()->getTerminator();
  IRBuilder<> at_end(end);
  store(at_end.CreateLoad(window_.real, variables_[last]), moving(last), end);
  for (std::size_t age = last; age > 0; --age) {
    at_end.CreateStore(at_end.CreateLoad(window_.real, variables_[age - 1]), variables_[age]);
  }
  BasicBlock* const behind =
      SplitEdge(loop_.getExitingBlock(), loop_.getUniqueExitBlock(), &dominators, &loops);
  Instruction* const after = behind->getTerminator();
  for (std::size_t age = last; age > 0; --age) {
    Value* const left = IRBuilder<>(after).CreateLoad(window_.real, variables_[age]);
    store(left, evolution_.getAddExpr(distance(age - 1), moved), after);
  }
  PromoteMemToReg(variables_, dominators);
}

}  // namespace

void keep_in_variables(const PlaceWindow& window, Loop& loop, DominatorTree& dominators,
                       LoopInfo& loops, ScalarEvolution& evolution) {
  WindowVariables variables(window, loop, evolution);
  if (variables.fits()) {
    variables.write(dominators, loops);
  }
}

}  // namespace ddx::compiler::memory
