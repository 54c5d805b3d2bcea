// Matrices of Armadillo, without the libraries that it can call.

#include "gradient_check.h"

#include <armadillo>

namespace {

arma::mat filled(double a, double b, arma::uword rows, arma::uword columns) {
  arma::mat m(rows, columns);
  for (arma::uword j = 0; j < columns; ++j) {
    for (arma::uword i = 0; i < rows; ++i) {
      m(i, j) = a * static_cast<double>(i + 1) - b * static_cast<double>(j) + (i == j ? 3 : 0);
    }
  }
  return m;
}

double products(double a, double b) {
  const arma::mat m = filled(a, b, 5, 6);
  const arma::mat n = m * m.t() + a * arma::eye<arma::mat>(5, 5);
  const arma::vec v = arma::linspace<arma::vec>(1, 2, 5) * b;
  return arma::trace(n) * 1e-1 + arma::dot(v, n * v) * 1e-2 + arma::norm(v + n.col(2));
}
DDX_CHECK_GRADIENT(products, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double elements(double a, double b) {
  arma::mat m = filled(a, b, 6, 4);
  m.rows(1, 3) %= arma::exp(m.rows(0, 2) * 0.1);
  m.each_row() += arma::rowvec({a, b, a * b, 1});
  const arma::rowvec sums = arma::sum(arma::square(m), 0);
  return arma::accu(sums) * 1e-2 + sums(2) * 1e-2 + arma::mean(m.col(1)) + m.max() * a;
}
DDX_CHECK_GRADIENT(elements, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

double cubes(double a, double b) {
  arma::cube c(2, 3, 4, arma::fill::ones);
  c.slice(1) *= a;
  c.slice(2) = c.slice(1) + b;
  c.tube(1, 1) *= a * b;
  return arma::accu(c % c) + c(1, 1, 2);
}
DDX_CHECK_GRADIENT(cubes, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

}  // namespace
