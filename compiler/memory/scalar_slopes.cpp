#include "compiler/memory/scalar_slopes.h"

#include "compiler/memory/reals.h"
#include "compiler/memory/singular_points.h"

#include "llvm/ADT/StringExtras.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr StringLiteral scaling = "ddx.scaled.";

Function* scaling_function(Type* real, Unit& unit) {
  const std::string name = (scaling + suffix_of(real)).str();
  if (Function* const known = unit.module().getFunction(name)) {
    return known;
  }
  Function* const made = Function::Create(FunctionType::get(real, {real, real}, false),
                                          GlobalValue::InternalLinkage, name, unit.module());
  made->addFnAttr(Attribute::AlwaysInline);
  made->setDoesNotThrow();
  IRBuilder<> builder(BasicBlock::Create(real->getContext(), "", made));
  Value* const amount = made->getArg(0);
  Value* const zero = Constant::getNullValue(real);
  builder.CreateRet(builder.CreateSelect(builder.CreateFCmpOEQ(amount, zero), zero,
                                         builder.CreateFMul(amount, made->getArg(1))));
  return made;
}

}  // namespace

bool is_scaling(const Function& function) {
  return function.getName().starts_with(scaling);
}

Value* create_scaled(IRBuilder<>& builder, Unit& unit, Value* amount, Value* slope) {
  return builder.CreateCall(scaling_function(amount->getType(), unit), {amount, slope});
}

namespace {

/// The product of an amount and a slope. Which of them makes it zero where it is zero, whatever the
/// other is, depends on the function.
Value* product(IRBuilder<>& builder, Unit& unit, const ScalarRule& rule, unsigned index,
               Factor factor, Value* amount, Value* slope) {
  if (factor == Factor::Cotangent) {
    return create_scaled(builder, unit, amount, slope);
  }
  if (masking_of_tangent(rule, index) == Masking::BySlope) {
    return create_scaled(builder, unit, slope, amount);
  }
  return is_singular_at_zero(rule) ? create_root_scaled(builder, unit, amount, slope)
                                   : create_scaled(builder, unit, amount, slope);
}

}  // namespace

Value* times_slope(IRBuilder<>& builder, Unit& unit, CallBase& call, const ScalarRule& rule,
                   unsigned index, Factor factor, Value* amount,
                   function_ref<Value*(Value*)> value_of) {
  const StringRef partial = rule.partials[index];
  if (partial == "0") {
    return nullptr;
  }
  if (partial == "1") {
    return amount;
  }
  if (partial == "-1") {
    return builder.CreateFNeg(amount);
  }
  if (is_singular_slope(*call.getCalledFunction())) {
    return create_scaled(builder, unit, amount, ConstantFP::getNaN(call.getType()));
  }
  if (partial.size() == 2 && partial.front() == '$' && isDigit(partial[1])) {
    return builder.CreateFMul(
        amount, value_of(call.getArgOperand(static_cast<unsigned>(partial[1] - '0'))));
  }
  Function* const function =
      unit.slope(rule.name, rule.arity, index, call.getType()->getScalarType());
  if (function == nullptr) {
    unit.errors().report(call, Diagnostic::UnsupportedLibraryCall, rule.name);
    return nullptr;
  }
  SmallVector<Value*> operands;
  for (unsigned i = 0; i < rule.arity; ++i) {
    operands.push_back(rule.needs_operand(index, i)
                           ? value_of(call.getArgOperand(i))
                           : Constant::getNullValue(call.getArgOperand(i)->getType()));
  }
  operands.push_back(rule.needs_result(index) ? value_of(&call)
                                              : Constant::getNullValue(call.getType()));
  const auto* vector = dyn_cast<FixedVectorType>(call.getType());
  if (vector == nullptr) {
    return product(builder, unit, rule, index, factor, amount,
                   builder.CreateCall(function, operands));
  }
  Value* result = Constant::getNullValue(call.getType());
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    SmallVector<Value*> parts;
    for (Value* operand : operands) {
      parts.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, lane)
                                                       : operand);
    }
    Value* const scaled =
        product(builder, unit, rule, index, factor, builder.CreateExtractElement(amount, lane),
                builder.CreateCall(function, parts));
    result = builder.CreateInsertElement(result, scaled, lane);
  }
  return result;
}

}  // namespace ddx::compiler::memory
