#include "compiler/memory/prepare.h"

#include "compiler/memory/alignment_checks.h"
#include "compiler/memory/atomics.h"
#include "compiler/memory/attached_rules.h"
#include "compiler/memory/calls.h"
#include "compiler/memory/computed_jumps.h"
#include "compiler/memory/inlining.h"
#include "compiler/memory/known_functions.h"
#include "compiler/memory/lives.h"
#include "compiler/memory/odd_widths.h"
#include "compiler/memory/parallel_regions.h"
#include "compiler/memory/part_alignment.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/scalar_slopes.h"
#include "compiler/memory/singular_points.h"
#include "compiler/memory/vector_intrinsics.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Makes the copy of each `byval` argument explicit in its caller.
void copy_hidden_arguments(Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || isa<IntrinsicInst>(call)) {
      continue;
    }
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      if (!call->isByValArgument(i)) {
        continue;
      }
      const auto* callee = dyn_cast<Function>(call->getCalledOperand());
      if (callee != nullptr && callee->isDeclaration()) {
        continue;  // Called as it stands.
      }
      Type* const type = call->getParamByValType(i);
      IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
      AllocaInst* const copy = entry.CreateAlloca(type);
      IRBuilder<> before(call);
      const Align align = call->getParamAlign(i).value_or(layout.getABITypeAlign(type));
      copy->setAlignment(std::max(align, layout.getABITypeAlign(type)));
      before.CreateMemCpy(copy, copy->getAlign(), call->getArgOperand(i), align,
                          layout.getTypeAllocSize(type).getFixedValue());
      call->setArgOperand(i, copy);
      call->removeParamAttr(i, Attribute::ByVal);
    }
  }
}

/// Calls functions of libm where Clang has an intrinsic: `frexp` of floats and long doubles, which
/// has two results.
void call_frexp(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    Type* const real = call != nullptr && call->getIntrinsicID() == Intrinsic::frexp
                           ? call->getArgOperand(0)->getType()
                           : nullptr;
    const StringRef name = real == nullptr        ? ""
                           : real->isDoubleTy()   ? "frexp"
                           : real->isFloatTy()    ? "frexpf"
                           : real->isX86_FP80Ty() ? "frexpl"
                                                  : "";
    if (name.empty()) {
      continue;
    }
    IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
    Type* const exponent = call->getType()->getStructElementType(1);
    AllocaInst* const place = builder.CreateAlloca(exponent);
    builder.SetInsertPoint(call);
    const FunctionCallee callee = function.getParent()->getOrInsertFunction(
        name, FunctionType::get(real, {real, builder.getPtrTy()}, false));
    Value* const mantissa = builder.CreateCall(callee, {call->getArgOperand(0), place});
    Value* both = PoisonValue::get(call->getType());
    both = builder.CreateInsertValue(both, mantissa, 0);
    both = builder.CreateInsertValue(both, builder.CreateLoad(exponent, place), 1);
    call->replaceAllUsesWith(both);
    call->eraseFromParent();
  }
}

/// Calls the bodies that the run time has of functions without one, and of functions whose own one
/// chooses by the exact value of an argument.
void give_bodies(Function& function, Unit& unit) {
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->isIntrinsic()) {
      continue;
    }
    Function* const body = unit.labelled(("ddx.body." + callee->getName()).str());
    if (body != nullptr && body->getFunctionType() == call->getFunctionType()) {
      call->setCalledFunction(body);
    }
  }
}

/// Lets equal calls of libm be one, and memory be what it was behind them, in a unit that never
/// reads errno or signgam.
void mark_pure_calls(Function& function, Unit& unit) {
  if (unit.module().getFunction("__errno_location") != nullptr ||
      unit.module().getNamedGlobal("signgam") != nullptr) {
    return;
  }
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic() &&
        kind_of(*call, unit).kind == CallKind::Scalar) {
      call->setDoesNotAccessMemory();
    }
  }
}

