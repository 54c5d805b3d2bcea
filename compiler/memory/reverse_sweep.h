/// \file
/// Builds the forward and the reverse sweep of one prepared function.

#pragma once

#include "compiler/memory/activity.h"
#include "compiler/memory/bits.h"
#include "compiler/memory/calls.h"
#include "compiler/memory/lost_cotangents.h"
#include "compiler/memory/records.h"

#include "llvm/IR/InstVisitor.h"

#include <optional>

namespace ddx::compiler::memory {

/// Visits the instructions of a prepared function backwards. For each it emits the reverse code:
/// it takes the cotangent of the instruction's result and adds to those of its operands.
class ReverseSweep : public llvm::InstVisitor<ReverseSweep> {
 public:
  ReverseSweep(Derivative& made, Unit& unit);

  /// Defines `made.forward` and `made.reverse`.
  void run();

  void visitLoadInst(llvm::LoadInst& load);
  void visitStoreInst(llvm::StoreInst& store);
  void visitAtomicRMWInst(llvm::AtomicRMWInst& change);
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst& exchange);
  void visitBinaryOperator(llvm::BinaryOperator& operation);
  void visitUnaryOperator(llvm::UnaryOperator& operation);
  void visitSelectInst(llvm::SelectInst& select);
  void visitCastInst(llvm::CastInst& cast);
  void visitFreezeInst(llvm::FreezeInst& freeze);
  void visitExtractValueInst(llvm::ExtractValueInst& extract);
  void visitInsertValueInst(llvm::InsertValueInst& insert);
  void visitExtractElementInst(llvm::ExtractElementInst& extract);
  void visitInsertElementInst(llvm::InsertElementInst& insert);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle);
  void visitCallBase(llvm::CallBase& call);
  void visitVAArgInst(llvm::VAArgInst& argument);
  void visitInstruction(llvm::Instruction& instruction);

 private:
  void begin_forward();
  void begin_reverse();
  void end_reverse();
  void branch(llvm::Value* number, llvm::ArrayRef<llvm::BasicBlock*> targets);
  void reverse_block(llvm::BasicBlock& block);
  void reverse_edges(llvm::BasicBlock& block);
  bool has_own_records(const llvm::Instruction& instruction);
  void reverse_call(llvm::CallBase& call, const CallKind& kind);
  void reverse_scalar(llvm::CallBase& call, const ScalarRule& rule);
  void reverse_scaling(llvm::CallBase& call);
  void reverse_runtime(llvm::CallBase& call);
  void reverse_operation(llvm::CallBase& call, ObjectOperation operation);
  void reverse_copy(llvm::CallBase& call);
  void reverse_bit_cast(llvm::CastInst& cast);
  void reverse_bits(llvm::Instruction& instruction);
  void reverse_pieces(llvm::Instruction& instruction, llvm::ArrayRef<Piece> pieces);
  void reverse_logic(llvm::BinaryOperator& operation);
  void reverse_load_of_bits(llvm::LoadInst& load);
  void reverse_store_of_bits(llvm::StoreInst& store);
  void reverse_store_of_bytes(llvm::StoreInst& store);
  void note_bytes(const llvm::Value& value, llvm::Value* address);
  bool takes_part(const llvm::Value* operand) const;
  void expect_zero(llvm::Value* cotangent);
  llvm::Value* create_zero_if_unused(llvm::Value* cotangent, llvm::Value* amount);
  llvm::Value* create_product(llvm::Value* cotangent, llvm::Value* slope);
  void replace_in_forward(llvm::CallBase& call, llvm::Function* callee,
                          llvm::ArrayRef<llvm::Value*> extra);

  llvm::AllocaInst* cotangent_variable(llvm::Value* value);
  void add(llvm::Value* value, llvm::Value* amount);
  llvm::Value* take(llvm::Value* value);
  llvm::Value* value_of(llvm::Value* value) { return records_->value_of(value, builder_); }
  llvm::Value* access(llvm::StringRef what, llvm::Type* real, llvm::Value* address,
                      std::uint64_t distance);
  llvm::Value* place_of(llvm::Type* real, llvm::Value* address, std::uint64_t distance);
  void clear(llvm::Value* address, llvm::Value* size);

  Derivative& made_;
  Unit& unit_;
  Activity activity_;
  ValueCopies forward_of_;
  llvm::Value* sweep_;
  llvm::IRBuilder<> builder_;
  std::optional<Records> records_;
  std::optional<LostCotangents> lost_;
  llvm::BasicBlock* entry_ = nullptr;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> reverse_of_;
  llvm::DenseMap<llvm::Value*, llvm::AllocaInst*> variables_;
  llvm::SmallVector<llvm::Instruction*> exits_;
  llvm::SmallVector<llvm::Instruction*> markers_;  ///< Of lives; they go from the forward sweep.
  llvm::DenseMap<const llvm::CallBase*, CallKind> kinds_;
};

/// The sweeps of calls through pointers to functions of type `type` and origin `callees`: they take
/// the pointer as an additional last argument of the primal.
std::pair<llvm::Function*, llvm::Function*> indirect_sweeps(llvm::FunctionType* type,
                                                            const Origin& callees, Unit& unit);

}  // namespace ddx::compiler::memory
