// A construct that cannot be differentiated
//
// The compiler says which construct, where it is, and through which calls it was reached. It never
// leaves a derivative out.

#include <ddx/ddx.h>

struct Figure {
  virtual ~Figure() = default;
  virtual double area(double size) const = 0;
};

double price(const Figure& figure, double size) {
  return 3 * figure.area(size);
}

double by_size(const Figure& figure, double size) {
  return ddx::gradient([&](double s) { return price(figure, s); }, size);
}
