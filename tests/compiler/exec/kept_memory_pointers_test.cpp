// Pointers to numbers in memory that lambdas capture, that objects keep or that references name:
// what is read and written through them.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace {

struct Pair {
  double a = 0;
  double b = 0;
};

std::unique_ptr<Pair> pair_of(double a, double b) {
  auto made = std::make_unique<Pair>();
  made->a = a;
  made->b = b;
  return made;
}

double written_by_another_name(double x) {
  const auto m = pair_of(x, 2 * x);
  double* p = &m->a;
  const double half = [&]() -> double {
    m->a += std::tanh(*p);
    return 0.5;
  }();
  return m->a * half;
}

double returned(double x) {
  const auto m = pair_of(x, 2 * x);
  const double* p = &m->a;
  const double z = [&]() -> double {
    m->a += std::tanh(m->a);
    return *p;
  }();
  return m->a * z;
}

double captured_by_value(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  const auto f = [p]() -> double {
    *p += std::sin(*p);
    return *p;
  };
  p = &m->b;
  return f() + f() * m->a * *p;
}

double captured_anew(double x) {
  auto m = pair_of(x, x * x);
  const auto f = [p = m.get()]() -> double {
    p->a += std::tanh(p->b);
    return p->a;
  };
  return f() * m->a;
}

double of_an_object(double x) {
  auto m = pair_of(x, x * x);
  Pair* p = m.get();
  const auto f = [&]() -> double {
    p->b += std::tanh(p->a);
    return p->b;
  };
  return f() * m->b;
}

double inside_another(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  return [&]() -> double {
    return [&]() -> double {
      *p += std::tanh(*p);
      return *p * m->b;
    }();
  }();
}

// The lambda goes by what the pointer leads to when it is called.
double bound_anew_between_calls(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    const auto f = [&](double t) {
      *p += std::sin(*p * t);
      s += *p;
    };
    f(x);
    f(s);
    if (i == 1) {
      p = &m->b;
    }
  }
  return s * m->a;
}

double of_any_type(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  const auto f = [&](auto t) {
    *p += std::sin(*p * t);
    return *p;
  };
  return f(x) + f(2) * m->b;
}

double in_an_algorithm(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  const std::vector<double> v{1, 2, 3};
  double s = 0;
  std::for_each(v.begin(), v.end(), [&](double t) {
    *p += std::tanh(t * *p);
    s += *p;
  });
  return s * m->a;
}

template <class F>
double twice(F f) {
  return f() + f();
}

double handed_on(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  return twice([&] {
           *p += std::sin(*p);
           return *p;
         }) *
         m->a;
}

double stored(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->a;
  const std::function<double()> f = [p] {
    *p += std::sin(*p);
    return *p;
  };
  return f() * m->a;
}

double elements(double x) {
  const auto v = std::make_unique<std::vector<double>>(3, x);
  double* p = v->data();
  const auto f = [&]() -> double {
    p[1] += std::tanh(p[0]);
    return p[1] * p[2];
  };
  return f() * (*v)[1];
}

double owned_array(double x) {
  const auto v = std::make_unique<double[]>(3);
  v[0] = x;
  double* p = v.get();
  const auto f = [&]() -> double {
    p[1] += std::tanh(p[0]);
    return p[1];
  };
  return f() * v[1];
}

double by_reference(double x) {
  const auto m = pair_of(x, 2 * x);
  double* q = &m->a;
  double*& r = q;
  *r += std::sin(*r);
  return m->a * x;
}

double read_by_reference(double x) {
  const auto m = pair_of(x, 2 * x);
  const double* q = &m->a;
  const double* const& r = q;
  return std::sin(*r) * m->b;
}

double moved_by_reference(double x) {
  const auto m = pair_of(x, 2 * x);
  double* q = &m->a;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    double*& r = q;
    double* const before = r;
    *r += std::sin(*q * x);
    r = &m->b;
    s += *before * *q;
  }
  return s * m->a * m->b;
}

double stepped_by_reference(double x) {
  const auto m = std::make_unique<std::vector<double>>(3, x);
  double* q = m->data();
  double*& r = q;
  ++r;
  *r += std::sin(*q);
  r[1] += r[-1] * *q;
  return (*m)[1] * (*m)[2];
}

double captured_reference(double x) {
  const auto m = pair_of(x, 2 * x);
  double* q = &m->a;
  double*& r = q;
  const auto f = [&]() -> double {
    *r += std::tanh(*q);
    return *r;
  };
  return f() * m->a;
}

double add_sine(double*& r) {
  *r += std::sin(*r);
  return *r;
}

double handed_by_reference(double x) {
  const auto m = pair_of(x, 2 * x);
  double* q = &m->a;
  return add_sine(q) * m->a * x;
}

struct Held {
  double* p;
  double operator()() const {
    *p += std::sin(*p);
    return *p;
  }
  [[nodiscard]] double get(double y) {
    *p += std::sin(*p) * y;
    return *p;
  }
};

double called_object(double x) {
  const auto m = pair_of(x, x * x);
  const Held f{&m->a};
  return f() * m->a;
}

double method_of_object(double x) {
  const auto m = pair_of(x, x * x);
  double* p = &m->b;
  Held f{p};
  return f.get(x) * m->b;
}

DDX_CHECK_GRADIENT(written_by_another_name, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(returned, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(captured_by_value, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(captured_anew, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(of_an_object, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(inside_another, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(bound_anew_between_calls, at(0.3), at(0.7), at(-0.4))
DDX_CHECK_GRADIENT(of_any_type, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(in_an_algorithm, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(handed_on, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(stored, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(elements, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(owned_array, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(by_reference, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(read_by_reference, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(moved_by_reference, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(stepped_by_reference, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(handed_by_reference, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(captured_reference, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(called_object, at(0.3), at(1.1), at(-0.6))
DDX_CHECK_GRADIENT(method_of_object, at(0.3), at(1.1), at(-0.6))

}  // namespace
