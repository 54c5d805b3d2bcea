/// Loops that are counted because their bound stays as it is, and loops that look alike and change
/// it by another name.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// What each loop adds: it depends on the number of iterations and on their order.
double term(double x, double sum, std::size_t i) {
  return x * static_cast<double>(i + 1) + 0.25 * sum * x;
}

double grown_by_a_closure(double x) {
  Vector v{x, 2 * x};
  double sum = 0.0;
  const auto grow = [&] {
    if (v.size() < 5) {
      v.push_back(x * x);
    }
  };
  for (std::size_t i = 0; i < v.size(); ++i) {
    grow();
    sum += v[i] * term(x, sum, i);
  }
  return sum;
}

double raised_by_a_closure(double x) {
  std::size_t n = 2;
  double sum = 0.0;
  const auto raise = [&n] { n += n < 5 ? 1 : 0; };
  for (std::size_t i = 0; i < n; ++i) {
    raise();
    sum += term(x, sum, i);
  }
  return sum;
}

double raised_by_a_reference(double x) {
  std::size_t n = 2;
  std::size_t& other = n;
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    other = std::min<std::size_t>(other + 1, 6);
    sum += term(x, sum, i);
  }
  return sum;
}

double raised_by_a_pointer(double x) {
  int n = 2;
  int* other = &n;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    if (*other < 5) {
      ++*other;
    }
    sum += term(x, sum, static_cast<std::size_t>(i));
  }
  return sum;
}

double grown_by_a_reference(double x) {
  Vector v{x, 2 * x};
  Vector& other = v;
  double sum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (other.size() < 5) {
      other.push_back(x * x);
    }
    sum += v[i] * term(x, sum, i);
  }
  return sum;
}

struct Pool {
  Vector* numbers;
  void grow(double x) const {
    if (numbers->size() < 5) {
      numbers->push_back(x * x);
    }
  }
};

double grown_by_a_member(double x) {
  Vector v{x, 2 * x};
  const Pool pool{&v};
  double sum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    pool.grow(x);
    sum += v[i] * term(x, sum, i);
  }
  return sum;
}

double grown_by_a_parameter(double x) {
  Vector v{x, 2 * x};
  const auto copy_squares = [](const Vector& from, Vector& to) {
    double sum = 0.0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      sum += from[i] * static_cast<double>(i + 1);
      if (to.size() < 6) {
        to.push_back(from[i] * from[i]);
      }
    }
    return sum;
  };
  Vector other;
  return copy_squares(v, other) + other[1] + copy_squares(v, v) + v[4];
}

/// Its loops are bounded by members, of its own and of others.
class Table {
 public:
  Table(std::size_t rows, std::size_t columns, double x)
      : rows_(rows), columns_(columns), values_(rows * columns) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = x * static_cast<double>(i + 1);
    }
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double& at(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values_[row * columns_ + column];
  }
  [[nodiscard]] double sum() const {
    double result = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        result += at(i, j) * term(at(i, j), result, i + j);
      }
    }
    return result;
  }
  /// Drops its last row while it goes over the rows.
  double sum_of_half() {
    double result = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      result += term(at(i, 0), result, i);
      drop();
    }
    return result;
  }
  void drop() { rows_ -= rows_ > 1 ? 1 : 0; }

 private:
  std::size_t rows_;
  std::size_t columns_;
  Vector values_;
};

double bounded_by_members(double x) {
  return Table(3, 2, x).sum();
}

double bounded_by_functions(double x) {
  Table table(2, 3, x);
  double sum = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < table.columns(); ++j) {
      table.at(i, j) *= term(x, sum, i);
      sum += table.at(i, j);
    }
  }
  return sum;
}

double lowered_by_a_member(double x) {
  Table table(4, 2, x);
  return table.sum_of_half() + static_cast<double>(table.rows()) * x;
}

double lowered_from_outside(double x) {
  Table table(5, 2, x);
  double sum = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    sum += term(table.at(i, 1), sum, i);
    table.drop();
  }
  return sum;
}

