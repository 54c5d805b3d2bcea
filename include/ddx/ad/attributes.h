/// \file
/// How a derivative written by hand is registered.

#pragma once

/// Registers the function that follows as the derivative of `f`.
///
/// `f` is anything that `&f` can name: a function, an overload set (matched by parameter types), a
/// function template, a member (`M::scaled`; the object comes first, as `const M&`), an operator.
/// The function takes the parameters of `f` and returns `ddx::vjp(value, pullback)`. Where the ddx
/// compiler is absent it is an ordinary function.
///
/// Example: DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
///            return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
///          }
#ifdef __DDX__
#define DDX_DERIVATIVE_OF(...) __attribute__((unused, ddx_derivative_of(&__VA_ARGS__)))
#else
#define DDX_DERIVATIVE_OF(...) __attribute__((unused))
#endif
