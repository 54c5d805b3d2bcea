/// \file
/// Where a long function is split.

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

#include <vector>

namespace ddx::compiler {

/// Whether a function has so many instructions that its pieces are compiled faster.
bool is_long(const llvm::Function& function);

/// Pieces of a long function: groups of blocks that control enters at one of them alone. Number 0
/// are the blocks that stay.
///
/// Construction splits long blocks, and gives each call that may throw a landing pad of its own.
class Pieces {
 public:
  explicit Pieces(llvm::Function& function);

  /// The number of the last piece.
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(headers_.size()); }

  [[nodiscard]] unsigned of(const llvm::BasicBlock& block) const {
    return piece_of_.lookup(&block);
  }

  /// Where control enters piece `piece`, which is not 0.
  [[nodiscard]] llvm::BasicBlock& header(unsigned piece) const { return *headers_[piece - 1]; }

  /// The blocks of piece `piece`, which is not 0, the header first.
  [[nodiscard]] const std::vector<llvm::BasicBlock*>& blocks(unsigned piece) const {
    return blocks_[piece - 1];
  }

  /// The blocks of piece `piece`, which is not 0, from which control leaves it or enters it again.
  [[nodiscard]] const std::vector<llvm::BasicBlock*>& leaving(unsigned piece) const {
    return leaving_[piece - 1];
  }

  /// Whether control may enter piece `piece`, which is not 0, more than once in a call.
  [[nodiscard]] bool repeats(unsigned piece) const {
    return cycles_.getCycle(&header(piece)) != nullptr;
  }

  /// Whether control passes `block` before each entry of piece `piece`, which is not 0, and behind
  /// the entry before.
  [[nodiscard]] bool precedes_each_entry(const llvm::BasicBlock& block, unsigned piece) const;

  [[nodiscard]] const llvm::DominatorTree& dominators() const { return dominators_; }

 private:
  void choose_headers();
  void assign_blocks();
  void find_leaving();

  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  std::vector<llvm::BasicBlock*> headers_;
  std::vector<std::vector<llvm::BasicBlock*>> blocks_;
  std::vector<std::vector<llvm::BasicBlock*>> leaving_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> piece_of_;
};

}  // namespace ddx::compiler
