/// \file
/// Numbers that are moved as bytes: memcpy, memmove, memset.

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <cstring>
#include <vector>

namespace {

using Vector = std::vector<double>;

double copied(const Vector& given, double x) {
  Vector v(given.size() + 2, x);
  if (!given.empty()) {
    std::memcpy(v.data() + 1, given.data(), given.size() * sizeof(double));
  }
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    s = s * 0.5 + v[i] * v[i] * x;
  }
  return s;
}
DDX_CHECK_GRADIENT(copied, at(Vector{0.3, 1.2, -0.7}, 0.8), at(Vector{}, 1.1),
                   at(Vector{0.4}, -0.6))

double shifted(const Vector& given, double x) {
  double history[4] = {x, 2 * x, 3, x * x};
  double s = 0;
  for (const double v : given) {
    std::memmove(history + 1, history, 3 * sizeof(*history));  // They overlap.
    history[0] = v * history[3];
    s += history[0] * history[1] + history[2];
  }
  memmove(&history[0], &history[2], sizeof(double) * 2);
  return s + history[0] * history[1] * history[2];
}
DDX_CHECK_GRADIENT(shifted, at(Vector{0.3, 1.2, -0.7, 0.9, 1.5}, 0.8), at(Vector{}, 1.1),
                   at(Vector{0.4}, -0.6))

double cleared(const Vector& given, double x, int rounds) {
  Vector sum = given;
  double s = 0;
  for (int n = 0; n < rounds; ++n) {
    for (double& v : sum) {
      v = v * x + 1;
      s += v * v;
    }
    std::memset(sum.data(), 0, sum.size() / 2 * sizeof(double));
  }
  for (const double v : sum) {
    s = s * x + v;
  }
  return s;
}
DDX_CHECK_GRADIENT(cleared, at(Vector{0.3, 1.2, -0.7}, 0.8, 2), at(Vector{0.5}, 1.1, 1),
                   at(Vector{0.4, 0.9}, -0.6, 0))

struct Body {
  double position[2];
  int kind;
  double mass;
};

double structures(double x, double y) {
  Body bodies[3] = {{{x, 1}, 2, y}, {{2, y}, 1, x * y}, {{x, x}, 3, 1}};
  Body copy[3];
  std::memcpy(copy, bodies, sizeof(bodies));
  std::memcpy(&bodies[0], &copy[1], sizeof(Body));
  std::memset(&bodies[2], 0, sizeof(Body));
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += bodies[i].kind * bodies[i].mass * (bodies[i].position[0] + copy[i].position[1]) +
         copy[i].mass * (i + 1);
  }
  return s * x;
}
DDX_CHECK_GRADIENT(structures, at(0.8, 1.3), at(-0.4, 0.9), at(1.1, 0.0))

double partial(double x, int bytes, int byte) {
  double a[2] = {x, 1};
  double b[2] = {1, x};
  std::memcpy(a, b, static_cast<std::size_t>(bytes));
  std::memset(b, byte, sizeof(b));
  return a[0] * a[1] * x + b[0];
}

#ifdef __DDX__
TEST(ByteCopies, PartsOfNumbersAndOtherBytesThrow) {
  EXPECT_EQ(ddx::gradient(partial, ddx::wrt<0>, 3.0, 8, 0), 1.0);
  EXPECT_EQ(ddx::gradient(partial, ddx::wrt<0>, 3.0, 16, 0), 6.0);
  EXPECT_THROW((void)ddx::gradient(partial, ddx::wrt<0>, 3.0, 4, 0), ddx::UsageError);
#ifdef DDX_THROUGH_MEMORY
  EXPECT_EQ(ddx::gradient(partial, ddx::wrt<0>, 3.0, 8, 1), 1.0);  // Bytes are a constant.
#else
  EXPECT_THROW((void)ddx::gradient(partial, ddx::wrt<0>, 3.0, 8, 1), ddx::UsageError);
#endif
}
#endif

}  // namespace
