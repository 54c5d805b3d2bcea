#include "compiler/memory/place_ranges.h"

#include "compiler/memory/loop_strips.h"
#include "compiler/memory/place_calls.h"
#include "compiler/memory/place_windows.h"
#include "compiler/memory/reals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr std::int64_t largest_step = 4096;      ///< Bytes.
constexpr std::int64_t largest_group = 1 << 16;  ///< Bytes between the first addresses.
constexpr unsigned most_groups = 8;
constexpr unsigned largest_loop = 400;  ///< Instructions.
constexpr std::uint64_t fewest_trips = 4;
/// Of a loop that may run beside other threads: where these hold a page of its numbers, the others
/// are still found by range.
constexpr std::uint64_t strip_iterations = 1024;
constexpr unsigned range_budget = 32;  ///< Cost of the ends of a range, in simple operations.

/// A call for the cotangent or the tangent of a number whose address moves by the step of its
/// group.
struct Access {
  CallInst* call;
  std::int64_t distance;  ///< From the group's address in the same iteration.
};

/// Numbers of one type that lie at constant distances from each other in each iteration.
struct Group {
  Type* real;
  Value* owner;       ///< Of what belongs to them: the sweep, or the directory of tangents.
  const SCEV* start;  ///< In the first iteration.
  std::int64_t step;  ///< Bytes; 0 for a number that all iterations use.
  SmallVector<Access> accesses;
  std::int64_t least = 0;  ///< Of the distances.
  std::int64_t greatest = 0;
};

/// Whether all cotangents that the loop uses were found, and are used in each iteration.
bool uses_only_places(const Loop& loop) {
  if (loop.getExitingBlock() != loop.getLoopLatch()) {
    return false;
  }
  return all_of(loop.blocks(), [](const BasicBlock* block) {
    return all_of(*block, [](const Instruction& instruction) {
      return isa<LoadInst>(instruction) || isa<StoreInst>(instruction) ||
             !instruction.mayReadOrWriteMemory();
    });
  });
}

bool is_sum(const User& user) {
  const auto* operation = dyn_cast<BinaryOperator>(&user);
  return operation != nullptr && (operation->getOpcode() == Instruction::FAdd ||
                                  operation->getOpcode() == Instruction::FSub);
}

class PlaceRanges {
 public:
  PlaceRanges(Function& function, Unit& unit, FunctionAnalysisManager& analyses, bool of_tangents)
      : unit_(unit),
        loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        target_(analyses.getResult<TargetIRAnalysis>(function)),
        context_(function.getContext()),
        of_tangents_(of_tangents) {}

  void run() {
    for (Loop* loop : inner_loops()) {
      serve(*loop);
    }
  }

  /// The headers of loops that run() may serve.
  SmallVector<BasicBlock*> headers() {
    SmallVector<BasicBlock*> found;
    for (Loop* loop : inner_loops()) {
      if (!groups_to_serve(*loop).empty()) {
        found.push_back(loop->getHeader());
      }
    }
    return found;
  }

  void split(BasicBlock* header) {
    Loop& loop = *loops_.getLoopFor(header);
    if (!groups_to_serve(loop).empty()) {
      formLCSSARecursively(loop, dominators_, &loops_, &evolution_);
      split_in_strips(loop, count_, strip_iterations, evolution_);
    }
  }

 private:
  SmallVector<Loop*> inner_loops() {
    SmallVector<Loop*> inner;
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      if (loop->isInnermost()) {
        inner.push_back(loop);
      }
    }
    return inner;
  }
  void serve(Loop& loop);
  SmallVector<Group> groups_to_serve(const Loop& loop);
  SmallVector<Group> groups_of(const Loop& loop);
  void add_access(const Loop& loop, CallInst& call, Type* real, SmallVectorImpl<Group>& groups);
  bool write_checks(Loop& loop, ArrayRef<Group> groups);
  const SCEV* bytes(std::int64_t number) const {
    Type* const type = Type::getInt64Ty(context_);
    return evolution_.getConstant(type, static_cast<std::uint64_t>(number), /*isSigned=*/true);
  }
  bool lie_apart(const Group& a, const Group& b) const;
  Value* apart(IRBuilder<>& builder, unsigned a, unsigned b);
  void add_slow_copy(Loop& loop, BasicBlock* checks, Value* are_ranges);
  SmallVector<Metadata*> make_scopes(Loop& loop, std::size_t count);
  void rewrite(Loop& loop, ArrayRef<Group> groups);
  void replace(Access access, Value* place, MDNode* scope, MDNode* others);

  Unit& unit_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  const TargetTransformInfo& target_;
  LLVMContext& context_;
  bool of_tangents_;
  SmallVector<Value*> firsts_;   ///< Addresses, by groups.
  SmallVector<Value*> lasts_;    ///< Likewise.
  SmallVector<Value*> mirrors_;  ///< Of the firsts.
  const SCEV* count_ = nullptr;  ///< Iterations behind the first one, 64 bits.
};

