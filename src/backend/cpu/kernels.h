/// \file
/// The kernels of each instruction set.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/normalization.h"
#include "backend/cpu/reduction.h"

namespace ddx::backend::cpu {

/// The kernel of an operation for an element type at an instruction set, or null where the
/// instruction set has none of its own.
template <Isa isa>
[[nodiscard]] ops::Kernel isa_kernel(ops::Op op, DType dtype) noexcept;

/// The sums of an instruction set.
template <Isa isa>
[[nodiscard]] Sums level_sums() noexcept;

/// The normalisation of batches of an instruction set; none for what are no floating elements.
template <Isa isa>
[[nodiscard]] BatchNormalization level_batch_normalization(DType dtype) noexcept;

template <>
ops::Kernel isa_kernel<Isa::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel isa_kernel<Isa::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel isa_kernel<Isa::Avx512>(ops::Op op, DType dtype) noexcept;
template <>
Sums level_sums<Isa::Baseline>() noexcept;
template <>
Sums level_sums<Isa::Avx2>() noexcept;
template <>
Sums level_sums<Isa::Avx512>() noexcept;
template <>
BatchNormalization level_batch_normalization<Isa::Baseline>(DType dtype) noexcept;
template <>
BatchNormalization level_batch_normalization<Isa::Avx2>(DType dtype) noexcept;
template <>
BatchNormalization level_batch_normalization<Isa::Avx512>(DType dtype) noexcept;

}  // namespace ddx::backend::cpu
