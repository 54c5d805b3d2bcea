// Tasks by std::async whose futures are collected in order; one of them is deferred.

#include "gradient_check.h"

#include <cmath>
#include <future>
#include <vector>

namespace {

struct Fit {
  double slope;
  double residual;
};

Fit fit(const std::vector<double>& y, double start) {
  Fit f{start, 0};
  for (int i = 0; i < 5; ++i) {
    double gradient = 0;
    f.residual = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const double x = 0.5 * static_cast<double>(k + 1);
      const double r = f.slope * x - y[k];
      f.residual += r * r;
      gradient += r * x;
    }
    f.slope -= 0.1 * gradient;
  }
  return f;
}

double async_tasks(const std::vector<double>& y, double start) {
  std::vector<std::future<Fit>> fits;
  for (int i = 0; i < 2; ++i) {
    fits.push_back(std::async(std::launch::async, [&y, start, i] { return fit(y, start + i); }));
  }
  auto late = std::async(std::launch::deferred, [start](double s) { return s * start; }, y[0]);
  double best = 0;
  for (auto& f : fits) {
    const Fit result = f.get();
    best = 0.5 * best + result.slope * result.residual;
  }
  return best + late.get();
}

DDX_CHECK_GRADIENT(async_tasks, at(std::vector{0.5, 0.8, 0.9}, 0.4), at(std::vector{1.2}, -0.5),
                   at(std::vector{0.3, 0.6, -0.4, 1.1}, 0.7))

}  // namespace
