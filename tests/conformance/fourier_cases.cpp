// Fourier transforms of lines that are their own mirror images: x_j = x_(n - j). Their transforms
// are real and mirror images as well, y_k = scale sum_j x_j cos(2 pi j k / n). Others:
// tests/unit/tensor.

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

Shape with_extent(const Shape& shape, std::size_t axis, std::int64_t extent) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  extents[axis] = extent;
  return Shape(extents);
}

/// Element `j` of a mirrored line, of which the first half is there.
double mirrored(const HostArray& half, Index at, std::size_t axis, std::int64_t j, std::int64_t n) {
  at[axis] = std::min(j, n - j);
  return half.at(at);
}

}  // namespace

std::vector<Case> fourier_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const auto& [shape, axis] : {std::pair{Shape{1}, 0U},
                                    {Shape{2}, 0U},
                                    {Shape{12}, 0U},
                                    {Shape{37}, 0U},
                                    {Shape{256}, 0U},
                                    {Shape{5, 17}, 0U},
                                    {Shape{40, 21}, 1U},
                                    {Shape{3, 9, 4}, 1U},
                                    {Shape{0, 3}, 1U}}) {
    const std::int64_t n = shape[axis];
    const Shape half = with_extent(shape, axis, n / 2 + 1);
    const HostArray x = draw(op.domain, half, dtype, 1);
    const HostArray whole =
        tabulate(shape, dtype, [&](const Index& at) { return mirrored(x, at, axis, at[axis], n); });
    const DType result = ops::result_dtype(op.op, dtype);
    constexpr double scale = 0.375;
    const HostArray y =
        tabulate(op.op == ops::Op::rfft ? half : shape, result, [&](const Index& at) {
          double sum = 0;
          for (std::int64_t j = 0; j < n; ++j) {
            sum +=
                mirrored(x, at, axis, j, n) *
                std::cos(2 * M_PI * static_cast<double>(j * at[axis] % n) / static_cast<double>(n));
          }
          return scale * sum;
        });
    for (const bool inverse : {false, true}) {
      cases.push_back(
          {to_string(shape) + " axis " + std::to_string(axis),
           {op.op == ops::Op::irfft ? x : whole},
           {y},
           keep(ops::FourierAttributes{
               .axis = axis, .inverse = inverse || op.op == ops::Op::irfft, .scale = scale})});
    }
  }
  return cases;
}

}  // namespace ddx::testing
