// What XLA's compiler for CPUs makes of every operation, against the expectations of its cases: the
// emitter and the client of PJRT together. All cases of one dtype, f32 where the operation has it,
// and one of each other dtype.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/text.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/plugin.h"
#include "tests/conformance/host_array.h"
#include "tests/conformance/program_cases.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

namespace pjrt = backend::pjrt;

/// One device of XLA's CPU; ./test installs the plugin.
const std::shared_ptr<const pjrt::Client>& xla() {
  static const auto client = pjrt::Client::create(
      pjrt::Plugin::load(DDX_PJRT_FOLDER "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"),
      {.cpu_device_count = 1});
  return client;
}

/// The results of a program on the inputs of its case.
std::vector<HostArray> computed(const ProgramCase& program, const std::string& text) {
  const auto executable = pjrt::Executable::compile(xla(), {.text = text});
  std::vector<pjrt::DeviceBuffer> arrays;
  for (const HostArray& input : program.one.inputs) {
    const auto bytes = encode(input);
    arrays.push_back(pjrt::DeviceBuffer::copied(xla(), {bytes.data(), input.dtype, input.shape},
                                                xla()->device(0)));
  }
  std::vector<const pjrt::DeviceBuffer*> arguments;
  for (const pjrt::DeviceBuffer& array : arrays) {
    arguments.push_back(&array);
  }
  std::vector<HostArray> results;
  for (const pjrt::DeviceBuffer& result : executable.run(arguments, xla()->device(0))) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(result.shape().count()) *
                                 info(result.dtype()).bytes);
    result.take_to_host(bytes);
    results.push_back(decode(bytes.data(), result.shape(), result.dtype()));
  }
  return results;
}

void expect_near(const ProgramCase& program, const HostArray& found, const HostArray& wanted) {
  // As its dtype has it: rounded, or wrapped around.
  const HostArray expected = decode(encode(wanted).data(), wanted.shape, wanted.dtype);
  ASSERT_EQ(found.shape, expected.shape);
  ASSERT_EQ(found.dtype, expected.dtype);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double a = found.values[i];
    const double b = expected.values[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      continue;
    }
    ASSERT_NEAR(a, b, program.tolerance(expected.dtype, b)) << "element " << i;
  }
}

void expect_values(const ProgramCase& program) {
  const auto emitted = stablehlo::emit(program.graph);
  ASSERT_TRUE(emitted.scalars.empty());
  const auto results = computed(program, stablehlo::to_text(emitted.module));
  ASSERT_GE(results.size(), program.one.expected.size());
  for (std::size_t i = 0; i < program.one.expected.size(); ++i) {
    expect_near(program, results[i], program.one.expected[i]);
  }
}

/// The dtype that all cases are tried with.
DType main_dtype(const ops::OpInfo& op) {
  if (ops::contains(op.dtypes, DType::f32)) {
    return DType::f32;
  }
  for (const DTypeInfo& row : dtype_table) {
    if (ops::contains(op.dtypes, row.dtype)) {
      return row.dtype;
    }
  }
  return DType::f32;
}

class XlaValues : public ::testing::TestWithParam<ops::OpInfo> {};

TEST_P(XlaValues, AreThoseOfTheCases) {
  std::set<DType> seen;
  for_each_program_case(GetParam(), [&](const ProgramCase& program) {
    const bool is_wanted =
        program.dtype == main_dtype(program.op) || seen.insert(program.dtype).second;
    if (is_wanted && !program.may_differ() && !HasFatalFailure()) {
      SCOPED_TRACE(program.name());
      expect_values(program);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, XlaValues, ::testing::ValuesIn(ops::op_table),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
