#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

/// The shape of an operand: leading axes, then the two given ones, exchanged where transposed.
Shape operand_shape(const std::vector<std::int64_t>& leading, std::int64_t rows,
                    std::int64_t columns, bool transposed) {
  std::vector<std::int64_t> extents = leading;
  extents.push_back(transposed ? columns : rows);
  extents.push_back(transposed ? rows : columns);
  return Shape(extents);
}

/// The element of a stack of matrices; an operand without leading axes is the same for all.
double matrix_at(const HostArray& x, const Index& leading, std::int64_t row, std::int64_t column,
                 bool transposed) {
  Index index = x.shape.rank() == 2 ? Index{} : leading;
  index.push_back(transposed ? column : row);
  index.push_back(transposed ? row : column);
  return x.at(index);
}

}  // namespace

std::vector<Case> matmul_cases(const ops::OpInfo& op, DType dtype) {
  struct Sizes {
    std::vector<std::int64_t> leading_a, leading_b;
    std::int64_t rows, inner, columns;
  };
  std::vector<Case> cases;
  for (const Sizes& s :
       {Sizes{{}, {}, 1, 1, 1}, Sizes{{}, {}, 7, 8, 9}, Sizes{{}, {}, 16, 17, 15},
        Sizes{{}, {}, 1, 33, 65}, Sizes{{}, {}, 3, 0, 2}, Sizes{{}, {}, 0, 3, 2},
        Sizes{{}, {}, 2, 19, 37}, Sizes{{}, {}, 3, 21, 67}, Sizes{{}, {}, 4, 35, 129},
        Sizes{{3}, {}, 1, 9, 5}, Sizes{{}, {}, 70, 65, 130}, Sizes{{3}, {3}, 4, 5, 6},
        Sizes{{2, 3}, {2, 3}, 3, 2, 4}, Sizes{{3}, {}, 4, 5, 6}, Sizes{{}, {3}, 4, 5, 6},
        Sizes{{0}, {0}, 2, 2, 2}}) {
    for (const bool left : {false, true}) {
      for (const bool right : {false, true}) {
        const HostArray a =
            draw(op.domain, operand_shape(s.leading_a, s.rows, s.inner, left), dtype, 1);
        const HostArray b =
            draw(op.domain, operand_shape(s.leading_b, s.inner, s.columns, right), dtype, 2);
        const auto& leading = s.leading_a.empty() ? s.leading_b : s.leading_a;
        cases.push_back({to_string(a.shape) + (left ? "T" : "") + " with " + to_string(b.shape) +
                             (right ? "T" : ""),
                         {a, b},
                         {tabulate(operand_shape(leading, s.rows, s.columns, false), dtype,
                                   [&](const Index& i) {
                                     const Index stack(i.begin(), i.end() - 2);
                                     double sum = 0;
                                     for (std::int64_t k = 0; k < s.inner; ++k) {
                                       sum += matrix_at(a, stack, i.end()[-2], k, left) *
                                              matrix_at(b, stack, k, i.end()[-1], right);
                                     }
                                     return sum;
                                   })},
                         keep(ops::MatmulAttributes{left, right})});
      }
    }
  }
  return cases;
}

}  // namespace ddx::testing
