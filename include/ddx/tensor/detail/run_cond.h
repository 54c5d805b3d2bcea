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
  const std::vector<ir::Type> types = types_of(arrays_in(x...));
  // Where one branch returns a symbolic zero and the other one does not, both return elements.
  auto stage = [&](bool pick, const Result* other) {
    return record<Result>(
        "cond", *device,
        [&](const X&... args) {
          Result result = branch(pick, args...);
          if (other != nullptr) {
            write_out_zeros(result, *other);
          }
          return result;
        },
        types, x...);
  };
  auto then = stage(true, nullptr);
  auto otherwise = stage(false, &then.form);
  if (write_out_zeros(then.form, otherwise.form)) {
    then = stage(true, &otherwise.form);
  }
  const std::vector<ir::Type> results = result_types(then.staged.graph);
  check_same_form("cond", "result", then.form, results, otherwise.form,
                  result_types(otherwise.staged.graph));
  set_tensors(otherwise.form,
              record_regions(*device, ir::Control::Cond, std::move(then.staged),
                             std::move(otherwise.staged),
                             with_condition(condition.array(), arrays_in(x...)), {}),
              results, *device);
  return std::move(otherwise.form);
}

}  // namespace ddx::detail
