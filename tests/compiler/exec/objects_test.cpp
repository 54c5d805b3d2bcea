#include "gradient_check.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

struct Both {
  double a = 0;
  double b = 0;
};

double binding_by_reference(double x) {
  Both p{x, x * x};
  auto& [a, b] = p;
  a *= b;
  return p.a * b;
}

double binding_by_const_reference(double x) {
  const Both p{x, x * x};
  const auto& [a, b] = p;
  return a * b;
}

double binding_in_range_for(double x) {
  std::vector<Both> v{{x, 1}, {2, x}};
  double s = 0;
  for (const auto& [a, b] : v) s += a * b * x;
  return s;
}

struct Base {
  double a = 0;
};
struct Derived : Base {
  double b = 3;
};

double sliced_copy(double x) {
  Derived d;
  d.a = x;
  d.b = x * x;
  Base s = d;
  s.a *= 2;
  return s.a * d.b;
}

void square_base(Base& b) {
  b.a *= b.a;
}

struct TwoVectors {
  std::vector<double> first;
  std::vector<double> second;
};

// Neither member is touched before it is there.
double vectors_constructed_in_turn(double x) {
  TwoVectors pair = {std::vector<double>(2, x), {x, 3.0, x * x}};
  pair.first.push_back(x * x);
  pair.second.pop_back();
  return pair.first[2] * pair.second[0] + pair.second[1] * pair.first[0];
}

double base_by_reference(double x) {
  Derived d;
  d.a = x;
  square_base(d);
  return d.a * d.b;
}

struct Other {
  double b = 0;
};
struct Twofold : Base, Other {};
double g(const Base& base) {
  return base.a * base.a;
}
double h(const Other& other) {
  return other.b;
}

double two_bases(double x) {
  Twofold d;
  d.a = x;
  d.b = x * x;
  return g(d) * h(d);
}

struct Handle {
  Both both;
  Both* operator->() { return &both; }
  Both& operator*() { return both; }
};

double access_through_operators(double x) {
  Handle w{{x, 2}};
  w->a *= w->b;
  return (*w).a * x;
}

class Hidden {
 public:
  explicit Hidden(double x) : v_(x * x) {}
  friend double doubled(const Hidden& h) { return h.v_ * 2; }

 private:
  double v_;
};

double friend_of_private(double x) {
  return doubled(Hidden(x));
}

enum class Phase { First, Second, Third };

double state_machine(double x) {
  Phase s = Phase::First;
  double y = x;
  for (int i = 0; i < 3; ++i) {
    switch (s) {
      case Phase::First:
        y *= x;
        s = Phase::Second;
        break;
      case Phase::Second:
        y += x;
        s = Phase::Third;
        break;
      case Phase::Third:
        y = y * y;
        s = Phase::First;
    }
  }
  return y;
}

struct Accumulator {
  double s = 0;
  void operator()(double v) { s += v; }
};

double functor_with_state(double x) {
  Accumulator a;
  a(x);
  a(x * x);
  return a.s * a.s;
}

double take(Both&& q) {
  q.a *= 2;
  return q.a * q.a;
}

double rvalue_reference(double x) {
  return take(Both{x * x, 0});
}

template <class F, class T>
double forwarded(F&& f, T&& t) {
  return std::forward<F>(f)(std::forward<T>(t));
}

double forwarded_argument(double x) {
  double a = x;
  return forwarded(
             [](double& v) {
               v *= 2;
               return v * v;
             },
             a) *
         a;
}

struct Meter {
  mutable double s = 0;
  mutable int n = 0;
  void add(double v) const {
    s += v;
    ++n;
  }
  [[nodiscard]] double total() const { return s * s; }
};

double mutable_member(double x) {
  Meter m;
  m.add(x);
  m.add(x * x);
  return m.total() * m.n;
}

struct Row {
  Both p[2];
};

double array_of_structs_in_struct(double x) {
  Row q;
  q.p[1].a = x;
  q.p[0] = q.p[1];
  q.p[0].b = x * x;
  return q.p[0].a * q.p[0].b;
}

struct Polymorphic {
  double value = 0;
  virtual ~Polymorphic() = default;
  virtual void reset() { value = 0; }
};

double object_with_virtual_functions(double x) {
  Polymorphic p;
  p.value = x;
  return p.value * p.value;
}

// An object that has been used is overwritten as a whole by one without derivatives, and used
// again: what was read from it afterwards must not reach the values that it had before.
double class_overwritten_by_constant(double x) {
  const Both fixed{2, 3};
  Both p{x, 2 * x};
  const double before = p.a * p.b;
  p = fixed;
  return before + x * p.a * p.b;
}

double array_overwritten_by_constant(double x) {
  const std::array<double, 2> fixed{2, 3};
  std::array<double, 2> p{x, 2 * x};
  double s = p[0] * p[1];
  p = fixed;
  for (std::size_t i = 0; i < 2; ++i) {
    s += x * p[i];
    p[i] = x * s;
  }
  p = fixed;
  return s + p[0] * x;
}

struct Enclosing {
  Both inner;
  double c = 0;
};

double member_overwritten_by_constant(double x) {
  Enclosing q{{x, 2 * x}, x};
  const double before = q.inner.a * q.c;
  q.inner = Both{4, 5};
  return before + x * q.inner.a * q.inner.b;
}

DDX_CHECK_GRADIENT(class_overwritten_by_constant, at(1.5), at(-0.4), at(0.7))
DDX_CHECK_GRADIENT(array_overwritten_by_constant, at(1.5), at(-0.4), at(0.7))
DDX_CHECK_GRADIENT(member_overwritten_by_constant, at(1.5), at(-0.4), at(0.7))
DDX_CHECK_GRADIENT(binding_by_reference, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(binding_by_const_reference, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(binding_in_range_for, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(sliced_copy, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(vectors_constructed_in_turn, at(1.3), at(-2.1), at(0.7))
DDX_CHECK_GRADIENT(base_by_reference, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(two_bases, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(access_through_operators, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(friend_of_private, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(state_machine, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(functor_with_state, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(rvalue_reference, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(forwarded_argument, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(mutable_member, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(array_of_structs_in_struct, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(object_with_virtual_functions, at(1.3), at(2.2), at(0.7))

}  // namespace
