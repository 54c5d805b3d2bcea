// A gradient of several results
//
// A gradient belongs to one number; several results have a pullback.

#include <array>
#include <ddx/ddx.h>

std::array<double, 2> twice(double x) {
  return {x, 2 * x};
}

int main() {
  const auto slope = ddx::gradient(twice, 3.0);
}
