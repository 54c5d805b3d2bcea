#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

/// One matrix, for slow arithmetic in double.
struct Matrix {
  Matrix(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count),
        columns(column_count),
        values(static_cast<std::size_t>(row_count * column_count)) {}

  double& operator()(std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
  double operator()(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * columns + j)];
  }

  std::int64_t rows;
  std::int64_t columns;
  std::vector<double> values;
};

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix y(a.rows, b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      for (std::int64_t k = 0; k < a.columns; ++k) {
        y(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return y;
}

Matrix transposed(const Matrix& a) {
  Matrix y(a.columns, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.columns; ++j) {
      y(j, i) = a(i, j);
    }
  }
  return y;
}

Matrix first_columns(const Matrix& a, std::int64_t count) {
  Matrix y(a.rows, count);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < count; ++j) {
      y(i, j) = a(i, j);
    }
  }
  return y;
}

/// The sizes of a case: how many matrices, of which extents, and how many columns stand beside.
struct Sizes {
  std::vector<std::int64_t> leading;
  std::int64_t rows;
  std::int64_t columns;

  [[nodiscard]] std::int64_t stack() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : leading) {
      count *= extent;
    }
    return count;
  }
  [[nodiscard]] std::int64_t smaller() const { return std::min(rows, columns); }
};

/// Matrices, or vectors as matrices of one column, one after another.
HostArray stacked(const Sizes& s, const std::vector<Matrix>& all,
                  const std::vector<std::int64_t>& last, DType dtype) {
  std::vector<std::int64_t> extents = s.leading;
  extents.insert(extents.end(), last.begin(), last.end());
  HostArray array{Shape(extents), dtype, {}};
  for (const Matrix& one : all) {
    array.values.insert(array.values.end(), one.values.begin(), one.values.end());
  }
  return array;
}

/// The array with its elements rounded to the dtype.
HostArray rounded(const HostArray& array) {
  return decode(encode(array).data(), array.shape, array.dtype);
}

/// The matrices of a stack.
std::vector<Matrix> matrices_of(const Sizes& s, const HostArray& array, std::int64_t rows,
                                std::int64_t columns) {
  std::vector<Matrix> all;
  for (std::int64_t i = 0; i < s.stack(); ++i) {
    all.emplace_back(rows, columns);
    const auto begin = array.values.begin() + i * rows * columns;
    std::copy(begin, begin + rows * columns, all.back().values.begin());
  }
  return all;
}

/// Random matrices: elements of [-1, 1] / n, and `diagonal` more on the diagonal.
std::vector<Matrix> random_matrices(const Sizes& s, double diagonal, std::uint64_t seed) {
  const HostArray drawn =
      draw(ops::Domain::Any, Shape{s.stack(), s.rows, s.columns}, DType::f64, seed);
  std::vector<Matrix> all = matrices_of(s, drawn, s.rows, s.columns);
  for (Matrix& one : all) {
    for (std::int64_t i = 0; i < s.rows; ++i) {
      for (std::int64_t j = 0; j < s.columns; ++j) {
        one(i, j) = one(i, j) / (2.0 * static_cast<double>(s.rows)) + (i == j ? diagonal : 0);
      }
    }
  }
  return all;
}

std::string name_of(const Sizes& s) {
  std::string name;
  for (const std::int64_t extent : s.leading) {
    name += std::to_string(extent) + " of ";
  }
  return name + std::to_string(s.rows) + " x " + std::to_string(s.columns);
}

const Sizes squares[] =
    {
        {{}, 1, 1},   {{}, 2, 2},   {{}, 3, 3},  {{}, 7, 7},
        {{}, 16, 16}, {{}, 33, 33}, {{3}, 4, 4}, {{2, 3}, 5, 5},
        {{}, 0, 0},   {{2}, 0, 0},  {{0}, 3, 3}, {{700}, 3, 3},  // Enough for several threads.
};