double assigned_as_a_whole(double x) {
  Table table(4, 1, x);
  double sum = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    sum += term(table.at(i, 0), sum, i);
    table = Table(3, 1, x * sum);
  }
  return sum;
}

double swapped(double x) {
  Table table(4, 1, x);
  Table other(2, 1, 3 * x);
  double sum = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    sum += term(table.at(i, 0), sum, i);
    std::swap(table, other);
  }
  return sum;
}

/// The counter lies in another object, which the bound and the function reach.
struct Counter {
  int left = 5;
  void take() { --left; }
};

double eat(Counter& counter, double x, double sum) {
  counter.take();
  return sum * x + x;
}

double counted_down_elsewhere(double x) {
  Counter counter;
  double sum = 0.0;
  for (int i = 0; i < counter.left; ++i) {
    sum = eat(counter, x, sum);
  }
  return sum;
}

double called_by_the_library(double x) {
  Vector v{x, 2 * x, x * x};
  std::size_t n = 4;
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    std::for_each(v.begin(), v.end(), [&](double y) {
      sum += term(y, sum, i);
      n -= n > 2 ? 1 : 0;
    });
  }
  return sum;
}

double handed_to_the_library(double x) {
  int n = 5;
  int smaller = 2;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    sum += term(x, sum, static_cast<std::size_t>(i));
    std::swap(n, smaller);
  }
  return sum;
}

/// Lowers the counter at the end of its life.
struct Guard {
  int& counter;
  ~Guard() { counter -= counter > 2 ? 1 : 0; }
};

double lowered_by_a_destructor(double x) {
  int n = 5;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const Guard guard{n};
    sum += term(x, sum, static_cast<std::size_t>(i));
  }
  return sum;
}

double captured(double x) {
  const Vector v{x, 2 * x, x * x};
  std::size_t n = v.size();
  const auto weighted = [&](double weight) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = [&](std::size_t shift) { return v[(i + shift) % n]; };
      sum += weight * at(1) * term(v[i], sum, i);
    }
    return sum;
  };
  const double first = weighted(x);
  n = 2;
  return first + weighted(2 * x);
}

struct Grid {
  std::array<std::size_t, 2> extent{};
  struct {
    std::size_t count = 3;
  } inner;
  Vector values;
};

double nested_members(const Grid& grid, double x) {
  double sum = 0.0;
  for (std::size_t i = 0; i < grid.inner.count; ++i) {
    for (std::size_t j = 0; j < grid.values.size(); ++j) {
      sum += grid.values[j] * term(x, sum, i + j);
    }
  }
  return sum;
}

double bounded_by_a_parameter(double x) {
  Grid grid;
  grid.values = {x, 2 * x};
  const double first = nested_members(grid, x);
  grid.inner.count = 0;
  return first + nested_members(grid, x) + x;
}

double iterated(double x) {
  struct Holder {
    Vector values;
    [[nodiscard]] double total() const {
      double sum = 0.0;
      for (auto it = values.begin(); it != values.end(); ++it) {
        sum += *it * *it + 0.5 * sum;
      }
      return sum;
    }
    void double_all() {
      for (auto it = values.begin(); it != values.end(); ++it) {
        *it *= 2 * *it;
      }
    }
  };
  Holder holder{{x, 3 * x, x * x}};
  holder.double_all();
  return holder.total();
}

struct Sizes {
  int outer = 4;
  int inner = 2;
};

double overwritten(double x) {
  Sizes sizes;
  const Sizes fewer{2, 1};
  double sum = 0.0;
  for (int i = 0; i < sizes.outer; ++i) {
    sum += term(x, sum, static_cast<std::size_t>(i));
    std::memcpy(&sizes, &fewer, sizeof sizes);
  }
  return sum;
}

void clear(void* place, std::size_t bytes) {
  std::memset(place, 0, bytes);
}

