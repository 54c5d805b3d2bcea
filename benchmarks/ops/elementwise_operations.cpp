// Elementwise operations: from one element, which shows the cost of dispatch, to 2 Mi.

#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
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

constexpr std::int64_t sizes[] = {256, 65536, 2097152};

template <class F>
void add_unary(std::vector<Operation>& all, const std::string& name, bool positive, F f) {
  for (const std::int64_t count : sizes) {
    const Operand x = positive ? Operand{{count}} : signed_numbers({count});
    all.push_back(
        moving(name, {x}, static_cast<double>(count), [f](Operands& o) { return f(o[0]); }));
  }
}

template <class F>
void add_binary(std::vector<Operation>& all, const std::string& name, F f) {
  for (const std::int64_t count : sizes) {
    all.push_back(moving(name, {Operand{{count}}, Operand{{count}}}, static_cast<double>(count),
                         [f](Operands& o) { return f(o[0], o[1]); }));
  }
}

using Floats = Tensor<float>;

void add_unaries(std::vector<Operation>& all) {
  add_unary(all, "neg", false, [](const Floats& x) { return -x; });
  add_unary(all, "abs", false, [](const Floats& x) { return abs(x); });
  add_unary(all, "square", false, [](const Floats& x) { return square(x); });
  add_unary(all, "relu", false, [](const Floats& x) { return relu(x); });
  add_unary(all, "sqrt", true, [](const Floats& x) { return sqrt(x); });
  add_unary(all, "rsqrt", true, [](const Floats& x) { return rsqrt(x); });
  add_unary(all, "exp", false, [](const Floats& x) { return exp(x); });
  add_unary(all, "expm1", false, [](const Floats& x) { return expm1(x); });
  add_unary(all, "log", true, [](const Floats& x) { return log(x); });
  add_unary(all, "log1p", true, [](const Floats& x) { return log1p(x); });
  add_unary(all, "sin", false, [](const Floats& x) { return sin(x); });
  add_unary(all, "cos", false, [](const Floats& x) { return cos(x); });
  add_unary(all, "tanh", false, [](const Floats& x) { return tanh(x); });
  add_unary(all, "sigmoid", false, [](const Floats& x) { return sigmoid(x); });
  add_unary(all, "erf", false, [](const Floats& x) { return erf(x); });
  add_unary(all, "gelu", false, [](const Floats& x) { return gelu(x); });
  add_unary(all, "silu", false, [](const Floats& x) { return silu(x); });
  add_unary(all, "is_finite", false, [](const Floats& x) { return is_finite(x); });
  add_unary(all, "add_number", false, [](const Floats& x) { return x + 1.5F; });
}

void add_binaries(std::vector<Operation>& all) {
  add_binary(all, "add", [](const Floats& a, const Floats& b) { return a + b; });
  add_binary(all, "mul", [](const Floats& a, const Floats& b) { return a * b; });
  add_binary(all, "div", [](const Floats& a, const Floats& b) { return a / b; });
  add_binary(all, "pow", [](const Floats& a, const Floats& b) { return pow(a, b); });
  add_binary(all, "maximum", [](const Floats& a, const Floats& b) { return maximum(a, b); });
  add_binary(all, "less", [](const Floats& a, const Floats& b) { return less(a, b); });
  add_binary(all, "add_in_place",
             [](Floats& a, const Floats& b) -> const Floats& { return a += b; });
  add_binary(all, "relu_gradient", [](const Floats& dy, const Floats& x) {
    return Floats(detail::binary(ops::Op::relu_gradient, dy.array(), x.array(), {}));
  });
  add_binary(all, "tanh_gradient", [](const Floats& dy, const Floats& y) {
    return Floats(detail::binary(ops::Op::tanh_gradient, dy.array(), y.array(), {}));
  });
  add_binary(all, "sigmoid_gradient", [](const Floats& dy, const Floats& y) {
    return Floats(detail::binary(ops::Op::sigmoid_gradient, dy.array(), y.array(), {}));
  });
}

void add_broadcasts(std::vector<Operation>& all) {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{16, 16}, {256, 256}, {2048, 1024}}) {
    const Shape matrix{rows, columns};
    const auto count = static_cast<double>(rows * columns);
    const auto sum = [](Operands& o) { return o[0] + o[1]; };
    all.push_back(moving("add_row", {Operand{matrix}, Operand{{columns}}}, count, sum));
    all.push_back(moving("add_column", {Operand{matrix}, Operand{{rows, 1}}}, count, sum));
    all.push_back(moving("where", {signed_numbers(matrix), Operand{matrix}, Operand{matrix}}, count,
                         [condition = Tensor<bool>()](Operands& o) mutable {
                           if (condition.shape().rank() == 0) {
                             condition = less(o[0], 0.0F);
                           }
                           return select(condition, o[1], o[2]);
                         }));
  }
}

}  // namespace

void add_elementwise(std::vector<Operation>& all) {
  all.push_back(
      moving("add", {Operand{{1}}, Operand{{1}}}, 1, [](Operands& o) { return o[0] + o[1]; }));
  all.push_back(moving("relu", {Operand{{1}}}, 1, [](Operands& o) { return relu(o[0]); }));
  add_unaries(all);
  add_binaries(all);
  add_broadcasts(all);
}

}  // namespace ddx::bench
