// Operations that move elements.

#include "ddx/core/shape.h"
#include "ddx/tensor.h"
#include "ddx/tensor/detail/operations.h"

#include "operand.h"
#include "operation.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

using Floats = Tensor<float>;

/// Operations on one matrix that give as many elements as it has.
void add_of_matrix(std::vector<Operation>& all, const Shape& size) {
  const Operand x = signed_numbers(size);
  const auto count = static_cast<double>(size.count());
  const std::int64_t rows = size[0];
  const std::int64_t columns = size[1];
  const auto add = [&](const std::string& name, std::vector<Operand> operands, double written,
                       auto f) { all.push_back(moving(name, std::move(operands), written, f)); };
  add("transpose", {x}, count, [](Operands& o) { return transpose(o[0]); });
  add("reverse_columns", {x}, count, [](Operands& o) { return reverse(o[0], {1}); });
  add("slice", {x}, -count / 2, [=](Operands& o) {
    return slice(o[0], {.start = {rows / 4, columns / 4}, .stop = {rows / 2, 3 * columns / 4}});
  });
  add("pad", {x}, count, [](Operands& o) { return pad(o[0], {1, 1}, {1, 1}, 0.0F); });
  add("broadcast_rows", {Operand{{1, columns}}}, count,
      [=](Operands& o) { return broadcast_to(o[0], {rows, columns}); });
  add("broadcast_columns", {Operand{{rows, 1}}}, count,
      [=](Operands& o) { return broadcast_to(o[0], {rows, columns}); });
  add("concatenate_rows", {x, x}, 2 * count,
      [](Operands& o) { return concatenate<float>({o[0], o[1]}, 0); });
  add("concatenate_columns", {x, x}, 2 * count,
      [](Operands& o) { return concatenate<float>({o[0], o[1]}, 1); });
  add("gather_rows", {x, indices({rows}, rows)}, count,
      [](Operands& o) { return gather(o[0], o.index(1), 0); });
  add("gather_rows_gradient", {x, indices({rows}, rows)}, count, [=](Operands& o) {
    return Floats(
        detail::gather_gradient(o[0].array(), o.index(1).array(), {rows, columns}, 0, {}));
  });
  add("gather_columns", {x, indices({columns}, columns)}, count,
      [](Operands& o) { return gather(o[0], o.index(1), 1); });
  add("take_along_rows", {x, indices(size, columns)}, count,
      [](Operands& o) { return take_along_axis(o[0], o.index(1), 1); });
  add("one_hot", {indices({rows}, columns)}, count,
      [=](Operands& o) { return one_hot<float>(o.index(0), columns); });
}

}  // namespace

void add_movement(std::vector<Operation>& all) {
  for (const Shape& size : {Shape{16, 16}, Shape{256, 256}, Shape{2048, 1024}}) {
    add_of_matrix(all, size);
  }
  for (const Shape& size : {Shape{1, 8, 8, 3}, Shape{8, 32, 32, 16}, Shape{32, 56, 56, 16}}) {
    const auto count = static_cast<double>(size.count());
    all.push_back(moving("channels_first", {signed_numbers(size)}, count,
                         [](Operands& o) { return transpose(o[0], {0, 3, 1, 2}); }));
  }
}

}  // namespace ddx::bench
