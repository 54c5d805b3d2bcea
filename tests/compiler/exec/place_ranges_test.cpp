#include "ddx/core/error.h"

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

// Loops whose addresses move by constant bytes: the reverse sweep finds the cotangents of a range
// at distances from the first one, and keeps those that several iterations use in variables. What
// the run time checks in front of such a loop does not hold in some of these programs.

namespace {

struct Pointers {
  double* p;
  double* q;
  int count;
};

/// Pointers into two blocks, or into one where a distance is given.
Pointers* make_pointers(double x, double y, int count, const int* distance) {
  constexpr int room = 1024;
  auto* made = static_cast<Pointers*>(std::malloc(sizeof(Pointers)));
  auto* numbers = static_cast<double*>(std::malloc(sizeof(double) * room));
  auto* others = static_cast<double*>(std::malloc(sizeof(double) * room));
  for (int i = 0; i < room; ++i) {
    numbers[i] = x * std::sin(0.1 * i) + y * std::cos(0.3 * i);
    others[i] = numbers[i] * 0.5;
  }
  if (distance != nullptr) {
    std::free(others);
    others = numbers + *distance;
  }
  *made = {numbers, others, count};
  return made;
}

/// Behind a pointer, so that callers do not know how the pointers are made.
Pointers* (*pointers_of)(double, double, int, const int*) = make_pointers;

void release(Pointers* pointers, bool are_apart) {
  if (are_apart) {
    std::free(pointers->q);
  }
  std::free(pointers->p);
  std::free(pointers);
}

double sum_of(Pointers* pointers, bool are_apart) {
  double sum = 0;
  for (int i = 0; i < pointers->count + 8; ++i) {
    sum += pointers->p[i] * pointers->p[i] * (1 + 0.01 * i);
    sum += pointers->q[i] * pointers->q[i] * 0.1;
  }
  release(pointers, are_apart);
  return sum;
}

/// Neighbours on both sides, from array to array.
void smooth(const double* from, double* to, int count) {
  for (int i = 1; i + 1 < count; ++i) {
    to[i] = from[i] + 0.1 * (from[i - 1] - 2 * from[i] + from[i + 1]) * from[i];
  }
}

/// The same, downward and by twos, with one number left out between others.
void smooth_down(const double* from, double* to, int count) {
  for (int i = count - 3; i >= 2; i -= 2) {
    to[i] = 0.9 * from[i] + 0.2 * from[i - 2] * from[i + 2];
  }
}

/// As many iterations as there are neighbours, fewer, more, and none.
double of_short_windows(double x, double y) {
  double sum = 0;
  for (int count = 0; count < 9; ++count) {
    Pointers* const apart = pointers_of(x, y, count, nullptr);
    smooth(apart->p, apart->q, count);
    smooth_down(apart->q, apart->p, count);
    sum += sum_of(apart, true) * 0.1 * count;
  }
  return sum;
}
DDX_CHECK_GRADIENT(of_short_windows, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Many pages, back and forth.
double of_long_windows(double x, double y) {
  Pointers* const apart = pointers_of(x, y, 1000, nullptr);
  for (int t = 0; t < 3; ++t) {
    smooth(apart->p, apart->q, apart->count);
    smooth_down(apart->q, apart->p, apart->count);
  }
  return sum_of(apart, true);
}
DDX_CHECK_GRADIENT(of_long_windows, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Two pointers into one array, at all distances: what one writes the other one reads before or
/// behind.
double of_overlapping_windows(double x, double y) {
  double sum = 0;
  for (int distance = 0; distance <= 6; ++distance) {
    Pointers* const near = pointers_of(x, y, 24, &distance);
    smooth(near->p + 3, near->q, 18);
    smooth_down(near->q, near->p + 3, 17);
    smooth(near->q, near->p + 3, 18);
    smooth(near->p, near->q + 16, 18);  // The ends overlap.
    sum += sum_of(near, false);
  }
  return sum;
}
DDX_CHECK_GRADIENT(of_overlapping_windows, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// One array in place, upward and downward: numbers that were written before are read.
double of_windows_in_place(double x, double y) {
  Pointers* const one = pointers_of(x, y, 30, nullptr);
  double* const numbers = one->p;
  for (int i = 1; i < one->count; ++i) {
    numbers[i] = numbers[i] * 0.5 + numbers[i - 1] * numbers[i + 1] + numbers[i + 2];
  }
  for (int i = one->count; i-- > 3;) {
    numbers[i] += 0.1 * numbers[i - 3] * numbers[i] * y;
    numbers[i - 1] *= 0.5;
  }
  return sum_of(one, true) * 0.1;
}
DDX_CHECK_GRADIENT(of_windows_in_place, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Up and down in one array at a time; the ranges meet in the middle.
double of_opposite_steps(double x, double y) {
  Pointers* const one = pointers_of(x, y, 25, nullptr);
  double* const p = one->p;
  const std::ptrdiff_t count = one->count;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    p[i] = p[i] * 0.7 + p[count - i] * p[i + 1];
  }
  return sum_of(one, true);
}
DDX_CHECK_GRADIENT(of_opposite_steps, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Beside neighbours some iterations use others of the same array, and some leave early.
double of_conditional_neighbours(double x, double y) {
  Pointers* const one = pointers_of(x, y, 40, nullptr);
  const double* const p = one->p;
  double* const q = one->q;
  for (int i = 1; i < one->count; ++i) {
    q[i] = p[i - 1] * p[i] + p[i + 1];
    if (i % 3 == 0) {
      q[i] += p[i] * p[one->count - i];
    }
  }
  for (int i = 1; i < one->count; ++i) {
    one->p[i] = q[i] * 0.5 + q[i - 1] * q[i + 1];
    if (i > 20 && one->p[i] > 0.2) {
      break;
    }
  }
  return sum_of(one, true);
}
DDX_CHECK_GRADIENT(of_conditional_neighbours, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Copies of bytes in a loop, of numbers that its accesses go through.
double of_copies_in_a_loop(double x, double y) {
  Pointers* const one = pointers_of(x, y, 20, nullptr);
  for (int i = 1; i < one->count; ++i) {
    one->p[i] = one->p[i] * one->p[i - 1] + 0.5 * one->p[i + 1];
    std::memcpy(one->q + i, one->p + i - 1, 2 * sizeof(double));
    one->p[i + 1] += one->q[i] * y;
  }
  return sum_of(one, true);
}
DDX_CHECK_GRADIENT(of_copies_in_a_loop, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

/// Blocks that move to other addresses between the iterations of an outer loop.
double of_growing_blocks(double x, double y) {
  int count = 8;
  auto* numbers = static_cast<double*>(std::malloc(sizeof(double) * count));
  for (int i = 0; i < count; ++i) {
    numbers[i] = x + 0.1 * i * y;
  }
  for (int t = 0; t < 6; ++t) {
    numbers = static_cast<double*>(std::realloc(numbers, sizeof(double) * 2 * count));
    for (int i = 0; i < count; ++i) {
      numbers[count + i] = 0.9 * numbers[i];
    }
    count *= 2;
    for (int i = 1; i + 1 < count; ++i) {
      numbers[i] = 0.5 * numbers[i] + 0.3 * numbers[i - 1] * numbers[i + 1];
    }
  }
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += numbers[i] * numbers[i];
  }
  std::free(numbers);
  return sum;
}
DDX_CHECK_GRADIENT(of_growing_blocks, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

struct Mixed {
  double wide;
  float narrow;
  float other;
  long double wider;
};

/// Numbers of three types in one loop, each with its own cotangents.
double of_mixed_members(double x, double y) {
  std::vector<Mixed> all(12);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].wide = x + 0.1 * static_cast<double>(i);
    all[i].narrow = static_cast<float>(y);
    all[i].other = 0.5F;
    all[i].wider = x * y;
  }
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    all[i].wide = all[i - 1].wide * y + all[i + 1].wide * 0.5;
    all[i].wider = all[i].wider * all[i - 1].wider + all[i + 1].wide;
    all[i].narrow = all[i - 1].narrow * 0.5F + all[i].other;
    all[i].wide += all[i].narrow;
  }
  double sum = 0;
  for (const Mixed& one : all) {
    sum += one.wide * static_cast<double>(one.wider);
  }
  return sum;
}
DDX_CHECK_GRADIENT_FLOAT(of_mixed_members, at(0.6, 0.3), at(0.4, 0.7), at(0.45, 0.55))

/// Integers of 32 and 64 bits that count for one loop, and one that another one computes.
double of_several_counters(double x, double y) {
  Pointers* const one = pointers_of(x, y, 31, nullptr);
  unsigned odd = 1;
  std::size_t next = 2;
  for (int i = 0; i + 1 < one->count; ++i, odd += 2, ++next) {
    one->p[i] = one->p[next] * 0.5 + one->p[i] * one->p[odd] + one->p[i + 1];
  }
  return sum_of(one, true);
}
DDX_CHECK_GRADIENT(of_several_counters, at(0.6, 0.3), at(-0.4, 0.7), at(0.45, 0.55))

struct [[gnu::packed]] Packed {
  float narrow;
  double wide;
};

/// Every other number is aligned, the first and the last one too.
double of_packed_numbers(const std::vector<double>& x) {
  const int count = static_cast<int>(x.size());
  auto* all = static_cast<Packed*>(std::malloc(sizeof(Packed) * 16));
  for (int i = 1; i < count; ++i) {
    all[i].wide = x[static_cast<std::size_t>(i)];
  }
  double sum = 0;
  for (int i = 1; i < count; ++i) {
    const double number = all[i].wide;
    sum += number * number;
  }
  std::free(all);
  return sum;
}

TEST(place_ranges, UnalignedNumbersInARangeAreAnError) {
  EXPECT_THROW((void)ddx::gradient(of_packed_numbers, std::vector<double>(6, 1.5)),
               ddx::UsageError);
}

}  // namespace
