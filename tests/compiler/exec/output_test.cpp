/// \file
/// Output of active values: written once, by the forward sweep, and without influence on the
/// result.

#include "gradient_check.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Point {
  double x;
};

std::ostream& operator<<(std::ostream& out, const Point& point) {
  return out << "(" << point.x << ")";
}

double logged(double x) {
  const double y = x * x;
  if (y > 1e9) {
    std::printf("y = %g\n", y);
    std::fprintf(stderr, "y = %g\n", y);
  }
  return y * x;
}

double written_to_a_stream(double x) {
  std::ostringstream out;
  out << "x = " << x << ' ' << Point{x} << std::endl;
  return out.str().empty() ? x : x * x;
}

double written_to_an_array(double x) {
  char label[32];
  std::string lines;
  double y = x;
  for (int i = 0; i < 2; ++i) {
    std::snprintf(label, sizeof(label), "%d: %.3f", i, y);
    lines += label;
    y *= x;
  }
  return lines.size() > 3 ? y : -y;
}

double written_once(double x) {
  Point point{x * x};
  std::cout << "point " << point << '\n' << std::flush;
  return point.x * x;
}

double thrown_in_a_conditional(double x) {
  return x > -100 ? x * x : throw std::domain_error("too small: " + std::to_string(x));
}

struct Sized {
  double values[2];
  double sum = 0;
  explicit Sized(double x) : values{x, x * x} {
    for (const double v : values) {
      sum += v * v;
    }
  }
};

double arrays_without_default_constructor(double x) {
  Sized few[2] = {Sized(x), Sized(2 * x)};
  std::array<Sized, 2> more{Sized(x), Sized(3.0)};
  const std::vector<Sized> list{Sized(x), few[1]};
  return few[0].sum * few[1].values[1] + more[0].sum + list[1].sum * list[0].values[0];
}

}  // namespace

DDX_CHECK_GRADIENT(logged, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(written_to_a_stream, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(written_to_an_array, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(thrown_in_a_conditional, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(arrays_without_default_constructor, at(0.83), at(1.7), at(-1.37))

#ifdef __DDX__
TEST(DDX_SUITE, output_happens_once) {
  testing::internal::CaptureStdout();
  EXPECT_DOUBLE_EQ(ddx::gradient(written_once, 3.0), 27.0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "point (9)\n");
}

TEST(DDX_SUITE, a_throw_in_a_conditional_leaves) {
  EXPECT_THROW(static_cast<void>(ddx::gradient(thrown_in_a_conditional, -200.0)),
               std::domain_error);
}
#endif