/// In a derivative: reads the cotangents in their places. Derivatives of parallel programs have no
/// derivatives, so there are no others.
void expand_takes(Function& function, Unit& unit) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    StringRef name = callee != nullptr ? callee->getName() : "";
    name.consume_front("\01");
    const bool takes = name.starts_with("ddx.rt.take_f");
    if (!takes && !name.starts_with("ddx.rt.get_f")) {
      continue;
    }
    Type* const real = call->getType();
    IRBuilder<> builder(call);
    Value* const place = builder.CreateCall(unit.runtime(("place_" + suffix_of(real)).str()),
                                            {call->getArgOperand(0), call->getArgOperand(1)});
    call->replaceAllUsesWith(builder.CreateLoad(real, place));
    if (takes) {
      builder.CreateStore(Constant::getNullValue(real), place);
    }
    call->eraseFromParent();
  }
}

/// The run time asks whether a function is differentiated: it is.
void answer_questions(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee != nullptr &&
        parts_of_runtime_name(callee->getName()).first == "is_differentiated") {
      call->replaceAllUsesWith(ConstantInt::getTrue(call->getType()));
      call->eraseFromParent();
    }
  }
}

/// What the instructions of a call of assembly compute, as a value; null where that is not known.
/// Empty assembly is a barrier: benchmarks and Eigen name their operands in it.
Value* result_of_assembly(const CallInst& call, const InlineAsm& assembly) {
  if (call.arg_size() == 0) {
    return nullptr;
  }
  const StringRef text = assembly.getAsmString();
  Value* const last = call.getArgOperand(call.arg_size() - 1);
  if (text.empty()) {
    return last->getType() == call.getType() ? last : nullptr;
  }
  if ((text.starts_with("vfmadd231pd ") || text.starts_with("vfmadd231ps ")) &&
      call.arg_size() == 3 && last->getType() == call.getType()) {
    IRBuilder<> builder(const_cast<CallInst*>(&call));
    return builder.CreateIntrinsic(Intrinsic::fma, call.getType(),
                                   {call.getArgOperand(0), call.getArgOperand(1), last});
  }
  const bool is_greatest = text.starts_with("maxpd ") || text.starts_with("maxps ");
  const bool is_least = text.starts_with("minpd ") || text.starts_with("minps ");
  if ((!is_greatest && !is_least) || call.arg_size() != 2 || last->getType() != call.getType()) {
    return nullptr;
  }
  // The result replaces the last operand; where the two are equal or unordered it is the first.
  Value* const first = call.getArgOperand(0);
  IRBuilder<> builder(const_cast<CallInst*>(&call));
  Value* const keeps =
      is_greatest ? builder.CreateFCmpOGT(last, first) : builder.CreateFCmpOLT(last, first);
  return builder.CreateSelect(keeps, last, first);
}

/// Replaces assembly whose instructions are known.
void replace_assembly(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    const auto* assembly =
        call != nullptr ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (assembly == nullptr) {
      continue;
    }
    if (call->getType()->isVoidTy() && assembly->getAsmString().empty()) {
      // A barrier through memory writes the operand that is tied to the pointer.
      if (call->arg_size() == 2 && call->getParamElementType(0) != nullptr &&
          call->getParamElementType(0) == call->getArgOperand(1)->getType()) {
        IRBuilder<>(call).CreateStore(call->getArgOperand(1), call->getArgOperand(0));
      }
      call->eraseFromParent();
    } else if (Value* const result = result_of_assembly(*call, *assembly)) {
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
}

bool call_may_throw(const CallInst& call, Unit& unit) {
  if (call.doesNotThrow() || call.isInlineAsm() || isa<IntrinsicInst>(call)) {
    return false;
  }
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee == nullptr || unit.is_made(*callee) || unit.facts().may_throw(*callee) ||
         !parts_of_runtime_name(callee->getName()).second.empty() ||
         unit.rules().given.contains(callee->getName());
}

/// Turns each call that may throw into an invoke whose handler only passes the exception on.
void throw_by_terminators(Function& function, Unit& unit) {
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call != nullptr && call_may_throw(*call, unit)) {
      calls.push_back(call);
    }
  }
  if (calls.empty()) {
    return;
  }
  LLVMContext& context = function.getContext();
  if (!function.hasPersonalityFn()) {
    FunctionType* const type = FunctionType::get(Type::getInt32Ty(context), true);
    function.setPersonalityFn(cast<Constant>(
        unit.module().getOrInsertFunction("__gxx_personality_v0", type).getCallee()));
  }
  BasicBlock* const handler = BasicBlock::Create(context, "", &function);
  IRBuilder<> builder(handler);
  LandingPadInst* const pad = builder.CreateLandingPad(
      StructType::get(context, {PointerType::getUnqual(context), builder.getInt32Ty()}), 0);
  pad->setCleanup(true);
  builder.CreateResume(pad);
  for (CallInst* call : calls) {
    changeToInvokeAndSplitBasicBlock(call, handler);
  }
}

