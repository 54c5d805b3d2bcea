// Registrations that only instantiations can check: the types of a member of a class template are known when the derivative is
// asked for. A derivative that would be passed over is an error, not a silent return to the function's body.

#include <ddx/ad.h>

#include <cstddef>

template <class T>
struct Box {
  T values[2];
  T at(std::size_t i) const { return values[i]; }
  T first() const { return values[0]; }
};

// expected-error@+2 {{registered derivative 'at_vjp<double>': its parameters match no function named at; expected 'auto at_vjp(const Box<double> &, std::size_t)'}}
template <class T>
DDX_DERIVATIVE_OF(Box<T>::at) auto at_vjp(const Box<T>& box, long i) {
  return ddx::vjp(box.values[i], [](T dy) { return dy; });
}

// expected-error@+2 {{registered derivative 'first_vjp<double>': it must return 'ddx::Vjp<...>', as ddx::vjp(value, pullback) does, or 'ddx::ValueWithTangent<...>', and returns 'double'}}
template <class T>
DDX_DERIVATIVE_OF(Box<T>::first) T first_vjp(const Box<T>& box) {
  return box.values[0];
}

double slope(double x) {
  return ddx::derivative(
      [](double y) {
        const Box<double> box{{y, y}};
        return box.at(0) + box.first();
      },
      x);
}
