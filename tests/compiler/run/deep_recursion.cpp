// 50,000 calls one within another: neither sweep nor tangent takes more stack than there is,
// optimised or not.

#include <cmath>
#include <cstdio>
#include <ddx/ad.h>

namespace {

constexpr int depth = 50000;

// x + x / 2 + x / 4 + ...: 2 x, slope 2.
double promoted(double x, int n) {
  return n == 0 ? x : 0.5 * promoted(x, n - 1) + x;
}

// The same through memory.
double through_memory(double x, int n) {
  if (n == 0) {
    return x;
  }
  double y = 0;
again:
  y = 0.5 * through_memory(x, n - 1) + x;
  if (y > 1e9) {
    goto again;
  }
  return y;
}

int mistakes = 0;

void expect(double value, const char* what) {
  if (std::abs(value - 2) > 1e-12) {
    std::printf("%s: %.17g instead of 2\n", what, value);
    ++mistakes;
  }
}

}  // namespace

int main() {
  expect(ddx::gradient([](double x) { return promoted(x, depth); }, 3.0), "promoted");
  expect(ddx::derivative([](double x) { return promoted(x, depth); }, 3.0), "promoted, forward");
  expect(ddx::gradient([](double x) { return through_memory(x, depth); }, 3.0), "memory");
  expect(ddx::derivative([](double x) { return through_memory(x, depth); }, 3.0),
         "memory, forward");
  return mistakes;
}
