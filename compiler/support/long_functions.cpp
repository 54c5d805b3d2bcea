#include "compiler/support/long_functions.h"

#include "compiler/support/long_function_pieces.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <map>
#include <utility>
#include <vector>

namespace ddx::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_rounds = 6;  ///< Pieces of pieces of pieces.

/// The uses of a variable in each piece.
using UsesByPiece = std::map<unsigned, SmallVector<Use*>>;

/// Moves variables of a function to the pieces that use them.
class VariableMover {
 public:
  VariableMover(Function& function, Pieces& pieces)
      : pieces_(pieces),
        layout_(function.getParent()->getDataLayout()),
        entry_(function.getEntryBlock()) {}

  void run();

 private:
  UsesByPiece uses_of(AllocaInst& variable);
  bool sinks(AllocaInst& variable, const UsesByPiece& uses);
  bool sinks_with_constant(AllocaInst& variable,
                           const std::pair<const unsigned, SmallVector<Use*>>& begin,
                           unsigned piece);
  bool begins_with_store(AllocaInst& variable);
  void move_to(AllocaInst& variable, unsigned piece);
  void share(AllocaInst& variable, const UsesByPiece& uses);
  void copy_in_piece(AllocaInst& variable, unsigned piece, ArrayRef<Use*> uses,
                     std::uint64_t offset);

  Pieces& pieces_;
  const DataLayout& layout_;
  BasicBlock& entry_;
  AllocaInst* frame_ = nullptr;
  std::uint64_t frame_size_ = 0;
  Align frame_align_{16};
};

void VariableMover::run() {
  SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : entry_) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable != nullptr && variable->isStaticAlloca() && !variable->isUsedWithInAlloca() &&
        !variable->isSwiftError()) {
      variables.push_back(variable);
    }
  }
  IRBuilder<> builder(&entry_, entry_.begin());
  frame_ = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt64(1));
  for (AllocaInst* variable : variables) {
    const UsesByPiece uses = uses_of(*variable);
    if (uses.empty() || (uses.size() == 1 && uses.begin()->first == 0)) {
      continue;
    }
    if (!sinks(*variable, uses)) {
      share(*variable, uses);
    }
  }
  if (frame_size_ == 0) {
    frame_->eraseFromParent();
    return;
  }
  frame_->setOperand(0, builder.getInt64(frame_size_));
  frame_->setAlignment(frame_align_);
}

UsesByPiece VariableMover::uses_of(AllocaInst& variable) {
  UsesByPiece result;
  for (Use& use : variable.uses()) {
    auto* user = cast<Instruction>(use.getUser());
    const auto* merge = dyn_cast<PHINode>(user);
    result[pieces_.of(merge != nullptr ? *merge->getIncomingBlock(use) : *user->getParent())]
        .push_back(&use);
  }
  return result;
}

/// Moves a variable to the one piece that needs it, if it is not needed from one entry of the piece
/// to the next.
bool VariableMover::sinks(AllocaInst& variable, const UsesByPiece& uses) {
  if (!isAllocaPromotable(&variable)) {
    return false;  // Its address may reach other pieces.
  }
  if (uses.size() == 1) {
    const unsigned piece = uses.begin()->first;
    if (!pieces_.repeats(piece) || begins_with_store(variable)) {
      move_to(variable, piece);
      return true;
    }
    return false;
  }
  return uses.size() == 2 && (sinks_with_constant(variable, *uses.begin(), uses.rbegin()->first) ||
                              sinks_with_constant(variable, *uses.rbegin(), uses.begin()->first));
}

/// Moves a variable to `piece`, with a constant that is stored before, which is all `begin` does.
bool VariableMover::sinks_with_constant(AllocaInst& variable,
                                        const std::pair<const unsigned, SmallVector<Use*>>& begin,
                                        unsigned piece) {
  if (begin.second.size() != 1 || piece == 0) {
    return false;
  }
  auto* store = dyn_cast<StoreInst>(begin.second.front()->getUser());
  if (store == nullptr || !isa<Constant>(store->getValueOperand()) ||
      !pieces_.precedes_each_entry(*store->getParent(), piece)) {
    return false;
  }
  move_to(variable, piece);
  store->moveAfter(&variable);
  return true;
}

/// Whether a store comes before all other accesses.
bool VariableMover::begins_with_store(AllocaInst& variable) {
  for (User* user : variable.users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store != nullptr && all_of(variable.users(), [&](User* other) {
          return isa<StoreInst>(other) ||
                 pieces_.dominators().dominates(store, cast<Instruction>(other));
        })) {
      return true;
    }
  }
  return false;
}

void VariableMover::move_to(AllocaInst& variable, unsigned piece) {
  BasicBlock& header = pieces_.header(piece);
  variable.moveBefore(header, header.getFirstInsertionPt());
}

