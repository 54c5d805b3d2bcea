#include "compiler/memory/reverse_sweep.h"

#include "compiler/memory/known_functions.h"
#include "compiler/memory/prepare.h"
#include "compiler/memory/reals.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"

namespace ddx::compiler::memory {

using namespace llvm;

ReverseSweep::ReverseSweep(Derivative& made, Unit& unit)
    : made_(made),
      unit_(unit),
      activity_(*made.prepared, made.signature, unit),
      sweep_(made.reverse->getArg(0)),
      builder_(made.prepared->getContext()) {
  FastMathFlags flags;  // Sums begin with zero; its sign does not matter.
  flags.setNoSignedZeros();
  builder_.setFastMathFlags(flags);
  for (Instruction& instruction : instructions(*made.prepared)) {
    if (const auto* call = dyn_cast<CallBase>(&instruction)) {
      kinds_.try_emplace(call, kind_of(*call, unit));
    }
  }
}

void ReverseSweep::run() {
  begin_forward();
  begin_reverse();
  for (BasicBlock& block : *made_.prepared) {
    reverse_block(block);
  }
  end_reverse();
  for (Instruction* marker : markers_) {
    marker->eraseFromParent();
  }
  stripDebugInfo(*made_.forward);
  for (Function* function : {made_.forward, made_.reverse}) {
    std::string mistakes;
    raw_string_ostream out(mistakes);
    if (!unit_.errors().any() && verifyFunction(*function, &out)) {
      unit_.errors().internal(*made_.primal, mistakes);
    }
  }
}

void ReverseSweep::begin_forward() {
  clone_body(*made_.prepared, *made_.forward, forward_of_);
}

void ReverseSweep::begin_reverse() {
  LLVMContext& context = made_.prepared->getContext();
  made_.reverse->setLinkage(GlobalValue::InternalLinkage);
  keep_attributes(*made_.prepared, *made_.reverse);
  entry_ = BasicBlock::Create(context, "", made_.reverse);
  for (BasicBlock& block : *made_.prepared) {
    reverse_of_[&block] = BasicBlock::Create(context, "", made_.reverse);
    Instruction* const last = block.getTerminator();
    if (isa<ReturnInst>(last) || isa<ResumeInst>(last)) {
      exits_.push_back(last);
    }
  }
  records_.emplace(made_, unit_, forward_of_, sweep_, entry_);
  // Ends the entry until all is known.
  records_->begin_entry(new UnreachableInst(context, entry_));
  lost_.emplace(*made_.prepared, made_.signature, activity_, kinds_, unit_);
  builder_.SetInsertPoint(entry_, entry_->begin());
  lost_->begin(sweep_, builder_);
}

/// Completes the entry: it continues at the exit that control took.
/// To the target with this number; null where there is one.
void ReverseSweep::branch(Value* number, ArrayRef<BasicBlock*> targets) {
  if (number == nullptr) {
    builder_.CreateBr(targets.front());
    return;
  }
  if (number->getType()->isIntegerTy(1)) {
    builder_.CreateCondBr(number, targets[1], targets[0]);
    return;
  }
  SwitchInst* const choice = builder_.CreateSwitch(number, targets.front());
  for (unsigned i = 1; i < targets.size(); ++i) {
    choice->addCase(builder_.getInt32(i), targets[i]);
  }
}

void ReverseSweep::end_reverse() {
  records_->loops().finish();
  Value* const number = records_->end_entry(exits_);
  entry_->getTerminator()->eraseFromParent();
  LLVMContext& context = entry_->getContext();
  SmallVector<BasicBlock*> targets;
  for (Instruction* exit : exits_) {
    BasicBlock* const target = BasicBlock::Create(context, "", made_.reverse);
    builder_.SetInsertPoint(target);
    auto* result = dyn_cast<ReturnInst>(exit);
    if (result != nullptr && result->getReturnValue() != nullptr &&
        made_.reverse->arg_size() == 2) {
      add(result->getReturnValue(), made_.reverse->getArg(1));
    }
    builder_.CreateBr(reverse_of_[exit->getParent()]);
    targets.push_back(target);
  }
  builder_.SetInsertPoint(entry_);
  if (targets.empty()) {
    builder_.CreateUnreachable();
    return;
  }
  branch(number, targets);
}

/// True for calls whose callee has records on the tape.
bool ReverseSweep::has_own_records(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr) {
    return false;
  }
  const CallKind::Kind kind = kinds_.lookup(call).kind;
  if (kind == CallKind::RunTime) {
    return keeps_record(call->getCalledFunction()->getName());
  }
  return kind == CallKind::Derived || kind == CallKind::Indirect || kind == CallKind::Reallocation;
}

void ReverseSweep::reverse_block(BasicBlock& block) {
  BasicBlock* const made = reverse_of_[&block];
  builder_.SetInsertPoint(made);
  SmallVector<Instruction*> all;
  for (Instruction& instruction : block) {
    all.push_back(&instruction);
  }
  std::size_t end = all.size();
  while (true) {
    if (end > 0 && has_own_records(*all[end - 1])) {
      visit(*all[--end]);
      if (end > 0) {
        continue;
      }
    }
    // The segment in front of it.
    std::size_t begin = end;
    while (begin > 0 && !has_own_records(*all[begin - 1])) {
      --begin;
    }
    records_->begin_segment(all[begin], made);
    while (end > begin) {
      --end;
      if (!isa<PHINode>(all[end])) {
        visit(*all[end]);
      }
    }
    if (begin == 0) {
      reverse_edges(block);
      return;
    }
    records_->end_segment();
  }
}

