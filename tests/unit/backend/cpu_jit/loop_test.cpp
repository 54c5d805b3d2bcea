// Every function that compiled loops may call, for every instruction set that
// this processor has, against the kernel of that instruction set: equal to the bit, except for the
// payload of NaNs.

#include "backend/cpu_jit/loop.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/reduction.h"
#include "backend/cpu/table.h"
#include "backend/cpu_jit/element_bitcode.h"
#include "backend/cpu_jit/loaded_code.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/cpu_jit/object_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::cpu_jit {
namespace loop_test {

using Access = Loop::Access;

/// An array of elements of any type.
struct Array {
  Array(DType dtype, Shape::Extent count)
      : dtype(dtype), shape{count}, memory(static_cast<std::size_t>(count) * info(dtype).bytes) {
    std::memset(memory.data(), 0, static_cast<std::size_t>(count) * info(dtype).bytes);
  }
  [[nodiscard]] ops::View view() const { return {memory.data(), shape, dtype}; }

  DType dtype;
  Shape shape;
  Buffer memory;
};

/// Fills an array with numbers of all sizes, and with those that are none.
void fill(Array& array, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array specials{0.0,      -0.0,      1.0,
                                -1.0,     0.5,       2.0,
                                infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                                1e-40,    -1e-40,    1e30,
                                4e5,      -7e6,      65519.0,
                                3.0};
  visit(array.dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (!ComplexScalar<T>) {
      auto* const elements = reinterpret_cast<T*>(array.memory.data());
      for (Shape::Extent i = 0; i < array.shape.count(); ++i) {
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
        const double size = std::exp2(static_cast<double>(random() % 40) - 30);
        double number = (random() % 2 == 0 ? 8 * unit - 4 : (2 * unit - 1) * size * 1000);
        if (random() % 8 == 0) {
          number = specials[random() % specials.size()];
        }
        if constexpr (std::is_same_v<T, bool>) {
          elements[i] = random() % 2 == 0;
        } else if constexpr (std::is_integral_v<T>) {
          elements[i] = static_cast<T>(random());
        } else {
          elements[i] = T(static_cast<float>(number));
        }
      }
    }
  });
}

bool is_nan(const std::byte* element, DType dtype) {
  return visit(dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (FloatingScalar<T>) {
      T value{};
      std::memcpy(&value, element, sizeof value);
      const auto number = static_cast<double>(value);
      return number != number;
    } else {
      return false;
    }
  });
}

/// The first place where two arrays differ; as many as there are elements where none does.
Shape::Extent first_difference(const Array& a, const Array& b) {
  const std::size_t bytes = info(a.dtype).bytes;
  for (Shape::Extent i = 0; i < a.shape.count(); ++i) {
    const std::byte* const left = a.memory.data() + static_cast<std::size_t>(i) * bytes;
    const std::byte* const right = b.memory.data() + static_cast<std::size_t>(i) * bytes;
    if (std::memcmp(left, right, bytes) != 0 &&
        !(is_nan(left, a.dtype) && is_nan(right, a.dtype))) {
      return i;
    }
  }
  return a.shape.count();
}

/// An operation in a loop of its own.
struct Case {
  ops::Op op;
  std::vector<DType> operands;
  DType result;

  [[nodiscard]] std::string name() const {
    return std::string(ops::info(op).name) + "_" + std::string(to_string(operands.back())) + "_" +
           std::string(to_string(result));
  }
  [[nodiscard]] Loop loop() const {
    Loop loop;
    Loop::Instruction instruction{op, result, {}, operands.size()};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      loop.arrays.push_back({Access::Whole, operands[i]});
      instruction.operands.push_back({true, i});
    }
    loop.arrays.push_back({Access::Output, result});
    loop.instructions.push_back(std::move(instruction));
    return loop;
  }
  [[nodiscard]] DType key() const { return operands[ops::key_place(op).index]; }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& row : ops::op_table) {
    for (const auto& from : dtype_table) {
      const bool is_choice = row.family == ops::Family::Select;
      for (const auto& to : dtype_table) {
        const bool is_truth =
            row.family == ops::Family::Comparison || row.family == ops::Family::Predicate;
        const DType result = is_truth ? DType::boolean : from.dtype;
        if ((row.family != ops::Family::Cast && to.dtype != result) ||
            !is_compiled(row.op, from.dtype, to.dtype)) {
          continue;
        }
        std::vector<DType> operands(static_cast<std::size_t>(row.inputs), from.dtype);
        if (is_choice) {
          operands[0] = DType::boolean;
        }
        cases.push_back({row.op, operands, to.dtype});
      }
    }
  }
  return cases;
}

