/// \file
/// Records of all iterations of a loop, pushed at once.

#pragma once

#include "compiler/memory/unit.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueMap.h"

namespace ddx::compiler::memory {

using ValueCopies = llvm::ValueMap<const llvm::Value*, llvm::WeakTrackingVH>;

/// The areas on the tape of counted loops: iteration `i` has its records at `i` times their size
/// behind the begin.
///
/// A loop pushes its area in its preheader, unless it runs once in each iteration of another
/// counted loop, a constant number of times: then its area is a part of that iteration's records.
class LoopAreas {
 public:
  /// Gives the value that the number of an iteration has in the reverse sweep.
  using IndexOf = llvm::function_ref<llvm::Value*(llvm::PHINode*)>;

  LoopAreas(const Derivative& made, Unit& unit, const llvm::DominatorTree& dominators,
            const llvm::LoopInfo& loops, ValueCopies& forward_of, llvm::BasicBlock* reverse_entry);

  /// How often the header of the loop runs; nulls where that is not known.
  [[nodiscard]] LoopCount count_of(const llvm::Loop* loop) const;

  /// The step of a variable of a counted loop; null where it is not constant.
  [[nodiscard]] LoopStep step_of(const llvm::PHINode& phi) const {
    return counts_.steps.lookup(&phi);
  }

  /// Whether records of `block` lie in an area: it runs once in each iteration of a counted loop.
  [[nodiscard]] bool covers(const llvm::BasicBlock* block) const;

  /// Takes room in the area for a record of `block`. Returns its distance in an iteration.
  std::uint64_t add_record(const llvm::BasicBlock* block, std::uint64_t bytes, std::uint64_t align);

  /// The record of `block`, in the forward sweep and in the reverse sweep.
  llvm::Value* forward_record(const llvm::BasicBlock* block, std::uint64_t distance,
                              llvm::IRBuilder<>& builder);
  llvm::Value* reverse_record(const llvm::BasicBlock* block, std::uint64_t distance,
                              llvm::IRBuilder<>& builder, IndexOf index_of);

  /// An area that a loop pushes: where it begins and its size in bytes, in the forward sweep and as
  /// variables of the reverse sweep.
  struct Pushed {
    llvm::Value* begin = nullptr;
    llvm::Value* bytes = nullptr;
    llvm::AllocaInst* begin_in_reverse = nullptr;
    llvm::AllocaInst* bytes_in_reverse = nullptr;
  };

  /// Completes the area of a loop, when all records in it are known, those of inner loops too.
  /// Returns nulls where the loop pushes none.
  Pushed complete(const llvm::Loop& loop);

 private:
  struct Area {
    llvm::Instruction* forward = nullptr;  ///< Its begin, until it is complete.
    llvm::AllocaInst* reverse = nullptr;   ///< Its begin, where the loop pushes it.
    std::uint64_t size = 0;                ///< Of one iteration.
    std::uint64_t align = 1;
    bool has_last = false;  ///< Whether the iteration that leaves the loop has records.
    llvm::SmallVector<llvm::Instruction*> sizes;      ///< What uses the size, as operand 1.
    llvm::SmallVector<llvm::Instruction*> distances;  ///< What uses the place in another area.
  };

  Area& area_of(const llvm::Loop& loop);
  bool is_nested(const llvm::Loop& loop) const;
  bool runs_last(const llvm::BasicBlock* block) const;
  llvm::Value* in_iteration(Area& area, llvm::Value* begin, llvm::Value* index,
                            llvm::IRBuilder<>& builder);
  llvm::Value* begin_in_reverse(const llvm::Loop& loop, llvm::IRBuilder<>& builder,
                                IndexOf index_of);
  llvm::Value* forward_of(llvm::Value* value) const;

  Unit& unit_;
  const LoopCounts& counts_;
  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  ValueCopies& forward_of_;
  llvm::Value* forward_sweep_;
  llvm::BasicBlock* reverse_entry_;
  llvm::MapVector<const llvm::Loop*, Area> areas_;
};

}  // namespace ddx::compiler::memory
