/// \file
/// What a function does with tensors, recorded on placeholders.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/staged_values.h"

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A function recorded on placeholders, and what it returned.
template <class Result>
struct Recorded {
  backend::StagedGraph staged;
  Result form;  ///< Its tensors are empty; where one was a symbolic zero, it still is.
};

/// The arrays of all tensors in some values but symbolic zeros.
template <class... T>
std::vector<Array> arrays_in(const T&... values) {
  std::vector<Array> arrays;
  const auto add = [&](const auto& tensor) { arrays.push_back(tensor.array()); };
  (visit_tensors(add, values), ...);
  return arrays;
}

[[nodiscard]] std::vector<ir::Type> types_of(const std::vector<Array>& arrays);

/// The types of the results of a graph.
[[nodiscard]] std::vector<ir::Type> result_types(const ir::Graph& graph);

/// A scope for arguments of these types.
///
/// Throws:  as StagingScope.
[[nodiscard]] backend::StagingScope begun(const char* operation, Device device,
                                          const std::vector<ir::Type>& types);

/// What a scope has recorded for these arrays.
[[nodiscard]] backend::StagedGraph finished(backend::StagingScope& scope,
                                            const std::vector<Array>& results);

/// Gives the tensors in a value, but symbolic zeros, these arrays, of a lazy device, in their
/// order.
template <class T>
void set_tensors(T& value, const std::vector<backend::Buffer>& buffers,
                 const std::vector<ir::Type>& types, Device device) {
  std::size_t place = 0;
  visit_tensors(
      [&]<class One>(One& tensor) {
        const ir::Type& type = types[place];
        tensor = One(Array(buffers[place], type.shape, type.dtype, device));
        ++place;
      },
      value);
}

/// Records what f makes of arguments like these, their tensors of the types given, for a lazy
/// device.
template <class Result, class F, class... X>
Recorded<Result> record(const char* operation, Device device, const F& f,
                        const std::vector<ir::Type>& types, const X&... x) {
  std::tuple<X...> arguments(x...);
  backend::StagingScope scope = begun(operation, device, types);
  set_tensors(arguments, scope.placeholders(), types, device);
  Result result = std::apply([&](const X&... staged) -> Result { return f(staged...); }, arguments);
  Recorded<Result> recorded{finished(scope, arrays_in(result)), std::move(result)};
  empty_tensors(recorded.form);
  return recorded;
}

}  // namespace ddx::detail
