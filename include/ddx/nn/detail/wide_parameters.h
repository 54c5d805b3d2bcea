/// \file
/// The counterparts in f32 of the 16-bit tensors of a model: what is added up over many steps would
/// be rounded away in their own type.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace ddx::nn::detail {

template <class T>
inline constexpr bool is_narrow_tensor = false;
template <NarrowScalar Scalar>
inline constexpr bool is_narrow_tensor<Tensor<Scalar>> = true;

/// A parameter with a counterpart.
template <class T>
concept NarrowParameter = is_narrow_tensor<std::remove_cvref_t<T>>;

/// The counterparts, in the order in which a visit comes to their tensors.
using WideTensors = std::vector<Tensor<float>>;

/// Finds the counterparts in a visit that comes to all parameters once, in order.
template <class Tensors>
class Counterparts {
 public:
  explicit Counterparts(Tensors& tensors) : tensors_(&tensors) {}

  /// The counterpart of the next parameter: that of a 16-bit tensor, else the parameter itself.
  template <class Parameter>
  auto& next(Parameter& parameter) {
    if constexpr (NarrowParameter<Parameter>) {
      return (*tensors_)[place_++];
    } else {
      return parameter;
    }
  }

 private:
  Tensors* tensors_;
  std::size_t place_ = 0;
};

}  // namespace ddx::nn::detail