void run_passes(Function& function, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(FoldAlignmentChecks());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(DCEPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  // What a loop reads in each iteration is invariant only behind a condition in front of the loop.
  passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  analyses.clear(function, function.getName());
  passes.run(function, analyses);
  analyses.clear(function, function.getName());
}

/// Gives each loop one entry, one edge back, and exits of its own.
void simplify_loops(Function& function, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  analyses.clear(function, function.getName());
  passes.run(function, analyses);
  analyses.clear(function, function.getName());
}

}  // namespace

void keep_attributes(const Function& from, Function& to) {
  for (const char* name : {"target-cpu", "target-features", "tune-cpu", "no-trapping-math",
                           "stack-protector-buffer-size", "frame-pointer"}) {
    if (from.hasFnAttribute(name)) {
      to.addFnAttr(from.getFnAttribute(name));
    }
  }
  // The passes of sanitizers run behind this one.
  for (const Attribute::AttrKind kind : {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
                                         Attribute::SanitizeMemory, Attribute::SanitizeThread}) {
    if (from.hasFnAttribute(kind)) {
      to.addFnAttr(kind);
    }
  }
  to.setUWTableKind(UWTableKind::Default);
}

void clone_body(const Function& from, Function& to,
                ValueMap<const Value*, WeakTrackingVH>& values) {
  auto target = to.arg_begin();
  for (const Argument& argument : from.args()) {
    values[&argument] = &*target++;
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(&to, &from, values, CloneFunctionChangeType::LocalChangesOnly, returns);
  to.setAttributes(AttributeList());
  keep_attributes(from, to);
  // Both hold a hash of the type that `from` has in C++, which `to` does not have.
  to.setMetadata(LLVMContext::MD_func_sanitize, nullptr);
  to.setMetadata(LLVMContext::MD_kcfi_type, nullptr);
  to.setLinkage(GlobalValue::InternalLinkage);
  to.setVisibility(GlobalValue::DefaultVisibility);
  to.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  to.setComdat(nullptr);
  to.setSection("");
}

Function* prepare(Function& primal, Unit& unit) {
  Function* const copy = Function::Create(primal.getFunctionType(), GlobalValue::InternalLinkage,
                                          primal.getName() + ".prepared", primal.getParent());
  ValueMap<const Value*, WeakTrackingVH> values;
  clone_body(sequential_form(primal), *copy, values);
  replace_computed_jumps(primal, *copy, values);
  call_frexp(*copy);
  give_bodies(*copy, unit);
  if (unit.is_made(primal)) {
    expand_takes(*copy, unit);
    mark_singular_slopes(*copy, unit);
  }
  inline_callees(*copy, primal, unit);
  answer_questions(*copy);
  call_frexp(*copy);
  give_bodies(*copy, unit);
  mark_singular_slopes(*copy, unit);
  mark_pure_calls(*copy, unit);
  copy_hidden_arguments(*copy);
  for (Instruction& instruction : instructions(*copy)) {
    if (auto* call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call)) {
      if (auto* plain = dyn_cast<CallInst>(call); plain && plain->isMustTailCall()) {
        plain->setTailCallKind(CallInst::TCK_None);
      }
    }
  }
  replace_assembly(*copy);
  removeUnreachableBlocks(*copy);
  order_reductions(*copy);
  run_passes(*copy, unit.analyses());
  align_parts(*copy);
  split_odd_widths(*copy);
  smooth_root_powers(*copy, unit);
  replace_vector_intrinsics(*copy);
  prepare_atomics(*copy);
  mark_lives(*copy, unit);
  throw_by_terminators(*copy, unit);
  removeUnreachableBlocks(*copy);
  simplify_loops(*copy, unit.analyses());
  return copy;
}

void simplify(Function& made, FunctionAnalysisManager& analyses) {
  removeUnreachableBlocks(made);
  stripDebugInfo(made);
  run_passes(made, analyses);
}

void rotate_loops(Function& made, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  analyses.clear(made, made.getName());
  passes.run(made, analyses);
  analyses.clear(made, made.getName());
}

}  // namespace ddx::compiler::memory
