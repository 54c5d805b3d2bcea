/// \file
/// Every conformance case as a program: what compilers of StableHLO are tried on.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include "tests/conformance/case_graph.h"
#include "tests/conformance/cases.h"

#include <cmath>
#include <string>

namespace ddx::testing {

/// One case of an operation for one dtype of its key operand, and its graph. Inputs and
/// expectations are those of the case.
struct ProgramCase {
  const ops::OpInfo& op;
  DType dtype;
  const Case& one;
  ir::Graph graph;

  /// For messages.
  [[nodiscard]] std::string name() const {
    return std::string(op.name) + ", " + std::string(to_string(dtype)) + ", " + one.layout;
  }

  /// Whether compilers may give something else than the reference, without being wrong: of a matrix
  /// that is not positive definite, all rows of the factor may be lost.
  [[nodiscard]] bool may_differ() const {
    return op.op == ops::Op::cholesky && one.layout.ends_with("not positive definite");
  }

  /// How far an element of a result of this dtype may be from what is expected: sums are kept in
  /// f32, and logarithms and cosines have another last digit.
  [[nodiscard]] double tolerance(DType result, double expected) const {
    const DTypeKind kind = info(result).kind;
    const bool is_rounded = kind == DTypeKind::Float || kind == DTypeKind::Complex;
    if (!is_rounded || (one.exact && op.op != ops::Op::random_normal)) {
      return 0;
    }
    const double step = result == DType::f16 ? 0x1p-10 : result == DType::bf16 ? 0x1p-7 : 0;
    const double computed = part_dtype(result) == DType::f64 ? 1e-12 : 2e-5;
    return computed * (1 + std::abs(expected)) + step * std::abs(expected);
  }
};

/// Calls body(program case) for every case of an operation.
template <class Body>
void for_each_program_case(const ops::OpInfo& op, const Body& body) {
  for (const DTypeInfo& dtype : dtype_table) {
    if (contains(op.dtypes, dtype.dtype)) {
      for (const Case& one : cases_of(op, dtype.dtype)) {
        body(ProgramCase{op, dtype.dtype, one, graph_of(op, one)});
      }
    }
  }
}

}  // namespace ddx::testing