const Sizes oblongs[] = {
    {{}, 1, 1}, {{}, 3, 3},   {{}, 5, 3},  {{}, 3, 5},  {{}, 4, 1},
    {{}, 1, 4}, {{}, 17, 16}, {{}, 9, 20}, {{3}, 4, 2}, {{2, 2}, 3, 4},
    {{}, 0, 3}, {{}, 3, 0},   {{2}, 3, 0}, {{0}, 4, 2}, {{500}, 4, 3},
};

/// Outer products are subtracted column by column; NaN from the row on whose pivot is not positive.
Matrix cholesky_factor(Matrix a) {
  const std::int64_t n = a.rows;
  Matrix l(n, n);
  for (std::int64_t k = 0; k < n; ++k) {
    if (!(a(k, k) > 0)) {
      for (std::int64_t i = k; i < n; ++i) {
        for (std::int64_t j = 0; j <= i; ++j) {
          l(i, j) = NAN;
        }
      }
      return l;
    }
    for (std::int64_t i = k; i < n; ++i) {
      l(i, k) = a(i, k) / std::sqrt(a(k, k));
    }
    for (std::int64_t i = k + 1; i < n; ++i) {
      for (std::int64_t j = k + 1; j <= i; ++j) {
        a(i, j) -= l(i, k) * l(j, k);
      }
    }
  }
  return l;
}

std::vector<Case> cholesky_cases(DType dtype) {
  std::vector<Case> cases;
  for (const Sizes& s : squares) {
    for (const bool definite : {true, false}) {
      std::vector<Matrix> all;
      for (Matrix& l : random_matrices(s, 1, 1)) {
        all.push_back(times(l, transposed(l)));
        if (!definite && all.size() % 2 == 0 && s.rows > 1) {
          all.back()(s.rows / 2, s.rows / 2) -= 3;
        }
        for (std::int64_t i = 0; i < s.rows; ++i) {
          for (std::int64_t j = i + 1; j < s.rows; ++j) {
            all.back()(i, j) = 99;  // Not to be read.
          }
        }
      }
      const HostArray a = rounded(stacked(s, all, {s.rows, s.rows}, dtype));
      std::vector<Matrix> factors;
      for (const Matrix& one : matrices_of(s, a, s.rows, s.rows)) {
        factors.push_back(cholesky_factor(one));
      }
      cases.push_back({name_of(s) + (definite ? "" : ", some not positive definite"),
                       {a},
                       {stacked(s, factors, {s.rows, s.rows}, dtype)}});
    }
  }
  return cases;
}

/// Elimination row by row below the largest element of each column.
void eliminate(Matrix& a, Matrix& order) {
  const std::int64_t n = a.rows;
  for (std::int64_t i = 0; i < n; ++i) {
    order(i, 0) = static_cast<double>(i);
  }
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < n; ++i) {
      pivot = std::abs(a(i, k)) > std::abs(a(pivot, k)) ? i : pivot;
    }
    std::swap(order(k, 0), order(pivot, 0));
    for (std::int64_t j = 0; j < n; ++j) {
      const double moved = a(k, j);
      a(k, j) = a(pivot, j);
      a(pivot, j) = moved;
    }
    for (std::int64_t i = k + 1; i < n && a(k, k) != 0; ++i) {
      a(i, k) /= a(k, k);
      for (std::int64_t j = k + 1; j < n; ++j) {
        a(i, j) -= a(i, k) * a(k, j);
      }
    }
  }
}

