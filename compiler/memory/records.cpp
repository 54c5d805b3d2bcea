#include "compiler/memory/records.h"

#include "compiler/memory/record_layout.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned most_stored_at_end = 64;  ///< Instructions of a block.
constexpr unsigned most_recomputed = 8;      ///< Operations one behind the other.
constexpr unsigned most_loaded_first = 256;  ///< Instructions of a block.

}  // namespace

SmallVector<BasicBlock*> sources_of(BasicBlock& block) {
  SmallVector<BasicBlock*> sources;
  for (BasicBlock* from : predecessors(&block)) {
    if (!is_contained(sources, from)) {
      sources.push_back(from);
    }
  }
  return sources;
}

Records::Records(const Derivative& made, Unit& unit, ValueCopies& forward_of, Value* sweep,
                 BasicBlock* entry)
    : made_(made),
      unit_(unit),
      forward_of_(forward_of),
      sweep_(sweep),
      forward_sweep_(std::prev(made.forward->arg_end())),
      dominators_(*made.prepared),
      loops_(made, unit, dominators_, forward_of, sweep, entry) {}

CallInst* Records::pop_at_end(BasicBlock* block) {
  IRBuilder<> builder(block);
  return builder.CreateCall(unit_.runtime("pop"), {sweep_, builder.getInt64(0)});
}

CallInst* Records::push_before(Instruction* where, unsigned size) {
  IRBuilder<> builder(where);
  return builder.CreateCall(unit_.runtime("push"), {forward_sweep_, builder.getInt64(size)});
}

unsigned Records::add_room(Type* type, unsigned& size) const {
  return memory::add_room(unit_.module().getDataLayout(), type, size);
}

unsigned Records::add_room_in_segment(Type* type) {
  align_ = std::max(align_, align_in_record(unit_.module().getDataLayout(), type));
  return add_room(type, size_);
}

void Records::begin_segment(Instruction* first, BasicBlock* block) {
  first_ = first;
  record_ = pop_at_end(block);
  last_load_ = record_;
  size_ = 0;
  align_ = 1;
  slots_.clear();
  numbered_ = nullptr;
  found_.clear();
  is_long_ = first->getParent()->size() > most_loaded_first;
}

Value* Records::load_slot(Type* type, unsigned distance, CallInst* record, Instruction*& last) {
  IRBuilder<> builder(last->getParent(), std::next(last->getIterator()));
  auto* place = cast<Instruction>(builder.Insert(
      GetElementPtrInst::Create(builder.getInt8Ty(), record, {builder.getInt64(distance)})));
  LoadInst* const load = builder.CreateAlignedLoad(type, place, Align(8));
  last = load;
  return load;
}

void Records::store_slot(Instruction* before, Value* value, Value* record, unsigned distance) {
  IRBuilder<> builder(before);
  Value* const place = builder.CreateConstGEP1_64(builder.getInt8Ty(), record, distance);
  builder.CreateAlignedStore(value, place, Align(8));
}

/// Where the record of the segment is pushed, in the forward sweep.
Instruction* Records::forward_place(Instruction* first) const {
  auto* copy = cast<Instruction>(static_cast<Value*>(forward_of_.lookup(first)));
  return isa<PHINode>(copy) || copy->isEHPad() ? &*copy->getParent()->getFirstInsertionPt() : copy;
}

bool Records::is_inside(const Instruction* instruction) const {
  return instruction->getParent() == first_->getParent() &&
         (instruction == first_ || first_->comesBefore(instruction));
}

/// Makes the record of the segment, in both sweeps. Returns that of the forward sweep.
Value* Records::make_record(Instruction* place) {
  IRBuilder<> builder(record_);
  BasicBlock* const block = first_->getParent();
  LoopAreas& areas = loops_.areas();
  if (!areas.covers(block)) {
    const unsigned size = pushed_size(size_);
    record_->setArgOperand(1, builder.getInt64(size));
    return push_before(place, size);
  }
  const std::uint64_t distance = areas.add_record(block, size_, align_);
  record_->replaceAllUsesWith(areas.reverse_record(block, distance, builder, [&](PHINode* index) {
    return loops_.value_of(index, block, builder);
  }));
  record_->eraseFromParent();
  IRBuilder<> forward(place);
  return areas.forward_record(block, distance, forward);
}

