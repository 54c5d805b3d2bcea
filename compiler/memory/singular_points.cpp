#include "compiler/memory/singular_points.h"

#include "compiler/memory/reals.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr StringLiteral replaced_slope = "_ZN3ddx6detail20slope_at_singularityI";
constexpr StringLiteral singular_slope = "ddx.singular_slope.";
constexpr StringLiteral root_scaling = "ddx.root_scaled.";

/// The function `name` of `arity` reals; `define` gives its result.
Function* small_function(Module& module, StringRef name, Type* real, unsigned arity,
                         function_ref<Value*(IRBuilder<>&, Function&)> define) {
  const std::string whole = (name + suffix_of(real)).str();
  if (Function* const known = module.getFunction(whole)) {
    return known;
  }
  const SmallVector<Type*> parameters(arity, real);
  Function* const made = Function::Create(FunctionType::get(real, parameters, false),
                                          GlobalValue::InternalLinkage, whole, module);
  made->addFnAttr(Attribute::AlwaysInline);
  made->setDoesNotThrow();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", made));
  builder.CreateRet(define(builder, *made));
  return made;
}

}  // namespace

bool is_slope_at_singularity(const Function& function) {
  return function.getName().starts_with(replaced_slope);
}

bool is_singular_slope(const Function& function) {
  return function.getName().starts_with(singular_slope);
}

void mark_singular_slopes(Function& function, Unit& unit) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr) {
      continue;
    }
    IRBuilder<> builder(call);
    if (is_slope_at_singularity(*callee)) {
      Type* const real = call->getType();
      Function* const slope =
          small_function(unit.module(), singular_slope, real, 1,
                         [&](IRBuilder<>&, Function&) { return ConstantFP::getNaN(real); });
      call->setCalledFunction(slope);
    } else if (callee->getName().starts_with(root_scaling)) {
      call->replaceAllUsesWith(builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1)));
      call->eraseFromParent();
    }
  }
}

Value* create_root_scaled(IRBuilder<>& builder, Unit& unit, Value* tangent, Value* slope) {
  Type* const real = tangent->getType();
  Function* const product = small_function(
      unit.module(), root_scaling, real, 2, [&](IRBuilder<>& body, Function& function) -> Value* {
        Value* const zero = Constant::getNullValue(real);
        Value* const first = function.getArg(0);
        return body.CreateSelect(body.CreateFCmpOEQ(first, zero), zero,
                                 body.CreateFMul(first, function.getArg(1)));
      });
  return builder.CreateCall(product, {tangent, slope});
}

}  // namespace ddx::compiler::memory