void PlaceRanges::add_access(const Loop& loop, CallInst& call, Type* real,
                             SmallVectorImpl<Group>& groups) {
  const SCEV* address = evolution_.getSCEV(call.getArgOperand(1));
  const auto size = static_cast<std::int64_t>(
      unit_.module().getDataLayout().getTypeAllocSize(real).getFixedValue());
  std::int64_t step = 0;
  if (const auto* moving = dyn_cast<SCEVAddRecExpr>(address);
      moving != nullptr && moving->getLoop() == &loop) {
    const auto* by = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_));
    if (!moving->isAffine() || by == nullptr || by->getAPInt().getSignificantBits() > 32) {
      return;
    }
    step = by->getAPInt().getSExtValue();
    address = moving->getStart();
  }
  // The run time checks that the ends of a range are aligned; all between are then too.
  if (!evolution_.isLoopInvariant(address, &loop) || std::abs(step) > largest_step ||
      step % size != 0) {
    return;
  }
  for (Group& group : groups) {
    if (group.real != real || group.owner != call.getArgOperand(0) || group.step != step ||
        evolution_.getPointerBase(group.start) != evolution_.getPointerBase(address)) {
      continue;
    }
    const auto* between = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(address, group.start));
    if (between == nullptr || between->getAPInt().getSignificantBits() > 32) {
      continue;
    }
    const std::int64_t distance = between->getAPInt().getSExtValue();
    if (std::abs(distance) <= largest_group && distance % size == 0) {
      group.accesses.push_back({&call, distance});
      group.least = std::min(group.least, distance);
      group.greatest = std::max(group.greatest, distance);
      return;
    }
  }
  groups.push_back({real, call.getArgOperand(0), address, step, {{&call, 0}}});
}

SmallVector<Group> PlaceRanges::groups_of(const Loop& loop) {
  SmallVector<Group> groups;
  for (BasicBlock* block : loop.blocks()) {
    if (!dominators_.dominates(block, loop.getLoopLatch())) {
      continue;
    }
    for (Instruction& instruction : *block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      const auto use = call != nullptr ? use_of(*call) : std::nullopt;
      if (use && (use->first == PlaceUse::Tangent) == of_tangents_ &&
          isa<Argument>(call->getArgOperand(0))) {
        add_access(loop, *call, use->second, groups);
      }
    }
  }
  return groups;
}

/// Whether what belongs to the two groups has nothing in common where the fast copy runs. Then a
/// sum that stays in one place can be a variable, and numbers can be kept from one iteration to the
/// next.
bool PlaceRanges::lie_apart(const Group& a, const Group& b) const {
  return a.owner != b.owner || a.step == 0 || b.step == 0 ||
         evolution_.getPointerBase(a.start) != evolution_.getPointerBase(b.start);
}

/// Whether the ranges of two groups have no number in common.
Value* PlaceRanges::apart(IRBuilder<>& builder, unsigned a, unsigned b) {
  return builder.CreateOr(builder.CreateICmpULT(lasts_[a], firsts_[b]),
                          builder.CreateICmpULT(lasts_[b], firsts_[a]));
}

/// Writes the checks at the end of the preheader, and the copy of the loop for where they fail.
bool PlaceRanges::write_checks(Loop& loop, ArrayRef<Group> groups) {
  BasicBlock* const checks = loop.getLoopPreheader();
  Instruction* const place = checks->getTerminator();
  Module& module = unit_.module();
  SCEVExpander expander(evolution_, module.getDataLayout(), "");
  SmallVector<std::pair<const SCEV*, const SCEV*>> ranges;
  for (const Group& group : groups) {
    const SCEV* const moved = evolution_.getMulExpr(count_, bytes(group.step));
    const SCEV* const least = evolution_.getAddExpr(group.start, bytes(group.least));
    const SCEV* const greatest = evolution_.getAddExpr(group.start, bytes(group.greatest));
    const SCEV* const first = group.step < 0 ? evolution_.getAddExpr(least, moved) : least;
    const SCEV* const last = group.step > 0 ? evolution_.getAddExpr(greatest, moved) : greatest;
    if (!expander.isSafeToExpandAt(first, place) || !expander.isSafeToExpandAt(last, place) ||
        expander.isHighCostExpansion({first, last}, &loop, range_budget, &target_, place)) {
      return false;
    }
    ranges.emplace_back(first, last);
  }
  firsts_.clear();
  lasts_.clear();
  mirrors_.clear();
  IRBuilder<> builder(place);
  for (const auto& [first, last] : ranges) {
    firsts_.push_back(expander.expandCodeFor(first, builder.getPtrTy(), place));
    lasts_.push_back(expander.expandCodeFor(last, builder.getPtrTy(), place));
  }
  Value* are_ranges = builder.getTrue();
  for (unsigned i = 0; i < groups.size(); ++i) {
    const char* const range = of_tangents_ ? "tangent_range_" : "range_";
    mirrors_.push_back(builder.CreateCall(unit_.runtime((range + suffix_of(groups[i].real)).str()),
                                          {groups[i].owner, firsts_[i], lasts_[i]}));
    are_ranges = builder.CreateAnd(are_ranges, builder.CreateIsNotNull(mirrors_.back()));
    for (unsigned j = 0; j < i; ++j) {
      if (groups[i].owner == groups[j].owner && lie_apart(groups[i], groups[j])) {
        are_ranges = builder.CreateAnd(are_ranges, apart(builder, i, j));
      }
    }
  }
  add_slow_copy(loop, checks, are_ranges);
  return true;
}

