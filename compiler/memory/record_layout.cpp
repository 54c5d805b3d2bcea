#include "compiler/memory/record_layout.h"

#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr std::uint64_t least_room = 8;

}  // namespace

std::uint64_t align_in_record(const DataLayout& layout, Type* type) {
  return std::clamp<std::uint64_t>(layout.getABITypeAlign(type).value(), least_room, record_align);
}

unsigned add_room(const DataLayout& layout, Type* type, unsigned& size) {
  const auto distance = static_cast<unsigned>(alignTo(size, Align(align_in_record(layout, type))));
  size = distance + static_cast<unsigned>(
                        alignTo(layout.getTypeStoreSize(type).getFixedValue(), Align(least_room)));
  return distance;
}

unsigned pushed_size(unsigned size) {
  return static_cast<unsigned>(alignTo(size, Align(record_align)));
}

}  // namespace ddx::compiler::memory
