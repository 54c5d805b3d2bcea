#include "compiler/memory/part_alignment.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr std::uint64_t largest_real = 16;  ///< In bytes.

/// Whether a variable may hold a part of an object: SROA gives it the type of bytes or of a packed
/// struct, and the alignment that the part has.
bool is_part(const Value* value) {
  const auto* variable = dyn_cast<AllocaInst>(value);
  if (variable == nullptr || variable->isArrayAllocation() ||
      variable->getAlign().value() >= largest_real ||
      !variable->getAllocatedType()->isAggregateType()) {
    return false;
  }
  const auto* bytes = dyn_cast<ArrayType>(variable->getAllocatedType());
  const auto* members = dyn_cast<StructType>(variable->getAllocatedType());
  return variable->getAlign().value() < sizeof(double) ||
         (bytes != nullptr && bytes->getElementType()->isIntegerTy(8)) ||
         (members != nullptr && members->isPacked());
}

/// An object, and the offset of a pointer into it.
struct Place {
  const Value* object;
  std::uint64_t offset;
};

Place place_of(const Value* pointer, const DataLayout& layout) {
  APInt offset(64, 0);
  const Value* const object =
      pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {object, offset.getZExtValue()};
}

using Distances = DenseMap<const Value*, std::uint64_t>;

/// The distance of `part`, known from the other side of a copy; none where that is not known yet.
std::optional<std::uint64_t> distance_by(const Place& part, const Place& other,
                                         const Distances& known) {
  if (other.object == part.object || (is_part(other.object) && !known.contains(other.object))) {
    return std::nullopt;
  }
  return (known.lookup(other.object) + other.offset - part.offset) % largest_real;
}

Distances find_distances(const Function& function, const DataLayout& layout) {
  Distances known;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Instruction& instruction : instructions(function)) {
      const auto* copy = dyn_cast<MemTransferInst>(&instruction);
      if (copy == nullptr) {
        continue;
      }
      const Place sides[] = {place_of(copy->getRawDest(), layout),
                             place_of(copy->getRawSource(), layout)};
      for (const bool second : {false, true}) {
        const Place& part = sides[second ? 1 : 0];
        if (!is_part(part.object) || known.contains(part.object)) {
          continue;
        }
        if (const auto distance = distance_by(part, sides[second ? 0 : 1], known)) {
          known[part.object] = *distance;
          changed = true;
        }
      }
    }
  }
  return known;
}

/// Replaces a variable by one in which it begins at `distance`.
void displace(AllocaInst& part, std::uint64_t distance, const DataLayout& layout) {
  part.setAlignment(Align(largest_real));
  if (distance == 0) {
    return;
  }
  IRBuilder<> builder(&part);
  const std::uint64_t size = part.getAllocationSize(layout)->getFixedValue();
  AllocaInst* const wider =
      builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), size + distance));
  wider->setAlignment(Align(largest_real));
  SmallVector<Instruction*> lifetimes;
  for (User* user : part.users()) {
    if (auto* mark = dyn_cast<LifetimeIntrinsic>(user)) {
      lifetimes.push_back(mark);
    }
  }
  for (Instruction* mark : lifetimes) {  // Of a whole variable.
    mark->eraseFromParent();
  }
  part.replaceAllUsesWith(builder.CreateConstGEP1_64(builder.getInt8Ty(), wider, distance));
  part.eraseFromParent();
}

}  // namespace

void align_parts(Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  const Distances distances = find_distances(function, layout);
  SmallVector<AllocaInst*>
      parts;  // First of all: to displace one erases the instruction behind it.
  for (Instruction& instruction : instructions(function)) {
    if (distances.contains(&instruction)) {
      parts.push_back(cast<AllocaInst>(&instruction));
    }
  }
  for (AllocaInst* part : parts) {
    displace(*part, distances.lookup(part), layout);
  }
}

}  // namespace ddx::compiler::memory