std::vector<cpu::Isa> isas() {
  std::vector<cpu::Isa> isas{cpu::Isa::Baseline};
  for (const cpu::Isa isa : {cpu::Isa::Avx2, cpu::Isa::Avx512}) {
    if (cpu::best_isa() >= isa) {
      isas.push_back(isa);
    }
  }
  return isas;
}

/// The machine code of loops.
std::vector<LoopFunction> code_of(const std::vector<Case>& cases, cpu::Isa isa,
                                  const std::string& prefix) {
  std::vector<FunctionText> functions;
  std::vector<std::string> names;
  for (const Case& one : cases) {
    const std::string name = prefix + std::to_string(static_cast<int>(isa)) + one.name();
    functions.push_back({name, llvm_text(one.loop(), name, width_of(isa))});
    names.push_back(name);
  }
  return load(compile(functions, isa), names);
}

TEST(Loop, EveryFunctionComputesWhatItsKernelDoes) {
  if (!is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const std::vector<Case> cases = all_cases();
  EXPECT_GT(cases.size(), 200U);
  for (const cpu::Isa isa : isas()) {
    const KernelTable kernels = cpu::kernels_of(isa);
    const auto code = code_of(cases, isa, "every_");
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const Case& one = cases[c];
      SCOPED_TRACE(one.name() + " at level " + std::to_string(static_cast<int>(isa)));
      for (const Shape::Extent count : {1, 3, 16, 37, 103, 4096}) {
        std::vector<Array> inputs;
        inputs.reserve(one.operands.size());  // Views refer to the shapes in it.
        std::vector<ops::View> views;
        std::vector<std::byte*> pointers;
        for (std::size_t i = 0; i < one.operands.size(); ++i) {
          inputs.emplace_back(one.operands[i], count);
          fill(inputs.back(), 17 * c + i);
          views.push_back(inputs.back().view());
          pointers.push_back(inputs.back().memory.data());
        }
        const Array expected(one.result, count);
        const Array got(one.result, count);
        pointers.push_back(got.memory.data());
        const ops::ScaleAttributes scale{.scale = -0.3};
        const ops::NoAttributes nothing;
        const bool is_scaled = ops::info(one.op).family == ops::Family::ScaledSum;
        const ops::View output = expected.view();
        ASSERT_NE(kernels.at(one.op, one.key()).kernel(), nullptr);
        kernels.at(one.op, one.key())
            .kernel()(ops::Call(views, {&output, 1},
                                is_scaled ? static_cast<const void*>(&scale) : &nothing));
        code[c](pointers.data(), &scale.scale, 0, count, count);
        const Shape::Extent at = first_difference(got, expected);
        ASSERT_EQ(at, count) << "of " << count << ": the first that differs";
      }
    }
  }
}

/// y = (x - row) * column + number, and x - row, in rows of any length.
Loop stretched_loop() {
  Loop loop;
  loop.arrays = {{Access::Whole, DType::f32},  {Access::Row, DType::f32},
                 {Access::Column, DType::f32}, {Access::Number, DType::f32},
                 {Access::Output, DType::f32}, {Access::Output, DType::bf16}};
  loop.instructions = {{ops::Op::sub, DType::f32, {{true, 0}, {true, 1}}, {}},
                       {ops::Op::mul, DType::f32, {{false, 0}, {true, 2}}, {}},
                       {ops::Op::add, DType::f32, {{false, 1}, {true, 3}}, 4},
                       {ops::Op::cast, DType::bf16, {{false, 0}}, 5}};
  return loop;
}

