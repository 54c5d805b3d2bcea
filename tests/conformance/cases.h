/// \file
/// What the kernels of each family are tried on, and what must come out.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/host_array.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {

/// One call of a kernel with the expected results.
struct Case {
  std::string layout;  ///< What is special about it, for messages.
  std::vector<HostArray> inputs;
  std::vector<HostArray> expected;
  std::shared_ptr<const void> attributes = std::make_shared<ops::NoAttributes>();
  bool exact = false;  ///< Whether floating results must be equal bit by bit.
};

/// The attributes of a case.
template <class Attributes>
std::shared_ptr<const void> keep(Attributes attributes) {
  return std::make_shared<const Attributes>(std::move(attributes));
}

/// The cases of an operation for one dtype of its key operand. Each family has a function; a family
/// without one does not compile.
[[nodiscard]] std::vector<Case> cases_of(const ops::OpInfo& op, DType dtype);

[[nodiscard]] std::vector<Case> creation_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> random_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> cast_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> unary_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> binary_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> scaled_sum_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> select_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> movement_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> update_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> concatenation_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> indexing_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> reduction_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> arg_reduction_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> sorting_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> cumulative_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> fourier_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> matmul_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> convolution_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> resampling_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> pooling_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> morphology_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> quantized_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> normalization_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> softmax_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> cross_entropy_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> linear_algebra_cases(const ops::OpInfo& op, DType dtype);
[[nodiscard]] std::vector<Case> attention_cases(const ops::OpInfo& op, DType dtype);

}  // namespace ddx::testing