std::vector<Case> lu_cases(DType dtype) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, const Sizes& s, const std::vector<Matrix>& all) {
    const HostArray a = rounded(stacked(s, all, {s.rows, s.rows}, dtype));
    std::vector<Matrix> packed = matrices_of(s, a, s.rows, s.rows);
    std::vector<Matrix> orders;
    for (Matrix& one : packed) {
      orders.emplace_back(s.rows, 1);
      eliminate(one, orders.back());
    }
    cases.push_back(
        {name,
         {a},
         {stacked(s, packed, {s.rows, s.rows}, dtype), stacked(s, orders, {s.rows}, DType::i32)}});
  };
  for (const Sizes& s : squares) {
    // A cycle of the rows of a matrix whose diagonal is large: every pivot is found below.
    std::vector<Matrix> all = random_matrices(s, 1, 2);
    for (Matrix& one : all) {
      if (s.rows > 0) {
        std::rotate(one.values.begin(), one.values.begin() + s.columns, one.values.end());
      }
    }
    add(name_of(s), s, all);
  }
  Matrix singular(3, 3);
  singular.values = {1, 2, 3, 2, 4, 6, 1, 0, 8};
  add("of rank 2", {{}, 3, 3}, {singular});
  add("zeros", {{}, 2, 2}, {Matrix(2, 2)});
  return cases;
}

/// What solves a triangular system, column after column: each x found is subtracted from all rows.
Matrix solution(const Matrix& t, bool lower, Matrix b) {
  const std::int64_t n = t.rows;
  for (std::int64_t step = 0; step < n; ++step) {
    const std::int64_t k = lower ? step : n - 1 - step;
    for (std::int64_t c = 0; c < b.columns; ++c) {
      b(k, c) /= t(k, k);
      for (std::int64_t i = lower ? k + 1 : 0; i < (lower ? n : k); ++i) {
        b(i, c) -= t(i, k) * b(k, c);
      }
    }
  }
  return b;
}

std::vector<Case> triangular_solve_cases(DType dtype) {
  std::vector<Case> cases;
  for (const Sizes& s : squares) {
    for (int kind = 0; kind < 8; ++kind) {
      const ops::TriangleAttributes options{(kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0};
      const std::int64_t right = 1 + kind % 3;
      const HostArray b =
          draw(ops::Domain::Any, stacked(s, {}, {s.rows, right}, dtype).shape, dtype, 5);
      HostArray a = rounded(stacked(s, random_matrices(s, 1.5, 4), {s.rows, s.rows}, dtype));
      std::vector<Matrix> triangles = matrices_of(s, a, s.rows, s.rows);
      const std::vector<Matrix> sides = matrices_of(s, b, s.rows, right);
      std::vector<Matrix> solutions;
      std::vector<Matrix> given;
      for (std::size_t m = 0; m < triangles.size(); ++m) {
        Matrix& t = triangles[m];
        given.push_back(t);
        for (std::int64_t i = 0; i < s.rows; ++i) {
          for (std::int64_t j = 0; j < s.rows; ++j) {
            const bool outside = i != j && (i > j) != options.lower;
            if (outside || (i == j && options.unit_diagonal)) {
              given.back()(i, j) = NAN;  // Not to be read.
              t(i, j) = i == j ? 1 : 0;
            }
          }
        }
        solutions.push_back(solution(options.transposed ? transposed(t) : t,
                                     options.lower != options.transposed, sides[m]));
      }
      cases.push_back({name_of(s) + ", kind " + std::to_string(kind),
                       {stacked(s, given, {s.rows, s.rows}, dtype), b},
                       {stacked(s, solutions, {s.rows, right}, dtype)},
                       keep(options)});
    }
  }
  return cases;
}

/// The sign that the first element has that is at least half as large as the largest.
double sign_of_column(const Matrix& a, std::int64_t column) {
  double largest = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    largest = std::max(largest, std::abs(a(i, column)));
  }
  for (std::int64_t i = 0; i < a.rows; ++i) {
    if (std::abs(a(i, column)) >= largest / 2) {
      return a(i, column) < 0 ? -1 : 1;
    }
  }
  return 1;
}

void scale_column(Matrix& a, std::int64_t column, double factor) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    a(i, column) *= factor;
  }
}

