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

using ops::Op;

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

/// A window over images of [n, h, w, c] with f filters.
struct Setting {
  Shape image;
  std::int64_t filters;
  ops::WindowAttributes window;
};

std::int64_t places(std::int64_t extent, std::int64_t before, std::int64_t after, std::int64_t size,
                    std::int64_t stride) {
  std::int64_t count = 0;
  while (count * stride + size <= extent + before + after) {
    ++count;
  }
  return count;
}

Shape output_shape(const Setting& s, std::int64_t channels) {
  const auto& w = s.window;
  return {s.image[0], places(s.image[1], w.top, w.bottom, w.height, w.stride_height),
          places(s.image[2], w.left, w.right, w.width, w.stride_width), channels};
}

const Setting settings[] = {
    {{1, 1, 1, 1}, 1, {}},
    {{2, 5, 6, 3}, 4, {.height = 3, .width = 2}},
    {{2, 5, 6, 3}, 4, {.height = 3, .width = 3, .top = 1, .bottom = 1, .left = 1, .right = 1}},
    {{1, 8, 7, 8},
     9,
     {.height = 3,
      .width = 3,
      .stride_height = 2,
      .stride_width = 2,
      .bottom = 1,
      .left = 1,
      .right = 1}},
    {{3, 6, 6, 1}, 17, {.height = 1, .width = 1, .stride_height = 2, .stride_width = 3}},
    {{1, 9, 9, 2},
     7,
     {.height = 4,
      .width = 5,
      .stride_height = 3,
      .stride_width = 2,
      .top = 2,
      .bottom = 1,
      .left = 3,
      .right = 4}},
    {{2, 12, 12, 6}, 16, {.height = 5, .width = 5}},
    {{0, 4, 4, 2}, 3, {.height = 2, .width = 2}},
    // Results shorter than a vector: several images lie within one of the end of the memory.
    {{19, 2, 2, 1}, 1, {.height = 2, .width = 2}},
    {{2, 7, 5, 65}, 66, {.height = 2, .width = 2, .stride_height = 2, .stride_width = 2}},
};

std::string name_of(const Setting& s) {
  return to_string(s.image) + ", window [" + std::to_string(s.window.height) + ", " +
         std::to_string(s.window.width) + "] steps [" + std::to_string(s.window.stride_height) +
         ", " + std::to_string(s.window.stride_width) + "]";
}

/// Calls visit(output row and column p, q; window row and column i, j; image row and column) for
/// each pair that meets.
template <class Visit>
void for_each_meeting(const Setting& s, const Shape& output, Visit visit) {
  const auto& w = s.window;
  for (std::int64_t p = 0; p < output[1]; ++p) {
    for (std::int64_t q = 0; q < output[2]; ++q) {
      for (std::int64_t i = 0; i < w.height; ++i) {
        for (std::int64_t j = 0; j < w.width; ++j) {
          const std::int64_t row = p * w.stride_height + i - w.top;
          const std::int64_t column = q * w.stride_width + j - w.left;
          if (row >= 0 && row < s.image[1] && column >= 0 && column < s.image[2]) {
            visit(p, q, i, j, row, column);
          }
        }
      }
    }
  }
}

