// A visitor put together from lambdas is known in the call alone.
#include "ddx/ad.h"

#include <variant>

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

double f(double x) {
  const std::variant<double, float> v = x * x;
#ifndef ACCEPTED
  // expected-error@+2 {{cannot differentiate: the initialiser '[](double d) { return 2 * d; }'}}
  // expected-error@+1 {{cannot differentiate: the initialiser '[](float) { return 1.0; }'}}
  const Overloaded visitor{[](double d) { return 2 * d; }, [](float) { return 1.0; }};
  // expected-error@+1 {{cannot differentiate: the visit 'std::visit(visitor, v)', whose visitor is not known here}}
  return std::visit(visitor, v);
#else
  return std::visit(Overloaded{[](double d) { return 2 * d; }, [](float) { return 1.0; }}, v);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 3 {{derivative requested here}}