TEST(Loop, ReadsRowsColumnsAndNumbers) {
  if (!is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  for (const cpu::Isa isa : isas()) {
    const std::string name = "stretched_" + std::to_string(static_cast<int>(isa));
    const FunctionText text{name, llvm_text(stretched_loop(), name, width_of(isa))};
    const LoopFunction code = load(compile({&text, 1}, isa), {&name, 1})[0];
    for (const std::int64_t row : {1, 2, 7, 16, 17, 33, 64, 135}) {
      constexpr std::int64_t rows = 9;
      std::vector<float> x(static_cast<std::size_t>(rows * row));
      std::vector<float> in_row(static_cast<std::size_t>(row));
      std::vector<float> in_column(rows);
      float number = 0.75F;
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i % 31) + 0.5F;
      }
      for (std::size_t i = 0; i < in_row.size(); ++i) {
        in_row[i] = 3 * static_cast<float>(i);
      }
      for (std::size_t i = 0; i < rows; ++i) {
        in_column[i] = 1 + static_cast<float>(i);
      }
      std::vector<float> y(x.size() + 1, -77);
      std::vector<BFloat16> narrow(x.size() + 1, BFloat16(-77.0F));
      const std::array pointers{reinterpret_cast<std::byte*>(x.data()),
                                reinterpret_cast<std::byte*>(in_row.data()),
                                reinterpret_cast<std::byte*>(in_column.data()),
                                reinterpret_cast<std::byte*>(&number),
                                reinterpret_cast<std::byte*>(y.data()),
                                reinterpret_cast<std::byte*>(narrow.data())};
      // In two parts, as threads do.
      code(pointers.data(), nullptr, 0, 4 * row, row);
      EXPECT_EQ(y[static_cast<std::size_t>(4 * row)], -77);
      code(pointers.data(), nullptr, 4 * row, rows * row, row);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto length = static_cast<std::size_t>(row);
        const float rest = x[i] - in_row[i % length];
        EXPECT_EQ(y[i], rest * in_column[i / length] + number) << i << " in rows of " << row;
        EXPECT_EQ(narrow[i].bits(), BFloat16(rest).bits()) << i << " in rows of " << row;
      }
      EXPECT_EQ(y[x.size()], -77);
      EXPECT_EQ(static_cast<float>(narrow[x.size()]), -77);
    }
  }
}

// An output may lie where an array lies that is read, also before what is written last.
TEST(Loop, WritesOverWhatItReads) {
  if (!is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  Loop loop;
  loop.arrays = {
      {Access::Whole, DType::f32}, {Access::Output, DType::f32}, {Access::Output, DType::f32}};
  loop.instructions = {{ops::Op::neg, DType::f32, {{true, 0}}, 1},
                       {ops::Op::add, DType::f32, {{true, 0}, {false, 0}}, {}},
                       {ops::Op::sub, DType::f32, {{false, 1}, {true, 0}}, 2}};
  const cpu::Isa isa = cpu::best_isa();
  const std::string name = "over";
  const FunctionText text{name, llvm_text(loop, name, width_of(isa))};
  const LoopFunction code = load(compile({&text, 1}, isa), {&name, 1})[0];
  std::vector<float> x(139);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i) - 20;
  }
  const std::vector<float> before = x;
  std::vector<float> z(x.size());
  const std::array pointers{reinterpret_cast<std::byte*>(x.data()),
                            reinterpret_cast<std::byte*>(x.data()),
                            reinterpret_cast<std::byte*>(z.data())};
  code(pointers.data(), nullptr, 0, 139, 139);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i], -before[i]);
    EXPECT_EQ(z[i], -before[i]);
  }
}