HostArray zeros(const Shape& shape, DType dtype) {
  return tabulate(shape, dtype, [](const Index&) { return 0; });
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
        Sizes{{}, {}, 70, 65, 130}, Sizes{{3}, {3}, 4, 5, 6}, Sizes{{2, 3}, {2, 3}, 3, 2, 4},
        Sizes{{3}, {}, 4, 5, 6}, Sizes{{}, {3}, 4, 5, 6}, Sizes{{0}, {0}, 2, 2, 2}}) {
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

std::vector<Case> convolution_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Setting& s : settings) {
    const Shape filter_shape{s.window.height, s.window.width, s.image[3], s.filters};
    const Shape result_shape = output_shape(s, s.filters);
    const HostArray image = draw(op.domain, s.image, dtype, 1);
    const HostArray filter = draw(op.domain, filter_shape, dtype, 2);
    const HostArray dy = draw(op.domain, result_shape, dtype, 3);
    HostArray y = zeros(result_shape, dtype);
    HostArray dimage = zeros(s.image, dtype);
    HostArray dfilter = zeros(filter_shape, dtype);
    for (std::int64_t n = 0; n < s.image[0]; ++n) {
      for_each_meeting(s, result_shape, [&](auto p, auto q, auto i, auto j, auto row, auto column) {
        for (std::int64_t c = 0; c < s.image[3]; ++c) {
          for (std::int64_t f = 0; f < s.filters; ++f) {
            const double x = image.at({n, row, column, c});
            const double w = filter.at({i, j, c, f});
            y.at({n, p, q, f}) += x * w;
            dimage.at({n, row, column, c}) += w * dy.at({n, p, q, f});
            dfilter.at({i, j, c, f}) += x * dy.at({n, p, q, f});
          }
        }
      });
    }
    if (op.op == Op::conv2d) {
      cases.push_back({name_of(s), {image, filter}, {y}, keep(s.window)});
    } else if (op.op == Op::conv2d_input_gradient) {
      cases.push_back({name_of(s), {dy, filter}, {dimage}, keep(s.window)});
    } else {
      cases.push_back({name_of(s), {image, dy}, {dfilter}, keep(s.window)});
    }
  }
  return cases;
}

std::vector<Case> pooling_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Setting& s : settings) {
    const Shape result_shape = output_shape(s, s.image[3]);
    // Few different values for the maximum, so that there are ties.
    const bool maximum = op.op == Op::max_pool2d || op.op == Op::max_pool2d_gradient;
    const HostArray x = draw(maximum ? ops::Domain::SmallIntegers : op.domain, s.image, dtype, 1);
    const HostArray dy = draw(op.domain, result_shape, dtype, 2);
    HostArray sum = zeros(result_shape, dtype);
    HostArray count = zeros(result_shape, dtype);
    HostArray best_value = tabulate(result_shape, dtype, [](const Index&) { return -1e9; });
    HostArray best_row = zeros(result_shape, dtype);
    HostArray best_column = zeros(result_shape, dtype);
    HostArray average_dx = zeros(s.image, dtype);
    HostArray maximum_dx = zeros(s.image, dtype);
    for (std::int64_t n = 0; n < s.image[0]; ++n) {
      for (std::int64_t c = 0; c < s.image[3]; ++c) {
        for_each_meeting(s, result_shape, [&](auto p, auto q, auto, auto, auto row, auto column) {
          const Index place{n, p, q, c};
          const double value = x.at({n, row, column, c});
          sum.at(place) += value;
          count.at(place) += 1;
          if (value > best_value.at(place)) {
            best_value.at(place) = value;
            best_row.at(place) = static_cast<double>(row);
            best_column.at(place) = static_cast<double>(column);
          }
        });
        for_each_meeting(s, result_shape, [&](auto p, auto q, auto, auto, auto row, auto column) {
          const Index place{n, p, q, c};
          average_dx.at({n, row, column, c}) += dy.at(place) / count.at(place);
          if (best_row.at(place) == static_cast<double>(row) &&
              best_column.at(place) == static_cast<double>(column)) {
            maximum_dx.at({n, row, column, c}) += dy.at(place);
          }
        });
      }
    }
    if (op.op == Op::avg_pool2d) {
      cases.push_back(
          {name_of(s),
           {x},
           {tabulate(result_shape, dtype, [&](const Index& i) { return sum.at(i) / count.at(i); })},
           keep(s.window)});
    } else if (op.op == Op::avg_pool2d_gradient) {
      cases.push_back({name_of(s), {dy}, {average_dx}, keep(s.window)});
    } else if (op.op == Op::max_pool2d) {
      cases.push_back({name_of(s), {x}, {best_value}, keep(s.window)});
    } else {
      cases.push_back({name_of(s), {x, dy}, {maximum_dx}, keep(s.window)});
    }
  }
  return cases;
}

}  // namespace ddx::testing
