/// \file
/// One of two functions, chosen by a tensor: called, or recorded as an operation with two regions.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {

/// What `branch(pick, x...)` returns where `condition` is `pick`.
template <class Result, class Branch, class... X>
Result run_cond(const Tensor<bool>& condition, const Branch& branch, const X&... x) {
  check_condition("cond", condition.shape());
  const std::optional<Device> device = recording_device(condition);
  if (!device) {
    return branch(condition.item(), x...);
  }
  std::vector<Array> operands = arrays_in(std::tie(x...));
  const std::vector<ir::Type> types = types_of(operands);
  std::array<backend::StagedGraph, 2> regions;
  // Where one branch returns a symbolic zero and the other one does not, both return elements.
  auto stage = [&](bool pick, const std::optional<Result>& other) {
    auto recorded = record<Result>(
        "cond", *device,
        [&](const X&... args) {
          Result result = branch(pick, args...);
          if (other) {
            write_out_zeros(result, *other);
          }
          return result;
        },
        types, x...);
    regions[pick ? 0 : 1] = std::move(recorded.staged);
    return std::move(recorded.form);
  };
  std::optional<Result> then = stage(true, std::nullopt);
  Result result = stage(false, then);
  if (write_out_zeros(*then, result)) {
    then = stage(true, result);
  }
  const std::vector<ir::Type> results = result_types(regions[0].graph);
  check_same_form("cond", "result", *then, results, result, result_types(regions[1].graph));
  operands.insert(operands.begin(), Array(condition.array(), Shape{}));
  set_tensors(
      result,
      backend::record_control(*device, ir::Control::Cond, regions, views_of(operands), {}, {}),
      results, *device);
  return result;
}

}  // namespace ddx::detail
