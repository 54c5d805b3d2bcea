#include "compiler/memory/loop_records.h"

#include "compiler/memory/record_layout.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace ddx::compiler::memory {

using namespace llvm;

LoopRecords::LoopRecords(const Derivative& made, Unit& unit, const DominatorTree& dominators,
                         ValueCopies& forward_of, Value* sweep, BasicBlock* entry)
    : unit_(unit),
      forward_of_(forward_of),
      sweep_(sweep),
      forward_sweep_(std::prev(made.forward->arg_end())),
      entry_(entry),
      loops_(dominators),
      areas_(made, unit, dominators, loops_, forward_of, entry) {}

bool LoopRecords::is_served(const Loop& loop) const {
  return loop.isLoopSimplifyForm();
}

/// What an iteration adds to a variable of the loop; null where that is no constant.
Value* LoopRecords::step_of(const Loop& loop, const PHINode& phi) const {
  if (phi.getParent() != loop.getHeader() || !phi.getType()->isIntegerTy() ||
      phi.getNumIncomingValues() != 2) {
    return nullptr;
  }
  if (ConstantInt* const known = areas_.step_of(phi).by) {
    return known;
  }
  const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (next == nullptr || next->getOpcode() != Instruction::Add || next->getOperand(0) != &phi) {
    return nullptr;
  }
  auto* step = dyn_cast<ConstantInt>(next->getOperand(1));
  return step != nullptr && !step->isZero() ? step : nullptr;
}

AllocaInst* LoopRecords::keep(const Loop& loop, Value* value) {
  AllocaInst*& variable = variables_[{&loop, value}];
  if (variable == nullptr) {
    IRBuilder<> builder(entry_, entry_->begin());
    variable = builder.CreateAlloca(value->getType());
    kept_[&loop].push_back({last_value_of(loop, value), variable});
  }
  return variable;
}

/// A value when control leaves the loop: an induction variable's may be a constant.
Value* LoopRecords::last_value_of(const Loop& loop, Value* value) const {
  const auto* phi = dyn_cast<PHINode>(value);
  const auto* trips = dyn_cast_or_null<ConstantInt>(areas_.count_of(&loop).trips);
  auto* step = phi != nullptr ? cast_or_null<ConstantInt>(step_of(loop, *phi)) : nullptr;
  if (trips == nullptr || step == nullptr) {
    return value;
  }
  auto* start = dyn_cast<ConstantInt>(phi->getIncomingValueForBlock(loop.getLoopPreheader()));
  if (start == nullptr) {
    return value;
  }
  const unsigned bits = start->getBitWidth();
  const APInt steps = trips->getValue().zextOrTrunc(bits) - 1;
  return ConstantInt::get(start->getContext(), start->getValue() + steps * step->getValue());
}

/// The loop around `block` that keeps `value`: the one whose induction variable it is, or else the
/// largest one in which it does not change.
std::pair<const Loop*, bool> LoopRecords::loop_that_keeps(Value* value, BasicBlock* block) const {
  auto* instruction = dyn_cast<Instruction>(value);
  const Loop* around = nullptr;
  for (const Loop* loop = instruction != nullptr ? loops_.getLoopFor(block) : nullptr;
       loop != nullptr && is_served(*loop); loop = loop->getParentLoop()) {
    const auto* phi = dyn_cast<PHINode>(value);
    if (phi != nullptr && step_of(*loop, *phi) != nullptr) {
      return {loop, true};
    }
    if (loop->contains(instruction)) {
      break;
    }
    around = loop;
  }
  return {around, false};
}

bool LoopRecords::serves(Value* value, BasicBlock* block) const {
  return loop_that_keeps(value, block).first != nullptr;
}

Value* LoopRecords::value_of(Value* value, BasicBlock* block, IRBuilder<>& builder) {
  const auto [loop, counts] = loop_that_keeps(value, block);
  if (loop == nullptr) {
    return nullptr;
  }
  const bool is_new = !variables_.contains({loop, value});
  AllocaInst* const variable = keep(*loop, value);
  if (counts && is_new) {
    auto* phi = cast<PHINode>(value);
    counters_.push_back({phi, step_of(*loop, *phi), variable});
  }
  return builder.CreateLoad(value->getType(), variable);
}

LoopRecords::MovingPointer LoopRecords::moving_pointer(Value* value, BasicBlock* block) const {
  const auto* phi = dyn_cast<PHINode>(value);
  const Loop* loop = phi != nullptr && phi->getType()->isPointerTy()
                         ? loops_.getLoopFor(phi->getParent())
                         : nullptr;
  const LoopCount count = areas_.count_of(loop);
  if (count.index == nullptr || loop->getHeader() != phi->getParent() || !loop->contains(block)) {
    return {};
  }
  const ConstantInt* step = areas_.step_of(*phi).by;
  if (step == nullptr) {
    return {};
  }
  return {phi->getIncomingValueForBlock(loop->getLoopPreheader()), count.index,
          step->getSExtValue()};
}

std::pair<PHINode*, Value*> LoopRecords::counter_of(BasicBlock* header) {
  const Loop* loop = loops_.getLoopFor(header);
  if (loop == nullptr || loop->getHeader() != header || !is_served(*loop)) {
    return {};
  }
  if (PHINode* const index = areas_.count_of(loop).index) {
    return {index, index->getIncomingValueForBlock(loop->getLoopPreheader())};
  }
  for (PHINode& phi : header->phis()) {
    if (step_of(*loop, phi) == nullptr) {
      continue;
    }
    const auto* next =
        cast<OverflowingBinaryOperator>(phi.getIncomingValueForBlock(loop->getLoopLatch()));
    const bool never_returns = next->hasNoSignedWrap() || next->hasNoUnsignedWrap() ||
                               phi.getType()->getIntegerBitWidth() >= 64;
    if (never_returns) {
      return {&phi, phi.getIncomingValueForBlock(loop->getLoopPreheader())};
    }
  }
  return {};
}

