// The kernels that move elements, count them or order them, on arrays large enough for several
// threads, strips and tiles: bit by bit as the reference kernels.

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/table.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx::backend::cpu {
namespace moving_kernels_test {

using ops::Op;

/// A call; operands hold few values, so that some are equal, and those of i32 indices below
/// `extent`.
struct MovingCase {
  const char* why;
  Op op;
  std::vector<Shape> inputs;
  Shape output;
  std::shared_ptr<const void> attributes;
  std::int64_t extent = 0;  ///< 0: the second operand is as the first.
};

template <class Attributes>
std::shared_ptr<const void> keep(Attributes attributes) {
  return std::make_shared<const Attributes>(attributes);
}

const ops::Literal seven{7, 7};

/// Operations on elements of any type.
std::vector<MovingCase> moving_cases() {
  using Permutation = ops::PermutationAttributes;
  return {
      {"all", Op::reshape, {{300, 401}}, {401, 300}, keep(ops::NoAttributes{})},
      {"a row", Op::broadcast_to, {{1, 701}}, {300, 701}, keep(ops::NoAttributes{})},
      {"a column", Op::broadcast_to, {{301, 1}}, {301, 700}, keep(ops::NoAttributes{})},
      {"in between", Op::broadcast_to, {{7, 1, 9}}, {7, 300, 9}, keep(ops::NoAttributes{})},
      {"a matrix", Op::transpose, {{301, 515}}, {515, 301}, keep(Permutation{{1, 0}})},
      {"few columns", Op::transpose, {{9001, 3}}, {3, 9001}, keep(Permutation{{1, 0}})},
      {"channels first",
       Op::transpose,
       {{5, 33, 31, 18}},
       {5, 18, 33, 31},
       keep(Permutation{{0, 3, 1, 2}})},
      {"channels last",
       Op::transpose,
       {{5, 18, 33, 31}},
       {5, 33, 31, 18},
       keep(Permutation{{0, 2, 3, 1}})},
      {"rows stay", Op::transpose, {{50, 60, 17}}, {60, 50, 17}, keep(Permutation{{1, 0, 2}})},
      {"all turned", Op::transpose, {{20, 30, 40}}, {40, 30, 20}, keep(Permutation{{2, 1, 0}})},
      {"a box", Op::slice, {{300, 401}}, {200, 300}, keep(ops::SliceAttributes{{7, 11}, {1, 1}})},
      {"steps", Op::slice, {{300, 401}}, {140, 130}, keep(ops::SliceAttributes{{7, 2}, {2, 3}})},
      {"rows", Op::reverse, {{300, 401}}, {300, 401}, keep(ops::AxesAttributes{1})},
      {"columns", Op::reverse, {{300, 401}}, {300, 401}, keep(ops::AxesAttributes{2})},
      {"both", Op::reverse, {{300, 401}}, {300, 401}, keep(ops::AxesAttributes{3})},
      {"around",
       Op::pad,
       {{300, 401}},
       {305, 407},
       keep(ops::PadAttributes{{2, 3}, {1, 1}, seven})},
      {"apart, and less",
       Op::pad,
       {{300, 401}},
       {599, 700},
       keep(ops::PadAttributes{{1, -3}, {2, 2}, seven})},
      {"a box",
       Op::update_slice,
       {{300, 401}, {100, 150}},
       {300, 401},
       keep(ops::SliceAttributes{{7, 11}, {1, 2}})},
      {"rows",
       Op::concatenate,
       {{100, 401}, {0, 401}, {201, 401}},
       {301, 401},
       keep(ops::AxisAttributes{0})},
      {"columns",
       Op::concatenate,
       {{300, 17}, {300, 400}},
       {300, 417},
       keep(ops::AxisAttributes{1})},
      {"rows", Op::gather, {{50, 401}, {300}}, {300, 401}, keep(ops::AxisAttributes{0}), 50},
      {"columns", Op::gather, {{301, 50}, {300}}, {301, 300}, keep(ops::AxisAttributes{1}), 50},
      {"in between",
       Op::gather,
       {{30, 50, 9}, {300}},
       {30, 300, 9},
       keep(ops::AxisAttributes{1}),
       50},
      {"rows",
       Op::take_along_axis,
       {{300, 50}, {300, 400}},
       {300, 400},
       keep(ops::AxisAttributes{1}),
       50},
      {"columns",
       Op::take_along_axis,
       {{50, 400}, {300, 400}},
       {300, 400},
       keep(ops::AxisAttributes{0}),
       50},
  };
}

/// Operations on floating elements.
std::vector<MovingCase> summing_cases() {
  const auto axis = [](std::size_t i) { return keep(ops::AxisAttributes{i}); };
  return {
      {"rows", Op::gather_gradient, {{300, 401}, {300}}, {50, 401}, axis(0), 50},
      {"columns", Op::gather_gradient, {{301, 300}, {300}}, {301, 50}, axis(1), 50},
      {"in between", Op::gather_gradient, {{30, 300, 9}, {300}}, {30, 50, 9}, axis(1), 50},
      {"rows", Op::take_along_axis_gradient, {{300, 400}, {300, 400}}, {300, 50}, axis(1), 50},
      {"columns", Op::take_along_axis_gradient, {{300, 400}, {300, 400}}, {50, 400}, axis(0), 50},
  };
}

/// Operations whose results are places.
std::vector<MovingCase> ordering_cases() {
  const auto axis = [](std::size_t i) { return keep(ops::AxisAttributes{i}); };
  std::vector<MovingCase> all{
      {"rows", Op::argmax, {{300, 401}}, {300}, axis(1)},
      {"columns", Op::argmax, {{300, 701}}, {701}, axis(0)},
      {"in between", Op::argmin, {{20, 90, 77}}, {20, 77}, axis(1)},
      {"one row", Op::argmin, {{100001}}, {}, axis(0)},
  };
  for (const std::int64_t extent : {1, 2, 47, 48, 49, 300, 5000}) {
    for (const bool descending : {false, true}) {
      all.push_back({descending ? "descending" : "ascending",
                     Op::argsort,
                     {{70000 / extent, extent}},
                     {70000 / extent, extent},
                     keep(ops::SortAttributes{descending})});
    }
  }
  return all;
}

/// Memory of a shape with a guard behind it.
Buffer memory(const Shape& shape, DType dtype) {
  const auto bytes = static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
  Buffer buffer(bytes + 64);
  std::memset(buffer.data(), 0xA5, bytes + 64);
  return buffer;
}

/// An operand of values from -50 to 49, or of indices below `extent`; every 1000th floating one is
/// a NaN, every 1001st a negative zero.
Buffer operand(const Shape& shape, DType dtype, std::int64_t extent) {
  Buffer buffer = memory(shape, dtype);
  visit(dtype, [&](auto type) {
    using T = decltype(type);
    auto* x = reinterpret_cast<T*>(buffer.data());
    for (std::int64_t i = 0; i < shape.count(); ++i) {
      const double u = ops::uniform_f64(RandomKey(1), static_cast<std::uint64_t>(i));
      const auto whole =
          static_cast<std::int64_t>(u * (extent == 0 ? 100.0 : static_cast<double>(extent)));
      const std::int64_t number = extent == 0 ? whole - 50 : whole;
      if constexpr (ComplexScalar<T>) {
        using Part = typename T::value_type;
        x[i] = T(static_cast<Part>(number), static_cast<Part>(i));
      } else {
        x[i] = static_cast<T>(number);
      }
      if constexpr (std::is_floating_point_v<T>) {
        x[i] = i % 1000 == 999 ? static_cast<T>(NAN) : i % 1001 == 1000 ? T{-0.0} : x[i];
      }
    }
  });
  return buffer;
}

void expect_reference(const KernelTable& kernels, const MovingCase& one, DType dtype,
                      DType result) {
  SCOPED_TRACE(std::string(ops::to_string(one.op)) + ", " + one.why + ", " +
               std::string(to_string(dtype)) + ", " + to_string(one.inputs[0]));
  std::vector<Buffer> buffers;
  std::vector<ops::View> inputs;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const bool index = i == 1 && one.extent != 0;
    const DType type = index ? DType::i32 : dtype;
    buffers.push_back(operand(one.inputs[i], type, index ? one.extent : 0));
    inputs.emplace_back(buffers.back().data(), one.inputs[i], type);
  }
  const Buffer expected = memory(one.output, result);
  const Buffer got = memory(one.output, result);
  const ops::View to_expect(expected.data(), one.output, result);
  const ops::View to_get(got.data(), one.output, result);
  ops::reference_kernel(one.op, dtype)(ops::Call(inputs, {&to_expect, 1}, one.attributes.get()));
  kernels.at(one.op, dtype).kernel()(ops::Call(inputs, {&to_get, 1}, one.attributes.get()));
  const auto bytes = static_cast<std::size_t>(one.output.count()) * info(result).bytes + 64;
  std::size_t first = 0;
  while (first < bytes && expected.data()[first] == got.data()[first]) {
    ++first;
  }
  EXPECT_EQ(first, bytes) << "differs at that byte";
}

TEST(CpuMovingKernels, MoveElementsOfEverySize) {
  const KernelTable kernels = kernels_of(best_isa());
  for (const MovingCase& one : moving_cases()) {
    for (const auto& type : dtype_table) {
      expect_reference(kernels, one, type.dtype, type.dtype);
    }
  }
}

TEST(CpuMovingKernels, AddInTheOrderOfTheReference) {
  const KernelTable kernels = kernels_of(best_isa());
  for (const MovingCase& one : summing_cases()) {
    expect_reference(kernels, one, DType::f64, DType::f64);
    expect_reference(kernels, one, DType::f32, DType::f32);
  }
}

TEST(CpuMovingKernels, OrderElementsOnEveryInstructionSet) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa > best_isa()) {
      continue;
    }
    const KernelTable kernels = kernels_of(isa);
    for (const MovingCase& one : ordering_cases()) {
      for (const auto& type : dtype_table) {
        if (ops::contains(ops::info(one.op).dtypes, type.dtype)) {
          expect_reference(kernels, one, type.dtype, DType::i32);
        }
      }
    }
  }
}

