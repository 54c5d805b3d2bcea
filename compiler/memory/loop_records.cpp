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
      loops_(dominators) {}

bool LoopRecords::is_served(const Loop& loop) const {
  return loop.isLoopSimplifyForm();
}

/// What an iteration adds to a variable of the loop; null where that is no constant.
Value* LoopRecords::step_of(const Loop& loop, const PHINode& phi) const {
  if (phi.getParent() != loop.getHeader() || !phi.getType()->isIntegerTy() ||
      phi.getNumIncomingValues() != 2) {
    return nullptr;
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
    kept_[&loop].push_back({value, variable});
  }
  return variable;
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

std::pair<PHINode*, Value*> LoopRecords::counter_of(BasicBlock* header) {
  const Loop* loop = loops_.getLoopFor(header);
  if (loop == nullptr || loop->getHeader() != header || !is_served(*loop)) {
    return {};
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

/// The record of one block behind loops: pushed before all else there, popped after all else.
void LoopRecords::write_exit(BasicBlock* exit, ArrayRef<Kept> kept) {
  const DataLayout& layout = unit_.module().getDataLayout();
  auto* copy = cast<BasicBlock>(static_cast<Value*>(forward_of_.lookup(exit)));
  unsigned size = 0;
  SmallVector<unsigned> distances;
  for (const Kept& one : kept) {
    distances.push_back(add_room(layout, one.value->getType(), size));
  }
  size = pushed_size(size);
  IRBuilder<> forward(&*copy->getFirstInsertionPt());
  Value* const pushed =
      forward.CreateCall(unit_.runtime("push"), {forward_sweep_, forward.getInt64(size)});
  IRBuilder<> reverse(exit_places_[exit]);
  Value* const popped = reverse.CreateCall(unit_.runtime("pop"), {sweep_, reverse.getInt64(size)});
  for (std::size_t i = 0; i < kept.size(); ++i) {
    forward.CreateAlignedStore(
        static_cast<Value*>(forward_of_.lookup(kept[i].value)),
        forward.CreateConstGEP1_64(forward.getInt8Ty(), pushed, distances[i]), Align(8));
    Value* const value = reverse.CreateAlignedLoad(
        kept[i].value->getType(),
        reverse.CreateConstGEP1_64(reverse.getInt8Ty(), popped, distances[i]), Align(8));
    reverse.CreateStore(value, kept[i].variable);
  }
}

void LoopRecords::finish() {
  MapVector<BasicBlock*, SmallVector<Kept>> exits;
  for (const auto& [loop, kept] : kept_) {
    SmallVector<BasicBlock*> blocks;
    loop->getUniqueExitBlocks(blocks);
    for (BasicBlock* block : blocks) {
      exits[block].append(kept.begin(), kept.end());
    }
  }
  for (const auto& [block, kept] : exits) {
    write_exit(block, kept);
  }
  for (const Counter& counter : counters_) {
    BasicBlock* const header = counter.phi->getParent();
    BasicBlock* const edge = edges_[{header, loops_.getLoopFor(header)->getLoopLatch()}];
    IRBuilder<> builder(edge, edge->begin());
    Value* const value = builder.CreateLoad(counter.phi->getType(), counter.variable);
    builder.CreateStore(builder.CreateSub(value, counter.step), counter.variable);
  }
  for (const auto& [block, place] : exit_places_) {
    place->eraseFromParent();
  }
}

}  // namespace ddx::compiler::memory
