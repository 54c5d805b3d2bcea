// After an error there is no complaint that the entry has no definition: its types have no linkage, so only this unit
// could define it.

#include <ddx/ad.h>

double elsewhere(double x);

namespace {

struct Functor {
  double operator()(double x) const {
    return elsewhere(x);  // expected-error {{elsewhere}}
  }
};

}  // namespace

int main() {
  const double factor = 2;
  // expected-note@+1 {{derivative requested here}}
  double sum = ddx::gradient(Functor(), 1.0);
  // expected-note@+1 {{derivative requested here}}
  sum += ddx::gradient(
      [factor](double x) { return elsewhere(x) * factor; },  // expected-error {{elsewhere}}
      1.0);
  return static_cast<int>(sum);
}
