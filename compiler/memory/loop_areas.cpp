#include "compiler/memory/loop_areas.h"

#include "compiler/memory/record_layout.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Areas of loops that run more often than this are pushed by these loops.
constexpr std::uint64_t most_nested_trips = 1U << 16;

Value* byte_address(Value* begin, Value* distance, IRBuilder<>& builder) {
  auto* address = GetElementPtrInst::CreateInBounds(builder.getInt8Ty(), begin, {distance});
  return builder.Insert(address);
}

}  // namespace

LoopAreas::LoopAreas(const Derivative& made, Unit& unit, const DominatorTree& dominators,
                     const LoopInfo& loops, ValueCopies& forward_of, BasicBlock* reverse_entry)
    : unit_(unit),
      counts_(made.loop_counts),
      dominators_(dominators),
      loops_(loops),
      forward_of_(forward_of),
      forward_sweep_(std::prev(made.forward->arg_end())),
      reverse_entry_(reverse_entry) {}

Value* LoopAreas::forward_of(Value* value) const {
  return isa<Constant>(value) ? value : static_cast<Value*>(forward_of_.lookup(value));
}

LoopCount LoopAreas::count_of(const Loop* loop) const {
  return loop != nullptr ? counts_.loops.lookup(loop->getHeader()) : LoopCount{};
}

bool LoopAreas::covers(const BasicBlock* block) const {
  const Loop* loop = loops_.getLoopFor(block);
  return count_of(loop).index != nullptr && dominators_.dominates(block, loop->getLoopLatch());
}

/// Whether the area lies in the records of each iteration of the loop around it.
bool LoopAreas::is_nested(const Loop& loop) const {
  const auto* trips = dyn_cast<ConstantInt>(count_of(&loop).trips);
  return trips != nullptr && trips->getZExtValue() <= most_nested_trips &&
         covers(loop.getLoopPreheader());
}

/// Whether the block also runs in the iteration that leaves the loop.
bool LoopAreas::runs_last(const BasicBlock* block) const {
  return !dominators_.properlyDominates(loops_.getLoopFor(block)->getExitingBlock(), block);
}

LoopAreas::Area& LoopAreas::area_of(const Loop& loop) {
  Area& area = areas_[&loop];
  if (area.forward == nullptr) {
    auto* preheader = cast<BasicBlock>(forward_of(loop.getLoopPreheader()));
    IRBuilder<> builder(preheader->getTerminator());
    area.forward = builder.Insert(new FreezeInst(PoisonValue::get(builder.getPtrTy())));
    if (!is_nested(loop)) {
      IRBuilder<> entry(reverse_entry_, reverse_entry_->begin());
      area.reverse = entry.CreateAlloca(builder.getPtrTy());
    }
  }
  return area;
}

std::uint64_t LoopAreas::add_record(const BasicBlock* block, std::uint64_t bytes,
                                    std::uint64_t align) {
  Area& area = area_of(*loops_.getLoopFor(block));
  const std::uint64_t distance = alignTo(area.size, Align(align));
  area.size = distance + bytes;
  area.align = std::max(area.align, align);
  area.has_last = area.has_last || runs_last(block);
  return distance;
}

/// The records of iteration `index`.
Value* LoopAreas::in_iteration(Area& area, Value* begin, Value* index, IRBuilder<>& builder) {
  BinaryOperator* const distance = BinaryOperator::CreateNUWMul(index, builder.getInt64(0));
  distance->setHasNoSignedWrap();
  builder.Insert(distance);
  area.sizes.push_back(distance);
  return byte_address(begin, distance, builder);
}

Value* LoopAreas::forward_record(const BasicBlock* block, std::uint64_t distance,
                                 IRBuilder<>& builder) {
  const Loop& loop = *loops_.getLoopFor(block);
  Area& area = area_of(loop);
  Value* const records =
      in_iteration(area, area.forward, forward_of(count_of(&loop).index), builder);
  return byte_address(records, builder.getInt64(distance), builder);
}

Value* LoopAreas::begin_in_reverse(const Loop& loop, IRBuilder<>& builder, IndexOf index_of) {
  if (AllocaInst* const variable = area_of(loop).reverse) {
    return builder.CreateLoad(builder.getPtrTy(), variable);
  }
  Value* const begin = reverse_record(loop.getLoopPreheader(), 0, builder, index_of);
  area_of(loop).distances.push_back(cast<Instruction>(begin));
  return begin;
}

Value* LoopAreas::reverse_record(const BasicBlock* block, std::uint64_t distance,
                                 IRBuilder<>& builder, IndexOf index_of) {
  const Loop& loop = *loops_.getLoopFor(block);
  Value* const begin = begin_in_reverse(loop, builder, index_of);
  Value* const records =
      in_iteration(area_of(loop), begin, index_of(count_of(&loop).index), builder);
  return byte_address(records, builder.getInt64(distance), builder);
}

LoopAreas::Pushed LoopAreas::complete(const Loop& loop) {
  if (!areas_.contains(&loop)) {
    return {};
  }
  const std::uint64_t align = areas_[&loop].align;
  const std::uint64_t size = alignTo(areas_[&loop].size, Align(align));
  BasicBlock* const preheader = loop.getLoopPreheader();
  Value* const trips = count_of(&loop).trips;
  IRBuilder<> builder(areas_[&loop].forward);
  Pushed pushed;
  Value* begin = nullptr;
  const unsigned without = areas_[&loop].has_last ? 0 : 1;
  if (is_nested(loop)) {
    const std::uint64_t iterations = cast<ConstantInt>(trips)->getZExtValue() - without;
    const std::uint64_t distance = add_record(preheader, size * iterations, align);
    begin = forward_record(preheader, distance, builder);
    for (Instruction* use : areas_[&loop].distances) {
      use->setOperand(1, builder.getInt64(distance));
    }
  } else {
    Value* const iterations = builder.CreateSub(forward_of(trips), builder.getInt64(without));
    Value* const exact = builder.CreateNUWMul(iterations, builder.getInt64(size));
    Value* const bytes =
        builder.CreateAnd(builder.CreateNUWAdd(exact, builder.getInt64(record_align - 1)),
                          builder.getInt64(~(record_align - 1)));
    begin = builder.CreateCall(unit_.runtime("push"), {forward_sweep_, bytes});
    IRBuilder<> entry(reverse_entry_, reverse_entry_->begin());
    pushed = {begin, bytes, areas_[&loop].reverse, entry.CreateAlloca(builder.getInt64Ty())};
  }
  Area& area = areas_[&loop];
  for (Instruction* use : area.sizes) {
    use->setOperand(1, builder.getInt64(size));
  }
  area.forward->replaceAllUsesWith(begin);
  area.forward->eraseFromParent();
  area.forward = nullptr;
  return pushed;
}

}  // namespace ddx::compiler::memory
