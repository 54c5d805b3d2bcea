// Calls that change numbers in objects with vectors, and calls that make these vectors longer or
// shorter: by whatever name, and however far down.

#include "gradient_check.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

const Vector four{0.7, -1.2, 0.4, 1.5};
const Vector six{0.3, 1.1, -0.8, 0.6, 1.4, -0.5};

struct State {
  Vector a, b;
  double scale = 0.5;

  void lengthen(double x) { a.push_back(x * a.back()); }
  void forget() { b.clear(); }
};

double judged(const State& s) {
  double sum = s.scale;
  for (const double x : s.a) {
    sum = 0.5 * sum * s.scale + x * x;
  }
  for (const double x : s.b) {
    sum += 0.1 * sum * x + x;
  }
  return sum;
}

// --- shapes stay

void relax(State& s, double weight) {
  for (std::size_t i = 1; i < s.a.size(); ++i) {
    s.a[i] += weight * s.a[i - 1] * s.scale;
  }
  for (double& x : s.b) {
    x *= weight + 0.1 * x;
  }
  s.scale *= 1.05;
}

void relax_twice(State& s, double weight) {
  relax(s, weight);
  relax(s, weight * s.a[0]);
}

double of_elements(const Vector& v, int rounds) {
  State s{v, v};
  for (int k = 0; k < rounds; ++k) {
    relax_twice(s, 0.3);
  }
  return judged(s);
}

// --- shapes change

void lengthen_further_down(State& s, double x, int times) {
  if (times > 0) {
    s.lengthen(x);
    lengthen_further_down(s, x * s.a[0], times - 1);
  }
}

void by_reference(State& s) {
  auto& numbers = s.b;
  numbers.push_back(s.a.front());
  numbers.push_back(s.a.back());
}

void by_pointer(State* s) {
  Vector* const numbers = &s->a;
  numbers->resize(numbers->size() + 2);
  numbers->back() = s->scale;
}

void by_assignment(State& s, const Vector& v) {
  s.b = v;
}

void by_exchange(State& s) {
  std::swap(s.a, s.b);
}

void as_a_whole(State& s, const Vector& v) {
  s = State{v, s.a, s.scale * v[0]};
}

void one_of_two(State& stays, State& changes) {
  relax(stays, 0.2);
  changes.lengthen(stays.a[0]);
}

double of_changes(const Vector& v, int rounds) {
  State s{v, {}};
  State t{v, v, 0.75};
  for (int k = 0; k < rounds; ++k) {
    relax(s, 0.4);
    switch (k) {
      case 0:
        lengthen_further_down(s, v[1], 3);
        break;
      case 1:
        by_reference(s);
        break;
      case 2:
        by_pointer(&s);
        break;
      case 3:
        by_exchange(s);
        break;
      case 4:
        by_assignment(s, t.a);
        break;
      case 5:
        one_of_two(s, t);
        one_of_two(t, s);
        break;
      case 6:
        as_a_whole(s, v);
        break;
      default:
        s.forget();
    }
    relax(t, s.a[1] * 0.1);
  }
  return judged(s) + 0.1 * judged(s) * judged(t);
}

void change_one(State& s, State& other) {
  s.a[0] *= 2;
  other.a.push_back(s.a[0]);
  s.a[1] *= other.a[0];
}

double of_one_object_twice(const Vector& v) {
  State s{v, v};
  change_one(s, s);
  relax(s, 0.1);
  return judged(s);
}

// --- rows and alternatives

void scale_rows(std::vector<Vector>& rows, double by) {
  for (Vector& row : rows) {
    for (double& x : row) {
      x *= by + 0.1 * x;
    }
  }
}

void exchange_rows(std::vector<Vector>& rows, std::size_t i) {
  rows[i] = rows[i + 1];
  rows[i].push_back(rows[0][0]);
}

double of_rows(const Vector& v, int rounds) {
  std::vector<Vector> rows{v, {v[0]}, {v[1], v[2]}};
  for (int k = 0; k < rounds; ++k) {
    scale_rows(rows, 0.6);
    exchange_rows(rows, static_cast<std::size_t>(k % 2));
    scale_rows(rows, 1.1);
  }
  double sum = 0;
  for (const Vector& row : rows) {
    for (const double x : row) {
      sum = sum * 0.9 + x;
    }
  }
  return sum;
}

struct Maybe {
  std::optional<double> x;
  double y = 1;
};

void scale_if(Maybe& m, double by) {
  if (m.x) {
    *m.x *= by;
  }
  m.y += by;
}

void fill(Maybe& m, double x) {
  m.x = x;
}

double of_alternatives(double x, int rounds) {
  Maybe m;
  for (int k = 0; k < rounds; ++k) {
    scale_if(m, x * m.y);
    if (k == 1) {
      fill(m, x * x);
    }
    scale_if(m, m.y);
  }
  return m.y * m.x.value_or(x);
}

}  // namespace

DDX_CHECK_GRADIENT(of_elements, at(four, 0), at(six, 2), at(four, 3))
DDX_CHECK_GRADIENT(of_changes, at(four, 8), at(six, 7), at(four, 3))
DDX_CHECK_GRADIENT(of_one_object_twice, at(four), at(six), at(Vector{0.5, 2.0}))
DDX_CHECK_GRADIENT(of_rows, at(four, 1), at(six, 3), at(four, 4))
DDX_CHECK_GRADIENT(of_alternatives, at(0.5, 3), at(-0.4, 2), at(1.2, 1))
