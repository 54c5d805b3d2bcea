// Matrices as header-only libraries write them: base classes without members that are handed the
// class derived from them, evaluators that cannot be copied, initialisation by commas.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>

namespace {

// --- A small library.

template <class Derived>
struct Base {
  [[nodiscard]] const Derived& derived() const { return *static_cast<const Derived*>(this); }
  Derived& derived() { return *static_cast<Derived*>(this); }
};

class NotCopied {
 public:
  NotCopied() = default;
  NotCopied(const NotCopied&) = delete;
  NotCopied& operator=(const NotCopied&) = delete;
};

template <class Expression>
struct Evaluator;

template <class Target>
class Comma {
 public:
  Comma(Target& target, double first) : target_(target) { target_.at[0] = first; }
  Comma(const Comma&) = delete;
  ~Comma() { finished(); }
  Comma& operator,(double next) {
    target_.at[count_++] = next;
    return *this;
  }
  Target& finished() { return target_; }

 private:
  Target& target_;
  int count_ = 1;
};

struct Vector : Base<Vector> {
  double at[3];
  Vector() : at{} {}
  template <class Other>
  Vector(const Base<Other>& other) : at{} {
    assign(other.derived());
  }
  template <class Other>
  void assign(const Other& other) {
    const Evaluator<Other> from(other);
    for (int i = 0; i < 3; ++i) {
      at[i] = from.value(i);
    }
  }
  Comma<Vector> operator<<(double first) { return Comma<Vector>(*this, first); }
};

template <>
struct Evaluator<Vector> : NotCopied {
  explicit Evaluator(const Vector& vector) : from(vector) {}
  [[nodiscard]] double value(int i) const { return from.at[i]; }
  const Vector& from;
};

/// A unit vector: an object without a number in it, whatever its type is made of.
template <class Scalar>
struct Unit : Base<Unit<Scalar>> {
  explicit Unit(long axis) : axis_(axis) {}
  [[nodiscard]] long axis() const { return axis_; }
  long axis_;
};

template <class Scalar>
struct Evaluator<Unit<Scalar>> : NotCopied {
  explicit Evaluator(const Unit<Scalar>& unit) : axis(unit.axis()) {}
  [[nodiscard]] Scalar value(int i) const { return i == axis ? Scalar(1) : Scalar(0); }
  long axis;
};

template <class Left, class Right>
struct Sum : Base<Sum<Left, Right>> {
  Sum(const Left& left, const Right& right) : left(left), right(right) {}
  const Left& left;
  const Right right;
};

template <class Left, class Right>
struct Evaluator<Sum<Left, Right>> : NotCopied {
  explicit Evaluator(const Sum<Left, Right>& sum) : left(sum.left), right(sum.right) {}
  [[nodiscard]] double value(int i) const { return left.value(i) + right.value(i); }
  Evaluator<Left> left;
  Evaluator<Right> right;
};

template <class Left, class Right>
Sum<Left, Right> operator+(const Base<Left>& left, const Base<Right>& right) {
  return Sum<Left, Right>(left.derived(), right.derived());
}

/// Neither casts: that is left to what they call.
template <class Derived>
double squared_norm(const Base<Derived>& expression) {
  const Vector whole(expression);
  return whole.at[0] * whole.at[0] + whole.at[1] * whole.at[1] + whole.at[2] * whole.at[2];
}
template <class Derived>
double norm(const Base<Derived>& expression) {
  return std::sqrt(squared_norm(expression));
}

// --- Programs.

double initialised_by_commas(double x, double y) {
  Vector v;
  v << x * y, y, x - y;
  return v.at[0] * v.at[2] + v.at[1];
}

double norms(double x, double y) {
  Vector v;
  v << x, x * y, 2.0;
  return norm(v) * squared_norm(v.derived()) + v.at[1];
}

double sums(double x, double y) {
  Vector v;
  v << x, x * y, 2.0;
  const Vector w = v + Unit<double>(1);
  const Vector u = w + v;
  return squared_norm(u) + w.at[1] * w.at[0];
}

/// Its constructor learns from its argument's class how to evaluate it.
struct Axis {
  template <class Derived>
  Axis(double angle, const Base<Derived>& direction) : along(direction), by(angle) {}
  Vector along;
  double by;
};

double constructed_from_an_expression(double x, double y) {
  Vector v;
  v << y, 1.0, x;
  const Axis fixed(x * y, Unit<double>(2));
  const Axis free(y, v + Unit<double>(0));
  return fixed.by * fixed.along.at[2] * free.along.at[0] + free.by * free.along.at[2];
}

// --- Integers in and next to objects with reals.

template <class Derived>
struct Order {
  Derived& derived() { return *static_cast<Derived*>(this); }
  [[nodiscard]] const Derived& derived() const { return *static_cast<const Derived*>(this); }
  template <class Other>
  Derived& operator=(const Order<Other>& other) {
    for (int i = 0; i < 3; ++i) {
      derived().place[i] = 2 - other.derived().place[i];
    }
    return derived();
  }
};
struct Swaps : Order<Swaps> {
  int place[3] = {2, 0, 1};
};
struct Permutation : Order<Permutation> {
  int place[3] = {0, 1, 2};
  template <class Other>
  Permutation& operator=(const Order<Other>& other) {
    return Order<Permutation>::operator=(other.derived());
  }
};

struct Pivoted {
  Vector values;
  Swaps swaps;
  Permutation order;
  [[nodiscard]] int rows() const { return 3; }
  void decompose(double x, double y) {
    values << x * x, y, x * y;
    order = swaps;
  }
};

double permuted(double x, double y) {
  Pivoted pivoted;
  pivoted.decompose(x, y);
  double sum = 0;
  double weight = 1;
  for (int i = 0; i < (std::min)(3, pivoted.rows()); ++i) {
    sum += weight * pivoted.values.at[pivoted.order.place[i]];
    weight *= y;
  }
  return sum;
}

struct Largest {
  double value = -1e300;
  int row = 0;
  int column = 0;
};

template <class Index>
double largest(const Vector& v, bool by_column, Index* index) {
  Largest found;
  for (int i = 0; i < 3; ++i) {
    if (v.at[i] > found.value) {
      found.value = v.at[i];
      found.row = i;
      found.column = 2 - i;
    }
  }
  *index = by_column ? found.column : found.row;
  return found.value;
}

double index_of_largest(double x, double y) {
  Vector v;
  v << x, x * y, y;
  int index = 0;
  const double greatest = largest(v, false, &index);
  long column = 0;
  const double again = largest(v, true, &column);
  return greatest * v.at[index] + v.at[column] * v.at[0] * again;
}

/// An operation without state that lies beside numbers, as in Eigen's evaluators.
struct Identity {
  Identity() {}
  Identity(const Identity&) {}
  template <class Index>
  double operator()(Index row, Index column) const {
    return row == column ? 1.0 : 0.0;
  }
};

template <class Operation>
struct Applied {
  template <class Index>
  double operator()(const Operation& operation, Index row, Index column) const {
    return operation(row, column);
  }
};

struct IdentityEvaluator {
  explicit IdentityEvaluator(const Identity& made) : operation(made) {}
  double coefficient(long row, long column) const { return applied(operation, row, column); }
  const Identity operation;
  const Applied<Identity> applied;
};

struct Scaled {
  Scaled(double x, const Identity& made) : factor(x), evaluator(made) {}
  double coefficient(long row, long column) const {
    return factor * evaluator.coefficient(row, column) +
           evaluator.applied(evaluator.operation, row, 1L);
  }
  double factor;
  IdentityEvaluator evaluator;
};

double scaled_identity(double x) {
  const Scaled scaled(x, Identity());
  double sum = 0.0;
  for (long row = 0; row < 3; ++row) {
    for (long column = 0; column < 3; ++column) {
      sum += scaled.coefficient(row, column) * x * double(row + 1);
    }
  }
  return sum;
}

// --- Evaluators of expressions, as linear algebra libraries write them: bases that cast to the
// derived class while it is made, empty destructors, branches over constants, functors by value.

namespace stored {

template <class D>
struct Dense {
  Dense() {}
  ~Dense() {}
  [[nodiscard]] D& derived() { return *static_cast<D*>(this); }
  [[nodiscard]] const D& derived() const { return *static_cast<const D*>(this); }
};

template <class E>
struct Evaluator;

struct Product {
  double operator()(double a, double b) const { return a * b; }
};

template <class D, int N>
struct Storage : Dense<D> {
  template <class E>
  explicit Storage(const Dense<E>& e) {
    const Evaluator<E> from(e.derived());
    Evaluator<D> to(this->derived());
    for (int i = 0; i < N; ++i) {
      to.at(i) = from.get(i);
    }
  }
  Storage(double a, double b) : values{a, b} {}
  double values[N];
};

struct Pair2 : Storage<Pair2, 2> {
  template <class E>
  Pair2(const Dense<E>& e) : Storage<Pair2, 2>(e) {}
  Pair2(double a, double b) : Storage<Pair2, 2>(a, b) {}
};

template <class L, class R, class F>
struct Binary : Dense<Binary<L, R, F>> {
  Binary(const L& l, const R& r, const F& f = F()) : left(l), right(r), function(f) {}
  [[nodiscard]] const F& functor() const { return function; }
  const L& left;
  const R& right;
  const F function;
};

template <>
struct Evaluator<Pair2> {
  enum { Checked = 0 };
  explicit Evaluator(const Pair2& p) : data(p.values) {}
  ~Evaluator() {}
  double& at(int i) { return const_cast<double*>(data)[i]; }
  [[nodiscard]] double get(int i) const {
    if (Checked) {
      return i < 2 ? data[i] : 0.0;
    } else {
      return data[i];
    }
  }
  const double* data;
};

template <class L, class R, class F>
struct Evaluator<Binary<L, R, F>> {
  explicit Evaluator(const Binary<L, R, F>& e)
      : function(e.functor()), left(e.left), right(e.right) {}
  [[nodiscard]] double get(int i) const { return function(left.get(i), right.get(1 - i)); }
  const F function;
  Evaluator<L> left;
  Evaluator<R> right;
};

template <class L, class R>
Binary<L, R, Product> operator*(const Dense<L>& l, const Dense<R>& r) {
  return Binary<L, R, Product>(l.derived(), r.derived());
}

double evaluated(double x, double y) {
  const Pair2 a(x, y);
  const Pair2 b(y * y, 0.5);
  const Pair2 c = a * b;
  const Pair2 d = a * (c * b);
  return c.values[0] * d.values[1] + d.values[0];
}

}  // namespace stored
using stored::evaluated;

DDX_CHECK_GRADIENT(evaluated, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
DDX_CHECK_GRADIENT(initialised_by_commas, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(norms, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(sums, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(constructed_from_an_expression, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(permuted, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(index_of_largest, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(scaled_identity, at(0.83), at(1.1), at(-1.7))

}  // namespace
