// Sparse polynomials as std::forward_list: addition in order of exponents, products, cleaning up.

#include "gradient_check.h"

#include <cmath>
#include <forward_list>
#include <utility>
#include <vector>

namespace {

struct Term {
  int exponent;
  double coefficient;
};

using Polynomial = std::forward_list<Term>;

void add(Polynomial& p, Term t) {
  auto before = p.before_begin();
  auto at = p.begin();
  while (at != p.end() && at->exponent > t.exponent) {
    before = at++;
  }
  if (at != p.end() && at->exponent == t.exponent) {
    at->coefficient += t.coefficient;
  } else {
    p.insert_after(before, t);
  }
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial product;
  for (const Term& s : a) {
    for (const Term& t : b) {
      add(product, {s.exponent + t.exponent, s.coefficient * t.coefficient});
    }
  }
  return product;
}

double value(const Polynomial& p, double x) {
  double sum = 0;
  for (const Term& t : p) {
    sum += t.coefficient * std::pow(x, t.exponent);
  }
  return sum;
}

double forward_list_polynomials(const std::vector<double>& c, double x) {
  Polynomial p;
  int exponent = 0;
  for (const double v : c) {
    add(p, {exponent, v});
    exponent += 2;
  }
  Polynomial square = p * p;
  square.remove_if([](const Term& t) { return t.exponent == 2; });
  square.reverse();
  square.push_front({1, x});
  std::swap(p, square);
  return value(p, x) - 0.5 * value(square, 0.8 * x);
}

DDX_CHECK_GRADIENT(forward_list_polynomials, at(std::vector{0.5, -0.2, 0.9}, 0.8),
                   at(std::vector{1.2}, -0.5), at(std::vector{0.3, 0.6, -0.4, 0.1}, 1.1))

}  // namespace