void LoopRecords::begin_edges(BasicBlock* block, BasicBlock* reverse) {
  // Marks the place for the pop, until it is known whether the block has a record.
  IRBuilder<> builder(reverse);
  exit_places_[block] = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt32(0));
}

void LoopRecords::add_edge(BasicBlock* block, BasicBlock* source, BasicBlock* edge) {
  edges_[{block, source}] = edge;
}

/// The record of one block behind loops: written before all else there, read after all else.
void LoopRecords::write_exit(BasicBlock* exit, ArrayRef<Kept> kept) {
  const DataLayout& layout = unit_.module().getDataLayout();
  auto* copy = cast<BasicBlock>(static_cast<Value*>(forward_of_.lookup(exit)));
  unsigned size = 0;
  std::uint64_t align = 1;
  SmallVector<std::pair<Kept, unsigned>> written;
  IRBuilder<> forward(&*copy->getFirstInsertionPt());
  IRBuilder<> reverse(exit_places_[exit]);
  for (const Kept& one : kept) {
    if (isa_and_nonnull<Constant>(one.value)) {
      reverse.CreateStore(one.value, one.variable);
      continue;
    }
    Type* const type = one.variable->getAllocatedType();
    written.emplace_back(one, add_room(layout, type, size));
    align = std::max(align, align_in_record(layout, type));
  }
  if (size == 0) {
    return;
  }
  Value* pushed = nullptr;
  Value* popped = nullptr;
  if (areas_.covers(exit)) {
    const std::uint64_t distance = areas_.add_record(exit, size, align);
    pushed = areas_.forward_record(exit, distance, forward);
    popped = areas_.reverse_record(exit, distance, reverse,
                                   [&](PHINode* index) { return value_of(index, exit, reverse); });
  } else {
    Value* const bytes = forward.getInt64(pushed_size(size));
    pushed = forward.CreateCall(unit_.runtime("push"), {forward_sweep_, bytes});
    popped = reverse.CreateCall(unit_.runtime("pop"), {sweep_, bytes});
  }
  for (const auto& [one, distance] : written) {
    Value* const value =
        one.forward != nullptr ? one.forward : static_cast<Value*>(forward_of_.lookup(one.value));
    forward.CreateAlignedStore(
        value, forward.CreateConstGEP1_64(forward.getInt8Ty(), pushed, distance), Align(8));
    Value* const read = reverse.CreateAlignedLoad(
        one.variable->getAllocatedType(),
        reverse.CreateConstGEP1_64(reverse.getInt8Ty(), popped, distance), Align(8));
    reverse.CreateStore(read, one.variable);
  }
}

/// Keeps where the area of a loop begins; the reverse sweep pops it behind the first iteration.
void LoopRecords::complete_area(const Loop& loop) {
  const LoopAreas::Pushed pushed = areas_.complete(loop);
  if (pushed.begin == nullptr) {
    return;
  }
  const auto keep_pushed = [&](Value* value, AllocaInst* variable) {
    if (isa<Constant>(value)) {
      kept_[&loop].push_back({value, variable});
    } else {
      kept_[&loop].push_back({nullptr, variable, value});
    }
  };
  keep_pushed(pushed.begin, pushed.begin_in_reverse);
  keep_pushed(pushed.bytes, pushed.bytes_in_reverse);
  BasicBlock* const edge = edges_[{loop.getHeader(), loop.getLoopPreheader()}];
  IRBuilder<> builder(edge->getTerminator());
  Value* const bytes = builder.CreateLoad(builder.getInt64Ty(), pushed.bytes_in_reverse);
  builder.CreateCall(unit_.runtime("pop"), {sweep_, bytes});
}

void LoopRecords::finish() {
  DenseMap<BasicBlock*, SmallVector<Kept>> exits;
  const SmallVector<Loop*, 4> loops = loops_.getLoopsInPreorder();
  for (const Loop* loop : reverse(loops)) {
    complete_area(*loop);
    SmallVector<BasicBlock*> blocks;
    loop->getUniqueExitBlocks(blocks);
    for (BasicBlock* block : blocks) {
      exits[block].append(kept_[loop]);
      if (loops_.getLoopFor(block) == loop->getParentLoop()) {
        write_exit(block, exits[block]);
      }
    }
  }
  for (const Counter& counter : counters_) {
    BasicBlock* const header = counter.phi->getParent();
    BasicBlock* const latch = loops_.getLoopFor(header)->getLoopLatch();
    const auto* next =
        dyn_cast<OverflowingBinaryOperator>(counter.phi->getIncomingValueForBlock(latch));
    const bool stays_signed =
        areas_.step_of(*counter.phi).stays_signed || (next != nullptr && next->hasNoSignedWrap());
    // Also where the loop began, so that the loop need not have a block for it.
    IRBuilder<> builder(edges_[{header, latch}]->getSinglePredecessor()->getTerminator());
    Value* const value = builder.CreateLoad(counter.phi->getType(), counter.variable);
    // An addition: that is what scalar evolution takes the flag from.
    Value* const back = ConstantExpr::getNeg(cast<Constant>(counter.step));
    builder.CreateStore(builder.CreateAdd(value, back, "", /*HasNUW=*/false, stays_signed),
                        counter.variable);
  }
  for (const auto& [block, place] : exit_places_) {
    place->eraseFromParent();
  }
}

}  // namespace ddx::compiler::memory
