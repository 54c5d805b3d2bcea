// Every kernel of every back end against an independent computation in double, one test per
// operation and dtype.

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace ddx::testing {
namespace {

using Parameter = std::tuple<ops::OpInfo, DTypeInfo>;

/// Memory with the content of an array, or of its size with bytes that no result has.
backend::Buffer memory_of(const HostArray& array, bool filled) {
  const auto bytes = encode(array);
  backend::Buffer buffer(bytes.size() + 1);
  std::memset(buffer.data(), 0xA5, bytes.size() + 1);
  if (filled && !bytes.empty()) {
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
  }
  return buffer;
}

/// Whether elements of the type are rounded to a number of digits.
bool is_rounded(DType dtype) {
  return info(dtype).kind == DTypeKind::Float || info(dtype).kind == DTypeKind::Complex;
}

/// How far a result may be from the expectation. The 16-bit types compute as f32 does and round
/// once: to the expectation or the number beside it.
double tolerance(const Case& one, DType dtype, double expected) {
  if (one.exact || !is_rounded(dtype)) {
    return 0;
  }
  const double step = dtype == DType::f16 ? 0x1p-10 : dtype == DType::bf16 ? 0x1p-7 : 0;
  const double computed = part_dtype(dtype) == DType::f64 ? 1e-12 : 2e-5;
  return computed * (1 + std::abs(expected)) + step * std::abs(expected);
}

void expect_equal(const Case& one, const HostArray& expected, const std::byte* data) {
  if (!is_rounded(expected.dtype)) {
    // Integers as memory: double does not tell all those of 64 bits apart.
    const auto bytes = encode(expected);
    if (bytes.empty() || std::memcmp(bytes.data(), data, bytes.size()) == 0) {
      return;
    }
  }
  const HostArray got = decode(data, expected.shape, expected.dtype);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    HostArray stored{Shape{1}, expected.dtype, {expected.values[i]}};
    const double want = decode(encode(stored).data(), Shape{1}, expected.dtype).values[0];
    if (got.values[i] == want || (std::isnan(want) && std::isnan(got.values[i]))) {
      continue;
    }
    ASSERT_LE(std::abs(got.values[i] - want), tolerance(one, expected.dtype, want))
        << "element " << i << " of " << to_string(expected.shape) << " is " << got.values[i]
        << ", not " << want;
  }
  ASSERT_TRUE(is_rounded(expected.dtype))
      << "the result differs from the expectation in digits that double does not hold";
}

/// Runs the kernel on a case; with `in_place`, the result is written over the first operand.
void run_case(ops::Kernel kernel, const Case& one, bool in_place) {
  std::vector<backend::Buffer> memory;
  std::vector<ops::View> inputs;
  std::vector<ops::View> outputs;
  for (const HostArray& input : one.inputs) {
    memory.push_back(memory_of(input, true));
    inputs.emplace_back(memory.back().data(), input.shape, input.dtype);
  }
  for (const HostArray& output : one.expected) {
    memory.push_back(in_place ? memory.front() : memory_of(output, false));
    outputs.emplace_back(memory.back().data(), output.shape, output.dtype);
  }
  kernel(ops::Call(inputs, outputs, one.attributes.get()));
  for (std::size_t i = 0; i < one.expected.size(); ++i) {
    const HostArray& expected = one.expected[i];
    const std::byte* data = memory[one.inputs.size() + i].data();
    expect_equal(one, expected, data);
    const std::size_t bytes =
        static_cast<std::size_t>(expected.shape.count()) * info(expected.dtype).bytes;
    ASSERT_EQ(data[bytes], std::byte{0xA5}) << "a byte after the result was written";
  }
  if (!in_place) {
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      const auto before = encode(one.inputs[i]);
      ASSERT_TRUE(before.empty() ||
                  std::memcmp(before.data(), memory[i].data(), before.size()) == 0)
          << "operand " << i << " was changed";
    }
  }
}

bool may_run_in_place(const ops::OpInfo& op, const Case& one) {
  const bool elementwise = op.family == ops::Family::Unary || op.family == ops::Family::Binary ||
                           op.family == ops::Family::ScaledSum;
  return (elementwise || op.family == ops::Family::Update) &&
         one.inputs[0].shape == one.expected[0].shape;
}

class Kernels : public ::testing::TestWithParam<Parameter> {};

TEST_P(Kernels, AgreeWithSlowArithmeticInDouble) {
  const auto& [op, type] = GetParam();
  const std::vector<Case> cases = cases_of(op, type.dtype);
  ASSERT_FALSE(cases.empty());
  for (const Device device : backend::available_devices()) {
    const backend::Cell& cell = backend::backend_of(device).kernels().at(op.op, type.dtype);
    if (cell.kernel() == nullptr) {
      ASSERT_NE(device, Device::naive())
          << "the judge must know every operation: " << cell.reason();
      ASSERT_STRNE(cell.reason(), "");
      continue;
    }
    for (const Case& one : cases) {
      SCOPED_TRACE(to_string(device) + ", " + one.layout);
      run_case(cell.kernel(), one, false);
      if (may_run_in_place(op, one)) {
        SCOPED_TRACE("in place");
        run_case(cell.kernel(), one, true);
      }
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

/// Every operation with every dtype of its class.
std::vector<Parameter> parameters() {
  std::vector<Parameter> all;
  for (const auto& op : ops::op_table) {
    for (const auto& type : dtype_table) {
      if (contains(op.dtypes, type.dtype)) {
        all.emplace_back(op, type);
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Table, Kernels, ::testing::ValuesIn(parameters()),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param).name) + "_" +
                                  std::string(std::get<1>(instance.param).text);
                         });

TEST(KernelTables, HaveNoKernelForDTypesOutsideTheClassOfAnOperation) {
  for (const Device device : backend::available_devices()) {
    SCOPED_TRACE(to_string(device));
    const backend::KernelTable& kernels = backend::backend_of(device).kernels();
    for (const auto& op : ops::op_table) {
      for (const auto& type : dtype_table) {
        if (!contains(op.dtypes, type.dtype)) {
          const backend::Cell& cell = kernels.at(op.op, type.dtype);
          EXPECT_EQ(cell.kernel(), nullptr) << op.name << " " << type.text;
          EXPECT_STREQ(cell.reason(), "the operation is not defined for this dtype");
        }
      }
    }
  }
}

}  // namespace
}  // namespace ddx::testing
