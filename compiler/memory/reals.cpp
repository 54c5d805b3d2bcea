#include "compiler/memory/reals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

namespace ddx::compiler::memory {

using namespace llvm;

bool is_real(const Type* type) {
  return type->isFloatTy() || type->isDoubleTy() || type->isX86_FP80Ty();
}

bool is_real_vector(const Type* type) {
  return isa<FixedVectorType>(type) && is_real(type->getScalarType());
}

namespace {

bool holds(const Type* type, bool (*is_one)(const Type*)) {
  if (const auto* record = dyn_cast<StructType>(type)) {
    return any_of(record->elements(), [&](const Type* part) { return holds(part, is_one); });
  }
  if (const auto* array = dyn_cast<ArrayType>(type)) {
    return array->getNumElements() > 0 && holds(array->getElementType(), is_one);
  }
  return is_one(type->getScalarType());
}

}  // namespace

bool holds_reals(const Type* type) {
  return holds(type, is_real);
}

bool holds_other_reals(const Type* type) {
  return holds(type, [](const Type* one) { return one->isFloatingPointTy() && !is_real(one); });
}

Type* cotangent_type(Type* type) {
  if (!holds_reals(type)) {
    return StructType::get(type->getContext());
  }
  if (auto* record = dyn_cast<StructType>(type)) {
    SmallVector<Type*> parts;
    for (Type* part : record->elements()) {
      parts.push_back(cotangent_type(part));
    }
    return StructType::get(type->getContext(), parts);
  }
  if (auto* array = dyn_cast<ArrayType>(type)) {
    return ArrayType::get(cotangent_type(array->getElementType()), array->getNumElements());
  }
  return type;
}

Value* add_cotangents(IRBuilder<>& builder, Value* a, Value* b) {
  Type* const type = a->getType();
  if (type->isFPOrFPVectorTy()) {
    const auto is_zero = [](Value* value) {
      const auto* constant = dyn_cast<Constant>(value);
      return constant && constant->isNullValue();
    };
    return is_zero(a) ? b : is_zero(b) ? a : builder.CreateFAdd(a, b);
  }
  const unsigned count = isa<StructType>(type) ? cast<StructType>(type)->getNumElements()
                                               : static_cast<unsigned>(type->getArrayNumElements());
  Value* sum = a;
  for (unsigned i = 0; i < count; ++i) {
    Type* const part =
        isa<StructType>(type) ? type->getStructElementType(i) : type->getArrayElementType();
    if (holds_reals(part)) {
      sum = builder.CreateInsertValue(sum,
                                      add_cotangents(builder, builder.CreateExtractValue(a, i),
                                                     builder.CreateExtractValue(b, i)),
                                      i);
    }
  }
  return sum;
}

namespace {

/// Whether a constant, or each element of one, is such a number.
bool takes_fraction(const Value* value) {
  const auto* constant = dyn_cast<Constant>(value);
  if (constant != nullptr && constant->getType()->isVectorTy()) {
    constant = constant->getSplatValue();
  }
  const auto* number = dyn_cast_or_null<ConstantFP>(constant);
  if (number == nullptr || number->getType()->isX86_FP80Ty()) {
    return false;
  }
  const double magnitude = std::fabs(number->getValueAPF().convertToDouble());
  const double unit = number->getType()->isDoubleTy() ? 0x1p52 : 0x1p23;
  return magnitude == unit || magnitude == 1.5 * unit;
}

}  // namespace

bool rounds_by_sum(const Instruction& instruction) {
  const unsigned operation = instruction.getOpcode();
  return (operation == Instruction::FAdd || operation == Instruction::FSub) &&
         is_real(instruction.getType()->getScalarType()) &&
         (takes_fraction(instruction.getOperand(0)) || takes_fraction(instruction.getOperand(1)));
}

StringRef suffix_of(const Type* type) {
  return type->isDoubleTy() ? "f64" : type->isFloatTy() ? "f32" : "f80";
}

namespace {

void visit_reals(const DataLayout& layout, Type* type, std::uint64_t distance,
                 SmallVectorImpl<unsigned>& place,
                 function_ref<void(ArrayRef<unsigned>, Type*, std::uint64_t)> visit) {
  if (!holds_reals(type)) {
    return;
  }
  if (is_real(type)) {
    visit(place, type, distance);
    return;
  }
  const auto part = [&](unsigned i, Type* element, std::uint64_t at) {
    place.push_back(i);
    visit_reals(layout, element, distance + at, place, visit);
    place.pop_back();
  };
  if (auto* record = dyn_cast<StructType>(type)) {
    const StructLayout* places = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      part(i, record->getElementType(i), places->getElementOffset(i));
    }
    return;
  }
  Type* const element = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
  const std::uint64_t count = type->isArrayTy() ? type->getArrayNumElements()
                                                : cast<FixedVectorType>(type)->getNumElements();
  const std::uint64_t size = type->isArrayTy() ? layout.getTypeAllocSize(element).getFixedValue()
                                               : layout.getTypeStoreSize(element).getFixedValue();
  for (std::uint64_t i = 0; i < count; ++i) {
    part(static_cast<unsigned>(i), element, i * size);
  }
}

}  // namespace

void for_each_real(const DataLayout& layout, Type* type,
                   function_ref<void(ArrayRef<unsigned>, Type*, std::uint64_t)> visit) {
  SmallVector<unsigned> place;
  visit_reals(layout, type, 0, place, visit);
}

}  // namespace ddx::compiler::memory
