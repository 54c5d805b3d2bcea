// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// Which registered derivative each kind of function gets.

#include <concepts>
#include <cstddef>
#include <ddx/ad.h>

#define PRIMAL [[clang::annotate("primal")]]

// CHECK: // cube: double (double): cube_vjp
// CHECK-NEXT: // cube: float (float): none
PRIMAL double cube(double x);
PRIMAL float cube(float x);
DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
  return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
}

// The instantiation for double has its own; the others take the template's.
// CHECK-NEXT: // quad<double>: double (double): quad_double_vjp
// CHECK-NEXT: // quad<float>: float (float): quad_vjp<float>
template <class T>
PRIMAL T quad(T x) {
  return x * x * x * x;
}
template <class T>
DDX_DERIVATIVE_OF(quad)
auto quad_vjp(T x) {
  return ddx::vjp(x * x * x * x, [x](T dy) { return 4 * x * x * x * dy; });
}
DDX_DERIVATIVE_OF(quad) auto quad_double_vjp(double x) {
  return ddx::vjp(x, [](double dy) { return dy; });
}

// One template can cover several overloads that are none.
// CHECK-NEXT: // twice: double (double): twice_vjp<double>
// CHECK-NEXT: // twice: float (float): twice_vjp<float>
// CHECK-NEXT: // twice: int (int): none
PRIMAL double twice(double x);
PRIMAL float twice(float x);
PRIMAL int twice(int x);
template <class T>
  requires(T(0.5) != 0)
DDX_DERIVATIVE_OF(twice)
auto twice_vjp(T x) {
  return ddx::vjp(x + x, [](T dy) { return dy + dy; });
}

// Members: const ones, operators, static ones, templates; the object comes first.
// CHECK-NEXT: // M::scaled: double (double) const: scaled_vjp
// CHECK-NEXT: // M::scaled: double (double): none
// CHECK-NEXT: // M::operator(): double (double) const: call_vjp
// CHECK-NEXT: // M::shared: double (double): shared_vjp
// CHECK-NEXT: // M::cast<float>: float (float) const: cast_vjp<float>
struct M {
  double factor = 2;
  PRIMAL double scaled(double x) const { return factor * x; }
  PRIMAL double scaled(double x) { return factor = x; }
  PRIMAL double operator()(double x) const { return x; }
  PRIMAL static double shared(double x) { return x; }
  template <class T>
  PRIMAL T cast(T x) const {
    return x;
  }
};
DDX_DERIVATIVE_OF(M::scaled) auto scaled_vjp(const M& m, double x) {
  return ddx::vjp(m.scaled(x), [f = m.factor](double dy) { return f * dy; });
}
DDX_DERIVATIVE_OF(M::operator()) auto call_vjp(const M&, double x) {
  return ddx::vjp(x, [](double dy) { return dy; });
}
DDX_DERIVATIVE_OF(M::shared) auto shared_vjp(double x) {
  return ddx::vjp(x, [](double dy) { return dy; });
}
template <class T>
DDX_DERIVATIVE_OF(M::cast)
auto cast_vjp(const M&, T x) {
  return ddx::vjp(x, [](T dy) { return dy; });
}

// Members of class templates.
// CHECK-NEXT: // Box<double>::at: const double &(std::size_t) const: at_vjp<double>
// CHECK-NEXT: // Box<double>::get: double (void) const: get_double_vjp
// CHECK-NEXT: // Box<float>::at: const float &(std::size_t) const: at_vjp<float>
// CHECK-NEXT: // Box<float>::get: float (void) const: none
template <class T>
struct Box {
  T value[2];
  PRIMAL const T& at(std::size_t i) const { return value[i]; }
  PRIMAL T get() const { return value[0]; }
};
template <class T>
DDX_DERIVATIVE_OF(Box<T>::at)
auto at_vjp(const Box<T>& box, std::size_t i) {
  return ddx::vjp(box.value[i], [](const T& dy) { return dy; });
}
DDX_DERIVATIVE_OF(Box<double>::get) auto get_double_vjp(const Box<double>& box) {
  return ddx::vjp(box.value[0], [](double dy) { return dy; });
}

// Operators outside of classes, with and without templates.
// CHECK-NEXT: // operator*: M (const M &, const M &): multiply_vjp
// CHECK-NEXT: // operator+<float>: Box<float> (const Box<float> &, const Box<float> &): add_vjp<float>
PRIMAL M operator*(const M& a, const M& b);
DDX_DERIVATIVE_OF(operator*) auto multiply_vjp(const M& a, const M&) {
  return ddx::vjp(a, [](double dy) { return dy; });
}
template <class T>
PRIMAL Box<T> operator+(const Box<T>& a, const Box<T>&) {
  return a;
}
template <class T>
DDX_DERIVATIVE_OF(operator+)
auto add_vjp(const Box<T>& a, const Box<T>&) {
  return ddx::vjp(a, [](T dy) { return dy; });
}

// Constraints choose between two derivatives of one template.
// CHECK-NEXT: // chosen<double>: double (double): chosen_real_vjp<double>
// CHECK-NEXT: // chosen<int>: int (int): chosen_integer_vjp<int>
template <class T>
PRIMAL T chosen(T x) {
  return x;
}
template <std::floating_point T>
DDX_DERIVATIVE_OF(chosen)
auto chosen_real_vjp(T x) {
  return ddx::vjp(x, [](T dy) { return dy; });
}
template <std::integral T>
DDX_DERIVATIVE_OF(chosen)
auto chosen_integer_vjp(T x) {
  return ddx::vjp(x, [](T dy) { return dy; });
}

double use() {
  const Box<float> box{{1, 2}};
  const Box<double> doubles{{1, 2}};
  double sum = quad(1.0) + quad(1.0f) + M().cast(1.0f) + box.at(1) + box.get() + doubles.get();
  sum += (box + box).value[0] + chosen(1.0) + chosen(1);
  return sum + ddx::derivative([](double x) { return x; }, sum);
}
