#include "compiler/memory/given_calls.h"
#include "compiler/memory/known_functions.h"
#include "compiler/memory/observed_calls.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/reverse_sweep.h"
#include "compiler/memory/scalar_slopes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

void ReverseSweep::visitCallBase(CallBase& call) {
  const CallKind kind = kinds_.lookup(&call);
  switch (kind.kind) {
    case CallKind::Ignored:
      return;
    case CallKind::Rejected:
      unit_.errors().report(call, kind.reason, kind.fact);
      return;
    case CallKind::Constant:
      for (unsigned i = 0; i < call.arg_size(); ++i) {
        if (Type* const type = call.getParamStructRetType(i)) {
          const std::uint64_t size =
              unit_.module().getDataLayout().getTypeAllocSize(type).getFixedValue();
          clear(value_of(call.getArgOperand(i)), builder_.getInt64(size));
        }
      }
      return;
    case CallKind::Scalar:
      reverse_scalar(call, *kind.rule);
      return;
    case CallKind::Scaling:
      reverse_scaling(call);
      return;
    case CallKind::Copy:
      reverse_copy(call);
      return;
    case CallKind::Fill:
      clear(value_of(call.getArgOperand(0)),
            builder_.CreateZExt(value_of(call.getArgOperand(2)), builder_.getInt64Ty()));
      return;
    case CallKind::ZeroFilled:
      clear(value_of(&call),
            builder_.CreateMul(value_of(call.getArgOperand(0)), value_of(call.getArgOperand(1))));
      return;
    case CallKind::Begin:
      markers_.push_back(cast<Instruction>(static_cast<Value*>(forward_of_.lookup(&call))));
      builder_.CreateCall(unit_.runtime("begin"), {sweep_, value_of(call.getArgOperand(0)),
                                                   value_of(call.getArgOperand(1))});
      return;
    case CallKind::Object:
      reverse_operation(call, kind.operation);
      return;
    case CallKind::RunTime:
      reverse_runtime(call);
      return;
    case CallKind::Reallocation:
      replace_in_forward(call, observed_runtime("reallocate", Observer::Sweep, unit_), {});
      builder_.CreateCall(unit_.runtime("reverse_effects"), {sweep_});
      return;
    case CallKind::Derived:
    case CallKind::Indirect:
      reverse_call(call, kind);
      return;
  }
}

/// In a derivative: functions that move or clear tangents or cotangents keep on the tape what they
/// did, as those are gone when they are reversed. The others give memory, or a place in it.
void ReverseSweep::reverse_runtime(CallBase& call) {
  const Function& callee = *call.getCalledFunction();
  if (!keeps_record(callee.getName())) {
    return;
  }
  Function* const forward = find_observed(callee, Observer::Sweep, unit_);
  if (forward == nullptr) {
    unit_.errors().report(call, Diagnostic::UnsupportedSecondDerivative);
    return;
  }
  replace_in_forward(call, forward, {});
  builder_.CreateCall(unit_.runtime("reverse_effects"), {sweep_});
}

void ReverseSweep::reverse_operation(CallBase& call, ObjectOperation operation) {
  Value* const object = value_of(call.getArgOperand(0));
  if (operation == ObjectOperation::Copy || operation == ObjectOperation::Move) {
    builder_.CreateCall(
        unit_.runtime(operation == ObjectOperation::Copy ? "object_copy" : "object_move"),
        {sweep_, object, value_of(call.getArgOperand(1))});
  } else {
    builder_.CreateCall(unit_.runtime("object_clear"), {sweep_, object});
  }
}

void ReverseSweep::reverse_copy(CallBase& call) {
  Value* const size = builder_.CreateZExt(value_of(call.getArgOperand(2)), builder_.getInt64Ty());
  Value* const to = value_of(call.getArgOperand(0));
  if (is_constant_memory(call.getArgOperand(1))) {
    clear(to, size);
    return;
  }
  builder_.CreateCall(unit_.runtime("move"), {sweep_, to, value_of(call.getArgOperand(1)), size});
}

