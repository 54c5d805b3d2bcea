// A structured binding through a user's get<>.
#include "ddx/ad.h"

#include <cstddef>
#include <tuple>
#include <utility>

struct Both {
  double a;
  double b;
  template <std::size_t I>
  double get() const {
    return I == 0 ? a : b;
  }
};
template <>
struct std::tuple_size<Both> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, Both> {
  using type = double;
};

double f(double x) {
#ifndef ACCEPTED
  const Both both{x, x * x};
  // expected-error@+1 {{cannot differentiate: a structured binding of the tuple-like type 'Both'}}
  const auto [a, b] = both;
  return a * b;
#else
  const Both both{x, x * x};
  return both.get<0>() * both.get<1>();
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
