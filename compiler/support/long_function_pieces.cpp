#include "compiler/support/long_function_pieces.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace ddx::compiler {

using namespace llvm;

namespace {

constexpr unsigned longest_whole = 20000;  ///< Instructions of a function that is not split.
constexpr unsigned piece_length = 1500;    ///< Instructions, before any optimisation.
constexpr unsigned block_length = 300;
constexpr unsigned farthest_store = 60;

/// Gives each call that may throw a landing pad of its own, from which control goes on where `pad`
/// is: pieces keep their landing pads.
void separate_landing_pad(BasicBlock& pad) {
  Function& function = *pad.getParent();
  for (PHINode& merge : make_early_inc_range(pad.phis())) {
    DemotePHIToStack(&merge, function.getEntryBlock().begin());
  }
  LandingPadInst* const landing = pad.getLandingPadInst();
  BasicBlock* const handler = pad.splitBasicBlock(std::next(landing->getIterator()));
  AllocaInst* const exception =
      new AllocaInst(landing->getType(), 0, "", function.getEntryBlock().begin());
  IRBuilder<> reload(handler, handler->begin());
  landing->replaceAllUsesWith(reload.CreateLoad(landing->getType(), exception));
  const SmallVector<BasicBlock*> throwing(predecessors(&pad));
  for (BasicBlock* block : throwing) {
    BasicBlock* const own = BasicBlock::Create(function.getContext(), "", &function, &pad);
    IRBuilder<> builder(own);
    Instruction* const copy = builder.Insert(landing->clone());
    builder.CreateStore(copy, exception);
    builder.CreateBr(handler);
    cast<InvokeInst>(block->getTerminator())->setUnwindDest(own);
  }
  pad.eraseFromParent();
}

void separate_landing_pads(Function& function) {
  std::vector<BasicBlock*> pads;
  for (BasicBlock& block : function) {
    if (block.isLandingPad() && block.getUniquePredecessor() == nullptr) {
      pads.push_back(&block);
    }
  }
  for (BasicBlock* pad : pads) {
    separate_landing_pad(*pad);
  }
}

/// Splits blocks behind stores, where few values of expressions are in use.
void split_blocks(Function& function) {
  BasicBlock* block = &function.getEntryBlock();
  // Variables stay where the function begins.
  for (Instruction& instruction : make_early_inc_range(*block)) {
    if (isa<AllocaInst>(instruction)) {
      instruction.moveBefore(*block, block->begin());
    }
  }
  auto first = block->begin();
  while (isa<AllocaInst>(*first)) {
    ++first;
  }
  block->splitBasicBlock(first);
  std::vector<BasicBlock*> blocks;
  for (BasicBlock& one : drop_begin(function)) {
    blocks.push_back(&one);
  }
  for (BasicBlock* one : blocks) {
    std::vector<BasicBlock::iterator> begins;
    unsigned length = 0;
    for (auto at = one->begin(); !at->isTerminator(); ++at) {
      ++length;
      const bool ends =
          length > block_length && (isa<StoreInst>(*at) || length > block_length + farthest_store);
      if (ends && !isa<PHINode>(*std::next(at)) && !std::next(at)->isEHPad()) {
        begins.push_back(std::next(at));
        length = 0;
      }
    }
    // From the back: what is behind is moved.
    for (const BasicBlock::iterator begin : reverse(begins)) {
      one->splitBasicBlock(begin);
    }
  }
}

}  // namespace

bool is_long(const Function& function) {
  return function.getInstructionCount() > longest_whole;
}

Pieces::Pieces(Function& function) {
  separate_landing_pads(function);
  split_blocks(function);
  dominators_.recalculate(function);
  choose_headers();
  while (true) {
    assign_blocks();
    const std::size_t before = headers_.size();
    for (BasicBlock& block : function) {
      if (any_of(predecessors(&block),
                 [&](const BasicBlock* from) { return of(*from) != of(block); }) &&
          (of(block) == 0 || &block != &header(of(block)))) {
        headers_.push_back(&block);
      }
    }
    if (headers_.size() == before) {
      break;
    }
  }
  cycles_.compute(function);
  find_leaving();
}

/// Follows the dominator tree from the entry to the largest part of the rest, and begins a piece
/// wherever the last has enough instructions.
void Pieces::choose_headers() {
  const LoopInfo loops(dominators_);
  DenseMap<const Loop*, std::size_t> loop_lengths;
  DenseMap<const DomTreeNode*, std::size_t> lengths;
  for (const DomTreeNode* node : post_order(dominators_.getRootNode())) {
    const std::size_t own = node->getBlock()->size();
    for (const Loop* loop = loops.getLoopFor(node->getBlock()); loop != nullptr;
         loop = loop->getParentLoop()) {
      loop_lengths[loop] += own;
    }
    lengths[node] += own;
    if (const DomTreeNode* above = node->getIDom()) {
      lengths[above] += lengths.lookup(node);
    }
  }
  std::size_t length = piece_length;  // The first piece begins behind the entry.
  const DomTreeNode* node = dominators_.getRootNode();
  while (!node->isLeaf()) {
    const DomTreeNode* next = *std::max_element(node->begin(), node->end(),
                                                [&](const DomTreeNode* a, const DomTreeNode* b) {
                                                  return lengths.lookup(a) < lengths.lookup(b);
                                                });
    length += lengths.lookup(node) - lengths.lookup(next);
    const Loop* const loop = loops.getLoopFor(next->getBlock());
    const bool is_in_short_loop = loop != nullptr && loop_lengths.lookup(loop) < 2 * piece_length;
    if (length >= piece_length && !next->getBlock()->isEHPad() && !is_in_short_loop) {
      headers_.push_back(next->getBlock());
      length = 0;
    }
    node = next;
  }
}

/// A piece are the blocks that its header dominates and no header below does.
void Pieces::assign_blocks() {
  piece_of_.clear();
  blocks_.assign(headers_.size(), {});
  for (unsigned i = 0; i < headers_.size(); ++i) {
    piece_of_[headers_[i]] = i + 1;
  }
  for (const DomTreeNode* node : depth_first(dominators_.getRootNode())) {
    BasicBlock* const block = node->getBlock();
    unsigned piece = of(*block);
    if (piece == 0 && node->getIDom() != nullptr) {
      piece = of(*node->getIDom()->getBlock());
    }
    piece_of_[block] = piece;
    if (piece != 0) {
      blocks_[piece - 1].push_back(block);
    }
  }
}

bool Pieces::precedes_each_entry(const BasicBlock& block, unsigned piece) const {
  if (!dominators_.dominates(&block, &header(piece))) {
    return false;
  }
  const Cycle* const around = cycles_.getCycle(&header(piece));
  return around == nullptr || (around->isReducible() && cycles_.getCycle(&block) == around);
}

void Pieces::find_leaving() {
  leaving_.resize(headers_.size());
  for (unsigned piece = 1; piece <= count(); ++piece) {
    for (BasicBlock* block : blocks(piece)) {
      if (any_of(successors(block), [&](const BasicBlock* next) {
            return next == &header(piece) || of(*next) != piece;
          })) {
        leaving_[piece - 1].push_back(block);
      }
    }
  }
}

}  // namespace ddx::compiler
