#include "backend/cpu/table.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/float16.h"
#include "backend/cpu/indexing.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/lapack/kernels.h"
#include "backend/cpu/level.h"
#include "backend/cpu/logic.h"
#include "backend/cpu/movement.h"
#include "backend/cpu/onednn/convolution.h"
#include "backend/cpu/onednn/matmul.h"
#include "backend/cpu/pairs.h"
#include "backend/cpu/reduction.h"
#include "backend/cpu/sorting.h"
#include "backend/cpu/tiles.h"
#include "backend/cpu/winograd.h"
#include "backend/naive/naive.h"

#include <cstddef>
#include <utility>

namespace ddx::backend::cpu {
namespace {

/// Whether oneDNN is the faster way to compute a convolution.
bool is_for_onednn(ops::Op op, const ops::Call& call) noexcept {
  return onednn_is_faster(op, call) && !winograd_is_faster(op, call);
}

/// A convolution of f32 by oneDNN where that is there and faster, else by the level's kernel.
template <Level level, ops::Op op>
void convolution(const ops::Call& call) noexcept {
  if (!is_for_onednn(op, call) || !convolve_by_onednn(op, call)) {
    level_kernel<level>(op, DType::f32)(call);
  }
}

template <Level level, ops::Op op, DType dtype>
void in_f32(const ops::Call& call) noexcept {
  ops::Kernel operation = level_kernel<level>(op, DType::f32);
  if constexpr (ops::info(op).family == ops::Family::Convolution) {
    operation = &convolution<level, op>;
  }
  compute_in_f32(
      op,
      {.narrow = dtype,
       .wide = DType::f32,
       .widen = level_kernel<level>(ops::Op::cast, dtype),
       .operation = operation != nullptr ? operation : ops::reference_kernel(op, DType::f32),
       .round = level_kernel<level>(ops::Op::cast, DType::f32)},
      call);
}

/// A product of bf16 by tiles, by pairs, or by oneDNN, where there is enough to do, else in f32.
template <Level level>
void bfloat16_matmul(const ops::Call& call) noexcept {
  if (level == Level::Avx512 && has_tiles() && multiply_tiles(call)) {
    return;
  }
  if (level != Level::Avx512 || !onednn_multiplies_faster(call) ||
      !((pairs_are_fastest() && multiply_pairs(call)) || multiply_by_onednn(call))) {
    in_f32<level, ops::Op::matmul, DType::bf16>(call);
  }
}

/// Attention of bf16, or its gradients, by tiles or pairs where the processor multiplies them, else
/// in f32.
template <Level level, ops::Op op>
void bfloat16_attention(const ops::Call& call) noexcept {
  if (level != Level::Avx512 || !has_pairs() ||
      !(has_tiles() ? attend_tiles(op, call) : attend_pairs(op, call))) {
    in_f32<level, op, DType::bf16>(call);
  }
}

/// A convolution of f16 or bf16: by tiles, by the level's kernel where oneDNN is not faster, else
/// by oneDNN in bf16 where the processor multiplies it, else in f32.
template <Level level, ops::Op op, DType dtype>
void narrow_convolution(const ops::Call& call) noexcept {
  if (dtype == DType::bf16 && level == Level::Avx512 && has_tiles() && convolve_tiles(op, call)) {
    return;
  }
  const bool by_pairs = dtype == DType::bf16 && level == Level::Avx512 && pairs_are_fastest();
  if (by_pairs && winograd_by_pairs_is_faster(op, call) && convolve_pairs(op, call)) {
    return;
  }
  if (!is_for_onednn(op, call)) {
    if (!by_pairs || !convolve_few_pairs(op, call)) {
      level_kernel<level>(op, dtype)(call);
    }
  } else if (dtype != DType::bf16 || level != Level::Avx512 || !has_pairs() ||
             !convolve_by_onednn(op, call)) {
    in_f32<level, op, dtype>(call);
  }
}

/// A sum or mean of f16 or bf16: by the level's kernel where the reduced axes are neighbours, else
/// in f32.
template <Level level, ops::Op op, DType dtype>
void narrow_sum(const ops::Call& call) noexcept {
  const ReducedBlock block(call.input(0).shape(), call.attributes<ops::ReductionAttributes>());
  const ops::Kernel kernel = level_kernel<level>(op, dtype);
  if (block.fits && kernel != nullptr) {
    kernel(call);
  } else {
    in_f32<level, op, dtype>(call);
  }
}

template <Level level, ops::Op op>
void set_sum(KernelTable& table) {
  table.set(op, DType::f16, &narrow_sum<level, op, DType::f16>);
  table.set(op, DType::bf16, &narrow_sum<level, op, DType::bf16>);
}

template <Level level, ops::Op op>
void set_convolution(KernelTable& table) {
  table.set(op, DType::f32, &convolution<level, op>);
  table.set(op, DType::f16, &narrow_convolution<level, op, DType::f16>);
  table.set(op, DType::bf16, &narrow_convolution<level, op, DType::bf16>);
}

template <Level level, ops::Op op, DType dtype>
void set_16_bit_kernel(KernelTable& table) {
  if (is_computed_in_f32(ops::info(op)) && level_kernel<level>(op, dtype) == nullptr) {
    table.set(op, dtype, &in_f32<level, op, dtype>);
  }
}

/// A kernel that needs no instructions of a level: it moves elements. Null where there is none.
ops::Kernel moving_kernel(ops::Op op, DType dtype) noexcept {
  if (const ops::Kernel kernel = movement_kernel(op); kernel != nullptr) {
    return kernel;
  }
  if (const ops::Kernel kernel = indexing_kernel(op, dtype); kernel != nullptr) {
    return kernel;
  }
  if (const ops::Kernel kernel = logic_kernel(op); kernel != nullptr) {
    return kernel;
  }
  return sorting_kernel(op, dtype);
}

/// The kernels of the level, and the reference where the level has none of its own.
template <Level level>
KernelTable table_of() {
  using ops::Op;
  KernelTable table = naive_backend().kernels();
  for (const auto& row : ops::op_table) {
    for (const auto& type : dtype_table) {
      if (!ops::contains(row.dtypes, type.dtype)) {
        continue;
      }
      if (const ops::Kernel kernel = level_kernel<level>(row.op, type.dtype); kernel != nullptr) {
        table.set(row.op, type.dtype, kernel);
      } else if (const ops::Kernel by_lapack = lapack_kernel(row.op, type.dtype);
                 by_lapack != nullptr) {
        table.set(row.op, type.dtype, by_lapack);
      } else if (const ops::Kernel mover = moving_kernel(row.op, type.dtype); mover != nullptr) {
        table.set(row.op, type.dtype, mover);
      }
    }
  }
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (set_16_bit_kernel<level, static_cast<Op>(i), DType::f16>(table), ...);
    (set_16_bit_kernel<level, static_cast<Op>(i), DType::bf16>(table), ...);
  }(std::make_index_sequence<ops::op_count>{});
  set_sum<level, Op::sum>(table);
  set_sum<level, Op::mean>(table);
  set_convolution<level, Op::convolution>(table);
  set_convolution<level, Op::convolution_input_gradient>(table);
  set_convolution<level, Op::convolution_filter_gradient>(table);
  table.set(Op::matmul, DType::bf16, &bfloat16_matmul<level>);
  table.set(Op::attention, DType::bf16, &bfloat16_attention<level, Op::attention>);
  table.set(Op::attention_gradient, DType::bf16,
            &bfloat16_attention<level, Op::attention_gradient>);
  return table;
}

}  // namespace

KernelTable kernels_of(Level level) {
  return at_level(level, []<Level at>() { return table_of<at>(); });
}

}  // namespace ddx::backend::cpu
