// Which comes first, the move or the other use, the language leaves open.
#include "ddx/ad.h"

#include <utility>
#include <vector>

std::vector<double> longer(std::vector<double> v, double x) {
  v.push_back(x);
  return v;
}

double f(double x) {
  std::vector<double> v{x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a move from an object of type 'std::vector<double>' that may be used again}}
  v = longer(std::move(v), v.empty() ? x : 2 * x);
#else
  const double last = v.empty() ? x : 2 * x;
  v = longer(v, last);
#endif
  return v[0] * v.back();
}

double joined(const std::vector<double>& all, std::vector<double>&& v) {
  const std::vector<double> w = std::move(v);
  return w[0] + static_cast<double>(all.size());
}

double named_beside(double x) {
  std::vector<double> v{x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a move from an object of type 'std::vector<double>' that may be used again}}
  return joined(v, std::move(v));
#else
  std::vector<double> w{x};
  return joined(v, std::move(w));
#endif
}

const auto other = ddx::gradient(named_beside, 2.0);  // expected-note {{derivative requested here}}
const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
