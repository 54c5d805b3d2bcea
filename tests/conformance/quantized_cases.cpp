#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::testing {

std::vector<Case> quantized_cases(const ops::OpInfo& op, DType dtype) {
  struct Sizes {
    std::vector<std::int64_t> leading;
    std::int64_t columns, rows;
  };
  std::vector<Case> cases;
  for (const std::int64_t bits : {8, 4}) {
    for (const Sizes& s : {Sizes{{}, 32, 1}, Sizes{{1}, 1, 3}, Sizes{{3}, 64, 5},
                           Sizes{{2, 2}, 70, 9}, Sizes{{0}, 32, 2}, Sizes{{2}, 33, 0},
                           Sizes{{19}, 95, 33}, Sizes{{2}, 0, 3}, Sizes{{19}, 0, 3}}) {
      const std::int64_t groups = (s.columns + 31) / 32;
      const std::int64_t bytes = bits == 8 ? 32 : 16;
      std::vector<std::int64_t> extents = s.leading;
      extents.push_back(s.columns);
      const HostArray x = draw(op.domain, Shape(extents), dtype, 1);
      extents.back() = s.rows;
      // Any of 4 bits; of 8 bits mostly small ones, whose sums do not cancel to less.
      const HostArray numbers = tabulate({s.rows, groups * bytes}, DType::u8, [&](const Index& i) {
        const std::int64_t any = (i[0] * 59 + i[1] * 37 + 11) % 256;
        return static_cast<double>(bits == 4 || i[1] == 5 ? any : 128 + any % 9 - 4);
      });
      // What 16 bits have.
      const HostArray scales = tabulate({s.rows, groups}, DType::f16, [](const Index& i) {
        return i[1] == 1 ? 0.25 : 0.333251953125 / static_cast<double>(1 << i[0] % 3);
      });
      const auto element = [&](std::int64_t row, std::int64_t column) {
        const std::int64_t group = column / 32;
        const std::int64_t place = column % 32;
        const double scale = scales.at({row, group});
        if (bits == 8) {
          return (numbers.at({row, column}) - 128) * scale;
        }
        const auto both = static_cast<std::int64_t>(numbers.at({row, group * 16 + place % 16}));
        return static_cast<double>((place < 16 ? both % 16 : both / 16) - 8) * scale;
      };
      const HostArray expected = tabulate(Shape(extents), dtype, [&](const Index& i) {
        double sum = 0;
        Index from = i;
        for (std::int64_t column = 0; column < s.columns; ++column) {
          from.back() = column;
          sum += x.at(from) * element(i.back(), column);
        }
        return sum;
      });
      cases.push_back({std::to_string(bits) + " bits, " + to_string(x.shape) + " to " +
                           to_string(expected.shape),
                       {x, numbers, scales},
                       {expected},
                       keep(ops::QuantizedAttributes{bits})});
    }
  }
  return cases;
}

}  // namespace ddx::testing