/// Gives a variable its place in the frame that all pieces access.
void VariableMover::share(AllocaInst& variable, const UsesByPiece& uses) {
  frame_align_ = std::max(frame_align_, variable.getAlign());
  frame_size_ = alignTo(frame_size_, variable.getAlign());
  const std::uint64_t offset = frame_size_;
  frame_size_ += variable.getAllocationSize(layout_)->getFixedValue();
  const bool is_value = isAllocaPromotable(&variable);
  for (const auto& [piece, accesses] : uses) {
    if (is_value && piece != 0 && accesses.size() > 1) {
      copy_in_piece(variable, piece, accesses, offset);
      continue;
    }
    BasicBlock& begin = piece == 0 ? entry_ : pieces_.header(piece);
    IRBuilder<> builder(
        &begin, piece == 0 ? std::next(frame_->getIterator()) : begin.getFirstInsertionPt());
    Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame_, offset);
    for (Use* use : accesses) {
      use->set(place);
    }
  }
  variable.eraseFromParent();
}

/// Lets a piece access a copy of a shared variable, which becomes a value of its own there.
void VariableMover::copy_in_piece(AllocaInst& variable, unsigned piece, ArrayRef<Use*> uses,
                                  std::uint64_t offset) {
  BasicBlock& header = pieces_.header(piece);
  IRBuilder<> builder(&header, header.getFirstInsertionPt());
  Type* const type = variable.getAllocatedType();
  AllocaInst* const copy = builder.CreateAlloca(type);
  copy->setAlignment(variable.getAlign());
  Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame_, offset);
  builder.CreateAlignedStore(builder.CreateAlignedLoad(type, place, variable.getAlign()), copy,
                             variable.getAlign());
  bool is_written = false;
  for (Use* use : uses) {
    is_written = is_written || isa<StoreInst>(use->getUser());
    use->set(copy);
  }
  if (!is_written) {
    return;
  }
  for (BasicBlock* leaving : pieces_.leaving(piece)) {
    IRBuilder<> at_end(leaving->getTerminator());
    at_end.CreateAlignedStore(at_end.CreateAlignedLoad(type, copy, variable.getAlign()), place,
                              variable.getAlign());
  }
}

/// Whether variables of a function may change their places, and its blocks their function. Handlers
/// that choose by the type of an exception must stay in theirs.
bool can_be_split(const Function& function) {
  for (const Attribute::AttrKind kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress, Attribute::SanitizeMemory,
        Attribute::Naked, Attribute::PresplitCoroutine}) {
    if (function.hasFnAttribute(kind)) {
      return false;
    }
  }
  return !function.isVarArg() && !function.callsFunctionThatReturnsTwice() &&
         none_of(instructions(function), [](const Instruction& instruction) {
           const auto* variable = dyn_cast<AllocaInst>(&instruction);
           const auto* call = dyn_cast<CallInst>(&instruction);
           const auto* landing = dyn_cast<LandingPadInst>(&instruction);
           return (variable != nullptr && !variable->isStaticAlloca()) ||
                  (call != nullptr && call->isMustTailCall()) ||
                  (landing != nullptr && landing->getNumClauses() > 0) ||
                  isa<IndirectBrInst>(instruction) || isa<CallBrInst>(instruction) ||
                  isa<CatchSwitchInst>(instruction);
         });
}

/// Removes what states where variables lie.
void remove_markers(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    instruction.dropDbgRecords();
    if (instruction.isLifetimeStartOrEnd() || isa<DbgVariableIntrinsic>(instruction)) {
      instruction.eraseFromParent();
    }
  }
}

/// Moves variables at the begin of `header` to the entry of a function.
void move_to_entry(BasicBlock& header, Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  for (Instruction& instruction : make_early_inc_range(header)) {
    if (isa<AllocaInst>(instruction) && &header != &entry) {
      instruction.moveBefore(entry, entry.begin());
    }
  }
}

/// Splits a function once, and adds its pieces to `made`.
void split(Function& function, std::vector<Function*>& made) {
  remove_markers(function);
  removeUnreachableBlocks(function);
  Pieces pieces(function);
  if (pieces.count() < 2) {
    return;
  }
  VariableMover(function, pieces).run();
  // States where markers of lifetimes are. There are none, so an empty function does.
  Function* const empty = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                                           "", function.getParent());
  const CodeExtractorAnalysisCache cache(*empty);
  empty->eraseFromParent();
  for (unsigned piece = 1; piece <= pieces.count(); ++piece) {
    BasicBlock& header = pieces.header(piece);
    CodeExtractor extractor(pieces.blocks(piece), nullptr, /*AggregateArgs=*/false, nullptr,
                            nullptr, nullptr, /*AllowVarArgs=*/false, /*AllowAlloca=*/true);
    Function* const extracted =
        extractor.isEligible() ? extractor.extractCodeRegion(cache) : nullptr;
    move_to_entry(header, extracted != nullptr ? *extracted : function);
    if (extracted != nullptr) {
      extracted->removeFnAttr(Attribute::AlwaysInline);
      extracted->addFnAttr(Attribute::NoInline);
      // Without it, looking for vectors among chains of operations takes half of all passes' time.
      extracted->addFnAttr(Attribute::NoImplicitFloat);
      made.push_back(extracted);
    }
  }
}

}  // namespace

bool split_if_long(Function& function) {
  if (!is_long(function) || !can_be_split(function)) {
    return false;
  }
  std::vector<Function*> long_ones{&function};
  for (unsigned round = 0; round < most_rounds; ++round) {
    std::vector<Function*> made;
    for (Function* one : long_ones) {
      if (is_long(*one)) {
        split(*one, made);
      }
    }
    long_ones = std::move(made);
  }
  return true;
}

}  // namespace ddx::compiler
