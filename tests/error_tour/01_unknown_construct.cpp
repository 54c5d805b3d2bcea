// A construct that cannot be differentiated
//
// The compiler says which construct, where it is, and through which calls it was reached. It never
// leaves a derivative out.

#include <ddx/ddx.h>
#include <functional>

double apply(const std::function<double(double)>& rule, double x) {
  return rule(x);
}

double price(double x) {
  return 2 * apply([](double t) { return t * t; }, x);
}

int main() {
  return ddx::gradient(price, 3.0) == 12 ? 0 : 1;
}
