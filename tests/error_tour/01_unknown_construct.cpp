// A construct that cannot be differentiated
//
// The message names the construct, its location, and the calls that led to it. The compiler never
// drops a derivative silently.

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
