/// \file
/// What the sources of one program know of each other.

#pragma once

#include "ddx/ad/differentiable_function.h"
#include "ddx/ad/hessian.h"
#include "ddx/ad/operators.h"

namespace units {

using Function = double (*)(double);

/// Of each source: a gradient that it takes of functions of its own.
double first_slope(double x);
double second_slope(double x);
double library_slope(double x);

/// The gradient of a function that may be of another source.
double slope_in_first(Function function, double x);
double slope_in_library(Function function, double x);

/// Functions of the other sources, of which those take gradients.
Function function_of_second();
Function function_of_library();

/// One function, differentiated in two sources.
inline double shared_square(double x) {
  return x * x;
}
double square_slope_in_first(double x);
double square_slope_in_second(double x);

/// Gradients in a header: by the name of a template's argument, and by a variable.
template <class F>
double slope_of(const F& f, double x) {
  return ddx::gradient(f, x);
}
inline double slope_behind(Function f, double x) {
  return ddx::gradient(f, x) + ddx::gradient(shared_square, x);
}
double header_slopes_in_first(double x);
double header_slopes_in_second(double x);

/// Forward mode, a pullback and second derivatives of functions of one type.
double other_operators_in_first(double x);
double other_operators_in_second(double x);

/// A function with its derivative, made in another source.
ddx::differentiable<double(double)> made_in_second(double factor);

}  // namespace units