/// Lets a copy of the loop run where `are_ranges` is false.
void PlaceRanges::add_slow_copy(Loop& loop, BasicBlock* checks, Value* are_ranges) {
  BasicBlock* const exit = loop.getUniqueExitBlock();
  BasicBlock* const preheader =
      SplitBlock(checks, checks->getTerminator(), &dominators_, &loops_, nullptr);
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*> blocks;
  Loop* const slow = cloneLoopWithPreheader(preheader, checks, &loop, copies, ".each", &loops_,
                                            &dominators_, blocks);
  remapInstructionsInBlocks(blocks, copies);
  Instruction* const old = checks->getTerminator();
  IRBuilder<> builder(old);
  builder.CreateCondBr(are_ranges, preheader, slow->getLoopPreheader());
  old->eraseFromParent();
  for (PHINode& phi : exit->phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      Value* const value = phi.getIncomingValue(i);
      Value* const copy = copies.lookup(value);
      phi.addIncoming(copy != nullptr ? copy : value,
                      cast<BasicBlock>(static_cast<Value*>(copies[phi.getIncomingBlock(i)])));
    }
  }
  dominators_.changeImmediateDominator(exit, checks);
  // What leaves the loop comes from either copy.
  evolution_.forgetAllLoops();
}

void PlaceRanges::replace(Access access, Value* place, MDNode* scope, MDNode* others) {
  IRBuilder<> builder(access.call);
  const auto [use, real] = *use_of(*access.call);
  const auto mark = [&](Instruction* instruction) {
    instruction->setMetadata(LLVMContext::MD_alias_scope, scope);
    instruction->setMetadata(LLVMContext::MD_noalias, others);
  };
  if (use == PlaceUse::Place || use == PlaceUse::Tangent) {
    for (User* user : access.call->users()) {
      if (isa<LoadInst>(user) || isa<StoreInst>(user)) {
        mark(cast<Instruction>(user));
      }
      for (User* sum : user->users()) {
        if (is_sum(*sum)) {
          cast<Instruction>(sum)->setHasAllowReassoc(true);
        }
      }
    }
    access.call->replaceAllUsesWith(place);
  } else {
    LoadInst* const load = builder.CreateLoad(real, place);
    mark(load);
    if (use == PlaceUse::Take) {
      mark(builder.CreateStore(Constant::getNullValue(real), place));
    }
    access.call->replaceAllUsesWith(load);
  }
  access.call->eraseFromParent();
}

/// A scope for each group; the program's memory and the tape lie apart from all.
SmallVector<Metadata*> PlaceRanges::make_scopes(Loop& loop, std::size_t count) {
  LLVMContext& context = unit_.module().getContext();
  MDBuilder metadata(context);
  MDNode* const domain = metadata.createAnonymousAliasScopeDomain();
  SmallVector<Metadata*> scopes;
  for (std::size_t i = 0; i < count; ++i) {
    scopes.push_back(metadata.createAnonymousAliasScope(domain));
  }
  MDNode* const all = MDNode::get(context, scopes);
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (is_apart_from_places(instruction, of_tangents_)) {
        MDNode* const others = instruction.getMetadata(LLVMContext::MD_noalias);
        instruction.setMetadata(LLVMContext::MD_noalias, MDNode::concatenate(others, all));
      }
    }
  }
  IRBuilder<> begin_of_scopes(loop.getLoopPreheader()->getTerminator());
  for (Metadata* scope : scopes) {
    begin_of_scopes.CreateNoAliasScopeDeclaration(MDNode::get(context, {scope}));
  }
  return scopes;
}

