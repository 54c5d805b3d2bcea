// How many elements pass a filter is known at the end of the loop only.
#include "ddx/ad.h"

#include <ranges>
#include <vector>

double f(double x) {
  const std::vector<double> v{x, -x, x * x, 2.0};
  const auto positive = [](double e) { return e > 0.0; };
  double sum = 0;
#ifdef ACCEPTED
  for (const double e : v | std::views::take(2) | std::views::filter(positive)) {
#else
  for (const double e : v | std::views::filter(positive) | std::views::take(2)) {  // expected-error {{cannot differentiate: a range-for over 'std::ranges::take_view<}}
#endif
    sum = sum * x + e;
  }
  return sum;
}

const double slope = ddx::gradient(f, 0.3);  // expected-note {{derivative requested here}}
