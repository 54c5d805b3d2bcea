// Attention over a range of keys, of every instruction set, beside its definition in double.

#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/table.h"
#include "tests/support/exact_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::backend::cpu {
namespace attention_over_range_test {

struct Sizes {
  std::int64_t batch, queries, keys, depth, out, first, end;
};

template <class T>
struct Operands {
  explicit Operands(const Sizes& sizes)
      : s(sizes),
        q(ddx::testing::exact_numbers<T>(s.batch * s.queries * s.depth, 1)),
        k(ddx::testing::exact_numbers<T>(s.batch * s.keys * s.depth, 2)),
        v(ddx::testing::exact_numbers<T>(s.batch * s.keys * s.out, 3)) {
    // Nothing outside the range is read.
    for (std::int64_t i = 0; i < s.batch * s.keys; ++i) {
      if (i % s.keys < s.first || i % s.keys >= s.end) {
        const T none = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
        std::fill_n(k.begin() + i * s.depth, s.depth, none);
        std::fill_n(v.begin() + i * s.out, s.out, none);
      }
    }
  }

  [[nodiscard]] std::vector<T> computed(Isa isa) const {
    const Shape queries{s.batch, s.queries, s.depth};
    const Shape keys{s.batch, s.keys, s.depth};
    const Shape values{s.batch, s.keys, s.out};
    const Shape results{s.batch, s.queries, s.out};
    const Shape two{2};
    const std::array<std::int32_t, 2> range{static_cast<std::int32_t>(s.first),
                                            static_cast<std::int32_t>(s.end)};
    // What the kernel must not write is behind the result.
    std::vector<T> y(static_cast<std::size_t>(results.count()) + 64, T{77});
    const std::array inputs{
        ops::View(q.data(), queries, dtype_of<T>), ops::View(k.data(), keys, dtype_of<T>),
        ops::View(v.data(), values, dtype_of<T>), ops::View(range.data(), two, DType::i32)};
    const std::array outputs{ops::View(y.data(), results, dtype_of<T>)};
    const ops::AttentionAttributes attributes{.scale = 0.25};
    kernels_of(isa)
        .at(ops::Op::attention_over_range, dtype_of<T>)
        .kernel()(ops::Call(inputs, outputs, &attributes));
    EXPECT_TRUE(std::all_of(y.end() - 64, y.end(), [](T one) { return one == T{77}; }));
    y.resize(y.size() - 64);
    return y;
  }

  /// The weights of the keys in the range for one query.
  [[nodiscard]] std::vector<double> weights(std::int64_t row) const {
    std::vector<double> w;
    double total = 0;
    for (std::int64_t key = s.first; key < s.end; ++key) {
      double score = 0;
      for (std::int64_t i = 0; i < s.depth; ++i) {
        score += static_cast<double>(q[at(row, s.depth, i)]) *
                 static_cast<double>(k[at(row / s.queries * s.keys + key, s.depth, i)]);
      }
      w.push_back(std::exp(0.25 * score));
      total += w.back();
    }
    for (double& one : w) {
      one /= total;
    }
    return w;
  }
  [[nodiscard]] double expected(std::int64_t row, std::int64_t column) const {
    const std::vector<double> w = weights(row);
    double sum = 0;
    for (std::int64_t i = 0; i < s.end - s.first; ++i) {
      sum += w[static_cast<std::size_t>(i)] *
             static_cast<double>(v[at(row / s.queries * s.keys + s.first + i, s.out, column)]);
    }
    return sum;
  }
  static std::size_t at(std::int64_t row, std::int64_t columns, std::int64_t column) {
    return static_cast<std::size_t>(row * columns + column);
  }

  Sizes s;
  std::vector<T> q, k, v;
};

template <class T>
void expect_definition(Isa isa) {
  for (const Sizes& s : {Sizes{1, 1, 1, 1, 1, 0, 1}, Sizes{3, 2, 200, 64, 64, 0, 129},
                         Sizes{2, 7, 65, 33, 71, 1, 65}, Sizes{2, 1, 64, 8, 16, 5, 5},
                         Sizes{12, 1, 300, 40, 130, 100, 300}}) {
    const Operands<T> operands(s);
    const std::vector<T> y = operands.computed(isa);
    const double tolerance = 8 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                             (sizeof(T) == 2 ? 0.25 : 4);  // 16 bits are rounded once.
    for (std::int64_t row = 0; row < s.batch * s.queries; ++row) {
      for (std::int64_t column = 0; column < s.out; column += 3) {
        ASSERT_NEAR(static_cast<double>(y[operands.at(row, s.out, column)]),
                    operands.expected(row, column), tolerance)
            << "row " << row << ", column " << column << " of " << s.keys << " keys";
      }
    }
  }
}

TEST(AttentionOverRange, IsItsDefinitionAtEveryLevel) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa > best_isa()) {
      continue;
    }
    SCOPED_TRACE("level " + std::to_string(static_cast<int>(isa)));
    expect_definition<float>(isa);
    expect_definition<double>(isa);
    expect_definition<BFloat16>(isa);
    expect_definition<Half>(isa);
  }
}

}  // namespace attention_over_range_test
}  // namespace ddx::backend::cpu