void PlaceRanges::rewrite(Loop& loop, ArrayRef<Group> groups) {
  LLVMContext& context = unit_.module().getContext();
  const SmallVector<Metadata*> scopes = make_scopes(loop, groups.size());
  SCEVExpander expander(evolution_, unit_.module().getDataLayout(), "");
  SmallVector<PlaceWindow> windows;
  for (unsigned i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    SmallVector<Metadata*> apart;
    bool is_alone = group.step != 0;
    for (unsigned j = 0; j < groups.size(); ++j) {
      const bool lies_apart = j != i && lie_apart(group, groups[j]);
      if (lies_apart) {
        apart.push_back(scopes[j]);
      }
      is_alone = is_alone && (j == i || lies_apart || groups[j].real != group.real);
    }
    const SCEV* begin = bytes(-group.least);
    if (group.step < 0) {
      begin = evolution_.getMinusSCEV(begin, evolution_.getMulExpr(count_, bytes(group.step)));
    }
    PlaceWindow window{group.real, mirrors_[i], begin, count_, group.step, {}};
    window.scope = MDNode::get(context, {scopes[i]});
    window.others = apart.empty() ? nullptr : MDNode::get(context, apart);
    for (const Access& access : group.accesses) {
      const SCEV* const from = evolution_.getAddExpr(begin, bytes(access.distance));
      const SCEV* const offset =
          group.step == 0
              ? from
              : evolution_.getAddRecExpr(from, bytes(group.step), &loop, SCEV::FlagAnyWrap);
      Value* const distance =
          expander.expandCodeFor(offset, Type::getInt64Ty(context), access.call);
      auto* place = GetElementPtrInst::CreateInBounds(Type::getInt8Ty(context), mirrors_[i],
                                                      {distance}, "", access.call->getIterator());
      replace(access, place, window.scope, window.others);
      window.places.push_back({place, access.distance});
    }
    if (is_alone) {
      windows.push_back(window);
    }
  }
  expander.clear();
  if (!uses_only_places(loop)) {
    return;
  }
  for (const PlaceWindow& window : windows) {
    keep_in_variables(window, loop, dominators_, loops_, evolution_);
  }
}

/// The groups of a loop for which a copy can be made, and the count of its iterations; else none.
SmallVector<Group> PlaceRanges::groups_to_serve(const Loop& loop) {
  unsigned size = 0;
  for (const BasicBlock* block : loop.blocks()) {
    size += static_cast<unsigned>(block->size());
  }
  if (!loop.isLoopSimplifyForm() || loop.getUniqueExitBlock() == nullptr || size > largest_loop ||
      !loop.isSafeToClone()) {
    return {};
  }
  const SCEV* const count = evolution_.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count) || evolution_.getTypeSizeInBits(count->getType()) > 64) {
    return {};
  }
  const auto* known = dyn_cast<SCEVConstant>(count);
  SmallVector<Group> groups = groups_of(loop);
  const bool any_moves = any_of(groups, [](const Group& group) { return group.step != 0; });
  if (!any_moves || groups.size() > most_groups ||
      (known != nullptr && known->getAPInt().ult(fewest_trips))) {
    return {};
  }
  count_ = evolution_.getNoopOrZeroExtend(count, Type::getInt64Ty(context_));
  return groups;
}

void PlaceRanges::serve(Loop& loop) {
  const SmallVector<Group> groups = groups_to_serve(loop);
  if (groups.empty()) {
    return;
  }
  formLCSSARecursively(loop, dominators_, &loops_, &evolution_);
  if (write_checks(loop, groups)) {
    rewrite(loop, groups);
  }
}

/// Whether functions of the module may run in several threads.
bool starts_threads(const Module& module) {
  constexpr StringLiteral starts[] = {
      "__kmpc_fork_call", "pthread_create",
      "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
  return any_of(starts, [&](StringRef name) { return module.getFunction(name) != nullptr; });
}

}  // namespace

void find_cotangents_by_range(Function& function, Unit& unit) {
  FunctionAnalysisManager& analyses = unit.analyses();
  analyses.clear(function, function.getName());
  if (starts_threads(unit.module())) {
    for (BasicBlock* header : PlaceRanges(function, unit, analyses, false).headers()) {
      PlaceRanges(function, unit, analyses, false).split(header);
      analyses.clear(function, function.getName());
    }
  }
  PlaceRanges(function, unit, analyses, false).run();
  analyses.clear(function, function.getName());
}

void find_tangents_by_range(Function& function, Unit& unit) {
  FunctionAnalysisManager& analyses = unit.analyses();
  analyses.clear(function, function.getName());
  PlaceRanges(function, unit, analyses, /*of_tangents=*/true).run();
  analyses.clear(function, function.getName());
}

}  // namespace ddx::compiler::memory