TEST(Loop, EachScaledSumHasAFactorOfItsOwn) {
  if (!is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  Loop loop;
  loop.arrays = {{Access::Whole, DType::f32}, {Access::Output, DType::f32}};
  loop.instructions = {{ops::Op::add_scaled, DType::f32, {{true, 0}, {true, 0}}, {}},
                       {ops::Op::neg, DType::f32, {{false, 0}}, {}},
                       {ops::Op::add_scaled, DType::f32, {{true, 0}, {false, 1}}, 1}};
  const std::string name = "factors";
  const FunctionText text{name, llvm_text(loop, name, width_of(cpu::best_isa()))};
  const LoopFunction code = load(compile({&text, 1}, cpu::best_isa()), {&name, 1})[0];
  float x = 5;
  float y = 0;
  const std::array pointers{reinterpret_cast<std::byte*>(&x), reinterpret_cast<std::byte*>(&y)};
  const std::array factors{2.0, 10.0};
  code(pointers.data(), factors.data(), 0, 1, 1);
  EXPECT_EQ(y, 5 + 10 * -(5 + 2 * 5));
}

// From any place on, of whole turns, of vectors that are no turn, and of elements beyond these.
TEST(Loop, SumsInRegisters) {
  if (!is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  Loop loop;
  loop.arrays = {{Access::Whole, DType::f32},
                 {Access::Sum, DType::f32},
                 {Access::Output, DType::f32},
                 {Access::Sum, DType::f32}};
  loop.instructions = {{ops::Op::square, DType::f32, {{true, 0}}, std::nullopt, 1},
                       {ops::Op::neg, DType::f32, {{false, 0}}, 2, 3}};
  const std::string name = "sums";
  const FunctionText text{name, llvm_text(loop, name, width_of(cpu::best_isa()))};
  const LoopFunction code = load(compile({&text, 1}, cpu::best_isa()), {&name, 1})[0];
  const auto width = static_cast<std::size_t>(width_of(cpu::best_isa()));
  const cpu::Sums sums = cpu::best_sums();
  constexpr std::int64_t begin = 3;
  for (const std::int64_t count : {0, 1, 7, 16, 63, 64, 65, 200, 1000, 4096}) {
    std::vector<float> x(5000);
    std::vector<float> y(5000);
    std::vector<float> squares(vectors_in_sum * width, -1.0F);
    std::vector<float> negatives = squares;
    std::vector<float> expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 1.0F / static_cast<float>(i + 1);
    }
    for (std::int64_t i = begin; i < begin + count; ++i) {
      const float one = x[static_cast<std::size_t>(i)];
      expected.push_back(one * one);
    }
    const std::array pointers{
        reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(squares.data()),
        reinterpret_cast<std::byte*>(y.data()), reinterpret_cast<std::byte*>(negatives.data())};
    code(pointers.data(), nullptr, begin, begin + count, 5000);
    const double sum = sums.of_f32(0, reinterpret_cast<const std::byte*>(expected.data()), count);
    EXPECT_EQ(sums.of_partial_sums(squares.data(), count), sum) << count;
    EXPECT_EQ(sums.of_partial_sums(negatives.data(), count), -sum) << count;
    EXPECT_EQ(y[begin], count == 0 ? 0 : -expected[0]);
  }
}

TEST(Loop, DifferentLoopsHaveDifferentTexts) {
  const Loop loop = stretched_loop();
  std::vector<Loop> others(8, loop);
  others[7].arrays.push_back({Access::Sum, DType::f32});
  others[7].instructions[2].sum = loop.arrays.size();
  others[0].arrays[1].access = Access::Whole;
  others[1].arrays[5].dtype = DType::f16;
  others[1].instructions[3].result = DType::f16;
  std::swap(others[2].instructions[0].operands[0], others[2].instructions[0].operands[1]);
  others[3].instructions[1].op = ops::Op::add;
  others[4].instructions[3].operands[0] = {false, 1};
  others[5].instructions[3].operands[0] = {true, 0};
  others[6].instructions[2].output = std::nullopt;
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_FALSE(others[i] == loop) << i;
    EXPECT_NE(hash_of(others[i]), hash_of(loop)) << i;
    EXPECT_TRUE(llvm_text(others[i], "f", 16) != llvm_text(loop, "f", 16)) << i;
  }
  EXPECT_TRUE(loop == stretched_loop());
  EXPECT_EQ(hash_of(loop), hash_of(stretched_loop()));
  EXPECT_TRUE(llvm_text(loop, "f", 16) == llvm_text(stretched_loop(), "f", 16));
}

TEST(Loop, KnowsWhatIsNotCompiled) {
  EXPECT_TRUE(is_compiled(ops::Op::exp, DType::bf16, DType::bf16));
  EXPECT_FALSE(is_compiled(ops::Op::exp, DType::f64, DType::f64));
  EXPECT_FALSE(is_compiled(ops::Op::add, DType::i32, DType::i32));
  EXPECT_FALSE(is_compiled(ops::Op::lgamma, DType::f32, DType::f32));
  EXPECT_FALSE(is_compiled(ops::Op::add, DType::c64, DType::c64));
  EXPECT_FALSE(is_compiled(ops::Op::cast, DType::f32, DType::i32));
  EXPECT_FALSE(is_compiled(ops::Op::select, DType::c128, DType::c128));
  EXPECT_FALSE(is_compiled(ops::Op::matmul, DType::f32, DType::f32));
}

}  // namespace loop_test
}  // namespace ddx::backend::cpu_jit
