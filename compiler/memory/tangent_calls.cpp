#include "compiler/memory/given_calls.h"
#include "compiler/memory/known_functions.h"
#include "compiler/memory/observed_calls.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/scalar_slopes.h"
#include "compiler/memory/tangent_sweep.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

void TangentSweep::visitCallBase(CallBase& call) {
  const CallKind kind = kinds_.lookup(&call);
  go_behind(call);
  switch (kind.kind) {
    case CallKind::Ignored:
      return;
    case CallKind::Rejected:
      return unit_.errors().report(call, kind.reason, kind.fact);
    case CallKind::Constant:
      return clear_results(call);
    case CallKind::Scalar:
      return call_scalar(call, *kind.rule);
    case CallKind::Scaling:
      return call_scaling(call);
    case CallKind::Copy:
      return copy_tangents(call);
    case CallKind::Fill:
      return clear(call.getArgOperand(0),
                   builder_.CreateZExt(call.getArgOperand(2), builder_.getInt64Ty()));
    case CallKind::ZeroFilled:
      return clear(&call, builder_.CreateMul(call.getArgOperand(0), call.getArgOperand(1)));
    case CallKind::Object:
      return call_operation(call, kind.operation);
    case CallKind::RunTime:
      return call_runtime(call);
    case CallKind::Begin:
      call.eraseFromParent();
      return;
    case CallKind::Reallocation:
      return call_reallocation(call);
    case CallKind::Derived:
    case CallKind::Indirect:
      return call_tangent(call, kind);
  }
}

/// Continues behind a call that returned. The block behind an invoke has no other predecessor, and
/// no phi.
void TangentSweep::go_behind(CallBase& call) {
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock* const normal = invoke->getNormalDest();
    builder_.SetInsertPoint(normal, normal->getFirstInsertionPt());
  }
}

void TangentSweep::copy_tangents(CallBase& call) {
  Value* const to = call.getArgOperand(0);
  Value* const from = call.getArgOperand(1);
  Value* const size = builder_.CreateZExt(call.getArgOperand(2), builder_.getInt64Ty());
  if (is_constant_memory(from)) {
    clear(to, size);
    return;
  }
  builder_.CreateCall(unit_.runtime("tangent_move"), {directory_, to, from, size});
}

/// Objects that a constant function returns through memory have tangent zero.
void TangentSweep::clear_results(CallBase& call) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (Type* const type = call.getParamStructRetType(i)) {
      const std::uint64_t size =
          unit_.module().getDataLayout().getTypeAllocSize(type).getFixedValue();
      clear(call.getArgOperand(i), builder_.getInt64(size));
    }
  }
}

void TangentSweep::call_operation(CallBase& call, ObjectOperation operation) {
  Value* const object = call.getArgOperand(0);
  if (operation == ObjectOperation::Copy || operation == ObjectOperation::Move) {
    builder_.CreateCall(unit_.runtime("object_tangent"),
                        {directory_, object, call.getArgOperand(1)});
  } else {
    builder_.CreateCall(unit_.runtime("object_tangent_clear"), {directory_, object});
  }
}

void TangentSweep::call_scalar(CallBase& call, const ScalarRule& rule) {
  if (!is_computed(call)) {
    return;
  }
  Value* sum = Constant::getNullValue(call.getType());
  for (unsigned i = 0; i < rule.arity; ++i) {
    Value* const operand = call.getArgOperand(i);
    if (!activity_->is_active(operand)) {
      continue;
    }
    if (Value* const part = times_slope(builder_, unit_, call, rule, i, Factor::Tangent,
                                        tangent_of(operand), [](Value* value) { return value; })) {
      sum = add_cotangents(builder_, sum, part);
    }
  }
  if (is_singular_at_zero(rule) && unit_.is_made(*made_.primal)) {
    Value* const is_singular =
        builder_.CreateFCmpOEQ(&call, Constant::getNullValue(call.getType()));
    sum = builder_.CreateSelect(is_singular, ConstantFP::getNaN(call.getType()), sum);
  }
  tangents_[&call] = sum;
}

/// The tangent of a product with a slope is again zero where the first factors are.
void TangentSweep::call_scaling(CallBase& call) {
  if (!is_computed(call)) {
    return;
  }
  Value* const amount = call.getArgOperand(0);
  Value* const slope = call.getArgOperand(1);
  Value* sum = Constant::getNullValue(call.getType());
  if (activity_->is_active(amount)) {
    sum = create_scaled(builder_, unit_, tangent_of(amount), slope);
  }
  if (activity_->is_active(slope)) {
    sum = add_cotangents(builder_, sum, create_scaled(builder_, unit_, amount, tangent_of(slope)));
  }
  tangents_[&call] = sum;
}

