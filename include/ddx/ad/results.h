/// \file
/// What the operators return that give a value and more.

#pragma once

#include "ddx/ad/differentiable.h"

namespace ddx {

/// The value of a function and its gradient: one tangent, or a tuple of several.
template <class Value, class Gradient>
struct ValueWithGradient {
  Value value;
  Gradient gradient;
};

/// The value of a function and its Jacobian.
template <class Value, class Matrix>
struct ValueWithJacobian {
  Value value;
  Matrix jacobian;
};

/// The value of a function and its derivative by its one argument.
template <class Value, class Derivative>
struct ValueWithDerivative {
  Value value;
  Derivative derivative;
};

/// The value of a function and its tangent along one direction. Differentiable in both.
template <class Value, class Tangent>
struct ValueWithTangent {
  Value value;
  Tangent tangent;

  DDX_DIFFERENTIABLE(ValueWithTangent, value, tangent)
};

/// The value of a function and its differential at the same arguments.
template <class Value, class Function>
struct ValueWithDifferential {
  Value value;
  Function differential;
};

/// The value of a function and its pullback at the same arguments.
template <class Value, class Function>
struct ValueWithPullback {
  Value value;
  Function pullback;
};

}  // namespace ddx
