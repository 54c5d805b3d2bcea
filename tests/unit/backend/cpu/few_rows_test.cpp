// Products of few rows, of every instruction set, beside sums in double.

#include "backend/cpu/few_rows.h"

#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/table.h"
#include "tests/support/exact_numbers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend::cpu {
namespace few_rows_test {

/// A stack of products.
struct Sizes {
  std::int64_t stack = 1;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  bool shared_right = false;
};

template <class T>
struct Product {
  Product(const Sizes& sizes, ops::MatmulAttributes given)
      : s(sizes),
        attributes(given),
        a(ddx::testing::exact_numbers<T>(s.stack * s.rows * s.inner, 1)),
        b(ddx::testing::exact_numbers<T>((s.shared_right ? 1 : s.stack) * s.inner * s.columns, 2)) {
  }

  [[nodiscard]] std::vector<T> computed(Isa isa) const {
    // What the kernel must not write is behind the result.
    std::vector<T> y(static_cast<std::size_t>(s.stack * s.rows * s.columns) + 64, T{77});
    const auto stacked = [&](std::int64_t first, std::int64_t second, bool turned) {
      return turned ? Shape{s.stack, second, first} : Shape{s.stack, first, second};
    };
    // Views refer to shapes.
    const Shape left = stacked(s.rows, s.inner, attributes.transpose_left);
    const Shape each = stacked(s.inner, s.columns, attributes.transpose_right);
    const Shape right = s.shared_right ? Shape{each[1], each[2]} : each;
    const Shape result{s.stack, s.rows, s.columns};
    const std::array inputs{ops::View(a.data(), left, dtype_of<T>),
                            ops::View(b.data(), right, dtype_of<T>)};
    const std::array outputs{ops::View(y.data(), result, dtype_of<T>)};
    const ops::Call call(inputs, outputs, &attributes);
    EXPECT_TRUE(has_few_rows(call));
    kernels_of(isa).at(ops::Op::matmul, dtype_of<T>).kernel()(call);
    EXPECT_TRUE(std::all_of(y.end() - 64, y.end(), [](T one) { return one == T{77}; }));
    y.resize(y.size() - 64);
    return y;
  }

  void expect_right(Isa isa) const {
    const std::vector<T> y = computed(isa);
    for (std::int64_t i = 0; i < s.stack * s.rows * s.columns; ++i) {
      const std::int64_t product = i / (s.rows * s.columns);
      const std::int64_t row = i / s.columns % s.rows;
      const std::int64_t column = i % s.columns;
      const T* left = a.data() + product * s.rows * s.inner;
      const T* right = b.data() + (s.shared_right ? 0 : product * s.inner * s.columns);
      double sum = 0;
      double size = 0;
      for (std::int64_t k = 0; k < s.inner; ++k) {
        const double term =
            static_cast<double>(
                left[attributes.transpose_left ? k * s.rows + row : row * s.inner + k]) *
            static_cast<double>(
                right[attributes.transpose_right ? column * s.inner + k : k * s.columns + column]);
        sum += term;
        size += std::abs(term);
      }
      // Products are exact in f32; each sum is rounded, and the result once to its type.
      const double tolerance =
          size * std::numeric_limits<float>::epsilon() * std::sqrt(static_cast<double>(s.inner)) +
          std::abs(sum) * static_cast<double>(std::numeric_limits<T>::epsilon());
      ASSERT_NEAR(static_cast<double>(y[static_cast<std::size_t>(i)]), sum, tolerance) << i;
    }
  }

  Sizes s;
  ops::MatmulAttributes attributes;
  std::vector<T> a;
  std::vector<T> b;
};

template <class T>
void expect_right_products(Isa isa) {
  // Runs that end within a vector, columns behind whole strips, several parts for threads, of
  // columns and of the inner index.
  for (const Sizes& s :
       {Sizes{1, 1, 67, 1501}, Sizes{1, 2, 301, 203}, Sizes{1, 3, 43, 1111}, Sizes{1, 4, 301, 130},
        Sizes{1, 1, 1, 1}, Sizes{5, 1, 150, 65}, Sizes{2, 2, 141, 518, true}, Sizes{3, 4, 9, 70},
        Sizes{1, 1, 301, 1501}, Sizes{1, 7, 517, 603}, Sizes{2, 5, 515, 300},
        Sizes{1, 16, 43, 1111}, Sizes{3, 5, 141, 518, true}}) {
    for (const bool left : {false, true}) {
      if (left && s.shared_right) {
        continue;  // No product of few rows.
      }
      for (const bool right : {false, true}) {
        SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.inner) + " x " +
                     std::to_string(s.columns) + (left ? " T" : " N") + (right ? "T" : "N"));
        Product<T>(s, {left, right}).expect_right(isa);
      }
    }
  }
}

TEST(FewRows, OfEveryInstructionSetAndTypeAreRight) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa > best_isa()) {
      continue;
    }
    SCOPED_TRACE("level " + std::to_string(static_cast<int>(isa)));
    expect_right_products<float>(isa);
    expect_right_products<double>(isa);
    expect_right_products<BFloat16>(isa);
    expect_right_products<Half>(isa);
  }
}

TEST(FewRows, WithNoInnerExtentAreZero) {
  EXPECT_EQ(Product<Half>({.rows = 2, .columns = 3}, {}).computed(best_isa()),
            std::vector<Half>(6));
  EXPECT_EQ(Product<BFloat16>({.rows = 2, .columns = 3}, {}).computed(best_isa()),
            std::vector<BFloat16>(6));
}

TEST(FewRows, HaveTheSameBitsOnAnyNumberOfThreads) {
  for (const bool right : {false, true}) {
    const Product<float> product({.rows = 3, .inner = 701, .columns = 1501}, {false, right});
    const std::vector<float> together = product.computed(best_isa());
    // While the pool is busy, all is computed on this thread.
    std::atomic<bool> is_busy{false};
    std::atomic<bool> may_end{false};
    std::thread holder([&] {
      for_each_chunk(2, [&](std::int64_t) {
        is_busy = true;
        is_busy.notify_all();
        may_end.wait(false);
      });
    });
    is_busy.wait(false);
    EXPECT_EQ(product.computed(best_isa()), together);
    may_end = true;
    may_end.notify_all();
    holder.join();
  }
}

}  // namespace few_rows_test
}  // namespace ddx::backend::cpu
