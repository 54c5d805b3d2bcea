#include "backend/cpu/table.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/few_rows.h"
#include "backend/cpu/float16.h"
#include "backend/cpu/indexing.h"
#include "backend/cpu/isa.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/lapack/kernels.h"
#include "backend/cpu/logic.h"
#include "backend/cpu/movement.h"
#include "backend/cpu/onednn/convolution.h"
#include "backend/cpu/onednn/matmul.h"
#include "backend/cpu/pairs.h"
#include "backend/cpu/quantized_matmul.h"
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

/// A convolution of f32 by oneDNN where that is there and faster, else by the instruction set's
/// kernel.
template <Isa isa, ops::Op op>
void convolution(const ops::Call& call) noexcept {
  if (!is_for_onednn(op, call) || !convolve_by_onednn(op, call)) {
    isa_kernel<isa>(op, DType::f32)(call);
  }
}

template <Isa isa, ops::Op op, DType dtype>
void in_f32(const ops::Call& call) noexcept {
  ops::Kernel operation = isa_kernel<isa>(op, DType::f32);
  if constexpr (ops::info(op).family == ops::Family::Convolution) {
    operation = &convolution<isa, op>;
  }
  compute_in_f32(
      op,
      {.narrow = dtype,
       .wide = DType::f32,
       .widen = isa_kernel<isa>(ops::Op::cast, dtype),
       .operation = operation != nullptr ? operation : ops::reference_kernel(op, DType::f32),
       .round = isa_kernel<isa>(ops::Op::cast, DType::f32)},
      call);
}

/// A product of f16: of few rows by the instruction set's kernel, else in f32.
template <Isa isa>
void float16_matmul(const ops::Call& call) noexcept {
  if (has_few_rows(call)) {
    isa_kernel<isa>(ops::Op::matmul, DType::f16)(call);
  } else {
    in_f32<isa, ops::Op::matmul, DType::f16>(call);
  }
}

/// A product of bf16: of few rows by the instruction set's kernel, except for 16 rows where the
/// processor multiplies pairs (with [768, 3072] in the third cache of a Zen 5 295 GFLOP/s, by that
/// kernel 203); by tiles, by pairs, or by oneDNN, where there is enough to do; else in f32.
template <Isa isa>
void bfloat16_matmul(const ops::Call& call) noexcept {
  if (has_few_rows(call) && !(isa == Isa::Avx512 && onednn_multiplies_faster(call))) {
    isa_kernel<isa>(ops::Op::matmul, DType::bf16)(call);
    return;
  }
  if (isa == Isa::Avx512 && has_tiles() && multiply_tiles(call)) {
    return;
  }
  if (isa != Isa::Avx512 || !onednn_multiplies_faster(call) ||
      !((pairs_are_fastest() && multiply_pairs(call)) || multiply_by_onednn(call))) {
    in_f32<isa, ops::Op::matmul, DType::bf16>(call);
  }
}

/// Attention of bf16, or its gradients, by tiles or pairs where the processor multiplies them, else
/// in f32.
template <Isa isa, ops::Op op>
void bfloat16_attention(const ops::Call& call) noexcept {
  if (isa != Isa::Avx512 || !has_pairs() ||
      !(has_tiles() ? attend_tiles(op, call) : attend_pairs(op, call))) {
    in_f32<isa, op, DType::bf16>(call);
  }
}

/// A convolution of f16 or bf16: by tiles, by the instruction set's kernel where oneDNN is not
/// faster, else by oneDNN in bf16 where the processor multiplies it, else in f32.
template <Isa isa, ops::Op op, DType dtype>
void narrow_convolution(const ops::Call& call) noexcept {
  if (dtype == DType::bf16 && isa == Isa::Avx512 && has_tiles() && convolve_tiles(op, call)) {
    return;
  }
  const bool by_pairs = dtype == DType::bf16 && isa == Isa::Avx512 && pairs_are_fastest();
  if (by_pairs && winograd_by_pairs_is_faster(op, call) && convolve_pairs(op, call)) {
    return;
  }
  if (!is_for_onednn(op, call)) {
    if (!by_pairs || !convolve_few_pairs(op, call)) {
      isa_kernel<isa>(op, dtype)(call);
    }
  } else if (dtype != DType::bf16 || isa != Isa::Avx512 || !has_pairs() ||
             !convolve_by_onednn(op, call)) {
    in_f32<isa, op, dtype>(call);
  }
}

