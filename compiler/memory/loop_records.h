/// \file
/// What a reverse sweep needs in all iterations of a loop, kept once for each run of the loop.

#pragma once

#include "compiler/memory/loop_areas.h"
#include "compiler/memory/unit.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueMap.h"

namespace ddx::compiler::memory {

/// The records that are pushed where control leaves a loop: the reverse sweep begins the loop
/// there.
///
/// They hold values that do not change in the loop, and the last values of its induction variables,
/// which the reverse sweep counts back.
class LoopRecords {
 public:
  LoopRecords(const Derivative& made, Unit& unit, const llvm::DominatorTree& dominators,
              ValueCopies& forward_of, llvm::Value* sweep, llvm::BasicBlock* entry);

  /// The value that `value` has in the reverse code of `block`; null where no loop keeps it.
  llvm::Value* value_of(llvm::Value* value, llvm::BasicBlock* block, llvm::IRBuilder<>& builder);

  /// Whether value_of has an answer.
  [[nodiscard]] bool serves(llvm::Value* value, llvm::BasicBlock* block) const;

  /// The pointer that each iteration of a counted loop around `block` moves by constant bytes.
  struct MovingPointer {
    llvm::Value* start = nullptr;  ///< Null where there is none.
    llvm::PHINode* index = nullptr;
    std::int64_t step = 0;
  };
  [[nodiscard]] MovingPointer moving_pointer(llvm::Value* value, llvm::BasicBlock* block) const;

  LoopAreas& areas() { return areas_; }

  /// The induction variable of the loop with this header by which the first iteration is known,
  /// with its first value; nulls where there is none.
  std::pair<llvm::PHINode*, llvm::Value*> counter_of(llvm::BasicBlock* header);

  /// Where the reverse code of `block` ends, and the reverse edge to each of its sources begins.
  void begin_edges(llvm::BasicBlock* block, llvm::BasicBlock* reverse);
  void add_edge(llvm::BasicBlock* block, llvm::BasicBlock* source, llvm::BasicBlock* edge);

  /// Pushes and pops the records, and counts back.
  void finish();

 private:
  struct Kept {
    llvm::Value* value;              ///< Of the prepared function, or a constant.
    llvm::AllocaInst* variable;      ///< Its value in the reverse sweep.
    llvm::Value* forward = nullptr;  ///< Where it is no value of the prepared function.
  };
  struct Counter {
    llvm::PHINode* phi;
    llvm::Value* step;
    llvm::AllocaInst* variable;
  };

  std::pair<const llvm::Loop*, bool> loop_that_keeps(llvm::Value* value,
                                                     llvm::BasicBlock* block) const;
  llvm::Value* step_of(const llvm::Loop& loop, const llvm::PHINode& phi) const;
  llvm::AllocaInst* keep(const llvm::Loop& loop, llvm::Value* value);
  llvm::Value* last_value_of(const llvm::Loop& loop, llvm::Value* value) const;
  void complete_area(const llvm::Loop& loop);
  bool is_served(const llvm::Loop& loop) const;
  void write_exit(llvm::BasicBlock* exit, llvm::ArrayRef<Kept> kept);

  Unit& unit_;
  ValueCopies& forward_of_;
  llvm::Value* sweep_;
  llvm::Value* forward_sweep_;
  llvm::BasicBlock* entry_;
  llvm::LoopInfo loops_;
  LoopAreas areas_;
  llvm::DenseMap<const llvm::Loop*, llvm::SmallVector<Kept>> kept_;
  llvm::DenseMap<std::pair<const llvm::Loop*, llvm::Value*>, llvm::AllocaInst*> variables_;
  llvm::SmallVector<Counter> counters_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::Instruction*> exit_places_;  ///< For pops; erased.
  llvm::DenseMap<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, llvm::BasicBlock*> edges_;
};

}  // namespace ddx::compiler::memory
