/// \file
/// Builds the function of forward mode of one prepared function.

#pragma once

#include "compiler/memory/activity.h"
#include "compiler/memory/bits.h"
#include "compiler/memory/calls.h"
#include "compiler/memory/lost_tangents.h"
#include "compiler/memory/unit.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstVisitor.h"

namespace ddx::compiler::memory {

/// The type of the function of forward mode: the primal's parameters, the tangents of those that
/// have any, and the directory of tangents. It returns what the primal returns; where that has a
/// tangent, both as a pair.
llvm::FunctionType* tangent_type(llvm::FunctionType* primal, const Signature& signature);

/// The function of forward mode for calls through pointers to functions of type `type` and origin
/// `callees`: it takes the pointer as an additional last argument of the primal.
llvm::Function* indirect_tangent(llvm::FunctionType* type, const Origin& callees, Unit& unit);

/// Visits the instructions of a copy of the prepared function. Beside each real it computes the
/// tangent; the tangents of reals in memory are in the directory, under the same addresses.
class TangentSweep : public llvm::InstVisitor<TangentSweep> {
 public:
  TangentSweep(Derivative& made, Unit& unit);

  /// Defines `made.tangent`.
  void run();

  void visitPHINode(llvm::PHINode& phi);
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
  void visitReturnInst(llvm::ReturnInst& result);
  void visitCallBase(llvm::CallBase& call);
  void visitVAArgInst(llvm::VAArgInst& argument);
  void visitInstruction(llvm::Instruction& instruction);

 private:
  void complete_phis();
  bool is_computed(const llvm::Instruction& instruction) const;
  llvm::Value* tangent_of(llvm::Value* value);
  llvm::Value* passed_tangent_of(llvm::Value* value);
  llvm::Value* place_of(llvm::Type* real, llvm::Value* address, std::uint64_t distance);
  void clear(llvm::Value* address, llvm::Value* size);
  llvm::Value* product_tangent(llvm::Value* a, llvm::Value* b);
  llvm::Value* quotient_tangent(llvm::BinaryOperator& quotient);
  llvm::Value* remainder_tangent(llvm::BinaryOperator& remainder);

  void cast_bits(llvm::CastInst& cast);
  void compute_bits(llvm::Instruction& instruction);
  llvm::Value* moved_tangent(llvm::Instruction& instruction, llvm::ArrayRef<Piece> pieces);
  llvm::Value* add_nan_of_halves(llvm::Value* lane, llvm::Value* bits, unsigned i);
  llvm::Value* logic_tangent(llvm::BinaryOperator& operation);
  void load_bits(llvm::LoadInst& load);
  void store_bits(llvm::StoreInst& store);
  void store_bytes(llvm::StoreInst& store);
  void lose_bytes(llvm::Value* value, llvm::Value* address);

  void go_behind(llvm::CallBase& call);
  void copy_tangents(llvm::CallBase& call);
  void clear_results(llvm::CallBase& call);
  void call_operation(llvm::CallBase& call, ObjectOperation operation);
  void call_scalar(llvm::CallBase& call, const ScalarRule& rule);
  void call_scaling(llvm::CallBase& call);
  void pass_bits(llvm::Instruction& instruction, llvm::Value* operand);
  void call_tangent(llvm::CallBase& call, const CallKind& kind);
  void call_runtime(llvm::CallBase& call);
  void call_reallocation(llvm::CallBase& call);
  llvm::CallBase* replace(llvm::CallBase& call, llvm::Function* callee,
                          llvm::ArrayRef<llvm::Value*> arguments);

  Derivative& made_;
  Unit& unit_;
  llvm::Value* directory_;
  llvm::IRBuilder<> builder_;
  std::optional<Activity> activity_;
  std::optional<LostTangents> lost_;
  llvm::DenseMap<const llvm::CallBase*, CallKind> kinds_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> tangents_;
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
};

}  // namespace ddx::compiler::memory
