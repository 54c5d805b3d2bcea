/// \file
/// What a forward sweep keeps on the tape, and where the reverse sweep finds it.

#pragma once

#include "compiler/memory/loop_records.h"
#include "compiler/memory/unit.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueMap.h"

namespace ddx::compiler::memory {

/// The blocks that control may come from, each once; their numbers on the tape are positions here.
llvm::SmallVector<llvm::BasicBlock*> sources_of(llvm::BasicBlock& block);

/// The records of one function on the tape.
///
/// A block of the prepared function consists of segments, divided by calls that have records of
/// their own. Each segment that must keep something has one record, pushed where it begins. One
/// more record, pushed at each exit, holds values that are available everywhere: arguments, and
/// what the entry block computes.
class Records {
 public:
  Records(const Derivative& made, Unit& unit, ValueCopies& forward_of, llvm::Value* sweep,
          llvm::BasicBlock* entry);

  /// Starts the reverse code of the segment whose first instruction is `first`, at the end of
  /// `block` of the reverse sweep.
  void begin_segment(llvm::Instruction* first, llvm::BasicBlock* block);

  /// Ends it: the sizes of its record are known.
  void end_segment();

  /// The value that `value` of the prepared function had, in the reverse code of this segment.
  llvm::Value* value_of(llvm::Value* value, llvm::IRBuilder<>& builder);

  /// Keeps the number of the block that control came from; to be called in the first segment of
  /// `block`. Returns it: of one bit where there are two and an induction variable shows which.
  llvm::Value* predecessor_of(llvm::BasicBlock* block, llvm::IRBuilder<>& builder);

  LoopRecords& loops() { return loops_; }

  /// Starts the code of the reverse sweep's entry, in front of `where`.
  void begin_entry(llvm::Instruction* where);

  /// Completes it: pushes the last record at each exit. Returns the number of the exit taken, in
  /// the order of `exits`; null where there is only one.
  llvm::Value* end_entry(llvm::ArrayRef<llvm::Instruction*> exits);

 private:
  struct Slot {
    llvm::Value* value;
    unsigned distance;
  };

  bool is_invariant(const llvm::Value* value) const;
  static bool is_cheap(const llvm::Value* value);
  bool is_recomputed(llvm::Value* value) const;
  void find_leaves(llvm::Value* value, unsigned depth,
                   llvm::SmallPtrSetImpl<llvm::Value*>& leaves) const;
  llvm::Value* recompute(llvm::Instruction* instruction, llvm::IRBuilder<>& builder);
  llvm::Value* load_slot(llvm::Type* type, unsigned distance, llvm::CallInst* record,
                         llvm::Instruction*& last);
  llvm::Value* load_kept(llvm::Type* type, unsigned distance, llvm::IRBuilder<>& builder);
  unsigned add_room(llvm::Type* type, unsigned& size) const;
  unsigned add_room_in_segment(llvm::Type* type);
  llvm::Value* make_record(llvm::Instruction* place);
  llvm::Instruction* common_store_place();
  llvm::CallInst* pop_at_end(llvm::BasicBlock* block);
  llvm::CallInst* push_before(llvm::Instruction* where, unsigned size);
  void store_slot(llvm::Instruction* after, llvm::Value* value, llvm::Value* record,
                  unsigned distance);
  llvm::Instruction* forward_place(llvm::Instruction* first) const;
  bool is_inside(const llvm::Instruction* instruction) const;

  const Derivative& made_;
  Unit& unit_;
  ValueCopies& forward_of_;
  llvm::Value* sweep_;
  llvm::Value* forward_sweep_;
  llvm::DominatorTree dominators_;
  LoopRecords loops_;

  llvm::Instruction* first_ = nullptr;      ///< Of the segment, in the prepared function.
  llvm::CallInst* record_ = nullptr;        ///< Of the segment, popped.
  llvm::Instruction* last_load_ = nullptr;  ///< Behind `record_`.
  bool is_long_ = false;                    ///< The block of the segment.
  unsigned size_ = 0;
  std::uint64_t align_ = 1;
  llvm::SmallVector<Slot> slots_;
  llvm::BasicBlock* numbered_ = nullptr;  ///< Its predecessor is kept in the segment's record.
  unsigned number_distance_ = 0;
  llvm::DenseMap<llvm::Value*, llvm::Value*> found_;

  llvm::CallInst* exit_record_ = nullptr;
  llvm::Instruction* last_exit_load_ = nullptr;
  unsigned exit_size_ = 0;
  llvm::SmallVector<Slot> exit_slots_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> invariants_;
};

}  // namespace ddx::compiler::memory