/// q with one more column, orthogonal to the others.
Matrix with_last_column(const Matrix& q) {
  Matrix more(q.rows, q.columns + 1);
  double longest = 0;
  for (std::int64_t unit = 0; unit < q.rows; ++unit) {
    std::vector<double> rest(static_cast<std::size_t>(q.rows));
    double square = 0;
    for (std::int64_t i = 0; i < q.rows; ++i) {
      double inside = 0;
      for (std::int64_t c = 0; c < q.columns; ++c) {
        inside += q(i, c) * q(unit, c);
        more(i, c) = q(i, c);
      }
      rest[static_cast<std::size_t>(i)] = (i == unit ? 1 : 0) - inside;
      square += rest[static_cast<std::size_t>(i)] * rest[static_cast<std::size_t>(i)];
    }
    if (square > longest) {
      longest = square;
      for (std::int64_t i = 0; i < q.rows; ++i) {
        more(i, q.columns) = rest[static_cast<std::size_t>(i)] / std::sqrt(square);
      }
    }
  }
  scale_column(more, q.columns, sign_of_column(more, q.columns));
  return more;
}

std::vector<Case> qr_cases(DType dtype) {
  std::vector<Case> cases;
  for (const Sizes& s : oblongs) {
    const HostArray a = rounded(stacked(s, random_matrices(s, 1, 6), {s.rows, s.columns}, dtype));
    std::vector<Matrix> q;
    std::vector<Matrix> r;
    for (const Matrix& one : matrices_of(s, a, s.rows, s.columns)) {
      // Of the leading square or tall part x: r^T r = x^T x, and q = x r^-1.
      const Matrix x = first_columns(one, s.smaller());
      const Matrix l = cholesky_factor(times(transposed(x), x));
      q.push_back(transposed(solution(l, true, transposed(x))));
      r.push_back(times(transposed(q.back()), one));
    }
    for (Matrix& one : r) {
      for (std::int64_t i = 0; i < one.rows; ++i) {
        for (std::int64_t j = 0; j < std::min(i, one.columns); ++j) {
          one(i, j) = 0;
        }
      }
    }
    cases.push_back({name_of(s),
                     {a},
                     {stacked(s, q, {s.rows, s.smaller()}, dtype),
                      stacked(s, r, {s.smaller(), s.columns}, dtype)}});
    if (s.rows == s.columns + 1) {
      std::vector<Matrix> complete;
      for (std::size_t m = 0; m < q.size(); ++m) {
        complete.push_back(with_last_column(q[m]));
        r[m].values.resize(static_cast<std::size_t>(s.rows * s.columns));
      }
      cases.push_back({name_of(s) + ", full",
                       {a},
                       {stacked(s, complete, {s.rows, s.rows}, dtype),
                        stacked(s, r, {s.rows, s.columns}, dtype)}});
    }
  }
  return cases;
}

/// An orthogonal matrix: rotations of all neighbouring pairs of rows, twice over.
Matrix rotations(std::int64_t n, double start) {
  Matrix q(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    q(i, i) = 1;
  }
  double angle = start;
  for (std::int64_t k = 0; k < 2 * (n - 1); ++k) {
    const std::int64_t i = k % (n - 1);
    angle += 0.7;
    for (std::int64_t j = 0; j < n; ++j) {
      const double above = q(i, j);
      const double below = q(i + 1, j);
      q(i, j) = std::cos(angle) * above - std::sin(angle) * below;
      q(i + 1, j) = std::sin(angle) * above + std::cos(angle) * below;
    }
  }
  return q;
}