/// Puts a call of `callee` in the place of `call`.
CallBase* TangentSweep::replace(CallBase& call, Function* callee, ArrayRef<Value*> arguments) {
  IRBuilder<> builder(&call);
  auto* const invoke = dyn_cast<InvokeInst>(&call);
  CallBase* made = nullptr;
  if (invoke != nullptr) {
    made =
        builder.CreateInvoke(callee, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  } else {
    made = builder.CreateCall(callee, arguments);
  }
  Value* result = made;
  if (made->getType() != call.getType()) {
    result = builder_.CreateExtractValue(made, 0);
    tangents_[result] = fit_cotangent(builder_, builder_.CreateExtractValue(made, 1),
                                      whole_cotangent_type(call.getType()));
    activity_->replace(&call, result);
  }
  if (!call.getType()->isVoidTy()) {
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
  return made;
}

/// Notes, before a call or a return, that an integer among its operands, whose tangent is not
/// passed, holds bits of reals that have tangents.
void TangentSweep::pass_bits(Instruction& instruction, Value* operand) {
  IRBuilder<> builder(&instruction);
  if (Value* const has_tangent = lost_->of_own(operand)) {
    builder.CreateCall(unit_.runtime("pass_bits"), {directory_, has_tangent});
  }
}

void TangentSweep::call_tangent(CallBase& call, const CallKind& kind) {
  SmallVector<Value*> arguments(call.args());
  Function* callee = nullptr;
  Signature signature = signature_of(call.getFunctionType());
  if (kind.kind == CallKind::Derived) {
    auto& primal = *cast<Function>(call.getCalledOperand()->stripPointerCasts());
    if (is_refused(primal, unit_.rules().given_of(primal.getName()).tangent, unit_)) {
      unit_.errors().report(call, Diagnostic::UnsupportedLibraryCall,
                            readable_name(primal.getName()));
      return;
    }
    unit_.errors().add_call(primal, call);
    const Derivative& derivative = unit_.tangent_of(primal);
    callee = derivative.tangent;
    signature = derivative.signature;
  } else {
    if (call.getFunctionType()->isVarArg()) {
      unit_.errors().report(call, Diagnostic::UnsupportedVariadic);
      return;
    }
    callee = indirect_tangent(call.getFunctionType(),
                              unit_.add_indirect(call, *made_.primal, /*tangent=*/true), unit_);
    arguments.push_back(call.getCalledOperand());
  }
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* const argument = call.getArgOperand(i);
    if (signature.parameters[i] != nullptr) {
      arguments.push_back(tangent_of(argument));
    } else {
      pass_bits(call, argument);
    }
  }
  arguments.push_back(directory_);
  replace(call, callee, arguments);
}

/// Functions that move or clear tangents or cotangents do so with the tangents of these, too; the
/// others give memory, or a place in it.
void TangentSweep::call_runtime(CallBase& call) {
  const Function& callee = *call.getCalledFunction();
  if (!keeps_record(callee.getName())) {
    return;
  }
  Function* const tangent = find_observed(callee, Observer::Tangents, unit_);
  if (tangent == nullptr) {
    unit_.errors().report(call, Diagnostic::UnsupportedSecondDerivative);
    return;
  }
  SmallVector<Value*> arguments(call.args());
  arguments.push_back(directory_);
  replace(call, tangent, arguments);
}

void TangentSweep::call_reallocation(CallBase& call) {
  SmallVector<Value*> arguments(call.args());
  arguments.push_back(directory_);
  replace(call, observed_runtime("reallocate", Observer::Tangents, unit_), arguments);
}

/// Calls the function of forward mode that the table has for the pointer.
Function* indirect_tangent(FunctionType* type, const Origin& callees, Unit& unit) {
  Module& module = unit.module();
  LLVMContext& context = module.getContext();
  const std::string name = name_of_caller(callees) + ".tangent";
  if (Function* const known = module.getFunction(name)) {
    return known;
  }
  Type* const pointer = PointerType::getUnqual(context);
  SmallVector<Type*> parameters(type->params());
  parameters.push_back(pointer);
  FunctionType* const own = FunctionType::get(type->getReturnType(), parameters, false);
  Function* const made = unit.create_caller(tangent_type(own, signature_of(own)), name,
                                            Origin{own, callees.modes}.then(Mode::Tangent),
                                            callees.then(Mode::Tangent));
  IRBuilder<> builder(BasicBlock::Create(context, "", made));
  const unsigned called = type->getNumParams();
  Value* const tangent = builder.CreateCall(
      unit.runtime(is_plain(type) ? "find_plain_tangent" : "find_tangent"), {made->getArg(called)});
  SmallVector<Value*> arguments;
  for (Argument& argument : made->args()) {
    if (argument.getArgNo() != called) {
      arguments.push_back(&argument);
    }
  }
  Value* const result =
      builder.CreateCall(tangent_type(type, signature_of(type)), tangent, arguments);
  result->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
  return made;
}

}  // namespace ddx::compiler::memory
