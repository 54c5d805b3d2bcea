/// \file
/// How a derivative written by hand is registered.

#pragma once

#include "ddx/ad/detail/requirements.h"  // Here, since every program includes this header first.

/// Registers the function that follows as the derivative of `f`.
///
/// `f` is anything that `&f` can name: a function, an overload set (matched by parameter types), a
/// function template, a member (`M::scaled`; the object comes first, as `const M&`), an operator.
/// For reverse mode, the function takes the parameters of `f` and returns `ddx::vjp(value,
/// pullback)`. For forward mode it takes those, then the tangent of each that has one, and returns
/// `ddx::ValueWithTangent{value, tangent}`. There, a last parameter `ddx::Wanted<N>` with a default
/// says which of the N tangents are not those of constants. One function may have both; where there
/// is none for a mode, reverse mode differentiates the body, and forward mode uses the pullback.
/// Where the ddx compiler is absent it is an ordinary function.
///
/// Example: DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
///            return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
///          }
///          DDX_DERIVATIVE_OF(cube) auto cube_jvp(double x, double dx) {
///            return ddx::ValueWithTangent<double, double>{x * x * x, 3 * x * x * dx};
///          }
#ifdef __DDX__
#define DDX_DERIVATIVE_OF(...) __attribute__((unused, ddx_derivative_of(&__VA_ARGS__)))
#else
#define DDX_DERIVATIVE_OF(...) __attribute__((unused))
#endif
