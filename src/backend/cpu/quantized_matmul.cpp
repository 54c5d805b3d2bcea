#include "backend/cpu/quantized_matmul.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/backend/quantized_product.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/quantized.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/scratch.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ddx::backend::cpu {
namespace {

/// How many rows of x are few: on one thread of a Zen 5, 64 rows times [768, 3072] reach 190
/// GFLOP/s by the numbers where they lie and 175 by the elements of w, 128 rows 190 and 199.
constexpr std::int64_t most_rows_in_place = 64;

/// The elements of w that are in memory at a time.
constexpr std::int64_t elements_at_a_time = std::int64_t{1} << 20;

/// The operands of a call; x, and the result, are rows.
struct QuantizedCall {
  explicit QuantizedCall(const ops::Call& call) noexcept
      : e(call),
        x(call.input(0).data<float>()),
        w{.numbers = call.input(1).data<std::uint8_t>(),
          .scales = call.input(2).data<Half>(),
          .rows = e.rows,
          .groups = e.groups,
          .bits = static_cast<int>(e.bits)},
        y(call.output().mutable_data<float>()) {}

  ops::QuantizedExtents e;
  const float* x;
  QuantizedRows w;
  float* y;
};

/// Reads the numbers where they lie. Says no where there is no memory.
bool multiply_in_place(const QuantizedCall& call) noexcept {
  const ops::QuantizedExtents& e = call.e;
  const std::int64_t width = e.groups * quantized_group;
  const float* left = call.x;
  const Scratch<float> filled(e.columns == width ? 1 : e.count * width);
  if (!filled) {
    return false;
  }
  if (e.columns != width) {
    std::fill_n(filled.data(), e.count * width, 0.0F);
    for (std::int64_t i = 0; i < e.count; ++i) {
      std::copy_n(call.x + i * e.columns, e.columns, filled.data() + i * width);
    }
    left = filled.data();
  }
  multiply_quantized(left, e.count, call.w, call.y);
  return true;
}

/// By the elements of some rows of w at a time. Says no where there is no memory.
bool multiply_by_elements(const QuantizedCall& call) noexcept {
  const ops::QuantizedExtents& e = call.e;
  const std::int64_t step =
      std::clamp<std::int64_t>(elements_at_a_time / std::max<std::int64_t>(e.columns, 1), 1,
                               std::max<std::int64_t>(e.rows, 1));
  const Scratch<float> elements(std::max<std::int64_t>(step * e.columns, 1));
  const Scratch<float> products(std::max<std::int64_t>(step * e.count, 1));
  if (!elements || !products) {
    return false;
  }
  const ops::Kernel matmul =
      backend_of(Device::cpu()).kernels().at(ops::Op::matmul, DType::f32).kernel();
  const ops::MatmulAttributes attributes{.transpose_left = false, .transpose_right = true};
  const Shape left{e.count, e.columns};
  for (std::int64_t begin = 0; begin < e.rows; begin += step) {
    QuantizedRows part = call.w;
    part.rows = std::min(step, e.rows - begin);
    part.numbers += begin * e.groups * quantized_group * e.bits / 8;
    part.scales += begin * e.groups;
    dequantize(part, e.columns, elements.data());
    const Shape right{part.rows, e.columns};
    const Shape result{e.count, part.rows};
    const std::array inputs{ops::View(call.x, left, DType::f32),
                            ops::View(elements.data(), right, DType::f32)};
    const std::array outputs{ops::View(products.data(), result, DType::f32)};
    matmul(ops::Call(inputs, outputs, &attributes));
    for (std::int64_t i = 0; i < e.count; ++i) {
      std::copy_n(products.data() + i * part.rows, part.rows, call.y + i * e.rows + begin);
    }
  }
  return true;
}

void quantized_matmul(const ops::Call& call) noexcept {
  const QuantizedCall product(call);
  if (product.e.groups == 0) {  // Sums of nothing.
    std::fill_n(product.y, product.e.count * product.e.rows, 0.0F);
    return;
  }
  const bool done = product.e.count <= most_rows_in_place ? multiply_in_place(product)
                                                          : multiply_by_elements(product);
  if (!done) {
    ops::reference_kernel(ops::Op::quantized_matmul, DType::f32)(call);
  }
}

}  // namespace

ops::Kernel quantized_kernel(ops::Op op, DType dtype) noexcept {
  return op == ops::Op::quantized_matmul && dtype == DType::f32 ? &quantized_matmul : nullptr;
}

}  // namespace ddx::backend::cpu
