#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

/// What the operation makes of the elements so far, the newest last; of several operands, of the
/// elements of each.
double result_of(Op op, const std::vector<std::vector<double>>& so_far) {
  const std::vector<double>& x = so_far[0];
  switch (op) {
    case Op::cumulative_sum: {
      double sum = 0;
      for (const double value : x) {
        sum += value;
      }
      return sum;
    }
    case Op::cumulative_product: {
      double product = 1;
      for (const double value : x) {
        product *= value;
      }
      return product;
    }
    case Op::cumulative_max:
      return *std::max_element(x.begin(), x.end());
    case Op::cumulative_log_sum_exp: {
      double sum = 0;
      for (const double value : x) {
        sum += std::exp(value);
      }
      return std::log(sum);
    }
    case Op::linear_recurrence: {
      // Each term with the factors after it.
      double sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        double term = so_far[1][k];
        for (std::size_t later = k + 1; later < x.size(); ++later) {
          term *= x[later];
        }
        sum += term;
      }
      return sum;
    }
    default:
      throw std::logic_error("no expectation");
  }
}

HostArray along(Op op, const std::vector<HostArray>& inputs, std::size_t axis, bool reverse,
                DType dtype) {
  const std::int64_t extent = inputs[0].shape[axis];
  return tabulate(inputs[0].shape, dtype, [&](const Index& at) {
    std::vector<std::vector<double>> so_far(inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      Index from = at;
      for (from[axis] = reverse ? extent - 1 : 0; from[axis] != at[axis];
           from[axis] += reverse ? -1 : 1) {
        so_far[k].push_back(inputs[k].at(from));
      }
      so_far[k].push_back(inputs[k].at(at));
    }
    return wrapped(result_of(op, so_far), dtype);
  });
}

}  // namespace

std::vector<Case> cumulative_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const auto& [shape, axis] : {std::pair{Shape{0}, 0U},
                                    {Shape{1}, 0U},
                                    {Shape{7}, 0U},
                                    {Shape{17}, 0U},
                                    {Shape{5, 17}, 0U},
                                    {Shape{5, 17}, 1U},
                                    {Shape{3, 9, 4}, 1U},
                                    {Shape{2, 3, 4, 5}, 0U},
                                    {Shape{0, 3}, 1U},
                                    {Shape{3, 0}, 1U}}) {
    for (const bool reverse : {false, true}) {
      std::vector<HostArray> inputs;
      for (int k = 0; k < op.inputs; ++k) {
        inputs.push_back(draw(op.domain, shape, dtype, static_cast<std::uint64_t>(k) + 1));
      }
      const HostArray expected = along(op.op, inputs, axis, reverse, dtype);
      cases.push_back(
          {to_string(shape) + " axis " + std::to_string(axis) + (reverse ? " reversed" : ""),
           inputs,
           {expected},
           keep(ops::CumulativeAttributes{.axis = axis, .reverse = reverse})});
    }
  }
  return cases;
}

}  // namespace ddx::testing