/// A sum or mean of f16 or bf16: by the instruction set's kernel where the reduced axes are
/// neighbours, else in f32.
template <Isa isa, ops::Op op, DType dtype>
void narrow_sum(const ops::Call& call) noexcept {
  const ReducedBlock block(call.input(0).shape(), call.attributes<ops::ReductionAttributes>());
  const ops::Kernel kernel = isa_kernel<isa>(op, dtype);
  if (block.fits && kernel != nullptr) {
    kernel(call);
  } else {
    in_f32<isa, op, dtype>(call);
  }
}

template <Isa isa, ops::Op op>
void set_sum(KernelTable& table) {
  table.set(op, DType::f16, &narrow_sum<isa, op, DType::f16>);
  table.set(op, DType::bf16, &narrow_sum<isa, op, DType::bf16>);
}

template <Isa isa, ops::Op op>
void set_convolution(KernelTable& table) {
  table.set(op, DType::f32, &convolution<isa, op>);
  table.set(op, DType::f16, &narrow_convolution<isa, op, DType::f16>);
  table.set(op, DType::bf16, &narrow_convolution<isa, op, DType::bf16>);
}

template <Isa isa, ops::Op op, DType dtype>
void set_16_bit_kernel(KernelTable& table) {
  if (is_computed_in_f32(ops::info(op)) && isa_kernel<isa>(op, dtype) == nullptr) {
    table.set(op, dtype, &in_f32<isa, op, dtype>);
  }
}

/// A kernel that needs no instruction set: it moves elements, or chooses one itself. Null where
/// there is none.
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
  if (const ops::Kernel kernel = quantized_kernel(op, dtype); kernel != nullptr) {
    return kernel;
  }
  return sorting_kernel(op, dtype);
}

/// The kernels of the instruction set, and the reference where the instruction set has none of its
/// own.
template <Isa isa>
KernelTable table_of() {
  using ops::Op;
  KernelTable table = naive_backend().kernels();
  for (const auto& row : ops::op_table) {
    for (const auto& type : dtype_table) {
      if (!ops::contains(row.dtypes, type.dtype)) {
        continue;
      }
      if (const ops::Kernel kernel = isa_kernel<isa>(row.op, type.dtype); kernel != nullptr) {
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
    (set_16_bit_kernel<isa, static_cast<Op>(i), DType::f16>(table), ...);
    (set_16_bit_kernel<isa, static_cast<Op>(i), DType::bf16>(table), ...);
  }(std::make_index_sequence<ops::op_count>{});
  set_sum<isa, Op::sum>(table);
  set_sum<isa, Op::mean>(table);
  set_convolution<isa, Op::convolution>(table);
  set_convolution<isa, Op::convolution_input_gradient>(table);
  set_convolution<isa, Op::convolution_filter_gradient>(table);
  table.set(Op::matmul, DType::f16, &float16_matmul<isa>);
  table.set(Op::matmul, DType::bf16, &bfloat16_matmul<isa>);
  table.set(Op::attention, DType::bf16, &bfloat16_attention<isa, Op::attention>);
  table.set(Op::attention_gradient, DType::bf16, &bfloat16_attention<isa, Op::attention_gradient>);
  return table;
}

}  // namespace

KernelTable kernels_of(Isa isa) {
  return at_isa(isa, []<Isa at>() { return table_of<at>(); });
}

}  // namespace ddx::backend::cpu