/// Puts a call of `callee` in the place of `call` in the forward sweep, with the same arguments,
/// `extra` ones and the sweep.
void ReverseSweep::replace_in_forward(CallBase& call, Function* callee, ArrayRef<Value*> extra) {
  auto* old = cast<CallBase>(static_cast<Value*>(forward_of_.lookup(&call)));
  SmallVector<Value*> arguments(old->args());
  for (Value* value : extra) {
    arguments.push_back(isa<Constant>(value) ? value
                                             : static_cast<Value*>(forward_of_.lookup(value)));
  }
  arguments.push_back(std::prev(made_.forward->arg_end()));
  IRBuilder<> builder(old);
  CallBase* made = nullptr;
  if (auto* invoke = dyn_cast<InvokeInst>(old)) {
    made =
        builder.CreateInvoke(callee, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  } else {
    made = builder.CreateCall(callee, arguments);
  }
  old->replaceAllUsesWith(made);
  old->eraseFromParent();
  forward_of_[&call] = made;
}

void ReverseSweep::reverse_call(CallBase& call, const CallKind& kind) {
  Function* forward = nullptr;
  Function* reverse = nullptr;
  Signature signature;
  SmallVector<Value*, 1> extra;
  if (kind.kind == CallKind::Derived) {
    auto& primal = *cast<Function>(call.getCalledOperand()->stripPointerCasts());
    if (is_refused(primal, unit_.rules().given_of(primal.getName()).sweeps, unit_)) {
      unit_.errors().report(call, Diagnostic::UnsupportedLibraryCall,
                            readable_name(primal.getName()));
      return;
    }
    unit_.errors().add_call(primal, call);
    const Derivative& callee = unit_.sweeps_of(primal);
    forward = callee.forward;
    reverse = callee.reverse;
    signature = callee.signature;
  } else {
    if (call.getFunctionType()->isVarArg()) {
      unit_.errors().report(call, Diagnostic::UnsupportedVariadic);
      return;
    }
    signature = signature_of(call.getFunctionType());
    std::tie(forward, reverse) = indirect_sweeps(
        call.getFunctionType(), unit_.add_indirect(call, *made_.primal, /*tangent=*/false), unit_);
    extra.push_back(call.getCalledOperand());
  }
  replace_in_forward(call, forward, extra);
  SmallVector<Value*> arguments{sweep_};
  if (reverse->arg_size() == 2) {
    Type* const type = reverse->getArg(1)->getType();
    Value* const cotangent = activity_.is_active(&call)
                                 ? take(&call)
                                 : lost_->add_lost(call, Constant::getNullValue(type), builder_);
    arguments.push_back(fit_cotangent(builder_, cotangent, type));
  }
  lost_->before_callee(call, builder_);
  Value* const results = builder_.CreateCall(reverse, arguments);
  lost_->behind_callee(call, builder_);
  unsigned at = 0;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (signature.parameters[i] != nullptr) {
      add(call.getArgOperand(i), builder_.CreateExtractValue(results, at++));
    }
  }
}

void ReverseSweep::reverse_scalar(CallBase& call, const ScalarRule& rule) {
  if (!activity_.is_active(&call)) {
    return;
  }
  Value* cotangent = take(&call);
  if (is_singular_at_zero(rule) && unit_.is_made(*made_.primal)) {
    Value* const zero = Constant::getNullValue(call.getType());
    Value* const is_singular = builder_.CreateAnd(builder_.CreateFCmpOEQ(value_of(&call), zero),
                                                  builder_.CreateFCmpUNE(cotangent, zero));
    cotangent = builder_.CreateSelect(is_singular, ConstantFP::getNaN(call.getType()), cotangent);
  }
  for (unsigned i = 0; i < rule.arity; ++i) {
    if (!activity_.is_active(call.getArgOperand(i))) {
      continue;
    }
    if (Value* const amount =
            times_slope(builder_, unit_, call, rule, i, Factor::Cotangent, cotangent,
                        [&](Value* value) { return value_of(value); })) {
      add(call.getArgOperand(i), amount);
    }
  }
}

