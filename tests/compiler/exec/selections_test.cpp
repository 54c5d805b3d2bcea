#include "gradient_check.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace {

using Vector = std::vector<double>;

template <class T>
T sum_of_cubes(const std::vector<T>& x) {
  T s = 0;
  for (const T& v : x) {
    s += v * v * v;
  }
  return s;
}

/// Those of the products that are above `limit`; how many depends on the data.
template <class T>
T products_above(const std::vector<T>& x, std::vector<T> y, T limit) {
  std::vector<T> above;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = y[i] * y[i] + x[i];
    if (y[i] > limit) {
      above.push_back(y[i] * x[i]);
    }
  }
  return sum_of_cubes(above);
}

double above_in_double(const Vector& x, const Vector& y, double limit) {
  return products_above(x, y, limit);
}

float above(const std::vector<float>& x, const std::vector<float>& y, float limit) {
  return products_above(x, y, limit);
}

/// One branch behind the other, which append to one vector and to another.
double sorted_out(const Vector& x, double scale) {
  Vector small;
  Vector large;
  for (const double v : x) {
    const double scaled = v * scale;
    if (scaled < 1) {
      small.push_back(scaled * v);
      small.push_back(3 * v + scale);
    }
    if (v > 0.4) {
      large.push_back(scaled);
    }
  }
  return sum_of_cubes(small) * sum_of_cubes(large);
}

/// The neighbour does not exist in the last iteration.
double with_neighbour(const Vector& x) {
  Vector products;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = x[i];
    if (i + 1 < x.size()) {
      products.push_back(here * x[i + 1]);
    }
  }
  return sum_of_cubes(products);
}

const Vector x{0.7, -1.1, 0.3, 1.6, -0.2};
const Vector y{0.9, 0.2, -0.4, 1.2, 1.5};
const std::vector<float> u{0.7F, -1.1F, 0.3F};
const std::vector<float> v{0.9F, 0.2F, -0.4F};

DDX_CHECK_GRADIENT(above_in_double, at(x, y, 0.5), at(x, y, -9.0), at(x, y, 9.0), at(y, x, 1.0))
DDX_CHECK_GRADIENT_FLOAT(above, at(u, v, 0.5F), at(u, v, -9.0F), at(v, u, 0.25F))
DDX_CHECK_GRADIENT(sorted_out, at(x, 0.8), at(y, 1.7), at(x, -0.6))
DDX_CHECK_GRADIENT(with_neighbour, at(x), at(y), at(Vector{2.5}))

#ifdef __DDX__
/// What a branch would have read, had it been taken, has no influence.
TEST(Selections, TakesNothingFromWhatIsLeftOut) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto [by_x, by_y] =
      ddx::gradient([](const Vector& a, const Vector& b) { return products_above(a, b, 0.5); },
                    Vector{2, -infinity}, Vector{1, 3});
  EXPECT_EQ(by_x, (Vector{3 * 36 * (2 + 3), 0}));  // Of (x (y^2 + x))^3 at 2 and 1.
  EXPECT_EQ(by_y, (Vector{3 * 36 * (2 * 2), 0}));
}
#endif

}  // namespace