/// The end of the block in the forward sweep, where it is a short one of a counted loop: stores
/// between loads would keep the loop from being vectorised. Null elsewhere.
Instruction* Records::common_store_place() {
  BasicBlock* const block = first_->getParent();
  const bool is_short = loops_.areas().covers(block) && block->size() <= most_stored_at_end;
  const bool has_calls = any_of(*block, [](const Instruction& instruction) {
    return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
  });
  return is_short && !has_calls
             ? cast<Instruction>(static_cast<Value*>(forward_of_.lookup(block->getTerminator())))
             : nullptr;
}

void Records::end_segment() {
  if (size_ == 0) {
    record_->eraseFromParent();
    return;
  }
  Instruction* const place = forward_place(first_);
  Value* const record = make_record(place);
  IRBuilder<> builder(place);
  if (numbered_ != nullptr) {
    auto* block = cast<BasicBlock>(static_cast<Value*>(forward_of_.lookup(numbered_)));
    PHINode* const number = PHINode::Create(builder.getInt32Ty(), 2, "", block->begin());
    const SmallVector<BasicBlock*> sources = sources_of(*numbered_);
    for (BasicBlock* from : predecessors(numbered_)) {
      const auto position = static_cast<unsigned>(llvm::find(sources, from) - sources.begin());
      number->addIncoming(builder.getInt32(position),
                          cast<BasicBlock>(static_cast<Value*>(forward_of_.lookup(from))));
    }
    store_slot(place, number, record, number_distance_);
  }
  Instruction* const end = common_store_place();
  for (const Slot& slot : slots_) {
    Value* const copy = forward_of_.lookup(slot.value);
    Instruction* before = place;
    auto* defined = dyn_cast<Instruction>(slot.value);
    if (end != nullptr) {
      before = end;
    } else if (defined != nullptr && is_inside(defined) && !isa<PHINode>(defined) &&
               !defined->isEHPad()) {
      before = cast<Instruction>(copy)->getNextNode();
    }
    store_slot(before, copy, record, slot.distance);
  }
}

/// True for what the last record holds. A long entry block keeps what it needs itself: all of its
/// values would be in registers where the function ends.
bool Records::is_invariant(const Value* value) const {
  const auto* instruction = dyn_cast<Instruction>(value);
  const bool is_kept_here = is_long_ && first_->getParent()->isEntryBlock();
  return isa<Argument>(value) ||
         (instruction != nullptr && !is_kept_here && instruction->getParent()->isEntryBlock());
}

/// Loads what the segment's record holds: at its begin, or, in a long block, where it is needed.
Value* Records::load_kept(Type* type, unsigned distance, IRBuilder<>& builder) {
  if (!is_long_ || builder.GetInsertBlock() != record_->getParent()) {
    return load_slot(type, distance, record_, last_load_);
  }
  Value* const place = builder.CreateConstGEP1_64(builder.getInt8Ty(), record_, distance);
  return builder.CreateAlignedLoad(type, place, Align(8));
}

/// True for what costs less to compute again than to keep.
bool Records::is_cheap(const Value* value) {
  const auto* operation = dyn_cast<BinaryOperator>(value);
  return isa<GetElementPtrInst>(value) || isa<ICmpInst>(value) || isa<CastInst>(value) ||
         (operation != nullptr && value->getType()->isIntegerTy() && !operation->isIntDivRem());
}

/// Collects what `value` is computed from that would have to be kept in the segment's record.
void Records::find_leaves(Value* value, unsigned depth, SmallPtrSetImpl<Value*>& leaves) const {
  if (isa<Constant>(value) || isa<Argument>(value) || found_.contains(value)) {
    return;
  }
  if (Value* const start = loops_.moving_pointer(value, first_->getParent()).start) {
    find_leaves(start, depth + 1, leaves);
  } else if (depth < most_recomputed && is_cheap(value)) {
    for (Value* operand : cast<Instruction>(value)->operands()) {
      find_leaves(operand, depth + 1, leaves);
    }
  } else if (!is_invariant(value) && !loops_.serves(value, first_->getParent())) {
    leaves.insert(value);
  }
}

bool Records::is_recomputed(Value* value) const {
  if (!is_cheap(value)) {
    return false;
  }
  SmallPtrSet<Value*, 4> leaves;
  find_leaves(value, 0, leaves);
  return leaves.size() <= 1;
}

