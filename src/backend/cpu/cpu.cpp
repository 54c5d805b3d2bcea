#include "backend/cpu/cpu.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/kernels.h"
#include "backend/cpu/level.h"

namespace ddx::backend {
namespace {

using KernelOf = ops::Kernel (*)(ops::Op, DType) noexcept;

/// The three groups of kernels of a level.
struct Kernels {
  KernelOf elementwise;
  KernelOf rows;
  KernelOf products;
};

Kernels kernels_of(cpu::Level level) noexcept {
  switch (level) {
    case cpu::Level::Baseline:
      return {cpu::baseline::elementwise_kernel, cpu::baseline::row_kernel,
              cpu::baseline::product_kernel};
    case cpu::Level::Avx2:
      return {cpu::avx2::elementwise_kernel, cpu::avx2::row_kernel, cpu::avx2::product_kernel};
    case cpu::Level::Avx512:
      return {cpu::avx512::elementwise_kernel, cpu::avx512::row_kernel,
              cpu::avx512::product_kernel};
  }
  __builtin_unreachable();
}

/// The kernel of a cell: that of the level, or the reference where the level has none of its own.
ops::Kernel kernel_of(const Kernels& kernels, ops::Op op, DType dtype) noexcept {
  for (const KernelOf group : {kernels.elementwise, kernels.rows, kernels.products}) {
    if (const ops::Kernel kernel = group(op, dtype); kernel != nullptr) {
      return kernel;
    }
  }
  return ops::reference_kernel(op, dtype);
}

KernelTable table_of(cpu::Level level) {
  const Kernels kernels = kernels_of(level);
  KernelTable table;
  for (const auto& row : ops::op_table) {
    for (const auto& type : dtype_table) {
      const ops::Kernel kernel =
          contains(row.dtypes, type.dtype) ? kernel_of(kernels, row.op, type.dtype) : nullptr;
      table.set(row.op, type.dtype,
                kernel != nullptr ? Cell(kernel)
                                  : unsupported("the operation is not defined for this dtype"));
    }
  }
  return table;
}

}  // namespace

const Backend& cpu_backend() {
  static const KernelTable kernels = table_of(cpu::best_level());
  static const Backend backend("cpu", kernels);
  return backend;
}

}  // namespace ddx::backend
