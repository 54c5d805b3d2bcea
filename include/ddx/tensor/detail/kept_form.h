/// \file
/// The form of a value whose elements are not needed any more.

#pragma once

#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/staged_values.h"

#include <vector>

namespace ddx::detail {

/// Keeps the shapes, dtypes and device of the tensors in a value, and everything else in it.
template <class Value>
class KeptForm {
 public:
  explicit KeptForm(const Value& value) : form_(value) {
    const std::vector<Array> arrays = arrays_in(value);
    types_ = types_of(arrays);
    device_ = arrays.empty() ? Device() : arrays[0].device();
    empty_tensors(form_);
  }

  /// The value with zeros for the elements of its tensors; symbolic zeros stay.
  [[nodiscard]] Value zeros() const {
    Value made = form_;
    set_arrays(made, zeros_of(types_, device_));
    return made;
  }

 private:
  Value form_;
  std::vector<ir::Type> types_;
  Device device_;
};

}  // namespace ddx::detail
