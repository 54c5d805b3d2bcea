// What Device::pjrt makes of every operation by XLA's compiler for CPUs, against the expectations of
// its cases: recorded, emitted, compiled, run. All cases of one dtype, f32 where the operation has
// it, and one of each other dtype.

#include "ddx/backend/buffer.h"
#include "ddx/backend/pjrt.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "tests/conformance/host_array.h"
#include "tests/conformance/program_cases.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

/// Of XLA's plugin for CPUs, which ./test installs.
Device xla() {
  static const Device device = [] {
    backend::add_pjrt_plugin(
        "cpu", DDX_PJRT_FOLDER "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so");
    backend::set_pjrt_options("cpu", {.cpu_device_count = 1});
    return Device::pjrt("cpu");
  }();
  return device;
}

/// The results of a graph on the inputs of its case, recorded operation by operation.
std::vector<HostArray> computed(const ProgramCase& program) {
  std::vector<backend::Buffer> arrays;
  std::vector<ops::View> views;
  for (const HostArray& input : program.one.inputs) {
    const auto bytes = encode(input);
    const backend::Buffer& array = arrays.emplace_back(std::max<std::size_t>(bytes.size(), 1));
    std::memcpy(array.data(), bytes.data(), bytes.size());
    views.emplace_back(array.data(), input.shape, input.dtype, array.block());
  }
  backend::StagedGraph staged;
  staged.graph = program.graph;
  staged.argument_count = views.size();
  std::vector<HostArray> results;
  const auto made = backend::record_staged(xla(), staged, views);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i].await_elements();
    const ir::Type& type = program.graph.type(program.graph.results()[i]);
    results.push_back(decode(made[i].data(), type.shape, type.dtype));
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
  const auto results = computed(program);
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
