#include "backend/cpu/logic.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/elements.h"
#include "backend/cpu/pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ddx::backend::cpu {
namespace {

/// all, or any: the first element that decides ends the search.
template <ops::Op op>
void search(const ops::Call& call) noexcept {
  constexpr bool deciding = op == ops::Op::any;
  const Shape& shape = call.input(0).shape();
  const auto& attributes = call.attributes<ops::ReductionAttributes>();
  std::int64_t reduced = 1;
  std::size_t axis = shape.rank();
  for (; axis > 0 && (attributes.reduces(axis - 1) || shape[axis - 1] == 1); --axis) {
    reduced *= shape[axis - 1];
  }
  // Only runs at the end are dense.
  bool dense = true;
  for (std::size_t i = 0; i < axis; ++i) {
    dense = dense && (!attributes.reduces(i) || shape[i] == 1);
  }
  if (!dense || shape.count() == 0) {
    ops::reference_kernel(op, DType::boolean)(call);
    return;
  }
  const bool* x = call.input(0).data<bool>();
  bool* y = call.output().mutable_data<bool>();
  for_each_range(shape.count() / reduced, std::max<std::int64_t>(8 * movement_grain / reduced, 1),
                 [=](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t row = begin; row < end; ++row) {
                     const bool decided = std::memchr(x + row * reduced, deciding ? 1 : 0,
                                                      static_cast<std::size_t>(reduced)) != nullptr;
                     y[row] = decided == deciding;
                   }
                 });
}

}  // namespace

ops::Kernel logic_kernel(ops::Op op) noexcept {
  if (op == ops::Op::all) {
    return &search<ops::Op::all>;
  }
  if (op == ops::Op::any) {
    return &search<ops::Op::any>;
  }
  return nullptr;
}

}  // namespace ddx::backend::cpu