double cleared_as_bytes(double x) {
  Sizes sizes;
  double sum = 0.0;
  for (int i = 0; i < sizes.outer; ++i) {
    sum += term(x, sum, static_cast<std::size_t>(i));
    if (i == 1) {
      clear(&sizes, sizeof sizes);
    }
  }
  void* const place = &sizes;
  sizes.outer = 3;
  for (int i = 0; i < sizes.outer; ++i) {
    sum += term(x, sum, static_cast<std::size_t>(i));
    std::memset(place, 0, sizeof sizes);
  }
  struct Holder {
    Sizes* sizes;
  };
  const Holder holder{&sizes};
  sizes.outer = 5;
  for (int i = 0; i < sizes.outer; ++i) {
    sum += term(x, sum, static_cast<std::size_t>(i));
    std::memset(holder.sizes, 0, sizeof sizes);
  }
  return sum;
}

double raise(int& own, int& other, int depth, double x) {
  double sum = 0.0;
  for (int i = 0; i < own; ++i) {
    sum += term(x, sum, static_cast<std::size_t>(i));
    other += other < 4 ? 1 : 0;
    if (depth > 0) {
      sum += raise(other, own, depth - 1, x) * x;
    }
  }
  return sum;
}

double raised_by_recursion(double x) {
  int a = 2;
  int b = 1;
  return raise(a, b, 2, 0.1 * x) + raise(b, a, 1, 0.1 * x);
}

}  // namespace

struct Cells {
  int count = 3;
  std::vector<double> log;
  std::vector<double> squares;
  std::vector<std::vector<int>> near;
  void start(double x) {
    for (int i = 0; i < count; ++i) {
      log.push_back(x * i + 1);
    }
    for (const double v : log) {
      squares.push_back(v * v);
    }
    near.resize(log.size());
    for (std::size_t i = 0; i < log.size(); ++i) {
      near[i].push_back(static_cast<int>(log.size() - 1 - i));
    }
  }
  [[nodiscard]] double sum() const {
    double r = 0;
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (const int j : near[i]) {
        r = r * 0.5 + log[i] * squares[static_cast<std::size_t>(j)];
      }
    }
    return r;
  }
};

struct Growing {
  std::vector<double> log;
  int n = 2;
  [[nodiscard]] int count() const { return static_cast<int>(log.size()); }
  void grow(double x) {
    log = {x};
    for (int i = 0; i < count() && i < 4; ++i) {
      log.push_back(x * i + log[static_cast<std::size_t>(i)]);
    }
    for (int i = 0; i < n; ++i) {
      log.push_back(x * log[static_cast<std::size_t>(i)]);
      if (i < 2) {
        n += 1;
      }
    }
  }
};

double members_grow(double x) {
  Cells c;
  c.start(x);
  return c.sum();
}

double rows_grow(double x) {
  std::vector<std::vector<double>> m(2);
  m[0] = {x, 2 * x};
  for (const double v : m[0]) {
    m[1].push_back(v * v);
  }
  return m[1][0] * m[1][1];
}

double bounds_grow(double x) {
  Growing g;
  g.grow(x);
  double s = 0;
  for (const double e : g.log) {
    s = s * x + e;
  }
  return s;
}

DDX_CHECK_GRADIENT(members_grow, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(rows_grow, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(bounds_grow, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(grown_by_a_closure, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(raised_by_a_closure, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(raised_by_a_reference, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(raised_by_a_pointer, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(grown_by_a_reference, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(grown_by_a_member, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(grown_by_a_parameter, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(bounded_by_members, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(bounded_by_functions, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(lowered_by_a_member, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(lowered_from_outside, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(assigned_as_a_whole, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(swapped, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(counted_down_elsewhere, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(called_by_the_library, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(handed_to_the_library, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(lowered_by_a_destructor, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(captured, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(bounded_by_a_parameter, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(iterated, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(overwritten, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(cleared_as_bytes, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(raised_by_recursion, at(0.83), at(1.1), at(-1.7))
