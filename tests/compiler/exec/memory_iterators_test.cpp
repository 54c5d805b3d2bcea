// Iterators of vectors in objects that are behind pointers, and iterators selected at run time.

#include "gradient_check.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace {

struct Particle {
  double v;
  double m;
};

struct System {
  std::vector<double> w;
  std::vector<Particle> ps;
  [[nodiscard]] double skipping() const {
    double s = 0;
    for (auto it = w.begin(); it != w.end(); ++it) {
      if (*it > 10) {
        continue;
      }
      s = s * 0.5 + *it * static_cast<double>(w.size());
    }
    return s;
  }
  void scale(double x) {
    for (auto it = w.begin(); it != w.end(); ++it) {
      *it *= x;
    }
  }
  [[nodiscard]] double momenta() const {
    double s = 0;
    for (auto it = ps.begin(); it != ps.end(); ++it) {
      s = s * 0.7 + it->v * it->m;
    }
    return s;
  }
  [[nodiscard]] double neighbours() const {
    double s = 0;
    for (auto it = w.begin() + 1; it != w.end(); ++it) {
      s = s * 0.5 + *it * *(it - 1);
    }
    return s;
  }
};

double read(double x) {
  const auto n = std::make_unique<System>(System{{x, 2 * x, 1}, {}});
  return n->skipping() * x;
}

double written(double x) {
  const auto n = std::make_shared<System>(System{{x, 2 * x, 1}, {}});
  n->scale(x);
  return n->skipping() * x;
}

double arrows(double x) {
  const auto n = std::make_unique<System>(System{{}, {{x, 2 * x}, {1, x}}});
  return n->momenta() * x;
}

double moved_by_one(double x) {
  const auto n = std::make_unique<System>(System{{x, 2 * x, 1}, {}});
  return n->neighbours() * x;
}

double chosen(const std::vector<double>& v, bool last) {
  auto i = last ? v.end() - 1 : v.begin();
  return *i * *i;
}
DDX_CHECK_GRADIENT(chosen, at(std::vector{0.4, 1.3}, true), at(std::vector{0.4, 1.3}, false),
                   at(std::vector{-0.7}, true))
DDX_CHECK_GRADIENT(read, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(written, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(arrows, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(moved_by_one, at(0.7), at(1.3), at(0.4))

}  // namespace