TEST(CpuMovingKernels, OneHotRowsHaveOneOne) {
  const KernelTable kernels = kernels_of(best_isa());
  const MovingCase one{"rows", Op::one_hot, {{3000}}, {3000, 60}, keep(ops::NoAttributes{}), 0};
  for (const auto& type : dtype_table) {
    // Indices from -50 to 49: half of them hit no element.
    const Buffer indices = operand({3000}, DType::i32, 0);
    const ops::View input(indices.data(), one.inputs[0], DType::i32);
    const Buffer expected = memory(one.output, type.dtype);
    const Buffer got = memory(one.output, type.dtype);
    const ops::View to_expect(expected.data(), one.output, type.dtype);
    const ops::View to_get(got.data(), one.output, type.dtype);
    ops::reference_kernel(one.op, type.dtype)(ops::Call({&input, 1}, {&to_expect, 1}, nullptr));
    kernels.at(one.op, type.dtype).kernel()(ops::Call({&input, 1}, {&to_get, 1}, nullptr));
    EXPECT_EQ(std::memcmp(expected.data(), got.data(), 180000 * type.bytes + 64), 0) << type.text;
  }
}

TEST(CpuMovingKernels, AnyAndAllLookAtEveryElement) {
  const KernelTable kernels = kernels_of(best_isa());
  const Shape shape{300, 1000};
  for (const std::uint32_t axes : {1U, 2U, 3U}) {
    const ops::ReductionAttributes attributes{axes, false};
    const Shape reduced = axes == 3 ? Shape{} : axes == 2 ? Shape{300} : Shape{1000};
    for (const Op op : {Op::all, Op::any}) {
      const bool other = op == Op::any;
      std::vector<std::uint8_t> x(300000, other ? 0 : 1);
      for (const std::size_t odd : {std::size_t{0}, std::size_t{299999}, std::size_t{123456}}) {
        std::vector<std::uint8_t> changed = x;
        changed[odd] = other ? 1 : 0;
        for (const auto& values : {x, changed}) {
          const ops::View input(values.data(), shape, DType::boolean);
          const Buffer expected = memory(reduced, DType::boolean);
          const Buffer got = memory(reduced, DType::boolean);
          const ops::View to_expect(expected.data(), reduced, DType::boolean);
          const ops::View to_get(got.data(), reduced, DType::boolean);
          ops::reference_kernel(
              op, DType::boolean)(ops::Call({&input, 1}, {&to_expect, 1}, &attributes));
          kernels.at(op, DType::boolean)
              .kernel()(ops::Call({&input, 1}, {&to_get, 1}, &attributes));
          EXPECT_EQ(std::memcmp(expected.data(), got.data(),
                                static_cast<std::size_t>(reduced.count()) + 64),
                    0);
        }
      }
    }
  }
}

}  // namespace moving_kernels_test
}  // namespace ddx::backend::cpu
