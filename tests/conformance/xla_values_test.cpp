// What Device::pjrt makes of every operation by XLA's compiler for CPUs, against the expectations
// of its cases: recorded, emitted, compiled, run. Up to ten cases of one dtype, f32 where the
// operation has it, and one of each other dtype: compiling takes all the time, so those of an
// operation are one program.
// (docs/design/009-pjrt.md says when all of them were compared.)

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "tests/conformance/host_array.h"
#include "tests/conformance/program_cases.h"
#include "tests/conformance/xla_device.h"
#include "tests/conformance/xla_groups.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

std::atomic<std::size_t> counted_cases{0};
std::atomic<std::size_t> counted_elements{0};

/// A case that has been recorded, with what its results are promised to be.
struct Recorded {
  Case one;
  ProgramCase program;
  std::vector<backend::Buffer> results;

  explicit Recorded(const ProgramCase& given)
      : one(given.one), program{given.op, given.dtype, one, given.graph} {}
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  ~Recorded() = default;
};

/// Records the operation of a case on its inputs.
std::unique_ptr<Recorded> recorded(const ProgramCase& program) {
  auto made = std::make_unique<Recorded>(program);
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
  made->results = backend::record_staged(xla_device(), staged, views);
  return made;
}

void expect_near(const ProgramCase& program, const HostArray& found, const HostArray& wanted) {
  // As its dtype has it: rounded, or wrapped around.
  const HostArray expected = decode(encode(wanted).data(), wanted.shape, wanted.dtype);
  ASSERT_EQ(found.shape, expected.shape);
  ASSERT_EQ(found.dtype, expected.dtype);
  counted_elements += expected.values.size();
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double a = found.values[i];
    const double b = expected.values[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      continue;
    }
    ASSERT_NEAR(a, b, program.tolerance(expected.dtype, b)) << "element " << i;
  }
}

void expect_values(const Recorded& one) {
  SCOPED_TRACE(one.program.name());
  ASSERT_GE(one.results.size(), one.one.expected.size());
  for (std::size_t i = 0; i < one.one.expected.size(); ++i) {
    one.results[i].await_elements();
    const ir::Type& type = one.program.graph.type(one.program.graph.results()[i]);
    expect_near(one.program, decode(one.results[i].data(), type.shape, type.dtype),
                one.one.expected[i]);
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

/// Whether the case of this number, of so many, is among ten that are spread over all.
bool is_chosen(std::size_t number, std::size_t count) {
  constexpr std::size_t most = 10;
  return number == 0 || number * most / count != (number - 1) * most / count;
}

/// Calls body(program case) for the cases of an operation that are compared.
template <class Body>
void for_each_chosen(const ops::OpInfo& op, const Body& body) {
  std::set<DType> seen;
  const DType main = main_dtype(op);
  const std::size_t count = cases_of(op, main).size();
  std::size_t number = 0;
  for_each_program_case(op, [&](const ProgramCase& program) {
    const bool is_wanted =
        program.dtype == main ? is_chosen(number++, count) : seen.insert(program.dtype).second;
    if (is_wanted && !program.may_differ()) {
      body(program);
    }
  });
}

/// The chosen cases of an operation.
std::vector<std::unique_ptr<Recorded>> recorded_cases(const ops::OpInfo& op) {
  std::vector<std::unique_ptr<Recorded>> cases;
  for_each_chosen(op, [&](const ProgramCase& program) { cases.push_back(recorded(program)); });
  return cases;
}

void expect_all(const ops::OpInfo& op) {
  const auto cases = recorded_cases(op);
  ASSERT_FALSE(cases.empty());
  for (const auto& one : cases) {
    expect_values(*one);
  }
  counted_cases += cases.size();
}

void expect_one_by_one(const ops::OpInfo& op) {
  for_each_chosen(op, [&](const ProgramCase& program) {
    try {
      expect_values(*recorded(program));
    } catch (const std::exception& error) {
      ADD_FAILURE() << program.name() << ": " << error.what();
    }
  });
}

class XlaValues : public ::testing::TestWithParam<ops::OpInfo> {
 public:
  static void SetUpTestSuite() {
    std::map<std::string, XlaGroup> groups;
    for (const ops::OpInfo& op : ops::op_table) {
      groups[std::string(op.name)] = {[&op] { expect_all(op); }, [&op] { expect_one_by_one(op); }};
    }
    (void)xla_device();
    counted_cases = 0;
    counted_elements = 0;
    groups_ = std::make_unique<XlaGroups>("Table/XlaValues", groups);
  }
  static void TearDownTestSuite() {
    groups_.reset();
    std::printf("XlaValues: %zu cases, %zu elements; %s\n", counted_cases.load(),
                counted_elements.load(), xla_programs().c_str());
  }

 protected:
  static inline std::unique_ptr<XlaGroups> groups_;
};

TEST_P(XlaValues, AreThoseOfTheCases) {
  groups_->report(std::string(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(Table, XlaValues, ::testing::ValuesIn(ops::op_table),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
