#include "backend/naive/naive.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

namespace ddx::backend {
namespace {

KernelTable reference_kernels() {
  KernelTable table;
  for (const auto& row : ops::op_table) {
    for (const auto& type : dtype_table) {
      const ops::Kernel kernel = ops::reference_kernel(row.op, type.dtype);
      table.set(row.op, type.dtype,
                kernel != nullptr ? Cell(kernel)
                                  : unsupported("the operation is not defined for this dtype"));
    }
  }
  return table;
}

}  // namespace

const Backend& naive_backend() {
  static const KernelTable kernels = reference_kernels();
  static const Backend backend("naive", kernels);
  return backend;
}

}  // namespace ddx::backend
