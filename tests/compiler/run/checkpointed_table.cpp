// A checkpointed function that calls through a pointer in an array: the function that the pointer
// leads to reads a variable that changes before the reverse sweep calls it again.

#include <cstdio>
#include <ddx/ad.h>

namespace {

double factor = 12;

double scaled(double a) {
  return a * factor;
}
double squared(double a) {
  return a * a;
}

struct Table {
  double (*functions[2])(double);
};

double first_of_table(double x) {
  const Table table{{scaled, squared}};
  return ddx::checkpointed([](Table given, double a) { return given.functions[0](a); }, table, x);
}

}  // namespace

int main() {
  const auto [value, back] = ddx::value_with_pullback(first_of_table, 2.0);
  factor = 33;
  const double slope = back(1.0);
  if (value != 24 || slope != 12) {
    std::printf("value %g, slope %g\n", value, slope);
    return 1;
  }
  return 0;
}
