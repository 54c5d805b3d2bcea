#include "compiler/memory/tangent_sweep.h"

#include "compiler/memory/prepare.h"
#include "compiler/memory/reals.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"

namespace ddx::compiler::memory {

using namespace llvm;

FunctionType* tangent_type(FunctionType* primal, const Signature& signature) {
  SmallVector<Type*> parameters(primal->params());
  for (Type* parameter : signature.parameters) {
    if (parameter != nullptr) {
      parameters.push_back(parameter);
    }
  }
  parameters.push_back(PointerType::getUnqual(primal->getContext()));
  Type* const result = primal->getReturnType();
  Type* const pair = signature.result != nullptr
                         ? StructType::get(result->getContext(), {result, signature.result})
                         : result;
  return FunctionType::get(pair, parameters, false);
}

TangentSweep::TangentSweep(Derivative& made, Unit& unit)
    : made_(made),
      unit_(unit),
      directory_(std::prev(made.tangent->arg_end())),
      builder_(made.prepared->getContext()) {}

namespace {

/// Makes room between each invoke and the block where it continues.
void split_behind_invokes(Function& function) {
  SmallVector<InvokeInst*> invokes;
  for (BasicBlock& block : function) {
    auto* invoke = dyn_cast<InvokeInst>(block.getTerminator());
    if (invoke != nullptr && (invoke->getNormalDest()->getSinglePredecessor() == nullptr ||
                              isa<PHINode>(invoke->getNormalDest()->front()))) {
      invokes.push_back(invoke);
    }
  }
  for (InvokeInst* invoke : invokes) {
    BasicBlock* const from = invoke->getParent();
    BasicBlock* const to = invoke->getNormalDest();
    BasicBlock* const between = BasicBlock::Create(function.getContext(), "", &function, to);
    BranchInst::Create(to, between);
    invoke->setNormalDest(between);
    to->replacePhiUsesWith(from, between);
  }
}

}  // namespace

void TangentSweep::run() {
  Function& function = *made_.tangent;
  ValueMap<const Value*, WeakTrackingVH> values;
  clone_body(*made_.prepared, function, values);
  split_behind_invokes(function);
  activity_.emplace(function, made_.signature, unit_);
  lost_.emplace(unit_, *std::prev(function.arg_end()), [this](Value* value) {
    return has_bits(value->getType()) ? passed_tangent_of(value) : tangent_of(value);
  });
  Argument* tangent = function.getArg(static_cast<unsigned>(made_.prepared->arg_size()));
  for (unsigned i = 0; i < made_.prepared->arg_size(); ++i) {
    if (made_.signature.parameters[i] != nullptr) {
      tangents_[function.getArg(i)] = tangent++;
    }
  }
  // Operands before their uses, except those of phis.
  SmallVector<Instruction*> all;
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function)) {
    for (Instruction& instruction : *block) {
      all.push_back(&instruction);
      if (const auto* call = dyn_cast<CallBase>(&instruction)) {
        kinds_.try_emplace(call, kind_of(*call, unit_));
      }
    }
  }
  for (Instruction* instruction : all) {
    if (!instruction->isTerminator()) {
      builder_.SetInsertPoint(instruction->getNextNode());
    }
    builder_.SetCurrentDebugLocation({});
    visit(*instruction);
  }
  complete_phis();
  lost_->complete();
  stripDebugInfo(function);
  std::string mistakes;
  raw_string_ostream out(mistakes);
  if (!unit_.errors().any() && verifyFunction(function, &out)) {
    unit_.errors().internal(*made_.primal, mistakes);
  }
}

void TangentSweep::complete_phis() {
  for (const auto& [phi, tangent] : phis_) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      tangent->addIncoming(tangent_of(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    }
  }
}

/// Whether the tangent of the result is wanted, and may be other than zero.
bool TangentSweep::is_computed(const Instruction& instruction) const {
  return holds_reals(instruction.getType()) && activity_->is_active(&instruction);
}

/// The tangent of a value; zero where none was computed, NaN where it is lost.
Value* TangentSweep::tangent_of(Value* value) {
  Value* const known = tangents_.lookup(value);
  Type* const type = whole_cotangent_type(value->getType());
  return known != nullptr            ? known
         : is_bits(value->getType()) ? lost_->tangent_of_lost(value)
                                     : Constant::getNullValue(type);
}

/// The tangent of an integer that a function passed or returned; null where it passed none.
Value* TangentSweep::passed_tangent_of(Value* value) {
  if (Value* const known = tangents_.lookup(value)) {
    return known;
  }
  auto* part = dyn_cast<ExtractValueInst>(value);
  Value* const whole = part != nullptr ? passed_tangent_of(part->getAggregateOperand()) : nullptr;
  if (whole == nullptr) {
    return nullptr;
  }
  IRBuilder<> builder(part->getNextNode());
  return tangents_[value] = builder.CreateExtractValue(whole, part->getIndices());
}

/// The place of the tangent of the real `distance` bytes behind `address`.
Value* TangentSweep::place_of(Type* real, Value* address, std::uint64_t distance) {
  Value* const at = distance == 0
                        ? address
                        : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address, distance);
  return builder_.CreateCall(unit_.runtime(("tangent_" + suffix_of(real)).str()), {directory_, at});
}

void TangentSweep::clear(Value* address, Value* size) {
  builder_.CreateCall(unit_.runtime("tangent_clear"), {directory_, address, size});
}

}  // namespace ddx::compiler::memory
