#include "registered.h"

double other(double x);

int main() {
  const double factor = 3;
  const auto result = ddx::value_with_gradient([factor](double x) { return x * factor; }, 2.0);
  return result.value == 6 && value_in_header(1) == 2 && other(1) == 2 ? 0 : 1;
}
