#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ddx::testing {
namespace {

const Shape shapes[] = {{}, {0}, {1}, {7}, {8}, {9}, {16}, {17}, {3, 5}, {2, 0, 3}, {513, 3}};

/// The numbers of a key, one after another.
template <class Number>
HostArray sequence(const Shape& shape, DType dtype, Number number) {
  std::uint64_t next = 0;
  return tabulate(shape, dtype, [&](const Index&) { return static_cast<double>(number(next++)); });
}

}  // namespace

std::vector<Case> creation_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  if (op.op == ops::Op::full) {
    const double value = info(dtype).kind == DTypeKind::Boolean ? 1 : 3;
    for (const Shape& shape : shapes) {
      cases.push_back({to_string(shape),
                       {},
                       {tabulate(shape, dtype, [&](const Index&) { return value; })},
                       keep(ops::FullAttributes{
                           {.real = value, .integer = static_cast<std::int64_t>(value)}})});
    }
  } else {
    for (const std::int64_t count : {0, 1, 7, 8, 9, 17, 100}) {
      cases.push_back({to_string(Shape{count}), {}, {tabulate({count}, dtype, [](const Index& i) {
                         return static_cast<double>(i[0]);
                       })}});
    }
  }
  return cases;
}

// The numbers of a key are defined by functions of ddx/ops/creation.h, whose own tests compare them
// with published ones.
std::vector<Case> random_cases(const ops::OpInfo& op, DType dtype) {
  const RandomKey key(7);
  std::vector<Case> cases;
  for (const Shape& shape : shapes) {
    Case one{to_string(shape), {}, {}, {}, true};
    if (op.op == ops::Op::random_uniform) {
      one.attributes = keep(ops::RandomUniformAttributes{.key = key, .low = -1, .high = 3});
      one.expected = {sequence(shape, dtype, [&](std::uint64_t i) {
        // Multiples of a power of two: exact in f32 and f64. In the 16-bit types, what would round
        // to the upper bound stays at the number before it.
        const double before_high = dtype == DType::f16    ? 3 - 0x1p-9
                                   : dtype == DType::bf16 ? 3 - 0x1p-6
                                                          : 3;
        return std::min(before_high, dtype == DType::f64 ? -1 + 4 * ops::uniform_f64(key, i)
                                                         : -1 + 4.0 * ops::uniform_f32(key, i));
      })};
    } else if (op.op == ops::Op::random_normal) {
      one.attributes = keep(ops::RandomNormalAttributes{.key = key, .mean = 0, .deviation = 2});
      one.expected = {
          sequence(shape, dtype, [&](std::uint64_t i) { return 2 * ops::normal_f64(key, i); })};
    } else {
      one.attributes = keep(ops::RandomBernoulliAttributes{.key = key, .probability = 0.3});
      one.expected = {sequence(
          shape, dtype, [&](std::uint64_t i) { return ops::bernoulli(key, i, 0.3) ? 1 : 0; })};
    }
    cases.push_back(one);
  }
  return cases;
}

}  // namespace ddx::testing