void ReverseSweep::reverse_scaling(CallBase& call) {
  if (!activity_.is_active(&call)) {
    return;
  }
  Value* const cotangent = take(&call);
  Value* const amount = call.getArgOperand(0);
  Value* const slope = call.getArgOperand(1);
  if (activity_.is_active(amount)) {
    add(amount, create_scaled(builder_, unit_, cotangent, value_of(slope)));
  }
  if (activity_.is_active(slope)) {
    add(slope, create_scaled(builder_, unit_, value_of(amount), cotangent));
  }
}

namespace {

/// The function of an entry of the table by its number.
Value* function_of_entry(IRBuilder<>& builder, Value* entry, unsigned number) {
  Type* const pointer = builder.getPtrTy();
  return builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, entry, number));
}

void create_return(IRBuilder<>& builder, Value* result) {
  result->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
}

/// Calls the function of the table entry of the pointer, and keeps the entry behind the records of
/// the callee, whichever way that ends.
void define_indirect_forward(Function& forward, FunctionType* type, Unit& unit) {
  LLVMContext& context = forward.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", &forward));
  Value* const sweep = std::prev(forward.arg_end());
  Value* const entry = builder.CreateCall(unit.runtime(is_plain(type) ? "find_plain" : "find"),
                                          {std::prev(forward.arg_end(), 2)});
  SmallVector<Value*> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    arguments.push_back(forward.getArg(i));
  }
  arguments.push_back(sweep);
  const auto keep = [&] {
    builder.CreateStore(entry,
                        builder.CreateCall(unit.runtime("push"), {sweep, builder.getInt64(16)}));
  };
  BasicBlock* const normal = BasicBlock::Create(context, "", &forward);
  BasicBlock* const thrown = BasicBlock::Create(context, "", &forward);
  Value* const result = builder.CreateInvoke(
      forward_type(type), function_of_entry(builder, entry, 1), normal, thrown, arguments);
  builder.SetInsertPoint(normal);
  keep();
  create_return(builder, result);
  builder.SetInsertPoint(thrown);
  FunctionType* const personality = FunctionType::get(builder.getInt32Ty(), true);
  forward.setPersonalityFn(cast<Constant>(
      unit.module().getOrInsertFunction("__gxx_personality_v0", personality).getCallee()));
  LandingPadInst* const pad = builder.CreateLandingPad(
      StructType::get(context, {builder.getPtrTy(), builder.getInt32Ty()}), 0);
  pad->setCleanup(true);
  keep();
  builder.CreateResume(pad);
}

/// Calls the function of the entry that was kept.
void define_indirect_reverse(Function& reverse, Unit& unit) {
  IRBuilder<> builder(BasicBlock::Create(reverse.getContext(), "", &reverse));
  Value* const record =
      builder.CreateCall(unit.runtime("pop"), {reverse.getArg(0), builder.getInt64(16)});
  Value* const entry = builder.CreateLoad(builder.getPtrTy(), record);
  SmallVector<Value*> seeds;
  for (Argument& argument : reverse.args()) {
    seeds.push_back(&argument);
  }
  create_return(builder, builder.CreateCall(reverse.getFunctionType(),
                                            function_of_entry(builder, entry, 2), seeds));
}

}  // namespace

std::pair<Function*, Function*> indirect_sweeps(FunctionType* type, const Origin& callees,
                                                Unit& unit) {
  Module& module = unit.module();
  const std::string name = name_of_caller(callees);
  Function* forward = module.getFunction(name + ".forward");
  Function* reverse = module.getFunction(name + ".reverse");
  if (forward != nullptr) {
    return {forward, reverse};
  }
  LLVMContext& context = module.getContext();
  SmallVector<Type*> parameters(type->params());
  parameters.push_back(PointerType::getUnqual(context));
  FunctionType* const own = FunctionType::get(type->getReturnType(), parameters, false);
  const Origin origin{own, callees.modes};
  forward = unit.create_caller(forward_type(own), name + ".forward", origin.then(Mode::Forward),
                               callees.then(Mode::Forward));
  reverse = unit.create_caller(reverse_type(context, signature_of(type)), name + ".reverse",
                               origin.then(Mode::Reverse), callees.then(Mode::Reverse));
  define_indirect_forward(*forward, type, unit);
  define_indirect_reverse(*reverse, unit);
  return {forward, reverse};
}

}  // namespace ddx::compiler::memory
