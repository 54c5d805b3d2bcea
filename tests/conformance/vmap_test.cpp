// Every operation for many examples at once, against a loop over the examples: every case, with
// each operand alone mapped, each alone not, and all.

#include "ddx/ir/passes/vmap.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "tests/conformance/case_graph.h"
#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

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

using ir::Graph;

/// The same operand of another example: other elements where those of this one say it.
HostArray of_example(const ops::OpInfo& op, std::size_t operand, const HostArray& array,
                     std::size_t example) {
  HostArray other = array;
  const bool is_ordered = op.family == ops::Family::Resampling && operand == 1;
  if (example == 0 || array.values.empty() || is_ordered) {
    return other;
  }
  if (op.family == ops::Family::LinearAlgebra) {
    for (double& value : other.values) {  // Powers of two keep what matrices are.
      value = std::ldexp(value, static_cast<int>(example));
    }
    return other;
  }
  std::ranges::rotate(other.values, other.values.begin() +
                                        static_cast<std::ptrdiff_t>(example % other.values.size()));
  return other;
}

struct Memory {
  std::vector<backend::Buffer> buffers;
  std::vector<Shape> shapes;
  std::vector<ops::View> views;

  explicit Memory(std::size_t count) { shapes.reserve(count); }
  void add(const std::vector<std::byte>& bytes, const Shape& shape, DType dtype) {
    buffers.emplace_back(bytes.size());
    if (!bytes.empty()) {
      std::memcpy(buffers.back().data(), bytes.data(), bytes.size());
    }
    shapes.push_back(shape);
    views.emplace_back(buffers.back().data(), shapes.back(), dtype);
  }
};

Shape for_all(const Shape& shape, std::size_t examples) {
  std::vector<Shape::Extent> extents{static_cast<Shape::Extent>(examples)};
  extents.insert(extents.end(), shape.extents().begin(), shape.extents().end());
  return Shape(std::span<const Shape::Extent>(extents));
}

/// Whether elements are equal, or both no numbers.
bool is_equal(const HostArray& a, const HostArray& b) {
  return std::ranges::equal(a.values, b.values, [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  });
}

/// Compares one combination of mapped operands.
void expect_as_loop(const ops::OpInfo& op, const Case& one, const Graph& graph,
                    const std::vector<bool>& mapped, std::size_t examples) {
  const backend::Backend& naive = backend::backend_of(Device::naive());
  const auto [all, checks] = ir::vmapped(graph, mapped, static_cast<Shape::Extent>(examples));
  ASSERT_NO_THROW(ir::verify(all)) << to_text(all);
  const std::size_t count = one.inputs.size();
  Memory batched(count);
  std::vector<std::vector<std::vector<std::byte>>> expected(one.expected.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::byte> bytes;
    for (std::size_t example = 0; example < (mapped[i] ? examples : 1); ++example) {
      const auto part = encode(of_example(op, i, one.inputs[i], example));
      bytes.insert(bytes.end(), part.begin(), part.end());
    }
    batched.add(bytes, mapped[i] ? for_all(one.inputs[i].shape, examples) : one.inputs[i].shape,
                one.inputs[i].dtype);
  }
  const auto results = backend::evaluate(all, batched.views, {}, naive);
  ASSERT_EQ(results.size(), one.expected.size());
  for (std::size_t example = 0; example < examples; ++example) {
    Memory single(count);
    for (std::size_t i = 0; i < count; ++i) {
      single.add(encode(of_example(op, i, one.inputs[i], mapped[i] ? example : 0)),
                 one.inputs[i].shape, one.inputs[i].dtype);
    }
    const auto parts = backend::evaluate(graph, single.views, {}, naive);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Shape& shape = one.expected[k].shape;
      const DType dtype = one.expected[k].dtype;
      const std::size_t bytes = static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
      const HostArray got = decode(results[k].data() + example * bytes, shape, dtype);
      const HostArray loop = decode(parts[k].data(), shape, dtype);
      EXPECT_TRUE(is_equal(loop, got)) << "result " << k << " of example " << example << "\n"
                                       << to_text(all);
    }
  }
}

/// Each operand alone, all but each, all.
std::set<std::vector<bool>> combinations(std::size_t operands) {
  std::set<std::vector<bool>> combinations;
  combinations.insert(std::vector<bool>(operands, true));
  for (std::size_t i = 0; i < operands; ++i) {
    std::vector<bool> alone(operands);
    alone[i] = true;
    combinations.insert(alone);
    alone.flip();
    combinations.insert(alone);
  }
  return combinations;
}

class Vmap : public ::testing::TestWithParam<ops::OpInfo> {};

TEST_P(Vmap, ComputesWhatALoopOverExamplesDoes) {
  const ops::OpInfo& op = GetParam();
  std::size_t compared = 0;
  for (const DTypeInfo& dtype : dtype_table) {
    if (!contains(op.dtypes, dtype.dtype)) {
      continue;
    }
    for (const Case& one : cases_of(op, dtype.dtype)) {
      const Graph graph = graph_of(op, one);
      const bool has_room = std::ranges::all_of(one.inputs,
                                                [](const HostArray& input) {
                                                  return input.shape.rank() < Shape::max_rank;
                                                }) &&
                            std::ranges::all_of(one.expected, [](const HostArray& result) {
                              return result.shape.rank() < Shape::max_rank;
                            });
      if (!has_room) {
        continue;
      }
      for (const auto& mapped : combinations(one.inputs.size())) {
        for (const std::size_t examples : {3U, 1U, 0U}) {
          std::string names;
          for (const bool is_mapped : mapped) {
            names += is_mapped ? "x" : "-";
          }
          SCOPED_TRACE(std::string(dtype.text) + ", " + one.layout + ", mapped " + names + ", " +
                       std::to_string(examples) + " examples");
          expect_as_loop(op, one, graph, mapped, examples);
          ++compared;
          if (HasFailure()) {
            return;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(Table, Vmap, ::testing::ValuesIn(ops::op_table),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
