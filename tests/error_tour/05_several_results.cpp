// A gradient of several results
//
// A gradient is that of one number. Use a pullback for several results.

#include <array>
#include <ddx/ddx.h>

std::array<double, 2> twice(double x) {
  return {x, 2 * x};
}

int main() {
  const auto slope = ddx::gradient(twice, 3.0);
}
