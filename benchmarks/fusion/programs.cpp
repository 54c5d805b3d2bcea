#include "programs.h"

#include "ddx/ad.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include "operand.h"

#include <span>
#include <vector>

namespace ddx::bench {
namespace {

using Floats = Tensor<float>;

const Shape table{4096, 1024};
const Shape row{1024};
const Shape million{1000000};

const ReductionOptions of_rows{.axes = {-1}, .keep_dims = true};

Floats elementwise(const Floats& x, const Floats& y) {
  const Floats product = x * y;
  return tanh(product + x) * 0.5F + y;
}

Floats squared_error(const Floats& x, const Floats& y) {
  const Floats squares = square(x - y);
  return mean(squares);
}

Floats weighted_sum(const Floats& x, const Floats& y) {
  const Floats weighted = exp(x) * y;
  return sum(weighted);
}

Floats row_squares(const Floats& x) {
  const Floats squares = square(x);
  return sum(squares, {.axes = {-1}});
}

Floats softmax_by_hand(const Floats& x) {
  const Floats powers = exp(x - max(x, of_rows));
  return powers / sum(powers, of_rows);
}

Floats normalization_by_hand(const Floats& x, const Floats& scale, const Floats& shift) {
  const Floats centred = x - mean(x, of_rows);
  const Floats variance = mean(square(centred), of_rows);
  return centred * rsqrt(variance + 1e-5F) * scale + shift;
}

std::vector<Floats> softmax_gradient(const Floats& x, const Floats& dy) {
  const auto [y, pullback] = value_with_pullback(softmax_by_hand, x);
  return {y, pullback(dy)};
}

std::vector<Floats> normalization_gradient(const Floats& x, const Floats& scale,
                                           const Floats& shift, const Floats& dy) {
  const auto [y, pullback] = value_with_pullback(normalization_by_hand, x, scale, shift);
  const auto [dx, dscale, dshift] = pullback(dy);
  return {y, dx, dscale, dshift};
}

std::vector<Program> make_programs() {
  const Operand rows = signed_numbers(table);
  const Operand one_row{row};
  const Operand numbers = signed_numbers(million);
  return {
      {"elementwise",
       {rows, rows},
       [](Operands& x) { return std::vector{elementwise(x[0], x[1])}; }},
      {"squared_error",
       {numbers, numbers},
       [](Operands& x) { return std::vector{squared_error(x[0], x[1])}; }},
      {"weighted_sum",
       {numbers, numbers},
       [](Operands& x) { return std::vector{weighted_sum(x[0], x[1])}; }},
      {"row_squares", {rows}, [](Operands& x) { return std::vector{row_squares(x[0])}; }},
      {"softmax", {rows}, [](Operands& x) { return std::vector{softmax_by_hand(x[0])}; }},
      {"normalization",
       {rows, one_row, one_row},
       [](Operands& x) { return std::vector{normalization_by_hand(x[0], x[1], x[2])}; }},
      {"softmax_gradient", {rows, rows}, [](Operands& x) { return softmax_gradient(x[0], x[1]); }},
      {"normalization_gradient",
       {rows, one_row, one_row, rows},
       [](Operands& x) { return normalization_gradient(x[0], x[1], x[2], x[3]); }},
  };
}

}  // namespace

std::span<const Program> programs() {
  static const std::vector<Program> made = make_programs();
  return made;
}

}  // namespace ddx::bench
