#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

// Loops through memory whose number of iterations is known where they begin, and some beside them:
// the records of all iterations lie in one area of the tape.

namespace {

/// Numbers that the compiler cannot follow to names.
struct Table {
  double* values;
  std::size_t count;
};

Table table_of(double x, double y, std::size_t count) {
  Table table{new double[count], count};
  for (std::size_t i = 0; i < count; ++i) {
    table.values[i] = x + y / static_cast<double>(i + 1);
  }
  return table;
}

double sum_of(const Table& table) {
  double sum = 0;
  for (std::size_t i = 0; i < table.count; ++i) {
    sum += table.values[i] * table.values[i] * static_cast<double>(i + 1);
  }
  delete[] table.values;
  return sum;
}

/// Constant numbers of iterations: the areas of inner loops lie in those of outer ones.
double of_a_constant_nest(double x, double y) {
  const Table table = table_of(x, y, 12);
  for (int i = 0; i < 3; ++i) {
    double factor = table.values[i];
    for (int j = 2; j >= 0; --j) {
      for (int k = 0; k < 4; ++k) {
        table.values[4 * j + k] = table.values[4 * j + k] * factor + table.values[k] * x;
      }
      factor *= 0.5 * table.values[j];
    }
    table.values[i] += factor * y;
  }
  return sum_of(table);
}
DDX_CHECK_GRADIENT(of_a_constant_nest, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Numbers of iterations that change from run to run, down to none.
double of_a_triangle(double x, double y) {
  const Table table = table_of(x, y, 9);
  for (std::size_t i = 0; i < table.count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      table.values[i] = table.values[i] * 0.5 + table.values[j] * table.values[i] * y;
    }
  }
  return sum_of(table);
}
DDX_CHECK_GRADIENT(of_a_triangle, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Records in some iterations only, and inner loops that some iterations lack.
double of_conditions(double x, double y) {
  const Table table = table_of(x, y, 10);
  for (std::size_t i = 0; i < table.count; ++i) {
    if (i % 3 != 1) {
      table.values[i] *= 0.5 * table.values[i / 2];
      for (std::size_t j = 0; j < 3; ++j) {
        table.values[i] += 0.1 * std::sin(table.values[j] * table.values[i]);
      }
    } else {
      table.values[i] = std::cos(table.values[i]) * table.values[0];
    }
    table.values[table.count - 1 - i] *= 1 + 0.1 * y * std::sin(table.values[i]);
  }
  return sum_of(table);
}
DDX_CHECK_GRADIENT(of_conditions, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// A loop with two exits, around one and in one that is counted.
double of_early_exits(double x, double y) {
  const Table table = table_of(x, y, 8);
  for (std::size_t i = 0; i < table.count; ++i) {
    std::size_t j = 0;
    while (true) {
      table.values[i] = table.values[i] * table.values[j] + 0.2 * y;
      if (++j == 3 || table.values[i] > 1.5) {
        break;
      }
    }
    if (table.values[i] > 2.5) {
      break;
    }
  }
  return sum_of(table);
}
DDX_CHECK_GRADIENT(of_early_exits, at(0.6, 0.3), at(1.4, 0.7), at(2.1, 0.9))

/// Pointers that move, forward and backward, by one and by two.
double of_moving_pointers(double x, double y) {
  const Table table = table_of(x, y, 16);
  double* const end = table.values + table.count;
  double last = 1;
  for (double* p = table.values; p != end; ++p) {
    *p = *p * last + y;
    last = *p * 0.5;
  }
  for (double* p = end; p != table.values;) {
    p -= 2;
    *p = *p * p[1] + std::cos(last);
    last += *p * x;
  }
  return sum_of(table) * last;
}
DDX_CHECK_GRADIENT(of_moving_pointers, at(0.3, 0.2), at(-0.4, 0.1), at(0.45, 0.55))

/// Numbers of 16 bytes beside others, in an area.
double of_long_doubles(double x, double y) {
  const auto numbers = std::make_unique<long double[]>(7);
  const auto others = std::make_unique<double[]>(7);
  for (int i = 0; i < 7; ++i) {
    numbers[i] = static_cast<long double>(x) * i + y;
    others[i] = y * i;
  }
  double sum = 0;
  for (int i = 0; i < 7; ++i) {
    numbers[i] = numbers[i] * numbers[6 - i] + others[i] * others[i];
    sum += static_cast<double>(numbers[i]) * (x + others[6 - i]);
  }
  return sum;
}
DDX_CHECK_GRADIENT(of_long_doubles, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

double half_of(const Table& table, std::size_t i) {
  if (table.values[i] < -3) {
    throw std::out_of_range("number");
  }
  double result = table.values[i];
  for (std::size_t j = 0; j <= i; ++j) {
    result = result * 0.5 + std::sin(table.values[j]) * 0.3;
  }
  return result;
}

/// Calls with records of their own, which may throw, in counted loops.
double of_calls(double x, double y) {
  const Table table = table_of(x, y, 6);
  try {
    for (std::size_t i = 0; i < table.count; ++i) {
      for (int k = 0; k < 2; ++k) {
        table.values[i] = half_of(table, i) * y - table.values[0] * x;
      }
      table.values[i] -= i == 4 ? 9 * x : 0;
      table.values[i] *= half_of(table, i);
    }
  } catch (const std::out_of_range&) {
    table.values[2] *= table.values[1];
  }
  return sum_of(table);
}
DDX_CHECK_GRADIENT(of_calls, at(0.6, 0.3), at(0.2, 0.7), at(0.9, 0.4))

/// Areas that are larger than a part of the tape.
double of_many_iterations(double x, double y) {
  const Table table = table_of(x, y, 3000);
  for (int t = 0; t < 30; ++t) {
    for (std::size_t i = 1; i + 1 < table.count; ++i) {
      table.values[i] += 0.1 * (table.values[i - 1] - 2 * table.values[i] + table.values[i + 1]) *
                         table.values[i] * y;
    }
  }
  return sum_of(table) * 1e-6;
}
DDX_CHECK_GRADIENT(of_many_iterations, at(0.6, 0.3), at(0.2, 0.7), at(0.45, 0.55))

/// Rows behind pointers: sums in one place, of numbers that lie apart and of the same ones.
double of_rows(double x, double y) {
  constexpr std::size_t count = 11;
  std::vector<std::unique_ptr<double[]>> a, c;
  for (std::size_t i = 0; i < count; ++i) {
    a.push_back(std::make_unique<double[]>(count));
    c.push_back(std::make_unique<double[]>(count));
    for (std::size_t j = 0; j < count; ++j) {
      a[i][j] = x * std::sin(static_cast<double>(i)) + y * std::cos(static_cast<double>(3 * j));
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t j = 0; j < count; ++j) {
        c[i][j] += a[i][k] * a[k][j];
      }
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      c[i][i] += c[i][j] * a[j][i] * 0.1;
      sum += c[i][j] * a[j][i];
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(of_rows, at(0.6, 0.3), at(0.2, 0.7), at(0.45, 0.55))

/// A place that each iteration adds to and one that moves through it.
double of_overlapping_places(double x, double y) {
  const Table table = table_of(x, y, 20);
  for (std::size_t i = 0; i < table.count; ++i) {
    table.values[7] += table.values[i] * table.values[i] * 0.1;
    table.values[i] = table.values[7] * y + table.values[i];
  }
  return sum_of(table) * 1e-3;
}
DDX_CHECK_GRADIENT(of_overlapping_places, at(0.6, 0.3), at(0.2, 0.7), at(0.45, 0.55))

}  // namespace