/// Ends the reverse code of a block: back to the block that control came from.
void ReverseSweep::reverse_edges(BasicBlock& block) {
  SmallVector<std::pair<PHINode*, Value*>> phis;
  for (PHINode& phi : block.phis()) {
    if (activity_.is_active(&phi)) {
      phis.emplace_back(&phi, nullptr);
    }
  }
  for (auto& [phi, cotangent] : phis) {
    cotangent = take(phi);
  }
  const SmallVector<BasicBlock*> sources = sources_of(block);
  if (sources.empty()) {
    SmallVector<Value*> results;
    for (Argument& argument : made_.prepared->args()) {
      if (Type* const type = made_.signature.parameters[argument.getArgNo()]) {
        Value* const cotangent = builder_.CreateLoad(type, cotangent_variable(&argument));
        results.push_back(lost_->add_lost(argument, cotangent, builder_));
      }
    }
    lost_->end(builder_);
    records_->end_segment();
    if (results.empty()) {
      builder_.CreateRetVoid();
    } else {
      builder_.CreateAggregateRet(results.data(), static_cast<unsigned>(results.size()));
    }
    return;
  }
  Value* const number = sources.size() > 1 ? records_->predecessor_of(&block, builder_) : nullptr;
  records_->end_segment();
  BasicBlock* const from_here = builder_.GetInsertBlock();
  records_->loops().begin_edges(&block, from_here);
  SmallVector<BasicBlock*> targets;
  for (BasicBlock* source : sources) {
    BasicBlock* const edge = BasicBlock::Create(block.getContext(), "", made_.reverse);
    builder_.SetInsertPoint(edge);
    for (const auto& [phi, cotangent] : phis) {
      add(phi->getIncomingValueForBlock(source), cotangent);
    }
    builder_.CreateBr(reverse_of_[source]);
    records_->loops().add_edge(&block, source, edge);
    targets.push_back(edge);
  }
  builder_.SetInsertPoint(from_here);
  branch(number, targets);
}

namespace {

/// Whether nothing outside of the block of a value uses it. Its cotangent is then one of that
/// block: variables of one block become values in time that is linear in its length.
bool is_used_in_its_block_alone(const Value& value) {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction != nullptr && !isa<PHINode>(instruction) &&
         all_of(instruction->users(), [&](const User* user) {
           // The cotangent of a result is added on the way to the block.
           return !isa<PHINode, ReturnInst>(user) &&
                  cast<Instruction>(user)->getParent() == instruction->getParent();
         });
}

}  // namespace

AllocaInst* ReverseSweep::cotangent_variable(Value* value) {
  AllocaInst*& variable = variables_[value];
  if (variable == nullptr) {
    IRBuilder<> builder(entry_, entry_->begin());
    Type* const type = whole_cotangent_type(value->getType());
    variable = builder.CreateAlloca(type);
    if (is_used_in_its_block_alone(*value)) {
      BasicBlock* const made = reverse_of_[cast<Instruction>(value)->getParent()];
      builder.SetInsertPoint(made, made->getFirstInsertionPt());
    }
    builder.CreateStore(Constant::getNullValue(type), variable);
  }
  return variable;
}

/// Adds to the cotangent of a value.
void ReverseSweep::add(Value* value, Value* amount) {
  if (!activity_.is_active(value)) {
    lost_->note_part(value, amount, builder_);
    return;
  }
  AllocaInst* const variable = cotangent_variable(value);
  Value* const old = builder_.CreateLoad(variable->getAllocatedType(), variable);
  amount = fit_cotangent(builder_, amount, variable->getAllocatedType());
  builder_.CreateStore(add_cotangents(builder_, old, amount), variable);
}

/// The cotangent of a value whose definition is reversed; it becomes zero.
Value* ReverseSweep::take(Value* value) {
  AllocaInst* const variable = cotangent_variable(value);
  Value* const cotangent = builder_.CreateLoad(variable->getAllocatedType(), variable);
  builder_.CreateStore(Constant::getNullValue(variable->getAllocatedType()), variable);
  return lost_->add_lost(*value, cotangent, builder_);
}

/// Calls the function of the run time for the cotangent of the real `distance` bytes behind
/// `address`: to take it, to read it, or to find its place.
Value* ReverseSweep::access(StringRef what, Type* real, Value* address, std::uint64_t distance) {
  Value* const at = distance == 0
                        ? address
                        : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address, distance);
  return builder_.CreateCall(unit_.runtime((what + suffix_of(real)).str()), {sweep_, at});
}

Value* ReverseSweep::place_of(Type* real, Value* address, std::uint64_t distance) {
  return access("place_", real, address, distance);
}

void ReverseSweep::clear(Value* address, Value* size) {
  builder_.CreateCall(unit_.runtime("clear"), {sweep_, address, size});
}

}  // namespace ddx::compiler::memory
