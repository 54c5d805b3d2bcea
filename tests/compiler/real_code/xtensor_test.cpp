// Expressions, views and reductions of xtensor.

#include "gradient_check.h"

#include <xtensor/xarray.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace {

double expressions(double a, double b) {
  xt::xtensor<double, 2> x({3, 4});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      x(i, j) = a * static_cast<double>(i + 1) + b * static_cast<double>(j);
    }
  }
  const xt::xtensor<double, 2> y = xt::exp(x * 0.1) + x * x / (2.0 + b * b);
  const xt::xtensor<double, 1> rows = xt::sum(y, {1});
  return rows(0) * rows(2) * 1e-2 + xt::mean(y)();
}
DDX_CHECK_GRADIENT(expressions, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double views(double a, double b) {
  xt::xtensor<double, 2> x = xt::ones<double>({4, 4}) * a;
  auto middle = xt::view(x, xt::range(1, 3), xt::all());
  middle += b;
  xt::view(x, 0, xt::all()) = xt::view(x, 2, xt::all()) * a;
  return xt::sum(xt::sin(x))() + x(0, 3) * x(1, 1);
}
DDX_CHECK_GRADIENT(views, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

}  // namespace