Value* Records::recompute(Instruction* instruction, IRBuilder<>& builder) {
  SmallVector<Value*> operands;
  for (Use& operand : instruction->operands()) {
    operands.push_back(value_of(operand, builder));
  }
  Instruction* const copy = instruction->clone();
  copy->dropUnknownNonDebugMetadata();
  copy->setDebugLoc({});
  for (unsigned i = 0; i < operands.size(); ++i) {
    copy->setOperand(i, operands[i]);
  }
  return builder.Insert(copy);
}

Value* Records::value_of(Value* value, IRBuilder<>& builder) {
  if (isa<Constant>(value)) {
    return value;
  }
  if (Value* const known = found_.lookup(value)) {
    return known;
  }
  if (Value* const known = invariants_.lookup(value)) {
    return known;
  }
  if (const LoopRecords::MovingPointer moved = loops_.moving_pointer(value, first_->getParent());
      moved.start != nullptr) {
    Value* const start = value_of(moved.start, builder);
    Value* const distance = builder.CreateMul(
        value_of(moved.index, builder), ConstantInt::getSigned(moved.index->getType(), moved.step));
    return found_[value] = builder.CreateGEP(builder.getInt8Ty(), start, distance);
  }
  if (is_recomputed(value)) {
    Value* const made = recompute(cast<Instruction>(value), builder);
    found_[value] = made;
    return made;
  }
  if (is_invariant(value)) {
    const unsigned distance = add_room(value->getType(), exit_size_);
    exit_slots_.push_back({value, distance});
    return invariants_[value] =
               load_slot(value->getType(), distance, exit_record_, last_exit_load_);
  }
  if (Value* const kept = loops_.value_of(value, first_->getParent(), builder)) {
    return kept;
  }
  const unsigned distance = add_room_in_segment(value->getType());
  slots_.push_back({value, distance});
  Value* const made = load_kept(value->getType(), distance, builder);
  found_[value] = made;
  return made;
}

Value* Records::predecessor_of(BasicBlock* block, IRBuilder<>& builder) {
  if (const auto [counter, start] = loops_.counter_of(block); counter != nullptr) {
    const SmallVector<BasicBlock*> sources = sources_of(*block);
    const bool starts_first = counter->getIncomingValueForBlock(sources.front()) == start;
    return builder.CreateICmp(starts_first ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ,
                              value_of(counter, builder), value_of(start, builder));
  }
  numbered_ = block;
  Type* const type = Type::getInt32Ty(block->getContext());
  number_distance_ = add_room_in_segment(type);
  return load_slot(type, number_distance_, record_, last_load_);
}

void Records::begin_entry(Instruction* where) {
  IRBuilder<> builder(where);
  exit_record_ = builder.CreateCall(unit_.runtime("pop"), {sweep_, builder.getInt64(0)});
  last_exit_load_ = exit_record_;
}

Value* Records::end_entry(ArrayRef<Instruction*> exits) {
  Value* number = nullptr;
  unsigned number_distance = 0;
  if (exits.size() > 1) {
    Type* const type = Type::getInt32Ty(made_.prepared->getContext());
    number_distance = add_room(type, exit_size_);
    number = load_slot(type, number_distance, exit_record_, last_exit_load_);
  }
  if (exit_size_ == 0) {
    exit_record_->eraseFromParent();
    return nullptr;
  }
  const unsigned size = pushed_size(exit_size_);
  IRBuilder<> builder(exit_record_);
  exit_record_->setArgOperand(1, builder.getInt64(size));
  for (unsigned i = 0; i < exits.size(); ++i) {
    auto* place = cast<Instruction>(static_cast<Value*>(forward_of_.lookup(exits[i])));
    CallInst* const record = push_before(place, size);
    if (number != nullptr) {
      store_slot(place, builder.getInt32(i), record, number_distance);
    }
    for (const Slot& slot : exit_slots_) {
      auto* defined = dyn_cast<Instruction>(slot.value);
      const bool reaches = defined == nullptr || dominators_.dominates(defined, exits[i]);
      store_slot(place,
                 reaches ? static_cast<Value*>(forward_of_.lookup(slot.value))
                         : Constant::getNullValue(slot.value->getType()),
                 record, slot.distance);
    }
  }
  return number;
}

}  // namespace ddx::compiler::memory