/// Matrices that are made of known singular values and vectors. Full factors where `full`: then
/// at most one column is free except for its sign.
void add_svd_case(std::vector<Case>& cases, Op op, DType dtype, const Sizes& s, bool full) {
  std::vector<Matrix> all;
  std::vector<Matrix> us;
  std::vector<Matrix> values;
  std::vector<Matrix> vs;
  for (std::int64_t m = 0; m < s.stack(); ++m) {
    Matrix u = rotations(s.rows, 0.1 + static_cast<double>(m));
    Matrix v = rotations(s.columns, 0.4 + static_cast<double>(m));
    Matrix sigma(s.rows, s.columns);
    values.emplace_back(s.smaller(), 1);
    for (std::int64_t i = 0; i < s.smaller(); ++i) {
      sigma(i, i) = static_cast<double>(s.smaller() - i) / static_cast<double>(s.smaller());
      values.back()(i, 0) = sigma(i, i);
    }
    all.push_back(times(times(u, sigma), transposed(v)));
    for (std::int64_t c = 0; c < std::max(s.rows, s.columns); ++c) {
      const double sign = sign_of_column(c < s.rows ? u : v, c);
      if (c < s.rows) {
        scale_column(u, c, sign);
      }
      if (c < s.columns) {
        scale_column(v, c, sign);
      }
    }
    us.push_back(full ? u : first_columns(u, s.smaller()));
    vs.push_back(full ? v : first_columns(v, s.smaller()));
  }
  const HostArray a = rounded(stacked(s, all, {s.rows, s.columns}, dtype));
  const HostArray sigma = stacked(s, values, {s.smaller()}, dtype);
  if (op == Op::svdvals) {
    cases.push_back({name_of(s), {a}, {sigma}});
  } else {
    cases.push_back({name_of(s) + (full ? ", full" : ""),
                     {a},
                     {stacked(s, us, {s.rows, full ? s.rows : s.smaller()}, dtype), sigma,
                      stacked(s, vs, {s.columns, full ? s.columns : s.smaller()}, dtype)}});
  }
}

std::vector<Case> svd_cases(Op op, DType dtype) {
  std::vector<Case> cases;
  for (const Sizes& s : oblongs) {
    add_svd_case(cases, op, dtype, s, false);
    if (op == Op::svd && s.smaller() > 0 && std::abs(s.rows - s.columns) <= 1) {
      add_svd_case(cases, op, dtype, s, true);
    }
  }
  return cases;
}

std::vector<Case> eigh_cases(Op op, DType dtype) {
  std::vector<Case> cases;
  for (const Sizes& s : squares) {
    std::vector<Matrix> all;
    std::vector<Matrix> values;
    std::vector<Matrix> vectors;
    for (std::int64_t m = 0; m < s.stack(); ++m) {
      Matrix v = rotations(s.rows, 0.2 + static_cast<double>(m));
      Matrix lambda(s.rows, s.rows);
      values.emplace_back(s.rows, 1);
      for (std::int64_t i = 0; i < s.rows; ++i) {
        lambda(i, i) = static_cast<double>(2 * i - s.rows) / static_cast<double>(s.rows);
        values.back()(i, 0) = lambda(i, i);
      }
      all.push_back(times(times(v, lambda), transposed(v)));
      for (std::int64_t i = 0; i < s.rows; ++i) {
        scale_column(v, i, sign_of_column(v, i));
        for (std::int64_t j = i + 1; j < s.rows; ++j) {
          all.back()(i, j) = 99;  // Not to be read.
        }
      }
      vectors.push_back(v);
    }
    Case one{name_of(s),
             {rounded(stacked(s, all, {s.rows, s.rows}, dtype))},
             {stacked(s, values, {s.rows}, dtype)}};
    if (op == Op::eigh) {
      one.expected.push_back(stacked(s, vectors, {s.rows, s.rows}, dtype));
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace

std::vector<Case> linear_algebra_cases(const ops::OpInfo& op, DType dtype) {
  switch (op.op) {
    case Op::cholesky:
      return cholesky_cases(dtype);
    case Op::lu:
      return lu_cases(dtype);
    case Op::triangular_solve:
      return triangular_solve_cases(dtype);
    case Op::qr:
      return qr_cases(dtype);
    case Op::svd:
    case Op::svdvals:
      return svd_cases(op.op, dtype);
    case Op::eigh:
    case Op::eigvalsh:
      return eigh_cases(op.op, dtype);
    default:
      return {};
  }
}

}  // namespace ddx::testing
